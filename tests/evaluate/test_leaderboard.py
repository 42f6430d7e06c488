"""Leaderboards: which results share a column, and how certain the lead of the best is."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.evaluate.leaderboard import (
    Leaderboard,
    RankStanding,
    build_leaderboard,
    csv_text,
    headings,
    legend,
    markdown,
    number_text,
    rows,
)
from clonetruth.evaluate.locations.published import published_result
from clonetruth.store import build_manifest
from clonetruth.store.results import BenchmarkIdentity, Measurement, PolicyUse, Result, ResultKind

MANIFEST = build_manifest({}, {})
SETTING = {"matcher": "coverage:0.7", "behaviour": "repaired", "min_tokens": 50}


def result(detector: str, *headline: Measurement, n: int = 100, **changes: Any) -> Result:
    """A result of locations; `n` is the number of Type-1 pairs."""
    made = Result(
        kind=ResultKind.LOCATIONS,
        detector=detector,
        benchmark=BenchmarkIdentity("bench", "1", "hash"),
        policy=PolicyUse("origin", "textual", n, 0, ("Labels are believed.",)),
        setting=SETTING,
        headline=headline or (Measurement("recall-T1", 0.5, 0.4, 0.6, n / 2, n),),
        manifest=MANIFEST,
    )
    return dataclasses.replace(made, **changes)


def f1(value: float | None, low: float | None = None, high: float | None = None) -> Measurement:
    return Measurement("f1", value, low, high)


def standings(board: Leaderboard) -> dict[str, RankStanding | None]:
    (column,) = board.columns
    return {cell.detector: cell.standing for cell in column.cells}


def test_results_under_the_same_conditions_share_a_column() -> None:
    board = build_leaderboard(
        [result("a", f1(0.4)), result("b", f1(0.6)), result("c", f1(None))], require_comparable=True
    )
    (column,) = board.columns
    assert [cell.detector for cell in column.cells] == ["b", "a", "c"]
    assert board.detectors == ("a", "b", "c")
    assert board.differences == {}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"benchmark": BenchmarkIdentity("bench", "2", "hash")}, "version (1 / 2)"),
        ({"benchmark": BenchmarkIdentity("bench", "1", "other")}, "content hash (hash / other)"),
        ({"benchmark": BenchmarkIdentity("bench", "1", None)}, "content hash (hash / not stated)"),
        ({"policy": PolicyUse("default", "textual", 9, 0)}, "policy (origin / default)"),
        ({"policy": PolicyUse("origin", "same-main-purpose", 9, 0)}, "criterion (textual / same-main-purpose)"),
        ({"setting": {**SETTING, "matcher": "exact"}}, "matcher (coverage:0.7 / exact)"),
        ({"setting": {**SETTING, "behaviour": "as-shipped"}}, "behaviour (repaired / as-shipped)"),
        ({"view": "cross-project"}, "view (not stated / cross-project)"),
        ({"part": "test"}, "part (not stated / test)"),
        ({"kind": ResultKind.PAIRS}, "kind (locations / pairs)"),
        ({"n": 99}, "reference pairs (T1 100 / T1 99)"),
    ],
)
def test_any_other_difference_gives_columns_of_their_own(changes: dict[str, Any], named: str) -> None:
    both = [result("a"), result("b", **changes)]
    board = build_leaderboard(both)
    assert [column.conditions for column in board.columns] == ["A", "B"]
    assert [[cell.detector for cell in column.cells] for column in board.columns] == [["a"], ["b"]]
    with pytest.raises(InputError) as refusal:
        build_leaderboard(both, require_comparable=True)
    assert named in refusal.value.what


def test_a_filter_that_removes_no_pairs_is_not_a_difference() -> None:
    capped = {**SETTING, "max_tokens": 500}
    board = build_leaderboard([result("a"), result("b", setting=capped)], require_comparable=True)
    assert len(board.columns) == 1
    assert any("max_tokens differs (a none, b 500), but selects the same pairs" in note for note in board.notes)
    assert "max_tokens" not in board.conditions["A"]
    assert board.conditions["A"]["min_tokens"] == "50"


def test_filters_of_which_none_is_the_narrower_are_a_difference() -> None:
    other = {**SETTING, "min_tokens": 40, "max_tokens": 500}
    with pytest.raises(InputError, match="min_tokens"):
        build_leaderboard([result("a"), result("b", setting=other)], require_comparable=True)


def test_filters_of_pairs_must_be_the_same() -> None:
    pairs: dict[str, Any] = {"kind": ResultKind.PAIRS}
    capped = {**SETTING, "max_tokens": 500}
    with pytest.raises(InputError, match="max_tokens"):
        build_leaderboard([result("a", **pairs), result("b", setting=capped, **pairs)], require_comparable=True)


def test_filters_that_are_not_numbers_must_be_equal() -> None:
    odd = {**SETTING, "min_tokens": ["many"]}
    assert len(build_leaderboard([result("a"), result("b", setting=odd)]).columns) == 2
    assert len(build_leaderboard([result("a", setting=odd), result("b", setting=odd)]).columns) == 1


def test_different_numbers_of_pairs_in_a_column_are_noted() -> None:
    fewer = result("b", policy=PolicyUse("origin", "textual", 90, 10))
    notes = build_leaderboard([result("a"), fewer], require_comparable=True).notes
    assert any("The results are not over the same pairs (a 100, b 90)" in note for note in notes)


@pytest.mark.parametrize(
    ("best", "next_one", "standing"),
    [
        (f1(0.8, 0.7, 0.9), f1(0.5, 0.4, 0.6), RankStanding.AHEAD),
        (f1(0.8, 0.6, 0.9), f1(0.7, 0.5, 0.8), RankStanding.WITHIN),
        (f1(0.8, 0.7, 0.9), f1(0.5), RankStanding.UNSURE),
        (f1(0.8), f1(0.5, 0.4, 0.6), RankStanding.UNSURE),
        (f1(0.8, 0.7, 0.9), f1(None), RankStanding.ALONE),
    ],
)
def test_standing_of_the_best(best: Measurement, next_one: Measurement, standing: RankStanding) -> None:
    assert standings(build_leaderboard([result("b", next_one), result("a", best)])) == {"a": standing, "b": None}


def test_the_best_must_be_apart_from_all_others_and_not_the_second_only() -> None:
    board = build_leaderboard(
        [result("a", f1(0.8, 0.7, 0.9)), result("b", f1(0.6, 0.55, 0.65)), result("c", f1(0.5, 0.2, 0.85))]
    )
    assert standings(board)["a"] is RankStanding.WITHIN


def test_equal_numbers_are_both_best_and_errors_are_better_when_small() -> None:
    tied = build_leaderboard([result(name, f1(0.8, 0.7, 0.9)) for name in "ab"])
    assert set(standings(tied).values()) == {RankStanding.WITHIN}
    error = build_leaderboard([result(name, Measurement("ece", value)) for name, value in (("a", 0.2), ("b", 0.1))])
    assert error.columns[0].cells[0].detector == "b"


def test_bounds_are_not_ranked() -> None:
    bound = Measurement("precision-upper-bound", 0.9)
    assert standings(build_leaderboard([result("a", bound), result("b", bound)])) == {"a": None, "b": None}


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.5)), min_size=2, max_size=6))
def test_the_one_ahead_has_an_interval_apart_from_every_other(given: list[tuple[float, float]]) -> None:
    made = [result(str(at), f1(value, value - half, value + half)) for at, (value, half) in enumerate(given)]
    (column,) = build_leaderboard(made).columns
    best, *rest = column.cells
    apart = all((best.measurement.low or 0) > (one.measurement.high or 0) for one in rest)
    assert (best.standing is RankStanding.AHEAD) is apart
    assert [cell.measurement.value for cell in column.cells] == sorted((value for value, _ in given), reverse=True)


def test_a_detector_stands_once_under_the_same_conditions() -> None:
    with pytest.raises(InputError, match="two results of 'a'") as refusal:
        build_leaderboard([result("a"), result("b"), result("a")])
    assert "NAME=FILE" in (refusal.value.hint or "")
    assert build_leaderboard([result("a"), result("a", part="test")]).detectors == ("a",)


def test_no_results_and_unknown_metrics_are_refused() -> None:
    with pytest.raises(InputError, match="no result to show"):
        build_leaderboard([])
    with pytest.raises(InputError, match="'mcc'") as refusal:
        build_leaderboard([result("a", f1(0.5))], metrics=("f1", "mcc"))
    assert refusal.value.hint == "Known metrics: f1."
    with pytest.raises(InputError, match="no number"):
        build_leaderboard([result("a", headline=())])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.89089, "0.8909"),
        (1.0, "1.0000"),
        (0.0, "0.0000"),
        (0.99998, "0.99998"),
        (0.9999835, "0.99998"),
        (0.00026, "0.00026"),
        (1.5375e-6, "1.5e-06"),
        (-0.25, "-0.2500"),
        (None, "–"),
    ],
)
def test_a_number_never_looks_like_0_or_1_unless_it_is(value: float | None, text: str) -> None:
    assert number_text(value) == text


@given(st.floats(0, 1, exclude_min=True, exclude_max=True).filter(lambda value: value < 1 - 1e-12))
def test_a_shown_number_is_near_the_real_one(value: float) -> None:
    shown = float(number_text(value))
    assert 0 < shown < 1
    assert math.isclose(shown, value, rel_tol=0.06)


def test_the_texts_contain_all_of_the_board() -> None:
    board = build_leaderboard(
        [result("a|b", f1(0.8, 0.7, 0.9)), result("c", f1(0.5, 0.4, 0.6)), result("c", f1(0.1), part="test")]
    )
    assert headings(board) == ["A f1", "B f1"]
    assert rows(board) == [["a|b", "0.8000 ▲\n[0.7000, 0.9000]", "–"], ["c", "0.5000\n[0.4000, 0.6000]", "0.1000"]]
    text = markdown(board)
    assert "| a\\|b | 0.8000 ▲ [0.7000, 0.9000] | – |" in text
    assert "they differ in part" in text
    assert "Policy origin: Labels are believed." in list(legend(board))
    table = list(csv.DictReader(io.StringIO(csv_text(board))))
    assert [(row["detector"], row["conditions"], row["value"], row["high"]) for row in table] == [
        ("a|b", "A", "0.8", "0.9"),
        ("c", "A", "0.5", "0.6"),
        ("c", "B", "0.1", ""),
    ]
    assert table[0]["standing"] == RankStanding.AHEAD.value
    assert "part=test" in table[2]["under"]


def test_a_benchmark_with_known_wrong_labels_is_never_shown_without_saying_so() -> None:
    believed = result("a", benchmark=BenchmarkIdentity("bigclonebench"))
    assert any("379 of 406" in note for note in build_leaderboard([believed]).notes)
    judged = result("a", benchmark=BenchmarkIdentity("bigclonebench"), policy=PolicyUse("default", "textual", 9, 0))
    assert not any("379 of 406" in note for note in build_leaderboard([judged]).notes)


def test_three_published_tools_share_their_columns(shared_data: Path) -> None:
    folder = shared_data / "bigcloneeval_reports"
    published = [published_result(folder / f"{name}_recall_report.txt.gz") for name in ("oreo", "scc", "nicad")]
    board = build_leaderboard(published, require_comparable=True)
    best = {column.metric: (column.cells[0].detector[:5], column.cells[0].standing) for column in board.columns}
    assert best["recall-ST3"] == ("nicad", RankStanding.WITHIN)
    assert best["recall-MT3"] == ("oreo_", RankStanding.AHEAD)
    # Few functionalities hold most weak pairs: the lead is one on these, and the notes say so.
    assert best["recall-WT3_T4"] == ("oreo_", RankStanding.AHEAD)
    scoped = [note for note in board.notes if note.endswith(" functionalities only, not for others.")]
    assert any("recall-WT3_T4" in note for note in scoped)
    assert not any("recall-MT3" in note for note in scoped)
    assert board.notes[-1].endswith("The intervals hold for the tested functionalities only.")
