"""Score metrics: how well scores rank clones before non-clones.

All of them derive from one table: for each distinct score, highest first, the weight of the clones and of the
non-clones with that score. Pairs with equal scores form one step; no order among them is invented.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from clonetruth.stats.rates import Floats, Integers


@dataclass(frozen=True)
class Steps:
    """The distinct scores, highest first, and the clones and non-clones at each.

    Attributes:
        scores: the distinct scores, descending.
        positives: weight of the clones with each score.
        negatives: weight of the non-clones with each score.
    """

    scores: Floats
    positives: Floats
    negatives: Floats

    @classmethod
    def of(cls, scores: npt.ArrayLike, labels: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Steps:
        """Count the steps of scored pairs.

        Args:
            scores: a score for each pair; higher means more likely a clone.
            labels: whether each pair is a clone.
            weights: weight of each pair (default: 1 each).
        """
        return ranked(scores, labels, weights)[0]

    @cached_property
    def true_positives(self) -> Floats:
        """Weight of the clones with at least this score."""
        return np.cumsum(self.positives)

    @cached_property
    def false_positives(self) -> Floats:
        """Weight of the non-clones with at least this score."""
        return np.cumsum(self.negatives)

    @property
    def clones(self) -> float:
        """Weight of all clones."""
        return float(self.true_positives[-1]) if len(self.scores) else 0.0

    @property
    def others(self) -> float:
        """Weight of all non-clones."""
        return float(self.false_positives[-1]) if len(self.scores) else 0.0

    def roc_auc(self) -> float | None:
        """The probability that a random clone scores higher than a random non-clone; ties count half."""
        if not self.clones or not self.others:
            return None
        above = self.others - self.false_positives + self.negatives / 2
        return float(self.positives @ above / (self.clones * self.others))

    def average_precision(self) -> float | None:
        """The mean, over the clones, of the precision at each clone's score."""
        if not self.clones:
            return None
        return float(self.positives @ self.precision / self.clones)

    def precision_at_recall(self, recall: float) -> float | None:
        """The best precision of all thresholds whose recall is at least `recall`."""
        if not 0 < recall <= 1:
            raise ValueError(f"a recall of {recall} is not above 0 and at most 1")
        if not self.clones:
            return None
        # Rounding of summed weights must not keep a threshold from reaching all clones.
        reaching = self.true_positives >= recall * self.clones * (1 - 1e-12)
        return float(self.precision[reaching].max())

    @cached_property
    def precision(self) -> Floats:
        """Precision if everything with at least this score is reported; 0 if that has no weight."""
        reported = self.true_positives + self.false_positives
        return np.divide(self.true_positives, reported, out=np.zeros_like(reported), where=reported > 0)

    def counts(self) -> Floats:
        """Counts (tp, fp, fn, tn) if everything with at least each score is reported, one row per step."""
        tp, fp = self.true_positives, self.false_positives
        return np.stack([tp, fp, self.clones - tp, self.others - fp], axis=-1)


def ranked(
    scores: npt.ArrayLike, labels: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> tuple[Steps, Integers]:
    """The steps of scored pairs, and the step that each pair is on."""
    given, truth = np.asarray(scores, np.float64), np.asarray(labels, np.bool_)
    weight = np.ones(len(given)) if weights is None else np.asarray(weights, np.float64)
    if not len(given) == len(truth) == len(weight):
        raise ValueError(f"{len(given)} scores, {len(truth)} labels and {len(weight)} weights")
    if np.isnan(given).any():
        raise ValueError("a score is NaN")
    order = np.argsort(-given)
    falling = given[order]
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = falling[1:] != falling[:-1]
    step = np.empty(len(order), np.int64)
    step[order] = np.cumsum(fresh) - 1
    count = int(np.count_nonzero(fresh))
    positives: Floats = np.bincount(step, weight * truth, count).astype(np.float64)
    negatives: Floats = np.bincount(step, weight * ~truth, count).astype(np.float64)
    return Steps(falling[fresh], positives, negatives), step


def roc_auc(scores: npt.ArrayLike, labels: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float | None:
    """Area under the ROC curve; None without clones or without non-clones."""
    return Steps.of(scores, labels, weights).roc_auc()


def average_precision(
    scores: npt.ArrayLike, labels: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> float | None:
    """Average precision, step-wise (no interpolation); None without clones."""
    return Steps.of(scores, labels, weights).average_precision()


def precision_at_recall(
    scores: npt.ArrayLike, labels: npt.ArrayLike, recall: float, weights: npt.ArrayLike | None = None
) -> float | None:
    """The best precision of all thresholds whose recall is at least `recall`; None without clones."""
    return Steps.of(scores, labels, weights).precision_at_recall(recall)


def roc_curve(steps: Steps, points: int = 500) -> tuple[tuple[float, float], ...]:
    """(false positive rate, recall) from (0, 0) to (1, 1), thinned for plotting; empty unless both classes occur."""
    if not steps.clones or not steps.others:
        return ()
    x = np.concatenate([[0.0], steps.false_positives / steps.others])
    y = np.concatenate([[0.0], steps.true_positives / steps.clones])
    return _thinned(x, y, points)


def precision_recall_curve(steps: Steps, points: int = 500) -> tuple[tuple[float, float], ...]:
    """(recall, precision) at each step, thinned for plotting; empty without clones."""
    if not steps.clones:
        return ()
    return _thinned(steps.true_positives / steps.clones, steps.precision, points)


def _thinned(x: Floats, y: Floats, points: int) -> tuple[tuple[float, float], ...]:
    """At most `points` of a curve's points, evenly spaced along it, the first and the last among them."""
    if points < 2:
        raise ValueError(f"a curve of {points} points")
    along = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)))])
    if len(x) > points:
        # Evenly spaced along the curve, not by step number: few steps may hold most of the bends.
        chosen = np.unique(np.searchsorted(along, np.linspace(0, along[-1], points - 1)))
        chosen = np.union1d(chosen, [0, len(x) - 1])
        x, y = x[chosen], y[chosen]
    return tuple(zip(x.tolist(), y.tolist(), strict=True))
