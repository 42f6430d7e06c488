"""Corrects precision, recall and F1 when some of the labels that they were measured on are wrong.

A clone label is wrong with the error rate e, known from a judged sample. Labels that say "not a clone" are always taken
as right: a true clone among them would lower the recall further. docs/corrections.md derives the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from clonetruth.errors import InputError
from clonetruth.stats.intervals import Interval, wilson
from clonetruth.stats.survey import Design, SurveyEstimate, estimate_ratio
from clonetruth.store.results import Correction, Measurement

_NEGATIVES = "Labels that say 'not a clone' are taken as right."


@dataclass(frozen=True)
class Corrected:
    """Corrected numbers. A number that only has bounds is None, with the bounds as its interval.

    Attributes:
        name: the method of correction.
        precision: the share of predicted clones that are clones; None where it is unknown.
        recall: the share of clones that are predicted.
        f1: the harmonic mean of both.
        precision_interval: the interval that follows from that of the error rate; None where the error rate has none.
        recall_interval: the same for the recall.
        f1_interval: the same for F1.
        error_rate: the error rate that was used.
        assumption: what must hold, in a sentence.
        note: what a reader must know.
    """

    name: str
    precision: float | None
    recall: float | None
    f1: float | None
    precision_interval: Interval | None
    recall_interval: Interval | None
    f1_interval: Interval | None
    error_rate: Measurement
    assumption: str
    note: str

    def to_correction(self) -> Correction:
        """Convert to a correction of a result."""
        rows = (
            ("precision", self.precision, self.precision_interval),
            ("recall", self.recall, self.recall_interval),
            ("f1", self.f1, self.f1_interval),
        )
        measurements = tuple(
            Measurement(
                name=name,
                value=value,
                low=None if interval is None else interval.low,
                high=None if interval is None else interval.high,
                method=None if interval is None else "from the interval of the label-error rate alone",
            )
            for name, value, interval in rows
        )
        return Correction(self.name, self.assumption, measurements, (self.error_rate,), self.note)


def label_error(
    wrong: Sequence[bool],
    weights: ArrayLike | None = None,
    strata: Sequence[str] | None = None,
    *,
    confidence: float = 0.95,
) -> Measurement:
    """The share of wrong labels, from a judged sample of them.

    Args:
        wrong: for each judged pair, whether its label is wrong. A pair without a verdict is not part of the sample.
        weights: 1 / the probability with which each was drawn (default: equal weights).
        strata: the stratum that each was drawn from.
        confidence: confidence level of Wilson's interval, which uses the effective number of trials with weights.

    Raises:
        InputError: weights or strata do not fit the pairs.
    """
    values = np.asarray(wrong, np.float64)
    if weights is None:
        if strata is not None:
            raise InputError("A stratified sample needs the weight of each pair.", hint="Give population / sample.")
        interval = wilson(float(values.sum()), len(values), confidence)
        estimate = (
            SurveyEstimate(None)
            if interval is None
            else SurveyEstimate(float(values.mean()), interval.low, interval.high)
        )
    else:
        estimate = estimate_ratio(Design.weighted(weights, strata), values, np.ones(len(values)), confidence=confidence)
    return Measurement(
        name="label-error",
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        successes=float(values.sum()),
        n=len(values),
        method="Wilson" if weights is None else "Wilson, with the effective number of trials of the weighted sample",
        note=None if weights is None else "Weighted: the value is not successes / n.",
    )


def correct_as_published(
    precision: float, recall: float, error_rate: Measurement, *, decimals: int | None = None
) -> Corrected:
    """The correction of Krinke and Ragkhitwetsagul (2025, section VI): P (1 − e), R (1 − e) and their harmonic mean.

    Their "recall" divides the true clones that were found by all labelled pairs, wrong ones included. It is not a
    recall, since not finding a pair that is not a clone counts as a miss.

    Args:
        precision: as reported on the labels.
        recall: as reported on the labels.
        error_rate: share of wrong labels among the pairs labelled clone, with its interval where there is one.
        decimals: number of decimals that every intermediate figure is rounded to, as if calculated with printed
            numbers; 3 gives the paper's example (99.8 / 88.3 % and 93.3 % wrong → 6.7 / 5.9 / 6.3 %).

    Raises:
        InputError: a number is not between 0 and 1.
    """
    return _rescaled(
        "as-published",
        _Reported(precision, recall, decimals),
        error_rate,
        lambda error: recall * (1 - error),
        assumption="Clone labels are wrong as often among the pairs that were found as among the others.",
        note=(
            "The 'recall' divides by all labelled pairs, wrong labels included, so that not reporting a pair that is "
            f"not a clone counts as a miss. {_NEGATIVES}"
        ),
    )


def correct_independent(
    precision: float, recall: float, error_rate: Measurement, *, decimals: int | None = None
) -> Corrected:
    """The correction under independence: P (1 − e), and R unchanged.

    If wrongly labelled pairs are found as often as clones, the share of true clones is 1 − e both among the found and
    among all labelled pairs, and cancels out of the recall. For the arguments see `correct_as_published`; with three
    decimals the paper's example becomes 6.7 / 88.3 / 12.5 %.

    Raises:
        InputError: a number is not between 0 and 1.
    """
    return _rescaled(
        "independent",
        _Reported(precision, recall, decimals),
        error_rate,
        lambda error: recall,
        assumption="Label errors are independent of detection: wrongly labelled pairs are found as often as clones.",
        note=f"Without the assumption, the recall is only bounded. {_NEGATIVES}",
    )


def bound_recall(precision: float, recall: float, error_rate: Measurement) -> Corrected:
    """Bounds without any assumption about which labels are wrong.

    Of L labelled pairs, eL are wrong and RL were found. At least (R − e)L and at most min(R, 1 − e)L true clones were
    found, of (1 − e)L; L cancels out. The bounds are the widest over the interval of the error rate.

    Raises:
        InputError: a number is not between 0 and 1.
    """
    _check(precision, recall, error_rate)
    low_error, high_error = _ends(error_rate)
    # The upper bound of F1 is greatest where every true clone can just be found, if the interval has that rate.
    errors = {low_error, high_error, min(max(1 - recall, low_error), high_error)}
    predicted = recall / precision if precision else None
    least = [(max(recall - error, 0.0), 1 - error) for error in errors]
    most = [(min(recall, 1 - error), 1 - error) for error in errors]

    def bounds(whole: Callable[[float], float | None], factor: float = 1.0) -> Interval | None:
        lows = [_ratio(factor * found, whole(clones)) for found, clones in least]
        highs = [_ratio(factor * found, whole(clones)) for found, clones in most]
        known = [value for value in (*lows, *highs) if value is not None]
        return Interval(min(known), max(known)) if len(known) == len(lows) + len(highs) else None

    return Corrected(
        name="bounds",
        precision=None,
        recall=None,
        f1=None,
        precision_interval=bounds(lambda clones: predicted),
        recall_interval=bounds(lambda clones: clones),
        f1_interval=bounds(lambda clones: None if predicted is None else predicted + clones, 2.0),
        error_rate=error_rate,
        assumption="None about which labels are wrong: the true numbers lie between the bounds.",
        note=_NEGATIVES,
    )


@dataclass(frozen=True)
class _Reported:
    """Reported numbers, and the number of decimals to calculate with."""

    precision: float
    recall: float
    decimals: int | None

    def rounded(self, value: float) -> float:
        return value if self.decimals is None else round(value, self.decimals)


def _rescaled(
    name: str,
    reported: _Reported,
    error_rate: Measurement,
    recall_at: Callable[[float], float],
    *,
    assumption: str,
    note: str,
) -> Corrected:
    _check(reported.precision, reported.recall, error_rate)
    rounded = reported.rounded

    def at(error: float) -> tuple[float, float | None, float | None]:
        share = rounded(error)
        precision, recall = rounded(reported.precision * (1 - share)), rounded(recall_at(share))
        # If no label is right, there is no clone to find.
        known = recall if share < 1 else None
        f1 = None if known is None else _ratio(2 * precision * recall, precision + recall)
        return precision, known, None if f1 is None else rounded(f1)

    assert error_rate.value is not None
    precision, recall, f1 = at(error_rate.value)
    worst, best = (at(error) for error in reversed(_ends(error_rate)))
    spans = [None if error_rate.low is None else _span(low, high) for low, high in zip(worst, best, strict=True)]
    if reported.decimals is not None:
        note += f" Calculated with {reported.decimals} decimals."
    return Corrected(name, precision, recall, f1, spans[0], spans[1], spans[2], error_rate, assumption, note)


def _span(low: float | None, high: float | None) -> Interval | None:
    return None if low is None or high is None else Interval(low, high)


def _ends(error_rate: Measurement) -> tuple[float, float]:
    assert error_rate.value is not None
    low = error_rate.value if error_rate.low is None else error_rate.low
    return low, error_rate.value if error_rate.high is None else error_rate.high


def _ratio(part: float, whole: float | None) -> float | None:
    return part / whole if whole else None


def _check(precision: float, recall: float, error_rate: Measurement) -> None:
    named = {"precision": precision, "recall": recall, "label-error rate": error_rate.value}
    for name, value in named.items():
        if value is None or not 0 <= value <= 1:
            shown = "unknown" if value is None else f"{value:g}"
            raise InputError(f"The {name} is {shown}.", hint="It must be between 0 and 1.")
