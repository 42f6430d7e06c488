"""Further metrics of scores: precision at a given recall, Brier score, MAP@R."""

from __future__ import annotations

import numpy as np

from clonetruth.evaluate.measurement import MetricEstimate, PairDependence, interval_for
from clonetruth.stats.calibration import are_probabilities, brier
from clonetruth.stats.clusters import LEAST_CLUSTERS, few_clusters, mean_spread
from clonetruth.stats.influence import PairInfluence
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.ranking import Steps
from clonetruth.stats.rates import Floats, Integers
from clonetruth.stats.retrieval import holds_every_pair, map_at_r_of_pairs
from clonetruth.store.results import Measurement


def measure_scores(outcomes: Outcomes, confidence: float = 0.95, recall: float = 0.9) -> tuple[Measurement, ...]:
    """Metrics of scores in addition to those of `measure`; none where there are no scores.

    Args:
        outcomes: the pairs.
        confidence: confidence level of the intervals.
        recall: the recall at which precision is read off.

    Returns:
        `precision-at-recall-90` (with the number of `recall`); `brier` where scores are probabilities; and `map-at-r`
        where every two fragments form a pair once, since retrieval needs all candidates.
    """
    if outcomes.score is None or not len(outcomes):
        return ()
    steps = Steps.of(outcomes.score, outcomes.truth)
    measurements = [
        Measurement(
            f"precision-at-recall-{100 * recall:g}",
            steps.precision_at_recall(recall),
            n=len(outcomes),
            note="no interval: the threshold is read off the same pairs" if steps.clones else "undefined: no clones",
        )
    ]
    if are_probabilities(outcomes.score):
        measurements.append(interval_for(_brier(outcomes, outcomes.score), PairDependence.of(outcomes), confidence))
    left, right = outcomes.left, outcomes.right
    if left is not None and right is not None and holds_every_pair(left, right):
        retrieval = map_at_r_of_pairs(left, right, outcomes.score, outcomes.truth)
        classes = outcomes.fragment_functionalities()
        measurements.append(mean_over_queries("map-at-r", retrieval.precisions, classes, confidence))
    return tuple(measurements)


def _brier(outcomes: Outcomes, score: Floats) -> MetricEstimate:
    value = brier(score, outcomes.truth)
    assert value is not None
    influence = ((score - outcomes.truth) ** 2 - value) / len(score)
    return MetricEstimate("brier", value, PairInfluence(influence), np.ones(4), n=len(score))


def mean_over_queries(name: str, values: Floats, classes: Integers | None, confidence: float = 0.95) -> Measurement:
    """The mean of a metric of retrieval over its queries, with the interval between their functionalities.

    Queries of one functionality look for the same fragments: they are not independent.

    Args:
        name: the metric.
        values: its value for each query; NaN where there is nothing to find.
        classes: the functionality of each query, -1 for none; None if functionalities are unknown.
        confidence: confidence level of the interval.
    """
    asked = ~np.isnan(values)
    queries = int(np.count_nonzero(asked))
    if not queries:
        return Measurement(name, None, n=0, note="undefined: no fragment has a clone")
    value = float(values[asked].mean())
    spread = None if classes is None else mean_spread(values[asked], classes[asked])
    if spread is None:
        note = f"no interval: fewer than {LEAST_CLUSTERS} effective functionalities are known"
        return Measurement(name, value, n=queries, note=note)
    if not spread.shows(value):
        return Measurement(name, value, n=queries, note="no interval: all functionalities agree")
    interval = spread.interval(value, confidence)
    return Measurement(
        name,
        value,
        interval.low,
        interval.high,
        n=queries,
        method=f"{confidence:.0%}, {spread.in_words('by functionality')}",
        note=few_clusters(spread.effective, "functionalities"),
    )
