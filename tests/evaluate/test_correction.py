"""Corrections for wrong labels: the paper's example, and the formulas against counted pairs."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.evaluate.labels.correction import (
    Corrected,
    bound_recall,
    correct_as_published,
    correct_independent,
    label_error,
)
from clonetruth.stats import Interval, wilson
from clonetruth.store.results import Measurement

Correct = Callable[..., Corrected]

KRINKE = label_error([True] * 379 + [False] * 27)


def rate(value: float, low: float | None = None, high: float | None = None) -> Measurement:
    return Measurement("label-error", value, low, high)


def numbers(found: Corrected) -> tuple[float | None, float | None, float | None]:
    return found.precision, found.recall, found.f1


@pytest.mark.parametrize("error", [rate(0.933), KRINKE], ids=["as printed", "379 of 406"])
def test_the_example_of_the_paper(error: Measurement) -> None:
    published = correct_as_published(0.998, 0.883, error, decimals=3)
    assert numbers(published) == (0.067, 0.059, 0.063)
    assert "divides by all labelled pairs, wrong labels included" in published.note
    independent = correct_independent(0.998, 0.883, error, decimals=3)
    assert numbers(independent) == (0.067, 0.883, 0.125)
    assert "independent of detection" in independent.assumption


def test_without_rounding_the_example_is_a_little_less() -> None:
    found = correct_independent(0.998, 0.883, rate(0.933))
    assert numbers(found) == pytest.approx((0.066866, 0.883, 0.124318), abs=1e-6)


def test_the_error_rate_of_the_paper() -> None:
    interval = wilson(379, 406)
    assert interval is not None
    assert (KRINKE.value, KRINKE.low, KRINKE.high) == (379 / 406, interval.low, interval.high)
    assert (KRINKE.successes, KRINKE.n) == (379, 406)


def test_the_error_rate_of_the_judged_pairs_at_hand(shared_data: Path) -> None:
    """The final verdicts of 271 of the 406 pairs: all were labelled clones, 18 are."""
    with (shared_data / "bcb406" / "finaltruth.csv").open(encoding="utf-8") as file:
        verdicts = [row["Truth"] for row in csv.DictReader(file)]
    found = label_error([verdict == "F" for verdict in verdicts])
    assert (found.successes, found.n) == (253, 271)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 379 / 406 < found.high


def test_a_weighted_error_rate() -> None:
    # 1 of 10 wrong in a stratum of 900 pairs, 5 of 10 in one of 100: (0.1 · 900 + 0.5 · 100) / 1000
    wrong = [True] + [False] * 9 + [True, False] * 5
    found = label_error(wrong, [90.0] * 10 + [10.0] * 10, ["large"] * 10 + ["small"] * 10)
    assert found.value == pytest.approx(0.14)
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < 0.14 < found.high < 1


def test_without_a_sample_there_is_no_error_rate() -> None:
    found = label_error([])
    assert (found.value, found.low, found.high, found.n) == (None, None, None, 0)
    for correct in (correct_as_published, correct_independent, bound_recall):
        with pytest.raises(InputError, match="label-error rate is unknown"):
            correct(0.9, 0.9, found)


@pytest.mark.parametrize("correct", [correct_as_published, correct_independent, bound_recall])
@pytest.mark.parametrize(("precision", "recall", "error"), [(99.8, 0.9, 0.1), (0.9, -0.1, 0.1), (0.9, 0.9, 1.5)])
def test_numbers_outside_0_to_1_are_refused(correct: Correct, precision: float, recall: float, error: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        correct(precision, recall, rate(error))


def test_strata_without_weights_are_refused() -> None:
    with pytest.raises(InputError, match="needs the weight"):
        label_error([True, False], strata=["a", "b"])


@pytest.mark.parametrize("correct", [correct_as_published, correct_independent])
def test_where_every_label_is_wrong_there_is_no_recall(correct: Correct) -> None:
    assert numbers(correct(0.9, 0.8, rate(1.0))) == (0.0, None, None)
    assert bound_recall(0.9, 0.8, rate(1.0)).recall_interval is None


def test_intervals_come_from_the_error_rate() -> None:
    found = correct_independent(0.5, 0.5, rate(0.4, 0.25, 0.5))
    assert found.precision_interval == Interval(0.25, 0.375)
    assert found.recall_interval == Interval(0.5, 0.5)
    assert correct_as_published(0.8, 0.5, rate(0.4, 0.25, 0.5)).recall_interval == Interval(0.25, 0.375)
    assert correct_independent(0.8, 0.5, rate(0.4)).precision_interval is None


def test_as_a_result_holds_it() -> None:
    correction = correct_independent(0.998, 0.883, KRINKE).to_correction()
    assert [one.name for one in correction.measurements] == ["precision", "recall", "f1"]
    assert correction.label_errors == (KRINKE,)
    assert all(one.low is not None and one.high is not None for one in correction.measurements)
    bounds = bound_recall(0.998, 0.883, KRINKE).to_correction()
    assert [one.value for one in bounds.measurements] == [None, None, None]
    assert (bounds.measurements[1].low, bounds.measurements[1].high) == (0.0, 1.0)


counts = st.tuples(
    st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.integers(0, 40)
).filter(lambda case: case[0] + case[1] > 0 and case[2] + case[3] > 0 and case[0] + case[2] > 0 and case[4] >= 0)


@given(counts)
def test_the_truth_lies_within_the_bounds(case: tuple[int, int, int, int, int]) -> None:
    """Labelled pairs, found and not, right and wrong; and found pairs that are labelled non-clones."""
    found_right, found_wrong, missed_right, missed_wrong, found_other = case
    labelled = found_right + found_wrong + missed_right + missed_wrong
    found, clones = found_right + found_wrong, found_right + missed_right
    error = (found_wrong + missed_wrong) / labelled
    bounds = bound_recall(found / (found + found_other), found / labelled, rate(error))
    truth = {
        "precision": found_right / (found + found_other),
        "recall": found_right / clones,
        "f1": 2 * found_right / (found + found_other + clones),
    }
    for name, value in truth.items():
        interval = getattr(bounds, f"{name}_interval")
        assert interval.low - 1e-9 <= value <= interval.high + 1e-9, name


@given(st.integers(1, 30), st.integers(0, 30), st.integers(1, 5), st.integers(0, 5), st.integers(0, 30))
def test_independence_is_exact_when_it_holds(found: int, missed: int, right: int, wrong: int, other: int) -> None:
    """Right and wrong labels are found in the same proportion; the correction gives what counting gives."""
    share = right / (right + wrong)
    predicted, labelled = found + other / (right + wrong), found + missed
    corrected = correct_independent(found / predicted, found / labelled, rate(1 - share))
    assert corrected.precision == pytest.approx(found * share / predicted)
    assert corrected.recall == pytest.approx(found * share / (labelled * share))
    assert corrected.f1 == pytest.approx(2 * found * share / (predicted + labelled * share))


@given(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(0, 0.99))
def test_the_corrections_stay_within_the_bounds_where_they_are_possible(p: float, r: float, e: float) -> None:
    independent, bounds = correct_independent(p, r, rate(e)), bound_recall(p, r, rate(e))
    assert bounds.recall_interval is not None
    assert bounds.precision_interval is not None
    assert independent.precision is not None
    assert bounds.recall_interval.low - 1e-9 <= r <= bounds.recall_interval.high + 1e-9
    assert bounds.precision_interval.low - 1e-9 <= independent.precision <= bounds.precision_interval.high + 1e-9


def test_bounds_are_the_widest_over_the_interval_of_the_error_rate() -> None:
    whole = bound_recall(0.9, 0.6, rate(0.3, 0.1, 0.7))
    for error in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        one = bound_recall(0.9, 0.6, rate(error))
        for name in ("precision_interval", "recall_interval", "f1_interval"):
            inner, outer = getattr(one, name), getattr(whole, name)
            assert outer.low <= inner.low + 1e-12, name
            assert inner.high <= outer.high + 1e-12, name
