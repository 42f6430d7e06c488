"""Clone classes become pairs: all of them, in order, in batches, however large the class."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.formats.reports import ReadingLog
from clonetruth.formats.reports.classes import (
    BATCH_PAIRS,
    RawLocation,
    ReportedClass,
    ReportedLocation,
    class_pairs,
    clone_class,
    parse_location,
    parse_score,
)

HERE = Path("report")

lines = st.integers(-(2**31), 2**31 - 1)
places = st.builds(ReportedLocation, st.text(st.characters(codec="utf-8"), min_size=1, max_size=5), lines, lines)
scores = st.none() | st.floats(0, 100)


def numbered(size: int) -> list[ReportedLocation]:
    return [ReportedLocation(f"{number}.java", number, number + 9) for number in range(size)]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.builds(ReportedClass, st.lists(places, min_size=2, max_size=70), scores), max_size=4))
def test_the_pairs_are_all_pairs_of_each_class_in_order(classes: list[ReportedClass]) -> None:
    log = ReadingLog()
    rows = [tuple(row.values()) for batch in class_pairs(classes, log) for row in batch.to_pylist()]
    assert rows == [
        (*left, *right, found.score) for found in classes for left, right in combinations(found.locations, 2)
    ]
    assert log.pairs == len(rows)


def test_a_large_class_comes_in_batches() -> None:
    size = 1500
    log = ReadingLog()
    batches = list(class_pairs([ReportedClass(numbered(size), 0.5), ReportedClass(numbered(2))], log))
    assert log.pairs == sum(batch.num_rows for batch in batches) == size * (size - 1) // 2 + 1
    assert max(batch.num_rows for batch in batches) <= BATCH_PAIRS
    order = [pair for batch in batches for pair in zip(batch[1].to_pylist(), batch[4].to_pylist(), strict=True)]
    assert order == [*combinations(range(size), 2), (0, 1)]
    assert batches[0]["score"].unique().to_pylist() == [0.5]
    assert batches[-1]["score"].to_pylist() == [None]


@pytest.mark.parametrize(
    ("location", "why"),
    [
        (RawLocation(None, 1, 2), "the path of a file is missing"),
        (RawLocation(" ", 1, 2), "the path of a file is missing"),
        (RawLocation("a", None, 2), "the first line is missing"),
        (RawLocation("a", 1, ""), "the last line is missing"),
        (RawLocation("a", "1.5", 2), "the first line is not a line number: '1.5'"),
        (RawLocation("a", "1_0", 2), "the first line is not a line number: '1_0'"),
        (RawLocation("a", "²", 2), "the first line is not a line number: '²'"),
        (RawLocation("a", True, 2), "the first line is not a line number: 'True'"),
        (RawLocation("a", 1, 2**31), "the last line is not a line number: '2147483648'"),
        (RawLocation("a", 1, [3]), "the last line is not a line number: '[3]'"),
    ],
)
def test_invalid_locations_have_a_reason(location: RawLocation, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        parse_location(location)


def test_reversed_and_negative_lines_stay_as_they_are() -> None:
    assert parse_location(RawLocation("a", " 9", "-3")) == ReportedLocation("a", 9, -3)


def test_a_lone_surrogate_in_a_path_is_replaced() -> None:
    assert parse_location(RawLocation("a\ud800", 1, 2)).path == "a?"


@pytest.mark.parametrize(
    ("value", "score"),
    [("91", 91.0), (0.5, 0.5), (1, 1.0), ("nan", None), ("inf", None), ("", None), (None, None), (True, None)],
)
def test_scores_are_finite_numbers_or_none(value: object, score: float | None) -> None:
    assert parse_score(value) == score


def test_a_bad_location_does_not_affect_the_others_of_its_class() -> None:
    log = ReadingLog()
    locations = [RawLocation("a", 1, 2, 11), RawLocation("b", "x", 2, 12), RawLocation("c", 3, 4, 13)]
    assert list(clone_class(locations, HERE, 10, log)) == [
        ReportedClass([ReportedLocation("a", 1, 2), ReportedLocation("c", 3, 4)])
    ]
    assert log.first == [(HERE, 12, "the first line is not a line number: 'x'")]


def test_a_class_of_one_is_logged_once() -> None:
    log = ReadingLog()
    assert list(clone_class([RawLocation("a", 1, 2)], HERE, 10, log)) == []
    assert log.first == [(HERE, 10, "a clone needs two locations, and the report names 1")]
    assert list(clone_class([RawLocation("a", 1, 2), RawLocation("b", None, 2)], HERE, 20, log)) == []
    assert log.skipped == 2


def test_strict_refuses_and_names_the_line() -> None:
    with pytest.raises(InputError, match="line 10"):
        list(clone_class([RawLocation("a", 1, 2)], HERE, 10, ReadingLog(strict=True)))
