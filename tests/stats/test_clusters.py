"""Pairs in clusters: effective clusters, variance and interval."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats import wilson
from clonetruth.stats.clusters import (
    Clusters,
    Spread,
    effective_clusters,
    few_clusters,
    mean_spread,
    spread_between,
)
from clonetruth.stats.influence import KindInfluence, PairInfluence
from clonetruth.stats.rates import ACCURACY, PRECISION, Kinds

KINDS = st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 3)), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("sizes", "effective"), [([5, 5, 5, 5], 4), ([10], 1), ([54, 46], 1 / (0.54**2 + 0.46**2)), ([], 0), ([0, 7], 1)]
)
def test_effective_clusters(sizes: list[int], effective: float) -> None:
    assert effective_clusters(np.array(sizes)) == pytest.approx(effective)


def test_a_warning_below_ten() -> None:
    assert few_clusters(10, "functionalities") is None
    assert few_clusters(3.31, "functionalities") == "only 3.3 effective functionalities: the interval is a rough guess"


def test_pairs_without_a_cluster_form_their_own_clusters() -> None:
    clusters = Clusters.of(np.array([7, -1, 3, 7, -1]), np.array([0, 0, 0, 1, 3], np.int8))
    assert (clusters.count, clusters.named) == (4, 2)
    assert clusters.codes.tolist() == [1, 2, 0, 1, 3]
    assert clusters.counts.tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]]
    nothing = Clusters.of(np.empty(0, int), np.empty(0, np.int8))
    assert (nothing.count, nothing.named) == (0, 0)


@given(KINDS, st.lists(st.floats(-5, 5), min_size=4, max_size=4))
def test_influence_by_kind_is_influence_by_pair(rows: list[tuple[int, int]], values: list[float]) -> None:
    cluster, kinds = np.array([c for c, _ in rows]), np.array([k for _, k in rows], np.int8)
    clusters = Clusters.of(cluster, kinds)
    by_kind, by_pair = KindInfluence(np.array(values)), PairInfluence(np.array(values)[kinds])
    assert clusters.sums(by_kind) == pytest.approx(clusters.sums(by_pair))
    one, other = clusters.spread(by_kind, np.ones(4)), clusters.spread(by_pair, np.ones(4))
    if one is None or other is None:
        assert one is other
    else:
        assert one.variance == pytest.approx(other.variance)
        assert one.effective == pytest.approx(other.effective)


def accuracy_spread(cluster: list[int], kinds: Kinds) -> Spread | None:
    counts = np.bincount(kinds, minlength=4).astype(float)
    influence = KindInfluence(ACCURACY.gradient(counts))
    return Clusters.of(np.array(cluster), kinds).spread(influence, ACCURACY.stake(counts))


def test_equal_clusters_give_the_variance_of_their_means() -> None:
    """With clusters of equal size the variance is the textbook's s² / G."""
    right = np.array([[1, 1, 1, 0], [0, 0, 1, 0], [1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0]])
    spread = accuracy_spread(np.repeat(np.arange(5), 4).tolist(), np.where(right.ravel(), 0, 1).astype(np.int8))
    assert spread is not None
    assert spread.variance == pytest.approx(right.mean(axis=1).var(ddof=1) / 5)
    assert spread.effective == pytest.approx(5)
    assert spread.degrees == pytest.approx(4)


def test_clusters_that_agree_say_no_more_than_independent_pairs() -> None:
    spread = accuracy_spread([0, 0, 1, 1, 2, 2], np.array([0, 1] * 3, np.int8))
    assert spread is not None
    assert spread.variance == pytest.approx(0.25 / 6)


def test_fewer_than_two_clusters_with_a_stake_say_nothing() -> None:
    counts = np.array([2.0, 1, 1, 1])
    influence = KindInfluence(PRECISION.gradient(counts))
    clusters = Clusters.of(np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 2, 3], np.int8))
    assert clusters.spread(influence, PRECISION.stake(counts)) is None


@given(st.floats(0.001, 0.999), st.floats(0, 0.2), st.floats(1.01, 500), st.sampled_from([0.0, -1.0]))
def test_intervals_hold_the_value_and_stay_inside(share: float, variance: float, effective: float, low: float) -> None:
    value = low + (1 - low) * share
    interval = Spread(variance, effective).interval(value, lowest=low)
    assert low <= interval.low <= value + 1e-12
    assert value - 1e-12 <= interval.high <= 1


def test_at_the_ends_the_effective_clusters_are_the_trials() -> None:
    interval, end = Spread(0, 8).interval(1), wilson(8, 8)
    assert interval == end
    twice = Spread(0, 8).interval(1, lowest=-1)
    assert end is not None
    assert twice.low == pytest.approx(2 * end.low - 1)


def test_a_single_effective_cluster_says_nothing() -> None:
    assert Spread(0.01, 1).margin() == math.inf
    interval = Spread(0.01, 1).interval(0.7)
    assert (interval.low, interval.high) == (0, 1)


def test_the_mean_of_values_in_clusters() -> None:
    values, cluster = np.array([0.1, 0.3, 0.2, 0.4, 0.9, 0.7]), np.array([0, 0, 1, 1, 2, 2])
    spread = mean_spread(values, cluster)
    assert spread is not None
    assert spread.variance == pytest.approx(values.reshape(3, 2).mean(axis=1).var(ddof=1) / 3)
    assert mean_spread(values, np.array([0, 0, 0, 1, 1, 1])) is None


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=6), st.integers(0, 2**32 - 1))
def test_fewer_than_three_effective_clusters_have_no_spread(sizes: list[int], seed: int) -> None:
    """Student's t with a fraction of a degree of freedom covers everything that is possible."""
    sums = np.random.default_rng(seed).normal(size=len(sizes))
    spread = spread_between(sums - sums.mean(), np.array(sizes, float))
    if effective_clusters(np.array(sizes)) < 2.99:
        assert spread is None
    elif spread is not None:
        assert spread.degrees >= 2 - 1e-6
