"""The influence of each pair on a metric: the derivative with respect to the pair's weight.

Influences sum to zero, and the variance of their sum is that of the metric, to first order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clonetruth.stats.ranking import Steps
from clonetruth.stats.rates import Bools, Floats, Integers


@dataclass(frozen=True)
class KindInfluence:
    """An influence that depends only on the pair's kind (`rates.cells`), as for decision metrics.

    Attributes:
        values: for tp, fp, fn and tn.
    """

    values: Floats


@dataclass(frozen=True)
class PairInfluence:
    """An influence that differs from pair to pair, as for score metrics.

    Attributes:
        values: one per pair.
    """

    values: Floats


Influence = KindInfluence | PairInfluence


def roc_auc_influence(steps: Steps, step: Integers, truth: Bools, value: float) -> PairInfluence:
    """The influence of each pair on the ROC-AUC `value`, from the step that it is on."""
    below = (steps.others - steps.false_positives + steps.negatives / 2) / steps.others
    above = (steps.true_positives - steps.positives / 2) / steps.clones
    return PairInfluence(np.where(truth, (below[step] - value) / steps.clones, (above[step] - value) / steps.others))


def average_precision_influence(steps: Steps, step: Integers, truth: Bools, value: float) -> PairInfluence:
    """The influence of each pair on the average precision `value`.

    With precision T/(T+F) at a step, one more clone raises T, and one more non-clone F, at its step and all lower ones.
    """
    reported = steps.true_positives + steps.false_positives
    rising = np.divide(steps.positives, reported**2, out=np.zeros_like(reported), where=reported > 0)
    lower_clone = np.cumsum((rising * steps.false_positives)[::-1])[::-1]
    lower_other = np.cumsum((rising * steps.true_positives)[::-1])[::-1]
    clone = (steps.precision - value + lower_clone) / steps.clones
    return PairInfluence(np.where(truth, clone[step], -lower_other[step] / steps.clones))
