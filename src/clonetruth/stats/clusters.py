"""Clustered pairs, such as those of one functionality: effective sample size and intervals.

A metric is linearised: each pair has an influence on it, and influences are summed within clusters. The variance is
that between the cluster sums, each scaled so that it is unbiased when clusters differ and their pairs agree (Bell and
McCaffrey's CR2 for that model); the quantile is Student's with one degree of freedom less than there are *effective*
clusters. Too few effective clusters say nothing about others, and have no interval. docs/metrics.md reports the
simulated coverage.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clonetruth.stats.influence import Influence, KindInfluence, PairInfluence
from clonetruth.stats.intervals import Interval, student_quantile, wilson
from clonetruth.stats.rates import FN, FP, TN, TP, Floats, Integers, Kinds, Rate, counts_by

FEW_CLUSTERS = 10
"""With fewer effective clusters than this an interval says little, and the reader is warned."""
ENOUGH_CLUSTERS = 5
"""With fewer effective functionalities than this, an interval is given for the tested functionalities only."""
LEAST_CLUSTERS = 3
"""With fewer effective clusters than this there is no interval: Student's t with less than two degrees of freedom
covers nearly everything that is possible."""


_ROUNDING = 1e-24
"""A smaller variance is that of rounding errors: the clusters agree."""


@dataclass(frozen=True)
class Spread:
    """How uncertain an estimate is.

    Attributes:
        variance: of the estimate.
        effective: number of equally large clusters that would carry as much information.
    """

    variance: float
    effective: float

    def __post_init__(self) -> None:
        if self.variance < _ROUNDING:
            object.__setattr__(self, "variance", 0.0)

    def shows(self, value: float) -> bool:
        """Whether an interval of a share says more than that all clusters agree."""
        return bool(self.variance) or value in (0, 1)

    @property
    def degrees(self) -> float:
        """Degrees of freedom of Student's t."""
        return self.effective - 1

    def interval(self, value: float, confidence: float = 0.95, lowest: float = 0.0) -> Interval:
        """The interval of a metric between `lowest` and 1, symmetric on the logit scale, so that it stays inside.

        At either end the spread between clusters says nothing; the interval is then Wilson's with the effective
        clusters as trials. Its ends are equal if no pair could have changed the value: no spread is visible.
        """
        width = 1 - lowest
        share = (value - lowest) / width
        if share <= 0 or share >= 1:
            end = wilson(min(max(share, 0.0), 1.0) * self.effective, self.effective, confidence)
            assert end is not None
            return Interval(lowest + width * end.low, lowest + width * end.high)
        if not self.variance:
            return Interval(value, value)
        logit = math.log(share / (1 - share))
        half = self.margin(confidence) / (width * share * (1 - share))
        return Interval(lowest + width * _logistic(logit - half), lowest + width * _logistic(logit + half))

    def in_words(self, by: str) -> str:
        """How the interval is computed, to print next to it."""
        return f"{by} (linearised, Student's t with {max(self.degrees, 0):.1f} degrees of freedom)"

    def error_interval(self, value: float, bias: float, confidence: float = 0.95) -> Interval:
        """The interval of an error between 0 and 1 that is overestimated by up to `bias`."""
        margin = self.margin(confidence)
        return Interval(max(value - bias - margin, 0.0), min(value + margin, 1.0))

    def difference_interval(self, difference: float, reach: float, confidence: float = 0.95) -> Interval:
        """The interval of a difference between -`reach` and `reach`, symmetric on its own scale."""
        margin = self.margin(confidence)
        return Interval(max(difference - margin, -reach), min(difference + margin, reach))

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


def spread_between(sums: Floats, weights: Floats, at_least: float = 0.0) -> Spread | None:
    """The uncertainty of a metric, from the influence of each cluster on it.

    Args:
        sums: the sum of the influences of each cluster's pairs.
        weights: how much each cluster counts in the metric, in any unit.
        at_least: the variance if pairs were independent: that clusters happen to agree is not information.

    Returns:
        Variance and effective clusters; None for fewer than `LEAST_CLUSTERS` effective clusters.
    """
    effective = effective_clusters(weights)
    if effective < LEAST_CLUSTERS - 1e-9:
        return None
    shares = weights / weights.sum()
    between = float((sums**2 / (1 - 2 * shares + 1 / effective)).sum())
    return Spread(max(between, at_least), effective)


def clustered(successes: Sequence[int], trials: Sequence[int], confidence: float = 0.95) -> Interval | None:
    """The interval of a proportion whose trials come in clusters, such as the pairs of one functionality.

    Trials of one cluster resemble each other, so they carry less information than independent ones.

    Args:
        successes: successes in each cluster.
        trials: trials in each cluster.
        confidence: confidence level of the interval.

    Returns:
        The interval; None for fewer than `LEAST_CLUSTERS` effective clusters.
    """
    if len(successes) != len(trials):
        raise ValueError(f"successes in {len(successes)} clusters, and trials in {len(trials)}")
    hits, sizes = np.asarray(successes, np.float64), np.asarray(trials, np.float64)
    total = float(sizes.sum())
    if not total:
        return None
    share = float(hits.sum()) / total
    spread = spread_between((hits - share * sizes) / total, sizes, share * (1 - share) / total)
    return spread.interval(share, confidence) if spread else None


def clustered_within(successes: Sequence[int], trials: Sequence[int], confidence: float = 0.95) -> Interval | None:
    """The interval of a proportion of pairs for these clusters only, where the fragments of the pairs are unknown.

    n pairs of a cluster have at least the k fragments that n = k(k - 1) / 2 needs. Half of the variance of a pair can
    be due to each of its fragments, so the mean over the pairs of k fragments is at most as uncertain as that of k / 2
    independent pairs. The interval is Wilson's with that many trials, weighted by the sizes of the clusters; it is too
    wide where the pairs have more fragments.

    Args:
        successes: successes in each cluster.
        trials: number of pairs in each cluster.
        confidence: confidence level of the interval.
    """
    sizes = np.asarray([n for n in trials if n], np.float64)
    total = float(sizes.sum())
    if not total:
        return None
    fragments = (1 + np.sqrt(1 + 8 * sizes)) / 2
    effective = 1 / float(((sizes / total) ** 2 * 2 / fragments).sum())
    return wilson(sum(successes) / total * effective, effective, confidence)


def mean_spread(values: Floats, cluster: Integers) -> Spread | None:
    """The uncertainty of the mean of values in clusters, such as one value for each query of a functionality.

    Args:
        values: the values.
        cluster: the cluster of each value, with -1 for a value without one.
    """
    influence = PairInfluence((values - values.mean()) / max(len(values), 1))
    return Clusters.of(cluster, np.zeros(len(values), np.int8), 1).spread(influence, np.ones(1))


def class_rate_interval(
    rate: Rate, counts: Floats, spread: Spread, effective: Callable[[Floats], float], confidence: float = 0.95
) -> Interval:
    """The interval of a metric of both classes, such as the balanced accuracy, whose classes may show no spread.

    That no clone was missed does not mean that none ever is: where all pairs of a class are right, or all are wrong,
    the interval reaches as far as the metric would change if Wilson's bound, with the effective clusters of the class
    as trials, were true. The parts are added as independent ones (the method of variance estimates recovery, Zou and
    Donner 2008).

    Args:
        rate: the metric.
        counts: (tp, fp, fn, tn).
        spread: the uncertainty of the metric.
        effective: the number of effective clusters of pairs that have a stake.
        confidence: confidence level of the interval.
    """
    value = float(rate.value(counts))
    inside = rate.low < value < 1
    visible = spread.interval(value, confidence, rate.low) if inside else Interval(value, value)
    below, above = (value - visible.low) ** 2, (visible.high - value) ** 2
    for first, second in ((TP, FN), (TN, FP)):
        for empty, full in ((first, second), (second, first)):
            if counts[empty] or not counts[full]:
                continue
            bound = wilson(0, effective(np.isin(np.arange(4), (empty, full)).astype(np.float64)), confidence)
            assert bound is not None
            moved = counts.copy()
            moved[empty], moved[full] = bound.high * counts[full], (1 - bound.high) * counts[full]
            change = float(rate.value(moved)) - value
            below, above = below + min(change, 0) ** 2, above + max(change, 0) ** 2
    return Interval(max(value - math.sqrt(below), rate.low), min(value + math.sqrt(above), 1.0))


def few_clusters(effective: float, kind: str) -> str | None:
    """A warning if there are few effective clusters, where `kind` names them ("functionalities"); otherwise None."""
    if effective >= FEW_CLUSTERS:
        return None
    return f"only {effective:.1f} effective {kind}: the interval is a rough guess"


def about_others(interval: Interval | None, effective: float) -> str:
    """What few functionalities say about others, to print next to an interval for these only."""
    if interval is None:
        return f"{effective:.1f} effective functionalities say nothing about others"
    span = f"{interval.low:.2f} to {interval.high:.2f}"
    return f"for others {span}, a rough guess from {effective:.1f} effective functionalities"


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
            Variance and effective clusters; None for fewer than `LEAST_CLUSTERS` effective clusters, and if fewer than
            two clusters have a stake, not counting pairs without a cluster.
        """
        weights = self.counts @ stake
        if np.count_nonzero(weights[: self.named]) < 2:
            return None
        alone = independent_variance(influence, self.counts.sum(axis=0))
        return spread_between(self.sums(influence), weights, alone)

    def effective(self, stake: Floats) -> float:
        """The number of effective clusters for a metric in which pairs of each kind have a stake."""
        return effective_clusters(self.counts @ stake)


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
