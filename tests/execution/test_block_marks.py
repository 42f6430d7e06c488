"""Marks in functions of C++ and Go, and what they say about coverage."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.harness import CallInput
from clonetruth.execution.harness.block_marks import with_marks
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

CPP = """#include <vector>
struct Box { int top(int a) { if (a > 2) { return 1; } return 0; } };
static int unrelated(int a) { if (a) return 1; return a; }
int f(std::vector<int> v) {
    int s = 0;
    for (int x : v) s += Box().top(x);
    switch (s) { case 1: s = 5; break; default: s--; }
    return s;
}
"""
GO = """package main
func helper(a int) int { if a > 3 { return 1 } else if a == -77777 { return 9 }; return 2 }
func unrelated(a int) int { if a > 0 { return 1 }; return a }
func F(v []int) int { s := 0; for _, x := range v { s += helper(x) }; return s }
"""


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


@pytest.mark.parametrize(("text", "name", "entry", "count"), [(CPP, "cpp", "f", 6), (GO, "go", "F", 5)])
def test_blocks_of_the_function_and_of_those_that_it_calls_are_marked(
    text: str, name: str, entry: str, count: int
) -> None:
    marked, points = with_marks(text, name, entry)
    assert points == count
    assert marked.lower().replace("_", "").count("ctpoint(") == count
    # Nothing but marks and braces was added, and lines keep their numbers.
    assert marked.count("\n") == text.count("\n")
    assert "unrelated(int a) { if (a) return 1;" in marked or "unrelated(a int) int { if a > 0 { return 1 }" in marked


@pytest.mark.parametrize("text", ["int f(int a) { if (a { return 1; }", "constexpr int f(int a) { return a; }", ""])
def test_what_cannot_be_marked_stays_as_it_is(text: str) -> None:
    assert with_marks(text, "cpp", "f") == (text, 0)


@needs_sandbox
@pytest.mark.slow
@pytest.mark.parametrize(("text", "name", "program"), [(CPP, "cpp", "g++"), (GO, "go", "go")])
def test_what_is_reached_is_told_once_and_what_is_not_counts_as_missing(
    text: str, name: str, program: str, harnesses: Harnesses
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    harness = harnesses.get(name)
    assert harness is not None
    calls = [CallInput(({"list": [{"int": str(one)} for one in ones]},)) for ones in ([], [1], [1], [9])]
    run = harness.run(Code(text, name), calls, coverage=True)
    assert run.points == with_marks(text, name, "f" if name == "cpp" else "F")[1]
    reached = [set(one.reached) for one in run.observations]
    assert reached[0]
    assert reached[1]
    assert not reached[2], "nothing new"
    assert reached[3]
    found = compare_behaviour(Code(text, name), Code(text + "\n", name), harnesses, budget=SearchBudget(runs=60))
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    # The needle in Go is never reached, which shows.
    assert found.strength.left_coverage == (1.0 if name == "cpp" else 0.8)


@needs_sandbox
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_code_that_must_be_constant_runs_without_marks(harnesses: Harnesses) -> None:
    text = "int f(int a) { constexpr auto g = [](int x) { return x * 2; }; static_assert(g(2) == 4); return a; }"
    harness = harnesses.get("cpp")
    assert harness is not None
    run = harness.run(Code(text, "cpp"), [CallInput(({"int": "3"},))], coverage=True)
    assert run.observations[0].returned == {"int": "3"}
    assert run.points == 0, "unknown, and never called covered"
