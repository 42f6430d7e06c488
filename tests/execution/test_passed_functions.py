"""Functions as arguments: the same input is the same function in every language."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from clonetruth.execution import Code, Harnesses
from clonetruth.execution.harness.harness import CallInput, Observation
from clonetruth.execution.harness.inside.python_values import StandIn
from clonetruth.execution.harness.passed_functions import passed_function
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES
from clonetruth.execution.inputs.given import value_of
from clonetruth.execution.inputs.profiles import common_type
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.notation import write_value
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

BOX = Bubblewrap()
ASKING = {
    "c": "int f(int a, double b, const char *c, int (*g)(int, double, const char *)) { return g(a, b, c); }",
    "cpp": (
        "int f(int a, double b, std::string c, const std::function<int(int, double, const std::string &)> &g) "
        "{ return g(a, b, c); }"
    ),
    "csharp": "public static int F(int a, double b, string c, Func<int, double, string, int> g) { return g(a, b, c); }",
    "go": "func F(a int, b float64, c string, g func(int, float64, string) int) int { return g(a, b, c) }",
    "javascript": "/** @param {function(number, number, string): number} g */\n"
    "function f(a, b, c, g) { return g(a, b, c) }",
}
"""What a function that is passed returns."""
COMPARING = {
    "c": "void f(int a, int b, int (*less)(int, int), void (*note)(int)) { note(less(a, b) ? a : b); note(7); }",
    "cpp": (
        "void f(int a, int b, std::function<bool(int, int)> less, std::function<void(int)> note) "
        "{ note(less(a, b) ? a : b); note(7); }"
    ),
    "csharp": (
        "public static void F(int a, int b, Func<int, int, bool> less, Action<int> note) "
        "{ note(less(a, b) ? a : b); note(7); }"
    ),
    "go": (
        "func F(a, b int, less func(int, int) bool, note func(int)) "
        "{ if less(a, b) { note(a) } else { note(b) }; note(7) }"
    ),
}
"""One that compares, and one whose calls are all that is seen."""


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(BOX) as one:
        yield one


def run(harnesses: Harnesses, text: str, language: str, calls: list[tuple[Any, ...]]) -> tuple[Observation, ...]:
    if PROGRAM_LANGUAGES[language].missing(BOX):
        pytest.skip(f"{language} is not installed")
    harness = harnesses.get(language)
    assert harness is not None
    found = harness.run(Code(text, language), [CallInput(one) for one in calls])
    assert found.undecided is None, found.detail
    return found.observations


@needs_sandbox
@pytest.mark.parametrize("language", ASKING)
def test_equal_arguments_give_the_same_result_in_every_language(language: str, harnesses: Harnesses) -> None:
    results = [{"int": str(one)} for one in range(97)]
    numbers = itertools.product((0, -5, 2**31 - 1), (0.0, -0.0, 0.1, 3.0, 1e30, -2.5e-9))
    texts = itertools.cycle(("", 'a"b\\', "x\ny\t", "hello", "\x7f", "\x01"))
    given = [(*both, text) for both, text in zip(numbers, texts, strict=False)]
    calls = [(*map(value_of, one), {"function": ["function", results]}) for one in given]
    observed = run(harnesses, ASKING[language], language, calls)
    assert [one.returned for one in observed] == [{"int": str(StandIn(results, False)(*one))} for one in given]


@needs_sandbox
@pytest.mark.parametrize("language", COMPARING)
def test_a_function_that_compares_is_consistent_and_calls_are_seen(language: str, harnesses: Harnesses) -> None:
    note: dict[str, Any] = {"function": ["procedure", []]}
    calls = [
        (value_of(a), value_of(b), {"function": ["order", [upwards]]}, note)
        for a, b, upwards in [(1, 2, True), (2, 1, True), (1, 2, False), (2, 2, True)]
    ]
    observed = run(harnesses, COMPARING[language], language, calls)
    noted = [one.changed[3]["list"][0] for one in observed if one.changed and isinstance(one.changed[3], dict)]
    assert noted == [{"tuple": [value_of(one)]} for one in (1, 1, 2, 2)]


@pytest.mark.parametrize(
    ("name", "taken", "result", "expected"),
    [
        ("keep", ["int"], "bool", "function[bool]"),
        ("f", ["int", "int"], "int", "function[int]"),
        ("f", ["int", "str"], "bool", "function[bool]"),
        ("less", ["str", "str"], "bool", "function[bool, order]"),
        ("isEqual", ["str", "str"], "bool", "function[bool, equality]"),
        ("compareFn", ["int", "int"], "int", "function[int, comparison]"),
        ("visit", ["int"], None, "procedure[none]"),
    ],
)
def test_what_a_function_does_follows_from_its_type_and_name(
    name: str, taken: list[str], result: str | None, expected: str
) -> None:
    made = passed_function(name, list(map(parse_type, taken)), parse_type(result) if result else None)
    assert str(made) == expected
    assert parse_type(expected) == made


def test_functions_of_which_one_compares_are_not_the_same() -> None:
    order, plain = parse_type("function[bool, order]"), parse_type("function[bool]")
    assert common_type(order, plain) is None
    assert common_type(order, order) == order


def test_a_witness_says_how_a_function_compares() -> None:
    assert write_value({"function": ["order", [False]]}, "go") == "<a function that says whether the first is greater>"
    assert write_value({"function": ["equality", []]}, "go") == "<a function that says whether both are equal>"
