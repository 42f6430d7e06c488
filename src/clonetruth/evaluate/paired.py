"""Is A better than B? Compares two detectors on the same pairs.

What makes pairs similar affects both detectors, so their difference is more certain than either number. Its interval
comes from the difference of the two influences of each pair, by functionality and by fragment as in `measurement`; the
wider one is given. McNemar's test, which treats pairs as independent, is added for comparison with papers that used it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from clonetruth.errors import InputError
from clonetruth.evaluate.measurement import (
    METRICS,
    Basis,
    MetricEstimate,
    PairDependence,
    estimates,
    interval_basis,
)
from clonetruth.stats.bootstrap import MANY_CLUSTERS, draws
from clonetruth.stats.clusters import Spread, effective_clusters
from clonetruth.stats.influence import Influence, KindInfluence, PairInfluence
from clonetruth.stats.intervals import REPLICATES, Interval, percentile_interval, student_two_sided
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import RATES, Bools, Floats, Kinds, cells

_EXACT = 1000
"""Up to this number of disagreements McNemar's test is exact; beyond, the normal distribution is close enough."""


@dataclass(frozen=True)
class MetricDifference:
    """The difference between two detectors on the same pairs.

    Attributes:
        metric: the metric that is compared.
        first: its value for the first detector; None where it is undefined.
        second: its value for the second detector.
        mcnemar: p-value of McNemar's test on right and wrong decisions, as if pairs were independent.
        difference: first minus second.
        low: lower end of the interval; None where there is none.
        high: upper end of the interval.
        p: two-sided p-value of the difference.
        method: how the interval was computed, in words.
        note: what a reader must know.
        scope: what the interval holds for ("these 3 functionalities"); None if it holds for others like these too.
    """

    metric: str
    first: float | None
    second: float | None
    mcnemar: float
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    method: str | None = None
    note: str | None = None
    scope: str | None = None


def compare(first: Outcomes, second: Outcomes, metric: str = "f1", confidence: float = 0.95) -> MetricDifference:
    """The difference of a metric between two detectors, with an interval that respects how pairs depend.

    Args:
        first: outcomes of one detector.
        second: outcomes of the other detector on the same pairs in the same order.
        metric: one of `METRICS`.
        confidence: confidence level of the interval.

    Raises:
        InputError: the metric is unknown, or the outcomes are not of the same pairs.
    """
    if metric not in METRICS:
        raise InputError(f"There is no metric '{metric}'.", hint=f"Known: {', '.join(METRICS)}.")
    if not np.array_equal(first.truth, second.truth):
        raise InputError(
            "The two detectors were not measured on the same pairs.", hint="Give both the same pairs in the same order."
        )
    one, other = _estimate(first, metric), _estimate(second, metric)
    naive = mcnemar(first.predicted == first.truth, second.predicted == second.truth)
    if one.value is None or other.value is None:
        return MetricDifference(metric, one.value, other.value, naive, note=one.note or other.note)
    difference = one.value - other.value
    basis = _basis(first, second, one, other, confidence)
    if basis.spread and not basis.spread.variance:
        basis = Basis(note="no interval: no pair changes the difference", spread=basis.spread)
    return MetricDifference(
        metric,
        one.value,
        other.value,
        naive,
        difference,
        basis.interval.low if basis.interval else None,
        basis.interval.high if basis.interval else None,
        _p(difference, basis.spread) if basis.spread else None,
        f"{confidence:.0%}, paired, {basis.method}" if basis.method else None,
        basis.note,
        basis.scope,
    )


def _estimate(outcomes: Outcomes, metric: str) -> MetricEstimate:
    kinds = cells(outcomes.predicted, outcomes.truth)
    estimate = next((one for one in estimates(outcomes, kinds) if one.name == metric), None)
    return estimate or MetricEstimate(metric, None, note="undefined: a detector gives no scores")


def _basis(first: Outcomes, second: Outcomes, one: MetricEstimate, other: MetricEstimate, confidence: float) -> Basis:
    """The interval of the difference."""
    assert one.value is not None
    assert other.value is not None
    assert one.influence is not None
    assert other.influence is not None
    assert one.stake is not None
    assert other.stake is not None
    kinds, other_kinds = cells(first.predicted, first.truth), cells(second.predicted, second.truth)
    influence = PairInfluence(_by_pair(one.influence, kinds) - _by_pair(other.influence, other_kinds))
    # A pair has a kind for each detector, so sixteen together, and counts in the difference with both stakes.
    joint = (4 * kinds + other_kinds).astype(np.int8)
    own = one.stake / one.stake[kinds].sum()
    its = other.stake / other.stake[other_kinds].sum()
    stake = (own[:, None] + its[None, :]).ravel()
    difference, reach = one.value - other.value, 1 - one.lowest
    return interval_basis(
        PairDependence(first, joint, 16),
        influence,
        stake,
        lambda spread, _: spread.difference_interval(difference, reach, confidence),
    )


def _by_pair(influence: Influence, kinds: Kinds) -> Floats:
    return influence.values[kinds] if isinstance(influence, KindInfluence) else influence.values


def _p(difference: float, spread: Spread) -> float:
    if not spread.variance:
        return 1.0
    return student_two_sided(difference / math.sqrt(spread.variance), spread.degrees)


def mcnemar(first_right: Bools, second_right: Bools) -> float:
    """Two-sided p-value of McNemar's test: which detector is right on the pairs where only one is."""
    only_first = int(np.count_nonzero(first_right & ~second_right))
    only_second = int(np.count_nonzero(second_right & ~first_right))
    total, fewer = only_first + only_second, min(only_first, only_second)
    if total <= _EXACT:
        tail: float = sum(math.comb(total, k) for k in range(fewer + 1)) / 2**total
        return min(1.0, 2 * tail)
    return min(1.0, 2 * NormalDist().cdf((2 * fewer + 1 - total) / math.sqrt(total)))


@dataclass(frozen=True)
class PairedBootstrap:
    """A difference over the same draws of clusters.

    Attributes:
        difference: first minus second; None where it is undefined.
        interval: percentile interval of the difference; None where the difference is undefined in many draws, and for
            fewer than `MANY_CLUSTERS` effective clusters.
        p: two-sided p-value: twice the share of draws on the other side of zero.
    """

    difference: float | None
    interval: Interval | None = None
    p: float | None = None


def paired_bootstrap(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    metric: str = "f1",
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    confidence: float = 0.95,
) -> PairedBootstrap:
    """The difference of a metric of decisions, with both detectors on the same draws of clusters.

    Args:
        first: (tp, fp, fn, tn) of one detector, a row for each cluster.
        second: the same of the other detector, over the same clusters.
        metric: one of `RATES`.
        replicates: number of draws.
        seed: random seed of the draws.
        confidence: confidence level of the interval.
    """
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if one.shape != other.shape or one.ndim != 2 or one.shape[1] != 4:
        raise ValueError(f"counts of shapes {one.shape} and {other.shape} instead of twice the same clusters × 4")
    value = RATES[metric].value
    difference = float(value(one.sum(axis=0)) - value(other.sum(axis=0)))
    if math.isnan(difference):
        return PairedBootstrap(None)
    effective = effective_clusters(one.sum(axis=1))
    if effective < MANY_CLUSTERS:
        return PairedBootstrap(difference)
    drawn = draws(len(one), replicates, seed)
    differences = value(drawn @ one) - value(drawn @ other)
    interval = percentile_interval(differences, confidence, effective)
    if interval is None:
        return PairedBootstrap(difference)
    beyond = int(min(np.count_nonzero(differences <= 0), np.count_nonzero(differences >= 0)))
    return PairedBootstrap(difference, interval, min(1.0, 2 * (beyond + 1) / (replicates + 1)))
