"""Whether scores can be read as probabilities: reliability, expected calibration error, Brier score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from clonetruth.stats.influence import PairInfluence
from clonetruth.stats.ranking import ranked
from clonetruth.stats.rates import Bools, Floats, Integers

Binning = Literal["equal-width", "equal-mass"]
BINS = 10


@dataclass(frozen=True)
class Reliability:
    """The non-empty bins of a reliability curve.

    Attributes:
        scores: mean score in each bin, ascending.
        shares: share of clones in each bin.
        weights: total weight of the pairs in each bin.
    """

    scores: Floats
    shares: Floats
    weights: Floats

    @property
    def ece(self) -> float | None:
        """Expected calibration error: the mean distance between score and share over the bins; None without pairs."""
        total = float(self.weights.sum())
        return float(self.weights @ np.abs(self.scores - self.shares)) / total if total else None

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """(mean score, share of clones) of each bin, for plotting."""
        return tuple(zip(self.scores.tolist(), self.shares.tolist(), strict=True))


def are_probabilities(scores: Floats) -> bool:
    """Whether all scores are between 0 and 1."""
    return bool(((scores >= 0) & (scores <= 1)).all())


def reliability(
    scores: npt.ArrayLike,
    labels: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    bins: int = BINS,
    binning: Binning = "equal-width",
) -> Reliability:
    """The reliability curve of scores between 0 and 1.

    Args:
        scores: a probability for each pair.
        labels: whether each pair is a clone.
        weights: weight of each pair (default: 1 each).
        bins: number of bins.
        binning: bins of equal width, or of equal mass as far as ties, which stay together, permit.
    """
    given, truth, weight = _checked(scores, labels, weights)
    bin_of = bin_codes(given, bins, binning, weight)
    mass: Floats = np.bincount(bin_of, weight, bins).astype(np.float64)
    filled = mass > 0
    score_sums, clone_sums = np.bincount(bin_of, weight * given, bins), np.bincount(bin_of, weight * truth, bins)
    return Reliability(score_sums[filled] / mass[filled], clone_sums[filled] / mass[filled], mass[filled])


def bin_codes(scores: Floats, bins: int, binning: Binning, weights: Floats | None = None) -> Integers:
    """The bin of each score. A bin of equal width includes its lower end; the last one includes 1 as well."""
    if bins < 1:
        raise ValueError(f"{bins} bins")
    if binning == "equal-width":
        return np.minimum((scores * bins).astype(np.int64), bins - 1)
    steps, step = ranked(-scores, np.ones(len(scores), np.bool_), weights)
    before = steps.true_positives - steps.positives
    codes = np.minimum((before * bins / (steps.clones or 1)).astype(np.int64), bins - 1)
    return np.asarray(codes[step], np.int64)


def brier(scores: npt.ArrayLike, labels: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float | None:
    """Brier score: the mean squared distance between score and label; None without pairs."""
    given, truth, weight = _checked(scores, labels, weights)
    total = float(weight.sum())
    return float(weight @ (given - truth) ** 2) / total if total else None


def ece_influence(scores: Floats, truth: Bools, curve: Reliability) -> PairInfluence:
    """The influence of each pair on the expected calibration error of a curve with bins of equal width."""
    value = curve.ece
    assert value is not None
    bin_of = bin_codes(scores, BINS, "equal-width")
    present = np.unique(bin_of)
    sign = np.zeros(BINS)
    sign[present] = np.sign(curve.scores - curve.shares)
    return PairInfluence((sign[bin_of] * (scores - truth) - value) / len(scores))


def ece_bias(scores: Floats, truth: Bools) -> float:
    """The largest bias of the expected calibration error, if pairs are independent.

    Where score and share agree in a bin, their observed distance is the size of the noise: |e| is √(2/π) standard
    deviations in the mean. Where they do not, it is less.
    """
    bin_of = bin_codes(scores, BINS, "equal-width")
    sizes, apart = np.bincount(bin_of, minlength=BINS), scores - truth
    means = np.bincount(bin_of, apart, BINS) / np.maximum(sizes, 1)
    noise = np.sqrt(np.bincount(bin_of, (apart - means[bin_of]) ** 2, BINS))
    return math.sqrt(2 / math.pi) * float(noise.sum()) / len(scores)


def _checked(
    scores: npt.ArrayLike, labels: npt.ArrayLike, weights: npt.ArrayLike | None
) -> tuple[Floats, Bools, Floats]:
    given, truth = np.asarray(scores, np.float64), np.asarray(labels, np.bool_)
    weight = np.ones(len(given)) if weights is None else np.asarray(weights, np.float64)
    if not len(given) == len(truth) == len(weight):
        raise ValueError(f"{len(given)} scores, {len(truth)} labels and {len(weight)} weights")
    if not are_probabilities(given):
        raise ValueError("calibration needs scores between 0 and 1")
    return given, truth, weight
