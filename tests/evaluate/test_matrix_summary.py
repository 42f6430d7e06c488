"""The table of a matrix: means over distinct divisions, and what is lost against the random view."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.evaluate.matrix.cell import FinishedCell, influence_table
from clonetruth.evaluate.matrix.plan import MatrixPlan
from clonetruth.evaluate.matrix.summary import drop, mean_over_divisions, paired_difference, summarise, summary_csv
from clonetruth.evaluate.measurement import measure
from clonetruth.model import Manifest
from clonetruth.stats.outcomes import Outcomes
from clonetruth.store.matrix import METRICS, CellFailure, CellInfluence, MatrixCell, MatrixSummary
from clonetruth.store.results import BenchmarkIdentity, Measurement, MeasurementGroup, PolicyUse, Result, ResultKind

SCORES = st.lists(st.floats(0.05, 0.95), min_size=4, max_size=8)
OPTIONS = MatrixPlan(("length",), ("random", "cross-functionality"), (0,), seeds=3)


def finished(value: float | None, division: str = "d", tested: Sequence[int] = (0, 1, 2, 3)) -> FinishedCell:
    """A cell in which all functionalities have the same value."""
    yes = MeasurementGroup("always-yes", (Measurement("f1", 0.4),), pairs=100, clones=25)
    result = Result(
        ResultKind.PAIRS,
        "length",
        BenchmarkIdentity("town", content_hash="c", judgements_hash="j"),
        PolicyUse("default", "same-main-purpose", 100, 0),
        {},
        tuple(Measurement(metric, value) for metric in METRICS),
        Manifest({}, {}, "d", 0, {}, "2026-01-01T00:00:00+00:00"),
        baselines=(yes,),
    )
    known = () if value is None else METRICS
    influence = {metric: [0.0] * len(tested) for metric in known}
    stake = {metric: [1 / len(tested)] * len(tested) for metric in known}
    table = CellInfluence(division, tuple(tested), tuple(tested), influence, stake, dict.fromkeys(known, 0.0))
    return FinishedCell(result, table)


def summary(random: list[float | None], other: list[float | None], *, divisions: int = 3) -> MatrixSummary:
    """A matrix of two views; the cells of seeds beyond the end of a list failed."""
    cells = {
        MatrixCell("length", view, 0, seed): finished(value, f"{view}-{seed % divisions}", range(seed, seed + 4))
        for view, values in (("random", random), ("cross-functionality", other))
        for seed, value in enumerate(values)
    }
    failures = [CellFailure(cell, "broken") for cell in OPTIONS.cells() if cell not in cells]
    found = summarise(OPTIONS, cells, failures)
    assert found is not None
    return found


def width(measurement: Measurement) -> float:
    assert measurement.low is not None
    assert measurement.high is not None
    return measurement.high - measurement.low


@given(SCORES, st.integers(2, 20))
def test_seeds_that_repeat_a_division_are_no_repetitions(scores: list[float], seeds: int) -> None:
    """With the interval over seeds, 20 seeds of one division came out as 20 observations, nearly without variation."""
    cells = [finished(score, str(at), [at]) for at, score in enumerate(scores)]
    once, often = mean_over_divisions("f1", cells, 0.95), mean_over_divisions("f1", cells * seeds, 0.95)
    assert once.n == often.n == len(scores)
    assert often.value == pytest.approx(once.value)
    assert often.note == once.note
    if once.low is not None:
        assert width(often) == pytest.approx(width(once), rel=1e-6, abs=1e-9)
    alone = mean_over_divisions("f1", [finished(score, "d") for score in scores], 0.95)
    assert alone.n == 1


def test_two_tested_functionalities_have_no_interval() -> None:
    cells = [finished(0.40 + 0.001 * seed, "d", [3, 7]) for seed in range(20)]
    found = mean_over_divisions("f1", cells, 0.95)
    assert (found.n, found.low, found.high) == (1, None, None)
    assert found.note == "no interval: 2 tested functionalities"
    lost = drop("f1", [finished(0.9, str(seed)) for seed in range(5)], cells, 0.95)
    assert lost.value == pytest.approx(0.9 - 0.4095)
    assert (lost.low, lost.note) == (None, "no interval: 2 tested functionalities")


def test_two_divisions_that_differ_have_no_interval() -> None:
    """Student's t with one degree of freedom would say 0.000 to 1.000."""
    cells = [finished(value, str(value), range(6)) for value in (0.5, 0.2)]
    found = mean_over_divisions("f1", cells, 0.95)
    assert (found.value, found.low) == (0.35, None)
    assert str(found.note).startswith("no interval: 2 distinct divisions")
    assert mean_over_divisions("f1", [*cells, finished(0.3, "c", range(6))], 0.95).low is not None


def test_unknown_functionalities_have_no_interval() -> None:
    found = mean_over_divisions("f1", [finished(0.4, str(seed), [-1]) for seed in range(5)], 0.95)
    assert (found.n, found.low, found.note) == (5, None, "no interval: the tested functionalities are unknown")


@given(SCORES)
def test_the_interval_holds_the_mean_and_stays_among_shares(scores: list[float]) -> None:
    found = mean_over_divisions("f1", [finished(score, str(at), [at]) for at, score in enumerate(scores)], 0.95)
    assert found.value == pytest.approx(float(np.mean(scores)))
    assert found.value is not None
    if np.ptp(scores) < 1e-9 and found.low is None:
        assert found.note == "no interval: all functionalities and divisions agree"
        return
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1
    assert f"({len(scores)}) over {len(scores)} distinct divisions" in str(found.method)


def test_unknown_values_are_left_out_and_noted() -> None:
    cells = [finished(0.5, "a"), finished(0.6, "b")]
    known, mixed = (mean_over_divisions("f1", one, 0.9) for one in (cells, [*cells, finished(None, "c")]))
    assert (mixed.value, mixed.low, mixed.high, mixed.n) == (known.value, known.low, known.high, 2)
    assert "undefined in 1 of 3 cells" in str(mixed.note)
    nothing = mean_over_divisions("f1", [finished(None), finished(None)], 0.95)
    assert (nothing.value, nothing.n) == (None, 0)
    assert mean_over_divisions("f1", [], 0.95).note == "no cell has a result"


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 4)), min_size=20, max_size=60))
def test_one_division_is_as_uncertain_as_its_evaluation(rows: list[tuple[bool, bool, int]]) -> None:
    """The table of influences has what the interval of `evaluate` by functionality is made of."""
    predicted, truth, cluster = (np.array(column) for column in zip(*rows, strict=True))
    outcomes = Outcomes(predicted, truth, cluster=cluster)
    table = influence_table(outcomes, "d")
    values = {one.name: one for one in measure(outcomes)}
    for metric, influence in table.influence.items():
        assert sum(influence) == pytest.approx(0, abs=1e-9)
        assert sum(table.stake[metric]) == pytest.approx(1)
        base = finished(0.5)
        result = Result(**{**vars(base.result), "headline": (values[metric],)})
        found = mean_over_divisions(metric, [FinishedCell(result, table)] * 3, 0.95)
        assert found.value == pytest.approx(values[metric].value)
        if found.low is not None and values[metric].low is not None and 0 < (found.value or 0) < 1:
            # Both are linearised; the evaluation scales clusters by CR2, the matrix by the jackknife, which is wider.
            assert width(found) >= width(values[metric]) - 1e-9


@given(st.lists(st.tuples(st.floats(0.5, 1), st.floats(0, 0.3)), min_size=4, max_size=6))
def test_the_drop_is_paired_by_functionality(values: list[tuple[float, float]]) -> None:
    before = [finished(base, f"r{at}", [at]) for at, (base, _) in enumerate(values)]
    after = [finished(base - lost, f"c{at}", [at]) for at, (base, lost) in enumerate(values)]
    found = drop("f1", before, after, 0.95)
    assert found.value == pytest.approx(float(np.mean([lost for _, lost in values])))
    same = drop("f1", before, [finished(base - 0.1, f"c{at}", [at]) for at, (base, _) in enumerate(values)], 0.95)
    assert same.value == pytest.approx(0.1)


def test_the_summary_counts_distinct_divisions_and_tested_functionalities() -> None:
    found = summary([0.9, 0.8, 0.85], [0.5, 0.6, 0.1], divisions=2)
    row = found.row("length", "cross-functionality", 0)
    assert row is not None
    assert row.seeds == (0, 1, 2)
    assert row.values["f1"] == [0.5, 0.6, 0.1]
    assert row.divisions == ("cross-functionality-0", "cross-functionality-1", "cross-functionality-0")
    # The first and the last seed are one division.
    assert row.means[0].value == pytest.approx(((0.5 + 0.1) / 2 + 0.6) / 2)
    assert row.means[0].n == 2
    (random, _) = found.tests
    assert (random.runs, random.divisions, random.functionalities) == (3, 2, 6)
    assert (random.pairs.value, random.clone_share.value, random.always_yes.value) == (100, 0.25, 0.4)
    assert random.question
    assert "random: 3 runs with different seeds or folds are only 2 distinct divisions." in found.cautions()


def test_the_random_view_has_no_drop_and_a_view_without_results_no_numbers() -> None:
    found = summary([0.9, 0.8, None], [])
    random, other = found.rows
    assert random.drops == ()
    assert "undefined in 1 of 3 cells" in str(random.means[0].note)
    assert [one.value for one in (*other.means, *other.drops)] == [None] * 2 * len(METRICS)
    assert len(found.failures) == 3
    assert [test.view for test in found.tests] == ["random"]


def test_a_matrix_without_results_has_no_summary() -> None:
    assert summarise(OPTIONS, {}, []) is None


def test_csv_has_a_line_for_each_number_and_nothing_for_what_is_unknown() -> None:
    rows = list(csv.DictReader(io.StringIO(summary_csv(summary([0.9, 0.7, 0.8], [])))))
    assert len(rows) == 2 * len(METRICS)
    first, other = rows[0], rows[len(METRICS)]
    assert (first["view"], first["metric"], first["divisions"], first["drop"]) == ("random", "f1", "3", "")
    assert first["functionalities"] == "6"
    assert float(first["mean"]) == pytest.approx(0.8)
    assert (other["view"], other["mean"], other["low"], other["drop"]) == ("cross-functionality", "", "", "")


@given(st.lists(st.tuples(st.floats(0.1, 0.5), st.floats(0, 0.4)), min_size=4, max_size=6))
def test_a_level_gains_over_level_0_on_the_same_pairs(values: list[tuple[float, float]]) -> None:
    plan = MatrixPlan(("length",), ("random",), (0, 2), seeds=len(values))
    cells = {
        MatrixCell("length", "random", level, seed): finished(base + more * (level > 0), f"d{seed}", [seed])
        for seed, (base, more) in enumerate(values)
        for level in (0, 2)
    }
    found = summarise(plan, cells, [])
    assert found is not None
    plain, abstracted = found.rows
    assert plain.gains == ()
    gain = abstracted.gain("f1")
    assert gain is not None
    assert gain.value == pytest.approx(float(np.mean([more for _, more in values])))
    # A constant gain is certain, however much the divisions differ.
    same = [finished(base + 0.1, f"d{at}", [at]) for at, (base, _) in enumerate(values)]
    sure = paired_difference("f1", same, [finished(base, f"d{at}", [at]) for at, (base, _) in enumerate(values)], 0.95)
    assert sure.value == pytest.approx(0.1)
    assert width(sure) == pytest.approx(0, abs=1e-6)


def test_levels_are_compared_where_both_were_computed() -> None:
    plan = MatrixPlan(("length",), ("random",), (0, 1), seeds=3)
    cells = {MatrixCell("length", "random", 0, seed): finished(0.1 * seed, f"d{seed}") for seed in range(3)}
    cells[MatrixCell("length", "random", 1, 2)] = finished(0.9, "d2")
    found = summarise(plan, cells, [])
    assert found is not None
    gain = found.rows[1].gain("f1")
    assert gain is not None
    assert gain.value == pytest.approx(0.7)
    assert gain.n == 1
