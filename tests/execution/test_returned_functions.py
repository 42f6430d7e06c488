"""Functions that code returns are called, and values of library classes are compared by what is in them."""

from __future__ import annotations

import array
import functools
import re
import types
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.comparison import Difference, compare_calls
from clonetruth.execution.harness.harness import Observation
from clonetruth.execution.harness.inside.python_values import RAISES as RAISES_INSIDE
from clonetruth.execution.harness.inside.python_values import to_form
from clonetruth.execution.notation import write_value
from clonetruth.execution.results import BehaviourComparison
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.values import (
    RAISES,
    Value,
    check_value,
    equal_values,
    is_comparable,
    with_common_calls,
    with_telling_calls,
)
from tests.execution.sandboxed import needs_sandbox


class Base:
    __slots__ = ("__hidden", "first")

    def __init__(self, first: int) -> None:
        self.first = first
        self.__hidden = -first


class Derived(Base):
    __slots__ = ("second",)

    def __init__(self, first: int, second: int) -> None:
        super().__init__(first)
        self.second = second


class CustomError(ValueError):
    pass


class Pipe(functools.partial[int]):
    pass


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (re.compile("a"), re.compile("b")),
        (re.compile("a"), re.compile("a", re.IGNORECASE)),
        (slice(1), slice(2)),
        (array.array("i", [1]), array.array("i", [2])),
        (types.MappingProxyType({1: 2}), types.MappingProxyType({1: 3})),
        (functools.partial(str.upper, "a").keywords, {"b": 1}),
        (functools.partial(lambda x, y: x + y, 1), functools.partial(lambda x, y: x + y, 2)),
        (ValueError("a"), ValueError("b")),
        (CustomError(1, 2), CustomError(1, 3)),
        (Base(1), Base(2)),
        (Derived(1, 2), Derived(3, 2)),
        (NotImplemented, 0),
        (..., None),
        (lambda x: x + 1, lambda x: x + 2),
        (lambda: 1, lambda: 2),
        (lambda x, y: x - y, lambda x, y: y - x),
        (lambda x: lambda y: x - y, lambda x: lambda y: y - x),
        ([1, {"f": lambda x: x}], [1, {"f": lambda x: -x}]),
    ],
)
def test_values_that_differ_are_not_equal(one: Any, other: Any) -> None:
    forms = [to_form(one), to_form(other)]
    assert all(check_value(form) == form and is_comparable(form) for form in forms)
    assert compare_calls(Observation(forms[0]), Observation(forms[1])) == frozenset({Difference.VALUE})
    assert compare_calls(Observation(forms[0]), Observation(to_form(one))) == frozenset()


@pytest.mark.parametrize("value", [object(), memoryview(b"a"), Pipe(abs), len, int, lambda *, a: a, lambda f: f.b])
def test_what_is_kept_out_of_sight_cannot_be_compared(value: object) -> None:
    assert not is_comparable(to_form(value))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Other numbers of arguments: no call is the same.
        (lambda x: x, lambda x, y: x),
        # A function, and an object that may be called.
        (lambda x: x, Base(1)),
    ],
)
def test_functions_that_are_called_otherwise_cannot_be_compared(one: object, other: object) -> None:
    assert compare_calls(Observation(to_form(one)), Observation(to_form(other))) is None


def test_a_further_argument_that_may_be_left_out_changes_nothing() -> None:
    def optional(x: int, step: int = 1) -> int:
        return x + step

    def several(*given: Any) -> Any:
        return given[0] + 1

    for one in (optional, several):
        assert compare_calls(Observation(to_form(lambda x: x + 1)), Observation(to_form(one))) == frozenset()


def test_arguments_are_not_called() -> None:
    from clonetruth.execution.harness.inside.python_values import argument_form

    calls: list[int] = []
    assert argument_form([calls.append, lambda: calls.append(1)]) == {
        "list": [{"opaque": "builtin_function_or_method"}, {"opaque": "function"}]
    }
    assert calls == []


def test_missing_names_are_reported_and_not_taken_for_an_exception() -> None:
    with pytest.raises(NameError):
        to_form(eval("lambda x: helper(x)"))


def called(*outcomes: Value) -> Value:
    return {"called": [[[{"int": str(at)}], outcome] for at, outcome in enumerate(outcomes)]}


@given(st.lists(st.sampled_from(["a", "b", RAISES, {"opaque": "x"}]), min_size=1, max_size=5), st.data())
def test_common_and_telling_calls_keep_what_a_comparison_says(outcomes: list[Value], data: st.DataObject) -> None:
    others = data.draw(st.lists(st.sampled_from(["a", "b", RAISES]), min_size=1, max_size=5))
    left, right = with_common_calls({"map": [["f", called(*outcomes)]]}, {"map": [["f", called(*others)]]})
    assert check_value(left) == left
    differ = any(one != other and one != {"opaque": "x"} for one, other in zip(outcomes, others, strict=False))
    assert equal_values(left, right) is not differ
    telling = with_telling_calls(left, right)
    assert equal_values(*telling) is not differ
    if differ:
        assert all(len(one["map"][0][1]["called"]) <= 2 for one in telling if isinstance(one, dict))


def test_calls_are_written_shortly() -> None:
    assert write_value(called("a", RAISES), "python") == "<a function: (0) → 'a'; (1) raises>"
    assert write_value(called("a", "b", "c", "d"), "java").endswith('(2) → "c"; …>')
    assert RAISES_INSIDE == RAISES


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as ready:
        yield ready


def compared(harnesses: Harnesses, left: str, right: str, languages: tuple[str, str]) -> BehaviourComparison:
    codes = [Code(text, language) for text, language in zip((left, right), languages, strict=True)]
    return compare_behaviour(codes[0], codes[1], harnesses, budget=SearchBudget(runs=60, seconds=20))


COUNTER = {
    "python": """
def counter(step: int):
    total = 0
    def bump():
        nonlocal total
        total += step
        return total
    return bump
""",
    "javascript": """
function counter(step) {
  let total = 0
  return () => (total += Number(step))
}
""",
    "typescript": """
class Total { #value = 0; add(step: number): number { this.#value += step; return this.#value } }
function counter(step: number): () => number {
  const total = new Total()
  return function bump() { return total.add(step) }
}
""",
}
LATE = {
    "python": COUNTER["python"].replace(
        "total += step\n        return total", "total += step\n        return total - step"
    ),
    "javascript": COUNTER["javascript"].replace(
        "(total += Number(step))", "{ const now = total; total += step; return now }"
    ),
    "typescript": COUNTER["typescript"].replace(
        "this.#value += step; return this.#value", "this.#value += step; return 0"
    ),
}


@needs_sandbox
@pytest.mark.parametrize(
    "languages",
    [("python", "python"), ("javascript", "javascript"), ("typescript", "typescript"), ("python", "javascript")],
)
def test_returned_functions_are_compared(harnesses: Harnesses, languages: tuple[str, str]) -> None:
    first, second = languages
    other = COUNTER[second].replace("bump", "next_one").replace("total", "sum")
    assert compared(harnesses, COUNTER[first], other, languages).verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    assert compared(harnesses, COUNTER[first], LATE[second], languages).verdict is BehaviourVerdict.DIFFERENT


STORE = """
function store(first) {
  let value = first
  return { get: () => value, add(more) { value = value + more; return this.get() }, clear() { value = %s } }
}
"""


@needs_sandbox
def test_what_one_function_of_an_object_does_shows_in_another(harnesses: Harnesses) -> None:
    languages = ("javascript", "javascript")
    same = """
const store = start => {
  const box = { value: start }
  return {
    clear() { box.value = 0 },
    add: function (more) { box.value += more; return box.value },
    get () { return box.value }
  }
}
"""
    assert compared(harnesses, STORE % "0", same, languages).verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    assert compared(harnesses, STORE % "0", STORE % "1", languages).verdict is BehaviourVerdict.DIFFERENT


@needs_sandbox
@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ("new RegExp('a' + n, 'g')", "new RegExp('a' + n, 'i')", BehaviourVerdict.DIFFERENT),
        ("new URL('http://a/' + n)", "new URL('http://b/' + n)", BehaviourVerdict.DIFFERENT),
        (
            "Object.assign(new Error('a'), { code: n })",
            "Object.assign(new Error('a'), { code: -n })",
            BehaviourVerdict.DIFFERENT,
        ),
        ("({ get a () { return n } })", "({ a: n })", BehaviourVerdict.NO_DIFFERENCE_FOUND),
        # Private fields are out of sight, so that the others do not decide.
        ("new (class { #x = n; y = n })()", "new (class { #x = -n; y = n })()", BehaviourVerdict.UNDECIDED),
    ],
)
def test_objects_of_javascript(harnesses: Harnesses, one: str, other: str, verdict: BehaviourVerdict) -> None:
    texts = [f"function f (n) {{ return {each} }}\n// {n}" for n, each in enumerate((one, other))]
    assert compared(harnesses, texts[0], texts[1], ("javascript", "javascript")).verdict is verdict
