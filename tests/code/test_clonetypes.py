"""Clone types: T1 and T2 by forms, the others by a named cut rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.code import CUT_RULES, PairMeasures, clone_type, fragment_forms, language
from clonetruth.errors import UnknownNameError

JAVA = language("java")


def type_of(left: str, right: str, rule: str = "min") -> tuple[str, str | None]:
    found = clone_type(fragment_forms(left, JAVA), fragment_forms(right, JAVA), rule)
    return found.name, found.renaming


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("int f(int a) { return a; }", "int f(int a){return a;} // same", ("T1", None)),
        ("int f(int a) { return a; }", "/** doc */ int f(\n  int a\n) {\n  return a;\n}", ("T1", None)),
        ("int f(int a) { return a; }", "int f(int a) { return a;; }", ("T1", None)),
        ("int f(int a) { return a + 1; }", "int g(int b) { return b + 2; }", ("T2", "consistent")),
        ("int f(int a, int b) { return a - b; }", "int f(int b, int a) { return b - a; }", ("T2", "consistent")),
        ("int f(int a, int b) { return a - b; }", "int f(int a, int b) { return b - a; }", ("T2", "blind")),
        ("String f() { return null; }", 'String f() { return "x"; }', ("T2", "blind")),
        ("boolean f() { return true; }", "boolean f() { return false; }", ("T2", "consistent")),
        ("int f(A a) { return a.x; }", "int f(A a) { return this.x; }", ("T2", "blind")),
    ],
)
def test_types_by_form(left: str, right: str, expected: tuple[str, str | None]) -> None:
    assert type_of(left, right) == expected
    assert type_of(right, left) == expected


def test_type_1_ignores_how_angle_brackets_are_glued() -> None:
    assert type_of("List<List<A>> f(){}", "List<List<A> > f(){}") == ("T1", None)


unit = st.floats(0, 1)


@given(unit, unit)
def test_rules_differ_only_in_the_value_they_cut(line: float, token: float) -> None:
    values = {"min": min(line, token), "line": line, "token": token, "mean": (line + token) / 2}
    for rule, value in values.items():
        measures = PairMeasures(np.array([line]), np.array([token]), np.array([3], dtype=np.uint8))
        (name,) = CUT_RULES[rule].types(measures)
        if min(line, token) == 1:
            assert name == "T2"
        else:
            bands = ((0.9, "VST3"), (0.7, "ST3"), (0.5, "MT3"), (0.0, "WT3/T4"))
            assert name == next(band for bound, band in bands if value >= bound)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.9, "VST3"), (0.7500001, "ST3"), (0.75, "T3"), (0.5, "T3"), (0.4999, "T4"), (0.0, "T4")],
)
def test_the_grey_area_of_gptclonebench(value: float, expected: str) -> None:
    measures = PairMeasures(np.array([value]), np.array([0.0]), np.array([3], dtype=np.uint8))
    assert CUT_RULES["gptclonebench"].types(measures)[0] == expected


@pytest.mark.parametrize(("value", "expected"), [(0.9, "VST3"), (0.7, "ST3"), (0.5, "MT3"), (0.49, "WT3/T4")])
def test_bounds_belong_to_the_upper_type(value: float, expected: str) -> None:
    measures = PairMeasures(np.array([value]), np.array([value]), np.array([3], dtype=np.uint8))
    assert CUT_RULES["min"].types(measures)[0] == expected


def test_the_rule_is_recorded_by_its_own_name() -> None:
    form = fragment_forms("void f() {}", JAVA)
    assert clone_type(form, form, "both").cut_rule == "min"


def test_an_unknown_rule_suggests_a_known_one() -> None:
    form = fragment_forms("void f() {}", JAVA)
    with pytest.raises(UnknownNameError, match="Did you mean 'mean'"):
        clone_type(form, form, "meen")


def test_only_gptclonebench_has_a_type_across_languages() -> None:
    assert {name: CUT_RULES[name].across_languages for name in CUT_RULES} == {
        "min": None,
        "line": None,
        "token": None,
        "mean": None,
        "gptclonebench": "T4",
    }
