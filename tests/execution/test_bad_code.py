"""Code that misbehaves: its pair is decided or undecided with a reason, and the next pair is not affected."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Harnesses, Reason
from clonetruth.execution.results import BehaviourComparison
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.search import SearchBudget, compare_behaviour
from tests.execution.sandboxed import needs_sandbox

pytestmark = needs_sandbox

GOOD = "def f(n: int):\n    return n + 1"
BUDGET = SearchBudget(runs=12, seconds=4)


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


def compared(harnesses: Harnesses, left: str, right: str) -> BehaviourComparison:
    return compare_behaviour(Code(left, "python"), Code(right, "python"), harnesses, budget=BUDGET)


def with_body(*lines: str, before: str = "") -> str:
    return before + "def f(n: int):\n" + "".join(f"    {line}\n" for line in lines) + "    return n + 1\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "def f(n: int):\n    return",
        with_body("import os", "os._exit(3)"),
        with_body("import time", "while True: time.sleep(1)"),
        with_body("import threading", "threading.Event().wait()"),
        with_body("while True: print('x' * 100000)"),
        with_body("import os", "os.fork()"),
        with_body("import sys", "sys.stdin.read()", "while True: input()"),
        with_body("import sys", "sys.setrecursionlimit(10 ** 9)", "f(n)"),
        "def f(n: int):\n    return list(range(n, n + 1000000))",
        "def f(n: int):\n    a = [n]\n    a.append(a)\n    return a",
        with_body("import builtins", "builtins.print = builtins.len = builtins.repr = None"),
        with_body("global int, len, isinstance", "int = len = isinstance = None"),
        with_body("raise KeyboardInterrupt"),
        with_body("raise GeneratorExit"),
        with_body(
            "return A()", before="class A:\n    def __eq__(self, other): raise ValueError\n    __hash__ = None\n"
        ),
        with_body("return A()", before="class A:\n    def __repr__(self): raise ValueError\n"),
        with_body("A()", before="class A:\n    def __del__(self): raise ValueError\n"),
        with_body(
            "return A()", before="class A:\n    def __iter__(self): return self\n    def __next__(self): return 1\n"
        ),
    ],
)
def test_the_next_pair_is_not_affected(harnesses: Harnesses, source: str) -> None:
    """Nothing that bad code does makes it equal to good code, or the good pair behind it anything but equal."""
    bad = compared(harnesses, source, GOOD)
    # Some of it has no effect on what is returned.
    harmless = "__del__" in source or "builtins" in source or "global" in source
    assert harmless or bad.verdict in (BehaviourVerdict.DIFFERENT, BehaviourVerdict.UNDECIDED)
    good = compared(harnesses, GOOD, "def f(n: int):\n    return 1 + n")
    assert good.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    assert good.strength.normal == BUDGET.runs


def test_code_that_does_not_parse_is_undecided(harnesses: Harnesses) -> None:
    assert compared(harnesses, "def f(n:\n  return", GOOD).why_undecided is Reason.PARSE
    assert compared(harnesses, "def f(n):\n" + "(" * 50_000, GOOD).why_undecided is Reason.PARSE


def test_what_never_ends_is_a_class_of_its_own(harnesses: Harnesses) -> None:
    """It does not count by default, because a slow algorithm looks the same."""
    found = compared(harnesses, "def f(n: int):\n    while n > 3: pass\n    return n + 1", GOOD)
    assert "endless" in found.counts
    assert found.witness is None
