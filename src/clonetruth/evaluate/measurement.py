"""Every metric of an evaluation, each with an interval that respects how the pairs came about.

Pairs share fragments and functionalities. The interval is computed both ways, and the wider one is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from clonetruth.stats.bootstrap import cluster_bootstrap, cluster_bootstrap_ranking
from clonetruth.stats.calibration import are_probabilities, ece_influence, reliability
from clonetruth.stats.clusters import Clusters, few_clusters
from clonetruth.stats.dyadic import Dyads
from clonetruth.stats.influence import (
    Influence,
    KindInfluence,
    average_precision_influence,
    roc_auc_influence,
)
from clonetruth.stats.intervals import Interval
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.ranking import ranked
from clonetruth.stats.rates import RATES, Bools, Floats, Kinds, Rate, by_class, cells
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
        note: why it is undefined.
    """

    name: str
    value: float | None
    influence: Influence | None = None
    stake: Floats | None = None
    lowest: float = 0.0
    successes: int | None = None
    n: int | None = None
    note: str | None = None


@dataclass(frozen=True)
class PairDependence:
    """How pairs depend on each other, which makes them less informative than independent ones.

    Attributes:
        kinds: the kind of each pair (tp, fp, fn, tn).
        functionalities: which pairs share a functionality; None where functionalities are unknown. A pair across
            functionalities belongs to two of them, where those of its fragments are known.
        fragments: which pairs share a fragment; None where fragments are unknown.
    """

    kinds: Kinds
    functionalities: Clusters | Dyads | None
    fragments: Dyads | None

    @classmethod
    def of(cls, outcomes: Outcomes) -> PairDependence:
        """The dependence between the pairs of an evaluation."""
        kinds = cells(outcomes.predicted, outcomes.truth)
        return cls(kinds, functionality_sharing(outcomes, kinds), fragment_sharing(outcomes, kinds))


def functionality_sharing(outcomes: Outcomes, kinds: Kinds, different: int = 4) -> Clusters | Dyads | None:
    """Which pairs share a functionality; `kinds` are from 0 to `different` - 1."""
    if outcomes.cluster is None:
        return None
    clusters, own = Clusters.of(outcomes.cluster, kinds, different), outcomes.fragment_functionalities()
    across = clusters.named >= 2 and clusters.count > clusters.named
    if not across or own is None or outcomes.left is None or outcomes.right is None:
        return clusters
    # A fragment without a known functionality forms its own group.
    alone = own < 0
    own[alone] = own.max(initial=-1) + 1 + np.arange(np.count_nonzero(alone))
    return Dyads.of(own[outcomes.left], own[outcomes.right], kinds, different)


def fragment_sharing(outcomes: Outcomes, kinds: Kinds, different: int = 4) -> Dyads | None:
    """Which pairs share a fragment; `kinds` are from 0 to `different` - 1."""
    if outcomes.left is None or outcomes.right is None:
        return None
    return Dyads.of(outcomes.left, outcomes.right, kinds, different)


@dataclass(frozen=True)
class _IntervalChoice:
    """One of the intervals to choose from."""

    interval: Interval
    method: str
    effective: float
    of: str

    @property
    def width(self) -> float:
        return self.interval.high - self.interval.low


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
    """Give an estimate the wider of its intervals by functionality and by fragment.

    Args:
        estimate: the metric.
        dependence: how its pairs depend on each other.
        confidence: confidence level of the interval.
        bootstrapped: the interval by functionality, where it comes from a bootstrap.
    """
    if estimate.value is None or estimate.influence is None or estimate.stake is None:
        return Measurement(estimate.name, estimate.value, n=estimate.n, note=estimate.note)
    candidates, notes = [], []
    groups, fragments = dependence.functionalities, dependence.fragments
    between = groups.spread(estimate.influence, estimate.stake) if groups else None
    if between is None:
        notes.append("no interval by functionality: fewer than two contribute to this number")
    else:
        interval = bootstrapped or between.interval(estimate.value, confidence, estimate.lowest)
        how = "bootstrap over functionalities" if bootstrapped else between.in_words(by_functionality(groups))
        candidates.append(_IntervalChoice(interval, how, between.effective, "functionalities"))
    shared = fragments.spread(estimate.influence, estimate.stake) if fragments else None
    if shared is None:
        notes.append("no interval by fragment: fragments are unknown, too few, or one is in every pair")
    else:
        interval = shared.interval(estimate.value, confidence, estimate.lowest)
        candidates.append(
            _IntervalChoice(interval, shared.in_words("dyadic by fragment"), shared.effective, "fragments")
        )
    widest = max(candidates, key=lambda one: one.width, default=None)
    warning = few_clusters(widest.effective, widest.of) if widest else None
    return Measurement(
        estimate.name,
        estimate.value,
        widest.interval.low if widest else None,
        widest.interval.high if widest else None,
        estimate.successes,
        estimate.n,
        f"{confidence:.0%}, {widest.method}" if widest else None,
        "; ".join([*([warning] if warning else []), *notes]) or None,
    )


def by_functionality(groups: Clusters | Dyads | None) -> str:
    """The name of the interval by functionality."""
    return "dyadic by functionality" if isinstance(groups, Dyads) else "by functionality"


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
    if rate.numerator is None:
        return MetricEstimate(rate.name, value, influence, stake, rate.low, n=int(counts.sum()))
    successes = int(counts @ np.array(rate.numerator))
    return MetricEstimate(rate.name, value, influence, stake, rate.low, successes, int(counts @ stake))


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
    yield MetricEstimate("ece", curve.ece, ece_influence(score, truth, curve), np.ones(4), n=n)
