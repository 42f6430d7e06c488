"""The compiler of C# that is loaded once: the same as without it, and no program can use it against the next one."""

from __future__ import annotations

import signal

import pytest

from clonetruth.execution.harness import CallInput, Code, FragmentRun
from clonetruth.execution.harness.csharp import CSharpHarness
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

BOX = Bubblewrap()
FEW = 4

pytestmark = [
    pytest.mark.slow,
    needs_sandbox,
    pytest.mark.skipif(bool(PROGRAM_LANGUAGES["csharp"].missing(BOX)), reason="mono is not installed"),
]

TEXTS = [
    "int F(int x) { return checked(x * 1000000); }",
    'string F(int x) { return $"{x:D3}" + (x is int y ? y : 0); }',
    # What one program declares is not known to the next.
    "class Pair { public int a; } static Pair F(int x) => new Pair { a = x };",
    "int F(int x) { var all = new Pair(); return x; }",
    "int F(int x) { return x + nowhere; }",
    "int F(int x) { return x + ; }",
    "int F(int x) { Node n = new Node(); n.next = null; n.data = x; return n.data; }",
    'string F(int x) { var all = new List<int> { x, 2 }; return string.Join(",", all.Select(y => y / x)); }',
    "dynamic F(int x) { return x > 1 ? (object) x : null; }",
]
ATTACK = """
[System.Runtime.InteropServices.DllImport("libc")] static extern int kill(int process, int number);
[System.Runtime.InteropServices.DllImport("libc")] static extern int access(string name, int how);
static int F(int number) {
    int got = 0;
    for (int one = 2; one < 2000; one++) {
        if (access("/proc/self/task/" + one, 0) == 0) continue;
        if (access("/proc/" + one + "/mem", 2) == 0) got++;
        if (kill(one, number) == 0) got += 1000;
    }
    return got;
}
"""


def run(harness: CSharpHarness, text: str, *values: int) -> FragmentRun:
    return harness.run(Code(text, "csharp", "F"), [CallInput(({"int": str(one)},)) for one in values])


def test_the_same_as_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with CSharpHarness(BOX) as loaded:
        with_it = [run(loaded, text, 0, 1, 5000) for text in TEXTS]
        # What it refuses is left to the plain command, which says why.
        assert loaded._runner.stayed == sum(one.undecided is None for one in with_it[FEW - 1 :]) == 4
    assert "nowhere" in [one.detail for one in with_it]
    monkeypatch.setattr(CSharpHarness, "_staying", lambda *unused: None)
    with CSharpHarness(BOX) as plain:
        assert [run(plain, text, 0, 1, 5000) for text in TEXTS] == with_it
        assert plain._runner.stayed == 0


def test_a_program_cannot_use_it_against_the_next() -> None:
    with CSharpHarness(BOX) as harness:
        for number in range(FEW):
            run(harness, f"int F(int x) {{ return x + {number}; }}")
        assert harness._runner.stayed == 1
        for number in (0, signal.SIGSTOP, signal.SIGKILL):
            (observed,) = run(harness, ATTACK, number).observations
            # Its threads are there, and cannot be looked into.
            assert isinstance(observed.returned, dict)
            seen = int(observed.returned["int"])
            assert (seen > 0, seen % 1000) == (True, 0)
            before = harness._runner.stayed
            for more in range(2):
                (observed,) = run(harness, f"int F(int x) {{ return x - {more}; /* {number} */ }}", 8).observations
                assert observed.returned == {"int": str(8 - more)}
            # An ended one costs the next program more time, and nothing else.
            assert harness._runner.stayed - before == (1 if number == signal.SIGKILL else 2)
