"""Every metric of an evaluation, each with an interval that respects how the pairs came about.

Pairs share fragments and functionalities. The interval is computed both ways, and the wider one is given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from clonetruth.stats.bootstrap import cluster_bootstrap, cluster_bootstrap_ranking
from clonetruth.stats.calibration import are_probabilities, ece_bias, ece_influence, reliability
from clonetruth.stats.clusters import (
    ENOUGH_CLUSTERS,
    Clusters,
    Spread,
    about_others,
    class_rate_interval,
    few_clusters,
)
from clonetruth.stats.dyadic import Dyads, DyadsWithin
from clonetruth.stats.influence import (
    Influence,
    KindInfluence,
    PairInfluence,
    average_precision_influence,
    roc_auc_influence,
)
from clonetruth.stats.intervals import Interval
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.ranking import ranked
from clonetruth.stats.rates import (
    BALANCED_ACCURACY,
    F1,
    FN,
    FP,
    MCC,
    PRECISION,
    RATES,
    TN,
    TP,
    Bools,
    Floats,
    Integers,
    Kinds,
    Rate,
    by_class,
    cells,
)
from clonetruth.store.results import Measurement

METRICS = (*RATES, "roc-auc", "average-precision", "ece")


@dataclass(frozen=True)
class MetricEstimate:
    """A metric's value, and what its uncertainty is computed from.

    Attributes:
        name: as docs/metrics.md defines it.
        value: None where the metric is undefined; then there is no influence either.
        influence: the influence of each pair on the metric.
        stake: how much a pair of each kind (tp, fp, fn, tn) counts in it.
        lowest: the smallest possible value.
        successes: the numerator, where the metric is a share of pairs.
        n: the denominator, or the number of pairs.
        counts: (tp, fp, fn, tn), where the metric weighs the two classes equally.
        note: why it is undefined, or has no interval.
        bias: how far it may overestimate the true value, if pairs are independent.
    """

    name: str
    value: float | None
    influence: Influence | None = None
    stake: Floats | None = None
    lowest: float = 0.0
    successes: int | None = None
    n: int | None = None
    counts: Floats | None = None
    note: str | None = None
    bias: float | None = None


@dataclass(frozen=True)
class PairDependence:
    """How pairs depend on each other, which makes them less informative than independent ones.

    Attributes:
        outcomes: the pairs.
        kinds: the kind of each pair, numbered from 0: tp, fp, fn and tn, or others.
        kind_count: number of kinds.
    """

    outcomes: Outcomes
    kinds: Kinds
    kind_count: int = 4

    @classmethod
    def of(cls, outcomes: Outcomes) -> PairDependence:
        """The dependence between the pairs of an evaluation."""
        return cls(outcomes, cells(outcomes.predicted, outcomes.truth))

    @cached_property
    def functionalities(self) -> Clusters | Dyads | None:
        """Which pairs share a functionality; None where functionalities are unknown.

        A pair across functionalities belongs to two of them, where those of its fragments are known.
        """
        cluster, own = self.outcomes.cluster, None
        if cluster is None or not (cluster >= 0).any():
            return None
        clusters = Clusters.of(cluster, self.kinds, self.kind_count)
        if clusters.named >= 2 and clusters.count > clusters.named:
            own = self._own_functionalities
        if own is None or self.outcomes.left is None or self.outcomes.right is None:
            return clusters
        return Dyads.of(own[self.outcomes.left], own[self.outcomes.right], self.kinds, self.kind_count)

    @cached_property
    def fragments(self) -> Dyads | None:
        """Which pairs share a fragment; None where fragments are unknown."""
        if self.outcomes.left is None or self.outcomes.right is None:
            return None
        return Dyads.of(self.outcomes.left, self.outcomes.right, self.kinds, self.kind_count)

    @cached_property
    def within(self) -> DyadsWithin | None:
        """Which pairs share a fragment, with the functionalities as given; None where either is unknown."""
        own, fragments = self._own_functionalities, self.fragments
        if own is None or fragments is None:
            return None
        groups = np.zeros(fragments.count, np.int64)
        groups[fragments.left], groups[fragments.right] = own[self.outcomes.left], own[self.outcomes.right]
        return DyadsWithin(fragments, groups)

    @cached_property
    def _own_functionalities(self) -> Integers | None:
        """The functionality of each fragment; a fragment without a known one forms its own group."""
        own = self.outcomes.fragment_functionalities()
        if own is not None:
            alone = own < 0
            own[alone] = own.max(initial=-1) + 1 + np.arange(np.count_nonzero(alone))
        return own


Structure = Clusters | Dyads | DyadsWithin
IntervalOf = Callable[[Spread, Structure], Interval]


@dataclass(frozen=True)
class Basis:
    """The interval of a number, and what it rests on.

    Attributes:
        interval: the interval; None where there is none.
        method: how it is computed, in words.
        scope: the functionalities that it holds for, where these are not all.
        note: what a reader must know about it.
        spread: the uncertainty behind it.
    """

    interval: Interval | None = None
    method: str | None = None
    scope: str | None = None
    note: str | None = None
    spread: Spread | None = None


def interval_basis(dependence: PairDependence, influence: Influence, stake: Floats, interval_of: IntervalOf) -> Basis:
    """The interval of a number by functionality or by fragment, the wider one.

    With fewer than `ENOUGH_CLUSTERS` effective functionalities, it is the interval for these functionalities, over
    other fragments; the note says what is known about other functionalities.

    Args:
        dependence: how its pairs depend on each other.
        influence: the influence of each pair on it.
        stake: how much a pair of each kind counts in it.
        interval_of: makes the interval of a spread.
    """

    def by(structure: Structure | None, name: str, noun: str) -> list[Basis]:
        spread = structure.spread(influence, stake) if structure else None
        if structure is None or spread is None:
            return []
        interval = interval_of(spread, structure)
        return [Basis(interval, spread.in_words(name), None, few_clusters(spread.effective, noun), spread)]

    groups = dependence.functionalities
    number = _stakeholders(groups, stake)
    over = by(groups, "dyadic by functionality" if isinstance(groups, Dyads) else "by functionality", "functionalities")
    if over and over[0].spread and over[0].spread.effective >= ENOUGH_CLUSTERS:
        return _widest([*over, *by(dependence.fragments, "dyadic by fragment", "fragments")])
    if number == 0:
        inside, scope = (
            by(dependence.fragments, "dyadic by fragment", "fragments"),
            "the functionalities of these pairs",
        )
        others = "functionalities are unknown, so nothing is known about others"
    else:
        inside = by(dependence.within, "dyadic by fragment within functionalities", "fragments")
        scope = f"these {number} functionalities" if number > 1 else "this functionality"
        others = about_others(over[0].interval if over else None, groups.effective(stake) if groups else 0.0)
    if not inside:
        reason = "no interval: fragments are unknown, too few, or one is in every pair"
        return over[0] if over else Basis(note=f"{reason}; {others}")
    found = _widest(inside)
    return replace(found, scope=scope, note="; ".join([f"for {scope} only: {others}", *filter(None, [found.note])]))


def _stakeholders(groups: Clusters | Dyads | None, stake: Floats) -> int:
    """The number of functionalities whose pairs count in a metric."""
    if groups is None:
        return 0
    weights = groups.counts @ stake
    return int(np.count_nonzero(weights[: groups.named] if isinstance(groups, Clusters) else weights))


def _widest(bases: Sequence[Basis]) -> Basis:
    return max(bases, key=lambda one: one.interval.high - one.interval.low if one.interval else 0.0)


def measure(
    outcomes: Outcomes, confidence: float = 0.95, seed: int = 0, replicates: int = 0
) -> tuple[Measurement, ...]:
    """All metrics of an evaluation, in the order of `METRICS`; those of scores only where there are scores.

    Args:
        outcomes: the pairs.
        confidence: confidence level of the intervals.
        seed: random seed of the bootstrap.
        replicates: number of bootstrap draws of functionalities, which then give the interval by functionality. It
            covers less than the default where functionalities are few. The default 0 does not bootstrap.
    """
    dependence = PairDependence.of(outcomes)
    drawn = _bootstrapped(outcomes, dependence, confidence, seed, replicates) if replicates else {}
    return tuple(
        interval_for(estimate, dependence, confidence, drawn.get(estimate.name))
        for estimate in estimates(outcomes, dependence.kinds)
    )


def interval_for(
    estimate: MetricEstimate, dependence: PairDependence, confidence: float = 0.95, bootstrapped: Interval | None = None
) -> Measurement:
    """Give an estimate its interval by functionality or by fragment.

    Args:
        estimate: the metric.
        dependence: how its pairs depend on each other.
        confidence: confidence level of the interval.
        bootstrapped: the interval by functionality, where it comes from a bootstrap.
    """
    if estimate.value is None or estimate.influence is None or estimate.stake is None:
        return Measurement(estimate.name, estimate.value, n=estimate.n, note=estimate.note)
    if estimate.note:
        basis = Basis(note=estimate.note)
    elif bootstrapped:
        basis = Basis(bootstrapped, "bootstrap over functionalities")
    else:
        basis = interval_basis(dependence, estimate.influence, estimate.stake, partial(_interval, estimate, confidence))
    interval = basis.interval
    if interval is not None and interval.low == interval.high:
        basis = Basis(note="no interval: every pair has the same effect, so no spread is visible")
    return Measurement(
        estimate.name,
        estimate.value,
        basis.interval.low if basis.interval else None,
        basis.interval.high if basis.interval else None,
        estimate.successes,
        estimate.n,
        f"{confidence:.0%}, {basis.method}" if basis.method else None,
        basis.note,
        basis.scope,
    )


def _interval(estimate: MetricEstimate, confidence: float, spread: Spread, structure: Structure) -> Interval:
    assert estimate.value is not None
    if estimate.bias is not None:
        # The noise of a bin grows like that of the whole, if pairs depend on each other.
        assert isinstance(estimate.influence, PairInfluence)
        alone = float(estimate.influence.values @ estimate.influence.values)
        inflation = math.sqrt(spread.variance / alone) if alone else 1.0
        return spread.error_interval(estimate.value, estimate.bias * inflation, confidence)
    if estimate.counts is None:
        return spread.interval(estimate.value, confidence, estimate.lowest)
    return class_rate_interval(RATES[estimate.name], estimate.counts, spread, structure.effective, confidence)


def _bootstrapped(
    outcomes: Outcomes, dependence: PairDependence, confidence: float, seed: int, replicates: int
) -> dict[str, Interval | None]:
    """Intervals by bootstrap; none where pairs without a functionality cannot be drawn with one."""
    clusters = dependence.functionalities
    if not isinstance(clusters, Clusters) or clusters.count != clusters.named:
        return {}
    decided = cluster_bootstrap(clusters.counts, replicates=replicates, seed=seed, confidence=confidence)
    intervals = dict(decided.intervals)
    if outcomes.score is not None:
        ranking = cluster_bootstrap_ranking(
            outcomes.score, outcomes.truth, clusters.codes, replicates=replicates, seed=seed, confidence=confidence
        )
        intervals.update(ranking.intervals)
    return intervals


def estimates(outcomes: Outcomes, kinds: Kinds) -> Iterator[MetricEstimate]:
    """Estimate the metrics one after the other, since each influence holds a number for every pair."""
    counts = np.bincount(kinds, minlength=4).astype(np.float64)
    for rate in RATES.values():
        yield _of_decisions(rate, counts)
    if outcomes.score is not None:
        yield from _of_scores(outcomes.score, outcomes.truth, counts)


def _of_decisions(rate: Rate, counts: Floats) -> MetricEstimate:
    value = float(rate.value(counts))
    if np.isnan(value):
        n = 0 if rate.numerator else int(counts.sum())
        return MetricEstimate(rate.name, None, n=n, note="undefined: a denominator is zero")
    influence, stake = KindInfluence(rate.gradient(counts)), rate.stake(counts)
    note = _by_construction(rate, counts)
    if rate.numerator is None:
        by_class = counts if rate in (BALANCED_ACCURACY, MCC) else None
        return MetricEstimate(rate.name, value, influence, stake, rate.low, None, int(counts.sum()), by_class, note)
    successes = int(counts @ np.array(rate.numerator))
    return MetricEstimate(rate.name, value, influence, stake, rate.low, successes, int(counts @ stake), None, note)


def _by_construction(rate: Rate, counts: Floats) -> str | None:
    """Why a value says nothing about the detector, because there is only one class."""
    if rate is PRECISION and not counts[FP] + counts[TN]:
        return "no interval: there are no non-clones, so every prediction is right"
    if rate in (PRECISION, F1) and not counts[TP] + counts[FN]:
        return "no interval: there are no clones, so every prediction is wrong"
    return None


def _of_scores(score: Floats, truth: Bools, counts: Floats) -> Iterator[MetricEstimate]:
    n = len(score)
    steps, step = ranked(score, truth)
    auc, precision = steps.roc_auc(), steps.average_precision()
    if auc is None or precision is None:
        note = "undefined: there are not both clones and non-clones"
        yield MetricEstimate("roc-auc", None, n=n, note=note)
        yield MetricEstimate("average-precision", None, n=n, note=note)
    else:
        stake = by_class(counts)
        yield MetricEstimate("roc-auc", auc, roc_auc_influence(steps, step, truth, auc), stake, n=n)
        influence = average_precision_influence(steps, step, truth, precision)
        yield MetricEstimate("average-precision", precision, influence, stake, n=n)
    if not n or not are_probabilities(score):
        yield MetricEstimate(
            "ece", None, n=n, note="undefined: the scores are not all between 0 and 1" if n else "no pairs"
        )
        return
    curve = reliability(score, truth)
    influence = ece_influence(score, truth, curve)
    yield MetricEstimate("ece", curve.ece, influence, np.ones(4), n=n, bias=ece_bias(score, truth))
