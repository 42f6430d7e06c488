"""What of a C or C++ text says that it cannot be observed by its values."""

from __future__ import annotations

import pytest

from clonetruth.execution.harness.c.headers import refused
from clonetruth.execution.harness.harness import Reason


@pytest.mark.parametrize(
    "text",
    [
        "int f(int n) { std::vector<bool> open(n, false); return open.size(); }",
        "int f(int n) { int clock(n); return clock; }",
        "int time(int a) { return a; } int f(int n) { return time(n) + 1; }",
        "struct G { int e; void connect(int a) { e = a; } };\nint f(int n) { G g; g.connect(n); return g.e; }",
        "void send(int a);\nvoid send(int a) { }\nint f(int n) { send(n); return n; }",
        "int rename(int a) { return a; } int f(int n) { return rename(n); }",
        'int f(int n) { puts("time(0)"); return n; } // open(it)',
    ],
)
def test_names_of_the_text_are_not_those_of_the_library(text: str) -> None:
    assert refused(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int f(const char *p) { return open(p, 0); }", Reason.FILE),
        ('int f(int n) { return n > open("a", 0); }', Reason.FILE),
        ("int f() { ifstream a; return 1; }", Reason.FILE),
        ('int f() { return remove("a"); }', Reason.FILE),
        ("int f() { return time(0); }", Reason.CLOCK),
        ("int f() { return std::chrono::steady_clock::now().x; }", Reason.CLOCK),
        ("int f(int n) { connect(n, 0, 0); return n; }", Reason.NETWORK),
        ("int f(int n) { if (n) return time(0); else return fork(); }", Reason.PROCESS),
    ],
)
def test_functions_of_the_library_are(text: str, reason: Reason) -> None:
    assert (refused(text) or (None,))[0] is reason
