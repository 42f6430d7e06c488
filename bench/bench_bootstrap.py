"""Intervals at full size: ``python -m bench.bench_bootstrap [PAIRS]``.

Scored pairs as in BigCloneBench: 43 functionalities, one with 54 % of the pairs, and 73,319 fragments. Measures the
bootstrap by functionality of all decision metrics, including counting; the bootstrap of ROC-AUC and average precision;
the dyadic interval by fragment; and `measure`, which computes every metric with its interval.
"""

from __future__ import annotations

import sys

import numpy as np

from bench.measurement import machine, measure, peak_memory
from clonetruth.evaluate.measurement import measure as all_metrics
from clonetruth.stats.bootstrap import (
    BootstrapIntervals,
    cluster_bootstrap,
    cluster_bootstrap_ranking,
)
from clonetruth.stats.clusters import Spread
from clonetruth.stats.dyadic import Dyads
from clonetruth.stats.influence import KindInfluence
from clonetruth.stats.intervals import REPLICATES
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import F1, cells, counts_by

PAIRS = 8_600_000
FUNCTIONALITIES = 43
FRAGMENTS = 73_319
LARGEST = 0.54


def synthetic_outcomes(pairs: int, seed: int = 1) -> Outcomes:
    """Scored pairs whose scores differ between functionalities; 97 % are clones."""
    random = np.random.default_rng(seed)
    shares = np.concatenate([[LARGEST], (1 - LARGEST) * random.dirichlet(np.ones(FUNCTIONALITIES - 1))])
    cluster = random.choice(FUNCTIONALITIES, pairs, p=shares)
    truth = random.random(pairs) < 0.97
    skill = random.normal(0.8, 0.5, FUNCTIONALITIES)
    score = 1 / (1 + np.exp(-(random.standard_normal(pairs) + np.where(truth, 1, -1) * skill[cluster])))
    # Each functionality has its own fragments, in proportion to the square root of its pairs.
    sizes = np.maximum(FRAGMENTS * np.sqrt(shares) / np.sqrt(shares).sum(), 2).astype(np.int64)
    first = np.cumsum(sizes) - sizes
    left = first[cluster] + (random.random(pairs) * sizes[cluster]).astype(np.int64)
    right = first[cluster] + (random.random(pairs) * sizes[cluster]).astype(np.int64)
    return Outcomes(score >= 0.5, truth, score, cluster, left, right)


def main() -> None:
    """Generate, bootstrap, print."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    outcomes = synthetic_outcomes(pairs)
    score, cluster, left, right = outcomes.score, outcomes.cluster, outcomes.left, outcomes.right
    assert score is not None
    assert cluster is not None
    assert left is not None
    assert right is not None

    def decisions() -> BootstrapIntervals:
        kinds = cells(outcomes.predicted, outcomes.truth)
        return cluster_bootstrap(counts_by(cluster, kinds, FUNCTIONALITIES))

    def scores() -> BootstrapIntervals:
        return cluster_bootstrap_ranking(score, outcomes.truth, cluster)

    def dyadic() -> Spread | None:
        kinds = cells(outcomes.predicted, outcomes.truth)
        counts = np.bincount(kinds, minlength=4).astype(np.float64)
        return Dyads.of(left, right, kinds).spread(KindInfluence(F1.gradient(counts)), F1.stake(counts))

    print(f"{machine()}; {pairs:,} pairs, {FUNCTIONALITIES} functionalities, {REPLICATES:,} replicates")
    measured = measure(decisions)
    print(f"bootstrap of seven metrics of decisions, with counting: {measured.wall:.2f} s, {measured.cpu:.2f} CPU s")
    ranking = measure(scores)
    print(f"bootstrap of ROC-AUC and average precision: {ranking.wall:.2f} s, {ranking.cpu:.2f} CPU s")
    for name, bound in ranking.result.error.items():
        print(f"  {name}: {ranking.result.intervals[name]}, moved by merging scores by at most {bound:.1e}")
    fragments = measure(dyadic)
    print(f"dyadic interval of F1 by fragment: {fragments.wall:.2f} s, {fragments.cpu:.2f} CPU s")
    everything = measure(lambda: all_metrics(outcomes))
    print(f"all ten metrics with their intervals: {everything.wall:.2f} s, {everything.cpu:.2f} CPU s")
    for one in everything.result:
        assert one.value is not None
        print(f"  {one.name} {one.value:.4f} [{one.low:.4f}, {one.high:.4f}] {one.method}")
    print(f"peak memory {peak_memory():.2f} GB")


if __name__ == "__main__":
    main()
