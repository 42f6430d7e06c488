"""The alignment of two texts: what it promises for all texts, and what it looks like for some."""

import random
import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.html.alignment import AlignedRow, RowKind, align, columns, split_lines

LINES = st.lists(st.sampled_from(["{", "}", "", "int a = 1;", "int b = 1;", "int b = 2;", "x", "  x"]), max_size=12)


def mirrored(row: AlignedRow) -> AlignedRow:
    kinds: dict[RowKind, RowKind] = {"only-left": "only-right", "only-right": "only-left"}
    return AlignedRow(
        kinds.get(row.kind, row.kind),
        row.right,
        row.left,
        row.right_number,
        row.left_number,
        row.right_marks,
        row.left_marks,
    )


@given(LINES, LINES)
def test_nothing_is_lost_and_nothing_is_moved(left: list[str], right: list[str]) -> None:
    rows = align(left, right)
    assert [row.left for row in rows if row.left is not None] == left
    assert [row.right for row in rows if row.right is not None] == right
    assert [row.left_number for row in rows if row.left_number] == list(range(1, len(left) + 1))
    assert [row.right_number for row in rows if row.right_number] == list(range(1, len(right) + 1))


@given(LINES, LINES)
def test_kinds_match_the_lines(left: list[str], right: list[str]) -> None:
    for row in align(left, right):
        assert (row.kind == "same") == (row.left == row.right)
        assert (row.kind == "only-left") == (row.right is None)
        assert (row.kind == "only-right") == (row.left is None)
        assert row.kind == "changed" or not (row.left_marks or row.right_marks)


@given(LINES, LINES)
def test_swapping_the_sides_mirrors_the_rows(left: list[str], right: list[str]) -> None:
    assert Counter(map(mirrored, align(left, right))) == Counter(align(right, left))


@given(LINES)
def test_equal_texts_have_only_same_rows(lines: list[str]) -> None:
    assert {row.kind for row in align(lines, lines)} <= {"same"}


@given(st.text(alphabet="ab =;()\t", max_size=40), st.text(alphabet="ab =;()\t", max_size=40))
def test_what_is_not_marked_is_common(left: str, right: str) -> None:
    for row in align([left], [right]):
        if row.kind == "changed":
            assert unmarked(row.left or "", row.left_marks) == unmarked(row.right or "", row.right_marks)


def unmarked(line: str, marks: tuple[tuple[int, int], ...]) -> str:
    return "".join(c for at, c in enumerate(line) if not any(low <= at < high for low, high in marks))


def test_a_changed_line_marks_its_tokens() -> None:
    (row,) = align(["for (int i = 0; i < n; i++)"], ["for (int i = n; i > 0; i--)"])
    assert row.kind == "changed"
    assert [row.left[a:b] for a, b in row.left_marks if row.left] == ["0", "<", "n", "++"]
    assert [row.right[a:b] for a, b in row.right_marks if row.right] == ["n", ">", "0", "--"]


def test_one_sided_lines_share_a_row_of_the_screen() -> None:
    rows = align(["same", "1234", "5678", "end"], ["same", "abcd", "end"])
    assert [row.kind for row in rows] == ["same", "only-left", "only-left", "only-right", "same"]
    shown = [(left and left.left, right and right.right) for left, right in columns(rows)]
    assert shown == [("same", "same"), ("1234", "abcd"), ("5678", None), ("end", "end")]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\r\nb\rc\n\n", ["a", "b", "c", ""]),
        ("form\x0cfeed\u2028x", ["form\x0cfeed\u2028x"]),
    ],
)
def test_lines_end_where_editors_end_them(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@pytest.mark.parametrize("change", ["none similar", "all changed", "reversed", "half changed"])
def test_ten_thousand_lines_take_seconds_at_most(change: str) -> None:
    draw = random.Random(7)
    left = [f"int value{draw.randrange(3000)} = compute(input{draw.randrange(50)});" for _ in range(10_000)]
    right = {
        "none similar": [str(draw.random()) for _ in left],
        "all changed": [f"final {line}" for line in left],
        "reversed": left[::-1],
        "half changed": [line.replace("int", "long") if draw.random() < 0.5 else line for line in left],
    }[change]
    start = time.perf_counter()
    rows = align(left, right)
    assert time.perf_counter() - start < 10
    assert len(rows) >= 10_000


def test_very_long_lines_are_marked_as_a_whole() -> None:
    (row,) = align(["a, " * 5_000 + "b"], ["a, " * 5_000 + "c"])
    assert row.left_marks == ((0, 15_001),)
