"""The curves of an evaluation: how scores rank, and what they promise."""

from __future__ import annotations

from clonetruth.stats.calibration import are_probabilities, reliability
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.ranking import Steps, precision_recall_curve, roc_curve
from clonetruth.store.results import Curve


def curves(outcomes: Outcomes) -> tuple[Curve, ...]:
    """The ROC and precision-recall curves, and the reliability curve where scores may be probabilities.

    A curve that is not defined, for want of scores or of one class, is left out.
    """
    if outcomes.score is None:
        return ()
    steps = Steps.of(outcomes.score, outcomes.truth)
    found = [
        Curve("roc", "false positive rate", "recall", roc_curve(steps)),
        Curve("precision-recall", "recall", "precision", precision_recall_curve(steps)),
    ]
    if are_probabilities(outcomes.score):
        bins = reliability(outcomes.score, outcomes.truth)
        found.append(
            Curve(
                "reliability", "mean score", "share of clones", bins.points, "Bins of equal width, empty ones left out."
            )
        )
    return tuple(curve for curve in found if curve.points)
