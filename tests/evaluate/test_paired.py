"""Comparing two detectors on the same pairs."""

import numpy as np
import pytest

from clonetruth.errors import InputError
from clonetruth.evaluate.measurement import measure
from clonetruth.evaluate.paired import compare, mcnemar, paired_bootstrap
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import cells, counts_by


def two(gap: float, clusters: int = 30, size: int = 40, seed: int = 0) -> tuple[Outcomes, Outcomes]:
    """Two detectors whose errors follow the same functionalities; the first is better by `gap`."""
    random = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(clusters), size)
    truth = random.random(len(cluster)) < 0.5
    skill = 1 + random.normal(0, 0.6, clusters)[cluster]
    sign = np.where(truth, 1, -1)
    latents = [sign * (skill + bonus) + random.normal(size=len(cluster)) for bonus in (gap, 0)]
    one, other = (Outcomes(latent >= 0, truth, 1 / (1 + np.exp(-latent)), cluster) for latent in latents)
    return one, other


@pytest.mark.parametrize("metric", ["precision", "f1", "mcc", "roc-auc", "average-precision"])
def test_a_better_detector_is_seen(metric: str) -> None:
    better, worse = two(0.5)
    found, turned = compare(better, worse, metric), compare(worse, better, metric)
    assert found.difference is not None
    assert found.low is not None
    assert found.high is not None
    assert found.p is not None
    assert 0 < found.low < found.difference < found.high
    assert found.p < 0.001
    assert turned.difference == pytest.approx(-found.difference)
    assert turned.p == pytest.approx(found.p)
    assert found.method is not None
    assert "by functionality" in found.method


def test_the_difference_is_surer_than_either_number() -> None:
    better, worse = two(0.3, clusters=45)
    found = compare(better, worse)
    assert found.low is not None
    assert found.high is not None
    alone = [next(metric for metric in measure(one) if metric.name == "f1") for one in (better, worse)]
    widths = np.array([(metric.low, metric.high) for metric in alone], float) @ [-1, 1]
    assert found.high - found.low < 0.8 * float(np.hypot(widths[0], widths[1]))
    one, other = (counts_by(np.asarray(of.cluster), cells(of.predicted, of.truth), 45) for of in (better, worse))
    drawn = paired_bootstrap(one, other)
    assert drawn.difference == pytest.approx(found.difference)
    assert drawn.interval is not None
    assert (drawn.interval.low, drawn.interval.high) == pytest.approx((found.low, found.high), abs=0.01)


def test_intervals_of_equal_detectors_hold_zero_as_often_as_they_promise() -> None:
    """And McNemar's test, which takes pairs as independent, finds differences that are not there."""
    held = naive = 0
    for seed in range(300):
        random = np.random.default_rng(seed)
        cluster = np.repeat(np.arange(30), 40)
        truth = random.random(1200) < 0.5
        wrong = [random.random(1200) < random.beta(1, 4, 30)[cluster] for _ in range(2)]
        one, other = (Outcomes(truth ^ mistake, truth, cluster=cluster) for mistake in wrong)
        found = compare(one, other, "accuracy")
        assert found.p is not None
        held += found.p > 0.05
        naive += found.mcnemar > 0.05
    assert 0.93 <= held / 300 <= 0.97
    assert naive / 300 < 0.7


def test_the_same_detector_twice_does_not_differ() -> None:
    one, _ = two(0)
    found = compare(one, one)
    assert (found.difference, found.low, found.high, found.p, found.mcnemar) == (0, None, None, 1, 1)
    assert found.note == "no interval: no pair changes the difference"


def test_what_cannot_be_known_is_none_and_says_so() -> None:
    truth = np.array([True, False, True])
    silent, loud = Outcomes(np.zeros(3, bool), truth), Outcomes(np.ones(3, bool), truth)
    undefined = compare(silent, loud, "precision")
    assert (undefined.first, undefined.difference, undefined.p) == (None, None, None)
    assert undefined.note is not None
    unknown = compare(silent, loud, "recall")
    assert unknown.difference == -1
    assert unknown.low is None
    assert unknown.note is not None
    assert "no interval" in unknown.note
    assert compare(silent, loud, "roc-auc").note == "undefined: a detector gives no scores"


def test_other_pairs_and_other_metrics_are_refused() -> None:
    one, _ = two(0)
    with pytest.raises(InputError, match="same pairs"):
        compare(one, one.select(np.arange(5)))
    with pytest.raises(InputError, match="no metric 'beauty'"):
        compare(one, one, "beauty")
    with pytest.raises(ValueError, match="clusters × 4"):
        paired_bootstrap(np.zeros((3, 4)), np.zeros((2, 4)))


@pytest.mark.parametrize(
    ("first", "second", "p"), [(0, 0, 1), (5, 0, 0.0625), (8, 2, 0.109375), (600, 500, 0.00283), (50_000, 50_000, 1)]
)
def test_mcnemar(first: int, second: int, p: float) -> None:
    right = np.repeat([True, False], [first, second])
    assert mcnemar(right, ~right) == pytest.approx(p, rel=0.01)


def test_a_paired_bootstrap_needs_many_clusters_and_defined_numbers() -> None:
    assert paired_bootstrap([[1, 1, 1, 1]], [[2, 0, 0, 2]]).p is None
    assert paired_bootstrap(np.zeros((3, 4)), np.zeros((3, 4))).difference is None
    rare = [[5, 1, 1, 5], *[[0, 0, 2, 5]] * 49]
    assert paired_bootstrap(rare, rare, "precision").interval is None
