"""Clustered pairs, such as those of one functionality: effective sample size and intervals.

A metric is linearised: each pair has an influence on it, and influences are summed within clusters. The variance is
that between the cluster sums, each scaled so that it is unbiased when clusters differ and their pairs agree (Bell and
McCaffrey's CR2 for that model); the quantile is Student's with one degree of freedom less than there are *effective*
clusters. docs/metrics.md reports the simulated coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clonetruth.stats.influence import Influence, KindInfluence
from clonetruth.stats.intervals import Interval, student_quantile, wilson
from clonetruth.stats.rates import Floats, Integers, Kinds, counts_by

FEW_CLUSTERS = 10
"""With fewer effective clusters than this an interval says little, and the reader is warned."""


@dataclass(frozen=True)
class Spread:
    """How uncertain an estimate is.

    Attributes:
        variance: of the estimate.
        effective: number of equally large clusters that would carry as much information.
    """

    variance: float
    effective: float

    @property
    def degrees(self) -> float:
        """Degrees of freedom of Student's t."""
        return self.effective - 1

    def interval(self, value: float, confidence: float = 0.95, lowest: float = 0.0) -> Interval:
        """The interval of a metric between `lowest` and 1, symmetric on the logit scale, so that it stays inside.

        At either end the spread between clusters says nothing; the interval is then Wilson's with the effective
        clusters as trials, as in `clustered`.
        """
        width = 1 - lowest
        share = (value - lowest) / width
        if share <= 0 or share >= 1:
            end = wilson(min(max(share, 0.0), 1.0) * self.effective, self.effective, confidence)
            assert end is not None
            return Interval(lowest + width * end.low, lowest + width * end.high)
        logit = math.log(share / (1 - share))
        half = self.margin(confidence) / (width * share * (1 - share))
        return Interval(lowest + width * _logistic(logit - half), lowest + width * _logistic(logit + half))

    def in_words(self, by: str) -> str:
        """How the interval is computed, to print next to it."""
        return f"{by} (linearised, Student's t with {max(self.degrees, 0):.1f} degrees of freedom)"

    def margin(self, confidence: float = 0.95) -> float:
        """Half the width of the interval that is symmetric on the metric's own scale."""
        if self.degrees <= 0:
            return math.inf
        return student_quantile(confidence, self.degrees) * math.sqrt(self.variance) if self.variance else 0.0


def effective_clusters(sizes: Floats | Integers) -> float:
    """The number of equally large clusters that would carry as much information: (Σ n)² / Σ n² (Kish); 0 for none.

    For dyads, pass the number of pairs that each fragment is in.
    """
    weights = np.asarray(sizes, float)
    squares = float(weights @ weights)
    return float(weights.sum()) ** 2 / squares if squares else 0.0


def few_clusters(effective: float, kind: str) -> str | None:
    """A warning if there are few effective clusters, where `kind` names them ("functionalities"); otherwise None."""
    if effective >= FEW_CLUSTERS:
        return None
    return f"only {effective:.1f} effective {kind}: the interval is a rough guess"


@dataclass(frozen=True)
class Clusters:
    """Which cluster each pair is in.

    Attributes:
        codes: the cluster of each pair, numbered densely; a pair without one forms its own cluster, after the others.
        kinds: the kind of each pair (`rates.cells`).
        count: number of clusters.
        named: number of clusters, not counting pairs without one.
        kind_count: number of kinds.
    """

    codes: Integers
    kinds: Kinds
    count: int
    named: int
    kind_count: int = 4

    @classmethod
    def of(cls, cluster: Integers, kinds: Kinds, kind_count: int = 4) -> Clusters:
        """From cluster numbers, with -1 for a pair without a cluster."""
        present = np.bincount(cluster + 1, minlength=1) > 0
        present[0] = False
        dense = np.cumsum(present) - 1
        named = int(dense[-1]) + 1
        codes = dense[cluster + 1]
        alone = cluster < 0
        singles = int(np.count_nonzero(alone))
        codes[alone] = np.arange(named, named + singles)
        return cls(codes, kinds, named + singles, named, kind_count)

    @cached_property
    def counts(self) -> Floats:
        """Counts of each kind (tp, fp, fn, tn) in each cluster."""
        return counts_by(self.codes, self.kinds, self.count, self.kind_count)

    def sums(self, influence: Influence) -> Floats:
        """The sum of the influences of each cluster's pairs."""
        if isinstance(influence, KindInfluence):
            return self.counts @ influence.values
        return np.bincount(self.codes, influence.values, self.count).astype(np.float64, copy=False)

    def spread(self, influence: Influence, stake: Floats) -> Spread | None:
        """The uncertainty of a metric.

        Args:
            influence: influence of the pairs on the metric.
            stake: weight of a pair of each kind in the metric.

        Returns:
            Variance and effective clusters; None if fewer than two clusters have a stake, not counting pairs without a
            cluster.
        """
        weights = self.counts @ stake
        if np.count_nonzero(weights[: self.named]) < 2:
            return None
        weights = weights / weights.sum()
        squares = float(weights @ weights)
        between = float((self.sums(influence) ** 2 / (1 - 2 * weights + squares)).sum())
        # At least the variance of independent pairs: that clusters happen to agree is not information.
        return Spread(max(between, independent_variance(influence, self.counts.sum(axis=0))), 1 / squares)


def independent_variance(influence: Influence, counts: Floats) -> float:
    """The variance of a metric if its pairs were independent: the sum of the squared influences.

    Args:
        influence: influence of the pairs.
        counts: number of pairs of each kind.
    """
    if isinstance(influence, KindInfluence):
        return float(counts @ influence.values**2)
    return float(influence.values @ influence.values)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
