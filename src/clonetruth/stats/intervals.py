"""Intervals for proportions, bootstrap percentiles, and Student's t distribution behind them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

# Student's t distribution with any positive degrees of freedom, including fractions.

_NORMAL_FROM = 1e7
"""From this many degrees of freedom on, the normal distribution agrees to more than six digits."""
_INFINITE = 1e100


def student_two_sided(statistic: float, degrees: float) -> float:
    """The probability that |T| is at least `statistic`: the two-sided p-value."""
    if degrees <= 0:
        raise ValueError(f"{degrees} degrees of freedom")
    size = abs(statistic)
    if degrees >= _NORMAL_FROM:
        return 2 * NormalDist().cdf(-size)
    if math.isinf(size):
        return 0.0
    return _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + size * size))


@lru_cache(maxsize=4096)
def student_quantile(confidence: float, degrees: float) -> float:
    """The t that |T| stays below with probability `confidence`; infinite if it exceeds the range of a double."""
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence} is not between 0 and 1")
    # The tail is convex in t and the normal quantile lies left of the solution, so Newton steps only go right.
    t = NormalDist().inv_cdf((1 + confidence) / 2)
    while t < _INFINITE:
        step = (student_two_sided(t, degrees) - (1 - confidence)) / (2 * _density(t, degrees))
        if step <= 1e-14 * t:
            return t
        t += step
    return math.inf


def _density(t: float, degrees: float) -> float:
    front = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(degrees * math.pi) / 2
    return math.exp(front - (degrees + 1) / 2 * math.log1p(t * t / degrees))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    # The continued fraction converges fast on one side of the mean only; the other side is its mirror.
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x) - math.log(a)
    )
    return front * _continued_fraction(a, b, x)


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Lentz's evaluation of the continued fraction of the incomplete beta function (DLMF 8.17.22)."""
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    value = d
    for m in range(1, 10_000):
        before = value
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + term * d) or tiny)
            c = (1 + term / c) or tiny
            value *= c * d
        if abs(value - before) <= 1e-15 * abs(value):
            break
    return value


REPLICATES = 2000
_DEFINED = 0.95
"""At least this share of the replicates must have a value for an interval to be given."""


def percentile_interval(values: npt.NDArray[np.float64], confidence: float, units: float) -> Interval | None:
    """The interval between two quantiles of bootstrap replicates, expanded for the number of units drawn from.

    Replicates of n units spread too little, as if their variance were divided by n instead of n - 1, and as if it were
    known. The quantiles are therefore those of z = t √(n / (n - 1)), where t is Student's quantile with n - 1 degrees
    of freedom (the expanded percentile interval, Hesterberg 2015).

    Args:
        values: the value in each replicate; NaN where it is undefined.
        confidence: confidence level of the interval.
        units: number of units, or of effective clusters, that the replicates are drawn from; more than one.

    Returns:
        The interval; None if too many values are undefined.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence} is not between 0 and 1")
    defined = values[~np.isnan(values)]
    if len(defined) < _DEFINED * len(values):
        return None
    reach = student_quantile(confidence, units - 1) * math.sqrt(units / (units - 1))
    tail = NormalDist().cdf(-reach)
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high))


@dataclass(frozen=True)
class Interval:
    """A closed interval."""

    low: float
    high: float


def wilson(successes: float, n: float, confidence: float = 0.95) -> Interval | None:
    """Wilson score interval of a binomial proportion, without continuity correction.

    With p = successes / n and z the normal quantile of (1 + confidence) / 2, the interval is
    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n). Trials are assumed independent; `n` need not be
    whole, so that an effective number of trials can be used.

    Returns:
        The interval; None without trials.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} trials")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence} is not between 0 and 1")
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    centre = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At the ends the formula gives exactly 0 or 1; rounding must not leave the unit interval.
    low = 0.0 if successes == 0 else (centre - half) / scale
    high = 1.0 if successes == n else (centre + half) / scale
    return Interval(low, high)


def clopper_pearson(successes: float, n: float, confidence: float = 0.95) -> Interval | None:
    """Clopper and Pearson's interval of a binomial proportion, which covers at least as often as it says.

    Its ends are quantiles of beta distributions: of Beta(s, n - s + 1) and Beta(s + 1, n - s). Trials are assumed
    independent; neither number need be whole.

    Returns:
        The interval; None without trials.
    """
    if not 0 <= successes <= n * (1 + 1e-12):
        raise ValueError(f"{successes} successes in {n} trials")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence} is not between 0 and 1")
    if n == 0:
        return None
    tail, misses = (1 - confidence) / 2, max(n - successes, 0.0)
    low = 0.0 if successes < 1e-9 else _beta_quantile(tail, successes, misses + 1)
    high = 1.0 if misses < 1e-9 else _beta_quantile(1 - tail, successes + 1, misses)
    return Interval(low, high)


def _beta_quantile(probability: float, a: float, b: float) -> float:
    """The x with I_x(a, b) = probability, by bisection."""
    low, high = 0.0, 1.0
    while high - low > 1e-15 and low < (middle := (low + high) / 2) < high:
        if _incomplete_beta(a, b, middle) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2
