"""From scores to probabilities: Platt's logistic curve and isotonic regression, for a stated share of clones.

Both are fitted to scores of pairs with known truth, with clones and others weighing the same. What is fitted is the
log-likelihood ratio of a score, which does not depend on how many of the pairs are clones; a prior turns it into a
probability (Bayes).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from clonetruth.errors import InputError
from clonetruth.stats.rates import Bools, Floats

Method = Literal["platt", "isotonic"]
METHODS: tuple[Method, ...] = ("platt", "isotonic")
_LEAST_SLOPE = 1e-6
"""Log-odds per standard deviation of the scores: where scores say nothing, their order is still kept."""


@dataclass(frozen=True)
class ScoreCalibration:
    """A map from scores to probabilities that never puts a higher score below a lower one.

    Attributes:
        method: `platt` or `isotonic`.
        prior: the share of clones for which the probabilities hold.
        scores: where the log-likelihood ratio is known, ascending; between two of them it is interpolated.
        log_ratios: its value there, which never falls. `platt` has two such points and continues beyond them, and
            `isotonic` stays constant beyond its first and last.
    """

    method: Method
    prior: float
    scores: tuple[float, ...]
    log_ratios: tuple[float, ...]

    def __post_init__(self) -> None:
        check_prior(self.prior)
        if self.method not in METHODS:
            raise InputError(f"'{self.method}' is not one of {', '.join(METHODS)}.", where="calibration")
        values = np.array([self.scores, self.log_ratios], dtype=np.float64)
        if len(self.scores) != len(self.log_ratios) or not len(self.scores) or not np.isfinite(values).all():
            raise InputError("The points of the calibration are not finite numbers in pairs.", where="calibration")
        if (np.diff(values[0]) <= 0).any() or (np.diff(values[1]) < 0).any():
            raise InputError("The points of the calibration do not rise.", where="calibration")
        if self.method == "platt" and len(self.scores) != 2:
            raise InputError("A logistic curve is given by two points.", where="calibration")

    def probabilities(self, scores: Floats) -> Floats:
        """The probability of a clone for each score; NaN for NaN."""
        known, ratios, missing = np.asarray(self.scores), np.asarray(self.log_ratios), np.isnan(scores)
        scores = np.where(missing, 0.0, scores)
        if self.method == "platt":
            slope = (ratios[1] - ratios[0]) / (known[1] - known[0])
            found = ratios[0] + slope * (scores - known[0])
        else:
            found = np.interp(scores, known, ratios)
        return np.where(missing, np.nan, _sigmoid(found + log_odds(self.prior)))

    def with_prior(self, prior: float) -> ScoreCalibration:
        """The same for another share of clones."""
        return ScoreCalibration(self.method, prior, self.scores, self.log_ratios)

    @property
    def informative(self) -> bool:
        """Whether a higher score makes a clone more probable at all."""
        return self.log_ratios[-1] - self.log_ratios[0] > 10 * _LEAST_SLOPE


def check_prior(prior: float) -> float:
    """A share of clones.

    Raises:
        InputError: it is not between 0 and 1.
    """
    if isinstance(prior, bool) or not isinstance(prior, int | float) or not 0 < prior < 1:
        raise InputError(f"A prior of {prior} is not between 0 and 1.", where="prior", hint="For example 0.1.")
    return float(prior)


def log_odds(share: float) -> float:
    """The logarithm of the odds of a share."""
    return math.log(share) - math.log1p(-share)


def fit_calibration(method: Method, scores: Floats, truth: Bools, prior: float) -> ScoreCalibration:
    """Fit a calibration to pairs with known truth.

    Args:
        method: `platt` or `isotonic`.
        scores: the score of each pair; pairs without a score (NaN) are left out.
        truth: whether each is a clone.
        prior: the share of clones for which the probabilities hold, whatever the share among these pairs.

    Raises:
        InputError: there are no clones, or no others, or the prior is not a share.
    """
    check_prior(prior)
    known = ~np.isnan(scores)
    scores, truth = np.asarray(scores[known], np.float64), np.asarray(truth[known], bool)
    if not truth.any() or truth.all():
        raise InputError("A calibration needs scored clones and scored non-clones.", where="calibration")
    if not np.isfinite(scores).all():
        raise InputError("A calibration needs finite scores.", where="calibration")
    points = _platt(scores, truth) if method == "platt" else _isotonic(scores, truth)
    return ScoreCalibration(method, prior, *points)


def _platt(scores: Floats, truth: Bools) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Two points of the logistic curve, with Platt's targets, which keep probabilities from 0 and 1."""
    centre, scale = float(scores.mean()), float(scores.std()) or 1.0
    x = (scores - centre) / scale
    clones, others = int(np.count_nonzero(truth)), int(np.count_nonzero(~truth))
    target = np.where(truth, (clones + 1) / (clones + 2), 1 / (others + 2))
    weight = np.where(truth, 0.5 / clones, 0.5 / others)
    slope, offset = _logistic(x, target, weight)
    if slope < _LEAST_SLOPE:
        slope, offset = _LEAST_SLOPE, -_LEAST_SLOPE * float(weight @ x)
    low, high = centre - scale, centre + scale
    return (low, high), (offset - slope, offset + slope)


def _logistic(x: Floats, target: Floats, weight: Floats) -> tuple[float, float]:
    """Slope and offset of a weighted logistic regression on one variable, by damped Newton steps."""
    slope = offset = 0.0

    def loss(a: float, b: float) -> float:
        z = a * x + b
        return float(weight @ (np.logaddexp(0, z) - target * z))

    current = loss(slope, offset)
    for _ in range(100):
        p = _sigmoid(slope * x + offset)
        error, curvature = weight * (p - target), weight * p * (1 - p) + 1e-12
        gradient = np.array([error @ x, error.sum()])
        hessian = np.array([[curvature @ x**2 + 1e-9, curvature @ x], [curvature @ x, curvature.sum() + 1e-9]])
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        while size > 1e-8 and loss(slope - size * step[0], offset - size * step[1]) > current:
            size /= 2
        slope, offset = slope - size * step[0], offset - size * step[1]
        before, current = current, loss(slope, offset)
        if before - current < 1e-12:
            break
    return float(slope), float(offset)


def _isotonic(scores: Floats, truth: Bools) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The ends of the blocks of isotonic regression (pool adjacent violators), as log-likelihood ratios."""
    values, place = np.unique(scores, return_inverse=True)
    clones, others = int(np.count_nonzero(truth)), int(np.count_nonzero(~truth))
    yes = np.bincount(place, np.where(truth, 0.5 / clones, 0.0), len(values))
    no = np.bincount(place, np.where(truth, 0.0, 0.5 / others), len(values))
    blocks: list[list[float]] = []  # clones, others, first value, last value
    for one in zip(yes.tolist(), no.tolist(), values.tolist(), values.tolist(), strict=True):
        blocks.append(list(one))
        # a/(a+b) of the block before is not below that of the last one, without a division
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            top = blocks.pop()
            blocks[-1] = [blocks[-1][0] + top[0], blocks[-1][1] + top[1], blocks[-1][2], top[3]]
    # A block without clones does not make a clone impossible: it is as improbable as one of the pairs.
    bound = 1 / (2 * (min(clones, others) + 1))
    points = dict[float, float]()
    for a, b, first, last in blocks:
        share = min(max(a / (a + b), bound), 1 - bound)
        points[first] = points[last] = log_odds(share)
    return tuple(points), tuple(points.values())


def _sigmoid(values: Floats) -> Floats:
    found: Floats = np.exp(-np.logaddexp(0, -values))
    return found


@dataclass(frozen=True)
class PriorThreshold:
    """A threshold that is best for F1 at a share of clones.

    Attributes:
        value: pairs that score at least this count as clones.
        f1: the F1 at that share, on the pairs that chose it, so optimistic.
    """

    value: float
    f1: float


def threshold_at_prior(scores: Floats, truth: Bools, prior: float) -> PriorThreshold:
    """The threshold with the best F1 if a share `prior` of the pairs were clones; ties go to the lowest.

    Args:
        scores: of each pair; NaN never counts as a clone.
        truth: whether each is a clone; at least one is, and one is not.
        prior: the share of clones.
    """
    check_prior(prior)
    known = ~np.isnan(scores)
    values, place = np.unique(scores[known], return_inverse=True)
    yes = np.bincount(place, truth[known], len(values))[::-1].cumsum() / np.count_nonzero(truth)
    no = np.bincount(place, ~truth[known], len(values))[::-1].cumsum() / np.count_nonzero(~truth)
    f1 = (2 * prior * yes / (prior * yes + (1 - prior) * no + prior))[::-1]
    best = int(np.argmax(f1))
    below = values[best - 1] if best else values[best]
    middle = below / 2 + values[best] / 2
    return PriorThreshold(float(middle if middle > below else values[best]), float(f1[best]))
