"""Compilers that stay: the same as without them, and no program can use them against the next one."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from dataclasses import replace

import pytest

from clonetruth.execution.harness import CallInput, Code, Observation, Reason
from clonetruth.execution.harness.c.harness import CHarness, CppHarness
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

BOX = Bubblewrap()
FEW = 4

pytestmark = [
    pytest.mark.slow,
    needs_sandbox,
    pytest.mark.skipif(bool(PROGRAM_LANGUAGES["c"].missing(BOX)), reason="gcc is not installed"),
    pytest.mark.skipif(BOX.find("tcc") is None, reason="tcc is not installed"),
]

TEXTS = [
    "int f(int x) { int a[4] = {1, 2, 3, 4}; return a[x]; }",
    "int f(int x) { int y; if (x > 2) y = 1; return y + x * 1000000; }",
    '#include <stdio.h>\n#include <math.h>\ndouble f(int x) { printf("%d\\n", x); return sqrt(x) + pow(x, 3); }',
    "#include <stdlib.h>\nstatic int deep(int x) { return x ? deep(x - 1) + 1 : 0; }\nint f(int x) { return deep(x); }",
    "int f(int x) { while (x > 1) x += 0; return 5 / x; }",
    "#include <string.h>\n#include <errno.h>\nint f(int x) { return strlen(strerror(x)) + EINTR; }",
    "typedef int bool;\nint f(int x) { bool b = x + 1; return b; }",
    "double pow(double x, double y) { return x; }\nint f(int x) { return pow(x, 2); }",
    "struct P { int a; double b; };\nstruct P f(int x) { struct P p = {x, x / 3.0}; return p; }",
    "static inline __attribute__((always_inline)) int f(int x) { return x + 1; }",
]

ATTACK = """#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
int f(int number) {
    int got = 0;
    char name[40];
    struct rlimit none = {0, 0};
    for (int one = 2; one < 3000; one++) {
        if (one == getpid()) continue;
        snprintf(name, sizeof name, "/proc/%d/mem", one);
        if (!syscall(SYS_faccessat, AT_FDCWD, name, W_OK)) got += 1;
        if (!prlimit(one, RLIMIT_FSIZE, &none, 0) || !prlimit(one, RLIMIT_AS, &none, 0)) got += 1000;
        kill(one, number);
    }
    return got;
}
"""


def ready() -> CHarness:
    """A harness that has compiled enough for compilers to stay."""
    one = CHarness(BOX)
    for number in range(FEW):
        call(one, f"int f(int x) {{ return x + {number}; }}")
    assert one._runner.stayed
    return one


def call(harness: CHarness, text: str, *values: int, seed: int = 0) -> tuple[Reason | None, int, list[Observation]]:
    found = harness.run(Code(text, "c"), [CallInput(({"int": str(one)},)) for one in values or (1,)], seed=seed)
    return found.undecided, found.points, [replace(one, reached=()) for one in found.observations]


@pytest.fixture(scope="module")
def c() -> Iterator[CHarness]:
    with ready() as one:
        yield one


def test_the_same_as_without_them(c: CHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    before = c._runner.stayed
    with_them = [call(c, text, 0, 1, 5, -7, seed=seed) for text in TEXTS for seed in (0, 1)]
    # Those that need a header, or have names of the short one, are left to the plain command.
    assert c._runner.stayed - before >= 2 * (len(TEXTS) - 2)
    monkeypatch.setattr(CHarness, "_staying", lambda *unused: None)
    with CHarness(BOX) as plain:
        assert [call(plain, text, 0, 1, 5, -7, seed=seed) for text in TEXTS for seed in (0, 1)] == with_them
        assert plain._runner.stayed == 0


def test_a_program_cannot_use_them_against_the_next(c: CHarness) -> None:
    for number in (0, signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        _, _, observed = call(c, ATTACK, number)
        assert [one.returned for one in observed] == [{"int": "0"}]
        before = c._runner.stayed
        for more in range(3):
            expected = Observation(returned={"int": str(8 + more)})
            assert call(c, f"int g(int x) {{ return x + {more}; /* {number} */ }}", 8) == (None, 1, [expected])
        # Ended ones cost the first of the next programs more time, and nothing else.
        assert c._runner.stayed - before == (3 if number in (0, signal.SIGSTOP) else 2)


def test_code_that_does_not_compile_is_named_and_leaves_them_alone(c: CHarness) -> None:
    before = c._runner.stayed
    assert c.run(Code("int f(int x) { return x + nowhere; }", "c"), [CallInput(({"int": "1"},))]).detail == "nowhere"
    assert c._runner.stayed == before
    assert call(c, "int h(int x) { return x - 1; }") == (None, 1, [Observation(returned={"int": "0"})])
    assert c._runner.stayed == before + 1


CPP_TEXTS = [
    "#include <string>\nstd::string f(int x) { return std::string(x, 'a').at(2) + std::to_string(x); }",
    "#include <vector>\n#include <string>\n"
    'int f(int x) { std::vector<std::string> all(3, "b"); return all[x].size(); }',
    "#include <algorithm>\n#include <vector>\n#include <string>\nusing namespace std;\n"
    "int count(vector<int>::iterator, vector<int>::iterator, long) { return -1; }\n"
    "int f(int x) { vector<int> all(4, x); return ::count(all.begin(), all.end(), 5L) + max(x, 2); }",
    "#include <vector>\nstruct P { int a; std::vector<int> b; };\nP f(int x) { return P{x, {x, 2147483647 + x}}; }",
    "#include <map>\nint f(int x) { std::map<int, int> all; return all[x] + 7 / x; }",
]


@pytest.mark.skipif(bool(PROGRAM_LANGUAGES["cpp"].missing(BOX)), reason="g++ is not installed")
def test_the_same_as_without_them_in_cpp(monkeypatch: pytest.MonkeyPatch) -> None:
    def observed(harness: CppHarness) -> list[tuple[Reason | None, int, tuple[Observation, ...]]]:
        calls = [CallInput(({"int": str(one)},)) for one in (0, 1, 5)]
        runs = [harness.run(Code(text, "cpp", "f"), calls, seed=seed) for text in CPP_TEXTS for seed in (0, 1)]
        return [(run.undecided, run.points, run.observations) for run in runs]

    with CppHarness(BOX) as staying:
        with_them = observed(staying)
        # The first ones start none, and a header that none has read is left to the plain command.
        assert staying._runner.stayed == 2 * (len(CPP_TEXTS) - 1) - (FEW - 1)
    monkeypatch.setattr(CppHarness, "_staying", lambda *unused: None)
    with CppHarness(BOX) as plain:
        assert observed(plain) == with_them
        assert plain._runner.stayed == 0
