"""Further metrics of scores: precision at a given recall, Brier score, MAP@R."""

from __future__ import annotations

import numpy as np

from clonetruth.evaluate.measurement import MetricEstimate, PairDependence, interval_for
from clonetruth.stats.calibration import are_probabilities, brier
from clonetruth.stats.clusters import Clusters, few_clusters
from clonetruth.stats.influence import PairInfluence
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.ranking import Steps
from clonetruth.stats.rates import Floats, Integers
from clonetruth.stats.retrieval import Retrieval, holds_every_pair, map_at_r_of_pairs
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
        measurements.append(_map_at_r(retrieval, outcomes.fragment_functionalities(), confidence))
    return tuple(measurements)


def _brier(outcomes: Outcomes, score: Floats) -> MetricEstimate:
    value = brier(score, outcomes.truth)
    assert value is not None
    influence = ((score - outcomes.truth) ** 2 - value) / len(score)
    return MetricEstimate("brier", value, PairInfluence(influence), np.ones(4), n=len(score))


def _map_at_r(retrieval: Retrieval, classes: Integers | None, confidence: float) -> Measurement:
    """MAP@R with its interval between the functionalities of the queries."""
    value, asked = retrieval.map_at_r, ~np.isnan(retrieval.precisions)
    if value is None:
        return Measurement("map-at-r", None, n=0, note="undefined: no fragment has a clone")
    influence = PairInfluence((retrieval.precisions[asked] - value) / retrieval.queries)
    spread = None
    if classes is not None:
        spread = Clusters.of(classes[asked], np.zeros(retrieval.queries, np.int8)).spread(influence, np.ones(4))
    if spread is None:
        note = "no interval: fewer than two functionalities are known"
        return Measurement("map-at-r", value, n=retrieval.queries, note=note)
    interval = spread.interval(value, confidence)
    return Measurement(
        "map-at-r",
        value,
        interval.low,
        interval.high,
        n=retrieval.queries,
        method=f"{confidence:.0%}, {spread.in_words('by functionality')}",
        note=few_clusters(spread.effective, "functionalities"),
    )
