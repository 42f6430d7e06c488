"""The cluster bootstrap, against drawing the pairs themselves."""

import numpy as np
import pytest

from clonetruth.stats import bootstrap
from clonetruth.stats.bootstrap import cluster_bootstrap, cluster_bootstrap_ranking, draws
from clonetruth.stats.clusters import effective_clusters
from clonetruth.stats.intervals import percentile_interval
from clonetruth.stats.ranking import average_precision, roc_auc
from clonetruth.stats.rates import RATES, Bools, Floats, Integers, cells, counts_by


def scored(pairs: int, clusters: int, seed: int = 1, digits: int = 9) -> tuple[Floats, Bools, Integers]:
    random = np.random.default_rng(seed)
    cluster = random.integers(0, clusters, pairs)
    truth = random.random(pairs) < 0.4
    skill = random.normal(1, 0.5, clusters)
    return np.round(random.normal(size=pairs) + truth * skill[cluster], digits), truth, cluster


def test_counts_of_clusters_are_enough() -> None:
    scores, truth, cluster = scored(3000, 45)
    kinds = cells(scores > 0.5, truth)
    found = cluster_bootstrap(counts_by(cluster, kinds, 45), replicates=200, seed=5)
    drawn, effective = draws(45, 200, 5), effective_clusters(np.bincount(cluster))
    for name, rate in RATES.items():
        values = [float(rate.value(np.bincount(kinds, weights[cluster], 4).astype(float))) for weights in drawn]
        assert found.intervals[name] == percentile_interval(np.array(values), 0.95, effective)


@pytest.mark.parametrize("digits", [1, 9])
def test_histograms_are_enough_for_scores(digits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact with fewer distinct scores than bins; otherwise within the bound."""
    scores, truth, cluster = scored(6000, 45, digits=digits)
    monkeypatch.setattr(bootstrap, "BINS", 400)
    found = cluster_bootstrap_ranking(scores, truth, cluster, replicates=60, seed=3)
    drawn, effective = draws(45, 60, 3), effective_clusters(np.bincount(cluster))
    for name, metric in (("roc-auc", roc_auc), ("average-precision", average_precision)):
        values = [metric(scores, truth, weights[cluster]) for weights in drawn]
        exact = percentile_interval(np.array(values, float), 0.95, effective)
        interval, bound = found.intervals[name], found.error[name]
        assert interval is not None
        assert exact is not None
        assert bound == 0 if digits == 1 else 0 < bound < 0.02
        assert (interval.low, interval.high) == pytest.approx((exact.low, exact.high), abs=2 * bound + 1e-12)


def test_the_bound_is_kept_and_small_at_the_usual_number_of_bins() -> None:
    scores, truth, cluster = scored(200_000, 45)
    found = cluster_bootstrap_ranking(scores, truth, cluster, replicates=2)
    assert 0 < found.error["roc-auc"] < 1e-4
    assert 0 < found.error["average-precision"] < 5e-4


def test_equal_seeds_give_equal_intervals_and_others_others() -> None:
    counts = np.random.default_rng(0).integers(10, 50, (50, 4))
    same = [cluster_bootstrap(counts, replicates=100, seed=seed) for seed in (1, 1, 2)]
    assert same[0] == same[1]
    assert same[0] != same[2]


def test_any_function_of_counts() -> None:
    counts = np.array([[10.0, 0, 0, 5], [0, 10, 0, 5], [5, 5, 0, 5]] * 15)
    found = cluster_bootstrap(
        counts, replicates=100, metrics={"prevalence": lambda c: (c[..., 0] + c[..., 2]) / c.sum(-1)}
    )
    interval = found.intervals["prevalence"]
    assert interval is not None
    assert 0 <= interval.low < 1 / 3 < interval.high <= 2 / 3


def test_fewer_than_forty_clusters_have_no_interval() -> None:
    """Draws of few clusters do not spread enough, however they are read."""
    assert cluster_bootstrap([[5, 1, 1, 5]] * 39).intervals["f1"] is None
    assert cluster_bootstrap([[500, 100, 100, 500], *[[5, 1, 1, 5]] * 80]).intervals["f1"] is None
    assert cluster_bootstrap(np.empty((0, 4))).intervals["f1"] is None
    one = np.zeros(3, int)
    assert cluster_bootstrap_ranking([0.1, 0.2, 0.3], [True, False, True], one).intervals["roc-auc"] is None


def test_what_is_undefined_in_many_draws_has_no_interval() -> None:
    """Only one of fifty clusters has predictions; a third of the draws miss it."""
    found = cluster_bootstrap([[5, 1, 1, 5], *[[0, 0, 2, 5]] * 49], replicates=300)
    assert found.intervals["precision"] is None
    assert found.intervals["recall"] is not None


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="clusters × 4"):
        cluster_bootstrap(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="confidence"):
        percentile_interval(np.ones(3), 1, 3)


def test_the_percentiles_are_further_out_for_few_units() -> None:
    """With many units they are the usual ones."""
    values = np.linspace(0, 1, 10_001)
    many, few = percentile_interval(values, 0.95, 1e9), percentile_interval(values, 0.95, 10)
    assert many is not None
    assert few is not None
    assert (many.low, many.high) == pytest.approx((0.025, 0.975), abs=1e-4)
    assert (few.low, few.high) == pytest.approx((0.00855, 0.99145), abs=2e-4)
