"""Precision, recall and F1 from a judged sample together with all predictions.

The judged pairs alone give an unbiased estimate (`design_based`). The predictions, and a proxy of the truth such as the
dataset's own label, are known for every pair: where they resemble the truth they narrow the interval, and they cannot
bias the estimate (`prediction_powered`: Angelopoulos et al. 2023, PPI; power-tuned, PPI++).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clonetruth.errors import InputError
from clonetruth.stats.survey import Control, Design, Numbers, SurveyEstimate, estimate_ratio
from clonetruth.store.results import Correction, Measurement


@dataclass(frozen=True)
class _Metric:
    """A ratio of sums over pairs: hits · Σ predicted·true / (Σ predicted·all_predicted + Σ true·all_true).

    It is linear in the truth, so a proxy, which may be a probability, can replace the truth.
    """

    name: str
    hits: int
    all_predicted: int
    all_true: int

    def columns(self, predicted: Numbers, true: Numbers) -> tuple[Numbers, Numbers]:
        """Numerator and denominator of each pair."""
        return self.hits * predicted * true, self.all_predicted * predicted + self.all_true * true

    def totals(self, totals: Totals) -> tuple[float, float]:
        """Numerator and denominator over all pairs, with the proxy as the truth."""
        denominator = self.all_predicted * totals.predicted + self.all_true * totals.proxy
        return self.hits * totals.predicted_proxy, denominator


_FEW = 50
"""With fewer equally drawn pairs in the denominator, the simulated coverage is too low (docs/corrections.md)."""

_METRICS = (_Metric("precision", 1, 1, 0), _Metric("recall", 1, 0, 1), _Metric("f1", 2, 1, 1))


@dataclass(frozen=True, eq=False)
class JudgedSample:
    """A judged sample. Make one with `judged_sample`, which checks it.

    Attributes:
        design: how it was drawn.
        predicted: 1 where the detector predicts a clone.
        true: 1 where the verdict is clone. A pair without a verdict is not part of the sample.
        proxy: replaces the truth where it is unknown, between 0 and 1: the dataset's label, a calibrated score, or the
            prediction itself.
        settled: number of predicted pairs outside the population that are taken as non-clones: where only pairs that
            are labelled clones were judged, the predicted ones among the others.
    """

    design: Design
    predicted: Numbers
    true: Numbers
    proxy: Numbers
    settled: int = 0


@dataclass(frozen=True)
class Totals:
    """Sums over all pairs.

    Attributes:
        pairs: number of pairs.
        predicted: number of pairs that the detector predicts to be clones.
        proxy: the sum of the proxy.
        predicted_proxy: the sum of the proxy over the predicted ones.
    """

    pairs: int
    predicted: float
    proxy: float
    predicted_proxy: float

    @classmethod
    def of(cls, predicted: ArrayLike, proxy: ArrayLike | None = None) -> Totals:
        """Sum columns over all pairs; by default the proxy is the prediction.

        Raises:
            InputError: the columns differ in length, or a value is not between 0 and 1.
        """
        decisions = _shares("predicted", predicted)
        proxies = decisions if proxy is None else _shares("proxy", proxy, len(decisions))
        return cls(len(decisions), float(decisions.sum()), float(proxies.sum()), float(decisions @ proxies))


def judged_sample(
    design: Design, predicted: ArrayLike, true: ArrayLike, proxy: ArrayLike | None = None, *, settled: int = 0
) -> JudgedSample:
    """Check a judged sample; see `JudgedSample`. By default the proxy is the prediction.

    Raises:
        InputError: the columns differ in length, or a value is not between 0 and 1.
    """
    decisions, truth = _shares("predicted", predicted, design.n), _shares("true", true, design.n)
    proxies = decisions if proxy is None else _shares("proxy", proxy, design.n)
    return JudgedSample(design, decisions, truth, proxies, settled)


def design_based(sample: JudgedSample, confidence: float = 0.95) -> tuple[Measurement, ...]:
    """Precision, recall and F1 from the judged pairs alone, each weighted by 1 / its probability of being drawn."""
    measurements = []
    for metric in _METRICS:
        columns = metric.columns(sample.predicted, sample.true)
        settled = metric.all_predicted * sample.settled
        estimate = estimate_ratio(sample.design, *columns, confidence=confidence, settled=settled)
        measurements.append(_measurement(metric.name, estimate, sample, "weighted sample"))
    return tuple(measurements)


def prediction_powered(sample: JudgedSample, totals: Totals, confidence: float = 0.95) -> tuple[Measurement, ...]:
    """Precision, recall and F1 from the judged pairs, with intervals narrowed by what is known about all pairs.

    Args:
        sample: the judged pairs.
        totals: sums over the population that they were drawn from, without the settled pairs, with the same proxy.
        confidence: confidence level of the intervals.

    Raises:
        InputError: more pairs were judged than there are.
    """
    if totals.pairs < sample.design.n:
        raise InputError(f"{sample.design.n} pairs were judged, but there are only {totals.pairs}.")
    measurements = []
    for metric in _METRICS:
        control = Control(*metric.columns(sample.predicted, sample.proxy), *metric.totals(totals))
        columns = metric.columns(sample.predicted, sample.true)
        settled = metric.all_predicted * sample.settled
        estimate = estimate_ratio(sample.design, *columns, control, confidence, settled=settled)
        method = f"prediction-powered, λ = {estimate.power:.2f}"
        measurements.append(_measurement(metric.name, estimate, sample, method))
    return tuple(measurements)


def prediction_powered_correction(
    sample: JudgedSample, totals: Totals | None, label_errors: tuple[Measurement, ...] = (), confidence: float = 0.95
) -> Correction:
    """The estimates as a correction of a result: prediction-powered with totals, else from the sample alone."""
    name = "design-based" if totals is None else "prediction-powered"
    measurements = (
        design_based(sample, confidence) if totals is None else prediction_powered(sample, totals, confidence)
    )
    assumption = "The judged pairs were drawn at random with the recorded probabilities; nothing else is assumed."
    if sample.settled:
        assumption = (
            "The judged pairs were drawn at random with the recorded probabilities, and the other "
            f"{sample.settled:,} predicted pairs, which nobody judged, are not clones, as their labels say."
        )
    return Correction(
        name=name,
        assumption=assumption,
        measurements=measurements,
        label_errors=label_errors,
        note=f"From {sample.design.n:,} judged pairs.",
    )


def _measurement(name: str, estimate: SurveyEstimate, sample: JudgedSample, method: str) -> Measurement:
    return Measurement(
        name=name,
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        n=sample.design.n,
        method=None if estimate.low is None else f"Wilson with the effective number of trials ({method})",
        note=_note(estimate),
    )


def _note(estimate: SurveyEstimate) -> str | None:
    if estimate.equal is None:
        return "No judged pair is in its denominator."
    if estimate.equal < _FEW:
        return f"Worth {estimate.equal:.0f} equally drawn pairs: with this few, the interval may be too narrow."
    return None


def _shares(name: str, values: ArrayLike, n: int | None = None) -> Numbers:
    column: NDArray[np.float64] = np.asarray(values, np.float64)
    if n is not None and len(column) != n:
        raise InputError(f"There are {n} pairs, and the column '{name}' has {len(column)} values.")
    if not ((column >= 0) & (column <= 1)).all():
        raise InputError(f"The column '{name}' has a value that is not between 0 and 1.")
    return column
