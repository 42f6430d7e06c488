"""Reliability, expected calibration error and Brier score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats.calibration import Binning, brier, reliability

SCORED = st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.integers(1, 3)), min_size=1, max_size=30)


def test_a_small_curve() -> None:
    curve = reliability([0.05, 0.15, 0.15, 0.95, 1.0], [False, False, True, True, True])
    assert np.array(curve.points) == pytest.approx(np.array([(0.05, 0), (0.15, 0.5), (0.975, 1)]))
    assert curve.weights.tolist() == [1, 2, 2]
    assert curve.ece == pytest.approx((0.05 + 2 * 0.35 + 2 * 0.025) / 5)
    assert brier([0.5, 1.0], [True, True]) == 0.125


def test_bins_of_equal_mass_keep_equal_scores_together() -> None:
    scores = np.concatenate([np.full(50, 0.2), np.linspace(0.3, 0.9, 50)])
    curve = reliability(scores, scores > 0.5, bins=10, binning="equal-mass")
    assert curve.weights.tolist() == [50, 10, 10, 10, 10, 10]
    assert curve.scores[0] == pytest.approx(0.2)
    assert (np.diff(curve.scores) > 0).all()


@given(SCORED, st.sampled_from(["equal-width", "equal-mass"]), st.integers(1, 12))
def test_a_weight_is_a_repetition(rows: list[tuple[float, bool, int]], binning: Binning, bins: int) -> None:
    scores, labels, weights = (np.array(column) for column in zip(*rows, strict=True))
    weighted = reliability(scores, labels, weights, bins=bins, binning=binning)
    repeated = reliability(np.repeat(scores, weights), np.repeat(labels, weights), bins=bins, binning=binning)
    assert weighted.ece == pytest.approx(repeated.ece)
    assert float(weighted.weights.sum()) == weights.sum()
    assert brier(scores, labels, weights) == pytest.approx(
        brier(np.repeat(scores, weights), np.repeat(labels, weights))
    )


def test_calibrated_scores_have_a_small_error_and_opposite_ones_a_large_one() -> None:
    random = np.random.default_rng(2)
    scores = random.random(50_000)
    labels = random.random(50_000) < scores
    good, bad = reliability(scores, labels).ece, reliability(1 - scores, labels).ece
    assert good is not None
    assert bad is not None
    assert good < 0.01
    assert bad > 0.4


def test_without_pairs_nothing_is_known() -> None:
    assert reliability([], []).ece is None
    assert brier([], []) is None


@pytest.mark.parametrize("scores", [[1.5], [-0.1], [float("nan")]])
def test_only_probabilities_can_be_calibrated(scores: list[float]) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        reliability(scores, [True])


def test_no_bins_are_refused() -> None:
    with pytest.raises(ValueError, match="0 bins"):
        reliability([0.5], [True], bins=0)
