"""Decision metrics: their definitions, their derivatives, and what is undefined."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats.rates import RATES, Floats, cells, counts_by

COUNTS = st.tuples(*[st.integers(1, 5000)] * 4).map(lambda counts: np.array(counts, np.float64))


def formulas(tp: float, fp: float, fn: float, tn: float) -> dict[str, float]:
    """The textbook's."""
    precision, recall, specificity = tp / (tp + fp), tp / (tp + fn), tn / (tn + fp)
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall),
        "specificity": specificity,
        "mcc": (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
        "balanced-accuracy": (recall + specificity) / 2,
        "accuracy": (tp + tn) / (tp + fp + fn + tn),
    }


@given(COUNTS)
def test_values_are_those_of_the_textbook(counts: Floats) -> None:
    assert {name: float(rate.value(counts)) for name, rate in RATES.items()} == pytest.approx(formulas(*counts))


@given(COUNTS)
def test_gradients_are_derivatives_and_influences_sum_to_zero(counts: Floats) -> None:
    for rate in RATES.values():
        step = counts * 1e-5
        numeric = [
            float(rate.value(counts + change) - rate.value(counts - change)) / (2 * change.max())
            for change in np.diag(step)
        ]
        gradient = rate.gradient(counts)
        assert gradient * counts == pytest.approx(np.array(numeric) * counts, abs=1e-6), rate.name
        assert float(gradient @ counts) == pytest.approx(0, abs=1e-9)


def test_many_sets_of_counts_at_once() -> None:
    counts = np.array([[6.0, 2, 4, 8], [0, 0, 5, 5]])
    for rate in RATES.values():
        alone = [float(rate.value(row)) for row in counts]
        assert rate.value(counts) == pytest.approx(alone, nan_ok=True)
    assert np.isnan(RATES["precision"].value(counts)).tolist() == [False, True]


def test_large_counts_do_not_overflow() -> None:
    assert float(RATES["mcc"].value(np.array([4e15, 1e15, 1e15, 4e15]))) == pytest.approx(0.6)


def test_pairs_are_counted_by_group() -> None:
    kinds = cells(np.array([True, True, False, False, True]), np.array([True, False, True, False, True]))
    assert kinds.tolist() == [0, 1, 2, 3, 0]
    counts = counts_by(np.array([0, 0, 2, 2, 2]), kinds, 3)
    assert counts.tolist() == [[1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 1, 1]]
