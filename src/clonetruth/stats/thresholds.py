"""Choosing the decision threshold, on the validation part and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.errors import InputError
from clonetruth.stats.ranking import Steps
from clonetruth.stats.rates import RATES, Floats


@dataclass(frozen=True)
class ChosenThreshold:
    """A threshold, and how it was chosen.

    Attributes:
        value: pairs that score at least this are reported as clones.
        metric: the metric that was maximised.
        score_on_validation: the metric on the validation part at this threshold; the best of many, so optimistic.
        n: number of validation pairs.
        rule: the choice in a sentence, to print next to the numbers.
    """

    value: float
    metric: str
    score_on_validation: float
    n: int
    rule: str


def choose_threshold(
    validation_scores: npt.ArrayLike, validation_labels: npt.ArrayLike, metric: str = "f1"
) -> ChosenThreshold:
    """The threshold that is best on the validation part.

    All cut points are tried: below the lowest score, midway between neighbouring scores, and above the highest. Among
    equally good ones the lowest is chosen.

    Args:
        validation_scores: the scores of the validation pairs, never those of the part to be measured.
        validation_labels: whether they are clones.
        metric: one of `RATES`.

    Raises:
        InputError: the metric is not a decision metric or undefined at every threshold, or the validation part lacks
            clones or non-clones.
    """
    if metric not in RATES:
        raise InputError(f"'{metric}' is not a decision metric.", hint=f"Known: {', '.join(RATES)}.")
    steps = Steps.of(validation_scores, validation_labels)
    if not steps.clones or not steps.others:
        present = "no pairs" if not len(steps.scores) else "only clones" if steps.clones else "only non-clones"
        raise InputError(
            f"The validation part has {present}, so no threshold can be chosen on it.", hint="Set a threshold instead."
        )
    nothing = np.array([[0.0, 0.0, steps.clones, steps.others]])
    values = RATES[metric].value(np.concatenate([nothing, steps.counts()]))
    if np.isnan(values).all():
        raise InputError(
            f"The {metric} is undefined at every threshold: all pairs of the validation part have the same score.",
            hint="Choose a threshold for another metric, or set one.",
        )
    best = int(np.flatnonzero(values == np.nanmax(values))[-1])
    threshold, n = _cut(steps.scores, best), int(steps.clones + steps.others)
    return ChosenThreshold(
        threshold,
        metric,
        float(values[best]),
        n,
        f"score ≥ {threshold:.6g}, the best {metric} ({values[best]:.3f}) on {n:,} validation pairs",
    )


def _cut(falling: Floats, reported: int) -> float:
    """A threshold that reports the first `reported` of the falling distinct scores."""
    if reported == 0:
        return float(np.nextafter(falling[0], np.inf))
    lowest = float(falling[reported - 1])
    if reported == len(falling):
        return lowest
    middle = float(falling[reported]) / 2 + lowest / 2
    return middle if falling[reported] < middle <= lowest else lowest  # there is nothing between adjacent doubles
