"""Intervals for shares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True)
class Interval:
    """A closed interval."""

    low: float
    high: float


def wilson(successes: float, n: float, confidence: float = 0.95) -> Interval | None:
    """Wilson's score interval of a binomial share, without continuity correction.

    With p = successes / n and z the normal quantile of (1 + confidence) / 2, the interval is
    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n). Trials are taken as independent; `n` need not be whole,
    so that an effective number of trials can be used.

    Returns:
        The interval, or None for no trials: nothing is known then.
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


def clustered(successes: Sequence[int], trials: Sequence[int], confidence: float = 0.95) -> Interval | None:
    """The interval of a share whose trials come in clusters, as the pairs of one functionality do.

    Trials of one cluster resemble each other, so they tell less than independent ones. The variance of the
    share is estimated between clusters (the linearised ratio estimator), which gives the effective number of
    trials n_eff = p(1-p) / variance, at most the real one; the interval is Wilson's with n_eff trials. Where all
    trials agree, their variance says nothing, and the clusters themselves are taken as the trials.

    Args:
        successes: successes in each cluster.
        trials: trials in each cluster.
        confidence: of the interval.

    Returns:
        The interval, or None where fewer than two clusters have trials: nothing is known then.
    """
    clusters = [(s, n) for s, n in zip(successes, trials, strict=True) if n]
    if len(clusters) < 2:
        return None
    n = sum(total for _, total in clusters)
    share = sum(success for success, _ in clusters) / n
    count = len(clusters)
    spread = sum((success - share * total) ** 2 for success, total in clusters)
    variance = count / (count - 1) * spread / n**2
    effective = min(n, share * (1 - share) / variance) if variance else count
    return wilson(share * effective, effective, confidence)
