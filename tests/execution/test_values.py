"""The form of values, and when two are equal: definitions by property."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.execution.comparison import Difference, compare_calls
from clonetruth.execution.harness import Observation
from clonetruth.execution.harness.inside import python_values
from clonetruth.execution.values import check_value, equal_values, is_comparable, surely_differ, value_key

TEXTS = st.text(max_size=5)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    TEXTS,
    st.integers().map(lambda one: {"int": str(one)}),
    st.floats(allow_nan=False).map(lambda one: {"float": one.hex()}),
    st.decimals(allow_nan=False).map(lambda one: {"decimal": str(one)}),
    st.characters().map(lambda one: {"char": one}),
    st.binary(max_size=4).map(lambda one: {"bytes": one.hex()}),
    st.dates().map(lambda one: {"date": one.isoformat()}),
    st.datetimes().map(lambda one: {"datetime": one.isoformat()}),
    st.times().map(lambda one: {"time": one.isoformat()}),
    st.integers(-(10**12), 10**12).map(lambda one: {"duration": str(Decimal(one) / 1_000_000)}),
    TEXTS.map(lambda one: {"path": one}),
    st.tuples(TEXTS, TEXTS).map(lambda one: {"enum": list(one)}),
)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    values = st.lists(inner, max_size=3)
    entries = st.lists(st.tuples(TEXTS, inner).map(list), max_size=3, unique_by=lambda one: one[0])
    return st.one_of(
        st.tuples(st.sampled_from(["list", "tuple", "iterator", "set"]), values).map(lambda one: {one[0]: one[1]}),
        entries.map(lambda one: {"map": one}),
        st.tuples(TEXTS, entries).map(lambda one: {"object": list(one)}),
    )


VALUES = st.recursive(SCALARS, containers, max_leaves=8)


@given(VALUES)
def test_a_value_is_json_and_equals_itself(value: Any) -> None:
    again = json.loads(json.dumps(value))
    assert check_value(again) == value
    assert equal_values(value, again)
    assert is_comparable(value)


@given(VALUES, VALUES)
def test_equality_has_no_sides(left: Any, right: Any) -> None:
    assert equal_values(left, right) == equal_values(right, left)


@given(st.lists(VALUES, max_size=4), st.randoms())
def test_sets_have_no_order_and_lists_have(values: list[Any], random: Any) -> None:
    shuffled = random.sample(values, len(values))
    assert equal_values({"set": values}, {"set": shuffled})
    assert equal_values({"list": values}, {"tuple": values})
    ordered = all(equal_values(one, other) for one, other in zip(values, shuffled, strict=True))
    assert equal_values({"list": values}, {"iterator": shuffled}) == ordered


@given(st.integers(-(2**53), 2**53))
def test_numbers_are_equal_by_value(value: int) -> None:
    forms = [{"int": str(value)}, {"float": float(value).hex()}, {"decimal": f"{value}.00"}]
    assert all(equal_values(one, other) for one in forms for other in forms)
    assert not equal_values(forms[0], {"int": str(value + 1)})


@given(st.floats(1e-300, 1e300), st.sampled_from([1 + 1e-12, 1 - 1e-12]), st.sampled_from([1 + 1e-6, 1 - 1e-6]))
def test_the_tolerance_is_relative(value: float, near: float, far: float) -> None:
    assert equal_values({"float": value.hex()}, {"float": (value * near).hex()})
    assert not equal_values({"float": value.hex()}, {"float": (value * far).hex()})


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (None, False),
        (None, {"int": "-1"}),
        (False, {"int": "0"}),
        (True, {"int": "1"}),
        ("1", {"int": "1"}),
        (None, ""),
        ({"list": []}, {"set": []}),
        ({"list": []}, None),
        ({"float": "nan"}, {"float": "inf"}),
        ({"float": "inf"}, {"int": "9" * 400}),
        ({"set": [{"int": "1"}, {"int": "1"}]}, {"set": [{"int": "1"}, {"int": "2"}]}),
        ({"bytes": "61"}, "a"),
    ],
)
def test_what_is_not_converted(left: Any, right: Any) -> None:
    assert not equal_values(left, right)


def test_what_is_the_same_in_another_form() -> None:
    assert equal_values({"float": "nan"}, {"float": "nan"})
    assert equal_values({"char": "x"}, "x")
    assert equal_values({"decimal": str(Decimal("Infinity"))}, {"float": math.inf.hex()})
    assert equal_values({"object": ["Node", [["val", None]]]}, {"object": ["ListNode", [["val", None]]]})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1, "not a value"),
        ([], "not a value"),
        ({}, "not a value"),
        ({"int": "1", "float": "1"}, "not a value"),
        ({"int": 1}, "not a text"),
        ({"int": "1.5"}, "not a whole number"),
        ({"int": "٣"}, "not a whole number"),
        ({"float": "x"}, "invalid hexadecimal"),
        ({"decimal": "x"}, "not a number"),
        ({"decimal": "1E+999999999"}, "too many digits"),
        ({"int": "9" * 20_000}, "too many digits"),
        ({"list": None}, "not a list"),
        ({"list": [1]}, "not a value"),
        ({"map": [["a"]]}, "not a list of keys"),
        ({"map": {}}, "not a list of keys"),
        ({"object": [1, []]}, "not a class"),
        ({"cycle": True}, "not a number of levels"),
        ({"planet": "x"}, "unknown kind"),
    ],
)
def test_what_a_stranger_sends_is_checked(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_value(value)


def test_depth_is_bounded() -> None:
    value: Any = None
    for _ in range(100):
        value = {"list": [value]}
    with pytest.raises(ValueError, match="too deep"):
        check_value(value)


@pytest.mark.parametrize("value", [{"opaque": "function"}, {"cut": "list"}])
def test_what_cannot_be_compared_is_found_at_any_depth(value: Any) -> None:
    for outer in (value, {"list": [value]}, {"map": [["a", value]]}, {"object": ["A", [["x", {"set": [value]}]]]}):
        assert not is_comparable(outer)


def test_outputs_that_may_have_been_cut_are_not_called_equal() -> None:
    """Two programs that print the same 100,000 characters may print different last lines."""
    flood = Observation(output="x" * 100_000)
    assert compare_calls(flood, flood) is None
    assert compare_calls(flood, Observation(output="x" * 100_000)) is None
    # Another language keeps more.
    assert compare_calls(flood, Observation(output="x" * 140_000)) is None
    assert compare_calls(Observation(output="x" * 140_000), flood) is None
    assert compare_calls(flood, Observation(output="x" * 90_000 + "y" * 50_000)) == frozenset({Difference.OUTPUT})
    assert compare_calls(flood, Observation(output="x" * 9)) == frozenset({Difference.OUTPUT})
    letters = Observation(output="é" * 49_999)
    assert compare_calls(letters, Observation(output="é" * 49_999)) is None
    assert compare_calls(flood, Observation(output="y" * 100_000)) == frozenset({Difference.OUTPUT})
    long = Observation(output="x" * 90_000)
    assert compare_calls(long, long) == compare_calls(long, Observation(output="x" * 90_000)) == frozenset()
    failed = Observation(raised="ValueError", output="x" * 100_000)
    assert compare_calls(failed, failed) == frozenset()


@pytest.mark.parametrize("value", [False, "", {"int": "0"}, {"int": "-1"}, {"list": []}, {"object": ["A", []]}])
def test_nothing_is_another_value_than_any_other(value: Any) -> None:
    """`null` or `None` against a value, an empty or a zero one included, is recorded as a difference in the value."""
    nothing, something = Observation(), Observation(value)
    assert compare_calls(nothing, something) == compare_calls(something, nothing) == frozenset({Difference.VALUE})


def test_a_pointer_with_a_length_is_not_told_from_what_another_language_returns() -> None:
    pointer, two = {"opaque": "pointer"}, {"int": "2"}
    assert not surely_differ({"tuple": [pointer, two]}, {"list": [{"list": []}, {"list": []}]})
    assert surely_differ({"tuple": [pointer, two]}, {"tuple": [pointer, {"int": "3"}]})


def test_objects_whose_fields_have_other_names_on_each_side_show_nothing() -> None:
    def made(*names: str, value: int = 1) -> Observation:
        font = {"object": ["Font", [[name, {"int": str(value)}] for name in names]]}
        return Observation({"list": [font]}, changed=(font,))

    assert compare_calls(made("bold", "size"), made("boldness", "size")) is None
    assert compare_calls(made("bold"), made("bold", value=2)) == frozenset({Difference.VALUE, Difference.CHANGED})
    assert compare_calls(made("bold"), made("bold", "size")) == frozenset({Difference.VALUE, Difference.CHANGED})
    printed = replace(made("boldness"), output="x")
    assert compare_calls(made("bold"), printed) == frozenset({Difference.OUTPUT})


@given(VALUES, VALUES)
def test_keys_of_values_are_the_same_where_they_are_written_alike(one: Any, other: Any) -> None:
    again = json.loads(json.dumps(one))
    for left, right in ((one, other), (one, again), ([one, one], [one, again]), ((one,), [one])):
        assert (value_key(left) == value_key(right)) == (repr(left) == repr(right))


def test_every_value_has_a_key() -> None:
    class Colour(StrEnum):
        RED = "red"

    deep: Any = None
    for _ in range(100):
        deep = {"list": [{"list": [deep]}]}
    half = "\ud800"
    made = [Colour.RED, "red", half, half + "x", True, 1, {"int": "1"}, None, "", [], (), deep, {"list": [deep]}]
    keys = [value_key(one) for one in made]
    assert len(set(keys)) == len(made)
    assert keys == [value_key(one) for one in made]


@pytest.mark.parametrize("length", [0, 1, python_values.MAX_ITEMS - 1, python_values.MAX_ITEMS, 10_001, 20_000])
def test_long_lists_of_small_numbers_are_cut_where_others_are(length: int) -> None:
    small = python_values.to_form([7] * length)["list"]
    large = python_values.to_form([1 << 60] * length)["list"]
    assert len(small) == len(large) == min(length, python_values.MAX_ITEMS + 1)
    assert [one == {"cut": "values"} for one in small] == [one == {"cut": "values"} for one in large]


def test_lists_are_written_without_asking_their_elements() -> None:
    class Lying(type):
        def __hash__(cls) -> int:
            raise AssertionError("asked")

        def __eq__(cls, other: object) -> bool:
            raise AssertionError("asked")

    class Number(int, metaclass=Lying):
        def __lt__(self, other: object) -> bool:
            raise AssertionError("asked")

        __gt__ = __lt__

    def whole(number: int) -> dict[str, str]:
        return {"int": str(number)}

    assert python_values.to_form([2, True, -3, None])["list"] == [whole(2), True, whole(-3), None]
    assert python_values.to_form([1 << 60, -(1 << 60), 0])["list"] == [whole(1 << 60), whole(-(1 << 60)), whole(0)]
    assert python_values.to_form(([1, 2], {3})) == {"tuple": [{"list": [whole(1), whole(2)]}, {"set": [whole(3)]}]}
    assert python_values._drawn([1, Number(2)], python_values.Budget(), (), 1)[0] == whole(1)
