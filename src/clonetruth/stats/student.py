"""Student's t distribution with any positive, also fractional, degrees of freedom."""

from __future__ import annotations

import math
from statistics import NormalDist

_NORMAL_FROM = 1e7
"""Degrees of freedom from which the normal distribution is exact to more than six digits."""
_INFINITE = 1e100


def student_two_sided(statistic: float, degrees: float) -> float:
    """Probability that |T| is at least `statistic`: the two-sided p-value."""
    if degrees <= 0:
        raise ValueError(f"{degrees} degrees of freedom")
    size = abs(statistic)
    if degrees >= _NORMAL_FROM:
        return 2 * NormalDist().cdf(-size)
    if math.isinf(size):
        return 0.0
    return _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + size * size))


def student_quantile(confidence: float, degrees: float) -> float:
    """The t that |T| stays below with probability `confidence`; infinite where no double can hold it."""
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence} is not between 0 and 1")
    # The tail is a convex function of t and the normal quantile lies left of ours, so Newton's steps go right only.
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
