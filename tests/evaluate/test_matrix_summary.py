"""The table of a matrix: means over seeds, and what is lost against the random view."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.evaluate.matrix.plan import MatrixPlan
from clonetruth.evaluate.matrix.summary import mean_of, summarise, summary_csv
from clonetruth.model import Manifest
from clonetruth.store.matrix import METRICS, CellFailure, MatrixCell, MatrixSummary
from clonetruth.store.results import BenchmarkIdentity, Measurement, MeasurementGroup, PolicyUse, Result, ResultKind

SHARES = st.lists(st.floats(0, 1), min_size=2, max_size=8)
OPTIONS = MatrixPlan(("length",), ("random", "cross-functionality"), (0,), seeds=3)


def result(f1: float | None, clones: int = 25) -> Result:
    yes = MeasurementGroup("always-yes", (Measurement("f1", 0.4),), pairs=100, clones=clones)
    return Result(
        ResultKind.PAIRS,
        "length",
        BenchmarkIdentity("town", content_hash="c", judgements_hash="j"),
        PolicyUse("default", "same-main-purpose", 100, 0),
        {},
        tuple(Measurement(metric, f1) for metric in METRICS),
        Manifest({}, {}, "d", 0, {}, "2026-01-01T00:00:00+00:00"),
        baselines=(yes,),
    )


def summary(random: list[float | None], other: list[float | None]) -> MatrixSummary:
    """A matrix of two views; the cells of seeds beyond the end of a list failed."""
    cells = {
        MatrixCell("length", view, 0, seed): result(value)
        for view, values in (("random", random), ("cross-functionality", other))
        for seed, value in enumerate(values)
    }
    failures = [CellFailure(cell, "broken") for cell in OPTIONS.cells() if cell not in cells]
    found = summarise(OPTIONS, cells, failures)
    assert found is not None
    return found


def test_the_interval_is_students() -> None:
    # t with four degrees of freedom at 97.5 % is 2.776445 (NIST's table: 2.776).
    values = [0.70, 0.80, 0.85, 0.90, 0.95]
    margin = 2.776445 * float(np.std(values, ddof=1)) / 5**0.5
    found = mean_of("f1", values, 0.95)
    assert found.value == pytest.approx(0.84)
    assert found.low == pytest.approx(0.84 - margin, abs=1e-6)
    assert found.high == pytest.approx(0.84 + margin, abs=1e-6)
    assert (found.n, found.note) == (5, None)


@given(SHARES)
def test_the_interval_holds_the_mean_and_stays_among_shares(values: list[float]) -> None:
    found = mean_of("f1", values, 0.95)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.value == pytest.approx(float(np.mean(values)))
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1


@given(SHARES, st.integers(1, 3))
def test_unknown_values_are_left_out_and_noted(values: list[float], unknown: int) -> None:
    known, mixed = mean_of("f1", values, 0.9), mean_of("f1", [*values, *[None] * unknown], 0.9)
    assert (mixed.value, mixed.low, mixed.high, mixed.n) == (known.value, known.low, known.high, len(values))
    assert mixed.note == f"undefined with {unknown} of {len(values) + unknown} seeds"


def test_nothing_known_is_not_zero_and_one_seed_has_no_interval() -> None:
    assert mean_of("f1", [None, None], 0.95).value is None
    assert mean_of("f1", [], 0.95).note == "no seed has a result"
    one = mean_of("f1", [0.5], 0.95)
    assert (one.value, one.low, one.high) == (0.5, None, None)
    assert "two seeds" in str(one.note)


def test_the_interval_covers_as_often_as_it_says() -> None:
    drawn = np.random.default_rng(1).normal(0.5, 0.05, (4000, 5))
    found = [mean_of("f1", [float(value) for value in values], 0.9) for values in drawn]
    covered = np.mean([one.low is not None and one.high is not None and one.low <= 0.5 <= one.high for one in found])
    # Three standard errors of a share of 0.9 in 4,000 draws are 0.014.
    assert covered == pytest.approx(0.9, abs=0.014)


@given(st.lists(st.tuples(st.floats(0.3, 1), st.floats(0, 0.3)), min_size=3, max_size=3))
def test_the_drop_is_paired_by_seed(values: list[tuple[float, float]]) -> None:
    row = summary([base for base, _ in values], [base - lost for base, lost in values]).row(
        "length", "cross-functionality", 0
    )
    assert row is not None
    drop, alone = row.drop("f1"), mean_of("f1", [lost for _, lost in values], 0.95, (-1, 1))
    assert drop is not None
    assert drop.value == pytest.approx(alone.value, abs=1e-12)
    assert drop.low == pytest.approx(alone.low, abs=1e-9)


def test_seeds_that_only_one_view_has_do_not_count_for_the_drop() -> None:
    row = summary([0.9, 0.8], [0.5, 0.6, 0.1]).row("length", "cross-functionality", 0)
    assert row is not None
    assert row.seeds == (0, 1, 2)
    assert row.values["f1"] == [0.5, 0.6, 0.1]
    drop = row.drop("f1")
    assert drop is not None
    assert drop.value == pytest.approx(0.3)
    assert drop.n == 2


def test_the_random_view_has_no_drop_and_a_view_without_results_no_numbers() -> None:
    found = summary([0.9, 0.8, None], [])
    random, other = found.rows
    assert random.drops == ()
    assert random.means[0].note == "undefined with 1 of 3 seeds"
    assert [one.value for one in (*other.means, *other.drops)] == [None] * 2 * len(METRICS)
    assert len(found.failures) == 3
    assert [test.view for test in found.tests] == ["random"]


def test_the_summary_describes_the_test_parts() -> None:
    (random, _) = summary([0.9], [0.5]).tests
    assert (random.pairs.value, random.clone_share.value, random.always_yes.value) == (100, 0.25, 0.4)
    assert random.question


def test_a_matrix_without_results_has_no_summary() -> None:
    assert summarise(OPTIONS, {}, []) is None


def test_csv_has_a_line_for_each_number_and_nothing_for_what_is_unknown() -> None:
    rows = list(csv.DictReader(io.StringIO(summary_csv(summary([0.9, 0.7, 0.8], [])))))
    assert len(rows) == 2 * len(METRICS)
    first, other = rows[0], rows[len(METRICS)]
    assert (first["view"], first["metric"], first["seeds"], first["drop"]) == ("random", "f1", "3", "")
    assert float(first["mean"]) == pytest.approx(0.8)
    assert (other["view"], other["mean"], other["low"], other["drop"]) == ("cross-functionality", "", "", "")
