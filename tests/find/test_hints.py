"""Refactoring hints: the parameters follow from what differs, and where they do not suffice, the hint says why."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.find import CloneClass, CloneMember, HintParameter, RefactoringHint, find_clones
from clonetruth.find.hints import hint_of
from tests.find.clone_trees import EDITED, OTHER, SUM, java, plant


def class_of(*texts: str, language: str = "python", name: str | None = "f") -> CloneClass:
    members = tuple(
        CloneMember(f"{at}.x", 1, 9, name, language, 50, "", text, 1.0, "", "T2") for at, text in enumerate(texts)
    )
    return CloneClass("key", "T2", "T2", 1.0, ("renamed",), members)


PYTHON = """def f(rows, limit):
    total = 0
    for row in rows:
        if row.price > limit:
            total += convert(row.price, 10)
    log("sum", total, 10)
    return total
"""


def test_equal_code_needs_nothing() -> None:
    hint = hint_of(class_of(PYTHON, PYTHON.replace("    total = 0", "    # none yet\n    total = 0")))
    assert hint == RefactoringHint()
    assert hint.enough
    assert str(hint) == "one function, without new parameters"


def test_names_that_a_function_declares_are_no_parameters() -> None:
    renamed = PYTHON.replace("total", "result").replace("rows", "lines").replace("limit", "bound")
    assert hint_of(class_of(PYTHON, renamed)) == RefactoringHint()


def test_values_functions_and_members_are_parameters_and_equal_ones_are_one() -> None:
    other = PYTHON.replace("10", "25").replace("convert", "scaled").replace("row.price", "row.cost")
    third = PYTHON.replace("10", "10").replace('"sum"', '"total"')
    hint = hint_of(class_of(PYTHON, other, third))
    assert hint.enough
    assert hint.parameters == (
        HintParameter("value", None, ("price", "cost", "price"), 2),
        HintParameter("function", None, ("convert", "scaled", "convert"), 1),
        HintParameter("value", "number", ("10", "25", "10"), 2),
        HintParameter("value", "string", ('"sum"', '"sum"', '"total"'), 1),
    )
    assert str(hint).startswith(
        "one function with 4 new parameters: price / cost (value, 2 ×); convert / scaled (functio"
    )


def test_types_are_parameters() -> None:
    other = SUM.replace("int[] values", "long[] values")
    hint = hint_of(class_of(SUM, SUM.replace("System", "Console"), language="java"))
    assert [(one.kind, one.values) for one in hint.parameters] == [("value", ("System", "Console"))]
    generic = "List<String> f(Set<String> a) {\n    return new ArrayList<String>(a);\n}"
    hint = hint_of(class_of(generic, generic.replace("String", "Integer"), language="java"))
    assert hint.parameters == (HintParameter("type", None, ("String", "Integer"), 3),)
    assert hint_of(class_of(SUM, other, language="java")).parameters == (), (
        "a keyword is not a name: the statement differs"
    )


@pytest.mark.parametrize(
    ("old", "new", "obstacle"),
    [
        (
            "    return total",
            "    if total > 9:\n        total = 9\n    return total",
            "the control flow differs in 1 state",
        ),
        (
            "for row in rows:\n        if",
            "while rows:\n        row = rows.pop()\n        if",
            "the control flow differs",
        ),
        ("total += convert(row.price, 10)", "limit += convert(row.price, 10)", "not renamed consistently (total)"),
        ('log("sum", total, 10)', 'log("sum", limit, 10)', "not renamed consistently (total)"),
        ("convert(row.price, 10)", "convert(limit.price, 10)", "not renamed consistently (row)"),
    ],
)
def test_what_parameters_cannot_express_is_said(old: str, new: str, obstacle: str) -> None:
    assert old in PYTHON
    hint = hint_of(class_of(PYTHON, PYTHON.replace(old, new)))
    assert not hint.enough
    assert obstacle in str(hint)
    assert str(hint).startswith("no simple extraction: ")


def test_statements_that_differ_without_control_flow_are_counted() -> None:
    hint = hint_of(class_of(PYTHON, PYTHON.replace("    log(", "    check(total)\n    log(").replace("10", "11")))
    assert (hint.differing, hint.obstacles) == (1, ())
    assert str(hint).endswith("(1 statement differs); the rest needs 1 new parameter: 10 / 11 (number, 2 ×)")


def test_assignments_and_keywords_are_not_parameters() -> None:
    code = "def f(self, a):\n    self.first = a\n    call(a, key=a)\n"
    hint = hint_of(class_of(code, code.replace("first", "second").replace("key", "other")))
    assert hint.parameters == ()
    assert hint.obstacles[0] == "different names are assigned to (first / second)"
    assert "key / other" in hint.obstacles[1]


def test_other_languages_and_odd_texts() -> None:
    mixed = class_of(PYTHON, SUM)
    members = (mixed.members[0], CloneMember(**{**vars(mixed.members[1]), "language": "java"}))
    assert hint_of(CloneClass("", "T3", "T3", None, (), members)).obstacles == (
        "the members are in different languages",
    )
    assert hint_of(class_of("((", "{{", name=None)).obstacles or True
    long = hint_of(class_of('x = "' + "a" * 500 + '\x1b"', 'x = "b"', name=None))
    assert len(long.parameters[0].values[0]) == 40


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_parameters_rebuild_every_member(first: list[int], second: list[int]) -> None:
    """Parameters are enough: with its values, the representative becomes each other member."""
    texts = [
        "def f(a):\n" + "".join(f"    g(a, {value})\n" for value in values) for values in (first, second[: len(first)])
    ]
    hint = hint_of(class_of(*texts))
    assert hint.enough
    changed = {(a, b) for a, b in zip(first, second, strict=False) if a != b}
    assert {tuple(map(int, one.values)) for one in hint.parameters} == changed
    assert sum(one.uses for one in hint.parameters) == sum(a != b for a, b in zip(first, second, strict=False))


def test_a_search_gives_hints_if_asked(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {"A.java": java("A", SUM), "B.java": java("B", EDITED.replace("the sum", "it")), "C.java": java("C", OTHER)},
    )
    assert find_clones([tmp_path]).classes[0].hint is None
    (only,) = find_clones([tmp_path], hints=True).classes
    assert only.hint is not None
    assert (only.hint.differing, [one.kind for one in only.hint.parameters]) == (1, ["value"])
