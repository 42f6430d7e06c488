"""Survey estimation: how judged pairs were drawn, and what their answers say about the population.

A pair drawn with probability π represents 1/π pairs: its weight. Weighted sums over the sample are unbiased estimates
of sums over the population (Horvitz and Thompson 1952), and a proportion is the ratio of two such sums (Hájek 1971).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clonetruth.errors import InputError
from clonetruth.stats.intervals import Interval, clopper_pearson, student_quantile

Numbers: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Design:
    """How each pair of a sample was drawn.

    Make one with `simple`, `stratified` or `weighted`, not directly.

    Attributes:
        weight: how many pairs each judged pair represents.
        group: number of each judged pair's stratum. Strata with a single judged pair are merged, since one pair says
            nothing about the spread in its stratum; this makes the variance too large, never too small.
        unsampled: the share of each group's pairs that were not drawn: the finite-population correction.
    """

    weight: Numbers
    group: NDArray[np.intp]
    unsampled: Numbers

    @classmethod
    def simple(cls, n: int, population: int | None = None) -> Design:
        """n pairs drawn at random from `population` pairs; None if the population is very large."""
        if population is None:
            return cls(np.ones(n), np.zeros(n, np.intp), np.ones(1))
        return cls.stratified([""] * n, {"": population})

    @classmethod
    def stratified(cls, strata: Sequence[str], populations: Mapping[str, int]) -> Design:
        """Pairs drawn at random within each stratum.

        Args:
            strata: the stratum of each judged pair.
            populations: the number of pairs in each stratum. Strata without a judged pair are left out: the
                estimate does not cover them.

        Raises:
            InputError: a stratum's population is missing, or smaller than its sample.
        """
        names, code = np.unique(np.asarray(strata, dtype=np.str_), return_inverse=True)
        counts = np.bincount(code, minlength=len(names))
        unknown = [name for name in names.tolist() if name not in populations]
        if unknown:
            raise InputError(f"The population of the stratum '{unknown[0]}' is missing.")
        sizes = np.array([populations[name] for name in names.tolist()], np.float64)
        if (sizes < counts).any():
            name = names[int((sizes < counts).argmax())]
            raise InputError(f"The stratum '{name}' has more judged pairs than pairs.")
        return cls._grouped((sizes / np.maximum(counts, 1))[code], code.astype(np.intp))

    @classmethod
    def weighted(cls, weights: ArrayLike, strata: Sequence[str] | None = None) -> Design:
        """Pairs drawn with probability 1 / weight, within each stratum where there are strata.

        Raises:
            InputError: a weight is below 1, or not a number.
        """
        given = np.asarray(weights, np.float64)
        if not (np.isfinite(given) & (given >= 1)).all():
            raise InputError("A weight is below 1 or not a number.", hint="It is 1 / the probability of being drawn.")
        labels = np.zeros(len(given), np.str_) if strata is None else np.asarray(strata, dtype=np.str_)
        _same_length(len(given), stratum=labels)
        return cls._grouped(given, np.unique(labels, return_inverse=True)[1].astype(np.intp))

    @classmethod
    def _grouped(cls, weight: Numbers, code: NDArray[np.intp]) -> Design:
        counts = np.bincount(code)
        merged = np.arange(len(counts))
        # A stratum that was judged completely has no sampling error, even with a single pair.
        single = (counts == 1) & (np.bincount(code, weight) > 1)
        if single.any() and len(counts) > 1:
            others = np.flatnonzero(~single & (counts > 1))
            lonely = single.sum() == 1 and others.size
            merged[single] = others[counts[others].argmin()] if lonely else np.flatnonzero(single)[0]
        group = np.unique(merged[code], return_inverse=True)[1].astype(np.intp)
        drawn, stood_for = np.bincount(group), np.bincount(group, weight)
        return cls(weight, group, np.maximum(1 - drawn / np.maximum(stood_for, 1), 0))

    @property
    def n(self) -> int:
        """Number of judged pairs."""
        return len(self.weight)

    @property
    def is_simple(self) -> bool:
        """Whether every pair had the same chance, in one stratum."""
        return len(self.unsampled) == 1 and bool(np.ptp(self.weight) == 0 if self.n else True)

    def total(self, values: Numbers) -> float:
        """The estimated sum of a variable over the population."""
        return float(self.weight @ values)

    def variance(self, values: Numbers, surprise: float) -> float:
        """The estimated variance of an estimated sum, smoothed.

        A small sample may miss the rare pairs that cause the spread, and would then look too precise. So one additional
        pair is assumed to have been judged, distributed over the groups like the population.

        Args:
            values: one per judged pair.
            surprise: the squared deviation of the additional pair.
        """
        counts, sizes = self._counts, np.bincount(self.group, self.weight)
        further = sizes / sizes.sum()
        squares = np.bincount(self.group, self._deviations(values) ** 2) + further * surprise * (sizes / counts) ** 2
        return float(np.sum(self.unsampled * counts * squares / (counts - 1 + further)))

    def effective(self, members: Numbers) -> float:
        """Kish's effective number of judged pairs among the members."""
        weight = self.weight * (members > 0)
        square = float(np.sum(weight**2 * self.unsampled[self.group]))
        return math.inf if square == 0 else float(weight.sum()) ** 2 / square

    @functools.cached_property
    def _counts(self) -> NDArray[np.intp]:
        return np.bincount(self.group)

    def _deviations(self, values: Numbers) -> Numbers:
        weighted = self.weight * values
        means = np.bincount(self.group, weighted) / self._counts
        return np.asarray(weighted - means[self.group])


@dataclass(frozen=True)
class SampledShare:
    """A share that is known from a sample.

    Attributes:
        value: the estimate; None if nothing was sampled.
        trials: the number of independent trials that would carry as much information; infinite for a share without
            sampling error, 0 if nothing was sampled.
    """

    value: float | None
    trials: float = math.inf

    def interval(self, confidence: float = 0.95) -> Interval | None:
        """Clopper and Pearson's interval with `trials` trials (for weighted samples: Korn and Graubard 1998).

        It covers at least as often as it says, whatever the share. None if nothing was sampled.
        """
        if self.value is None:
            return None
        if math.isinf(self.trials):
            return Interval(self.value, self.value)
        return clopper_pearson(self.value * self.trials, self.trials, confidence)

    def draws(self, random: np.random.Generator, size: int, *, upper: bool) -> Numbers:
        """Draws from the distribution whose quantiles are the lower, or the upper, ends of the intervals."""
        if self.value is None or self.trials <= 0:
            return np.full(size, float(upper))
        if math.isinf(self.trials):
            return np.full(size, self.value)
        hits, misses = self.value * self.trials, (1 - self.value) * self.trials
        if (misses if upper else hits) < _NOTHING:
            return np.full(size, float(upper))
        return random.beta(hits + upper, misses + (not upper), size)


_NOTHING = 1e-9
"""Hits or misses below this are a rounding error."""


def estimate_share(design: Design, numerator: Numbers, denominator: Numbers) -> SampledShare:
    """Estimate the ratio of two population sums, between 0 and 1, from a sample.

    With â and b̂ the estimated sums, θ = â / b̂. The variance is that of the linearised ratio, Var(Σ w (a − θ b)) / b̂²,
    smoothed; θ(1 − θ) / variance is the effective number of trials, reduced for the degrees of freedom at the 95 %
    level. If all sampled pairs agree, it is Kish's. In a simple random sample it is the number of pairs.

    Args:
        design: how the sample was drawn.
        numerator: one per sampled pair, at most its denominator.
        denominator: one per sampled pair.
    """
    _same_length(design.n, numerator=numerator, denominator=denominator)
    base = design.total(denominator)
    if base <= 0:
        return SampledShare(None, 0.0)
    share = min(design.total(numerator) / base, 1.0)
    if design.is_simple:
        return SampledShare(share, design.effective(denominator))
    # The additional pair is half a miss, with residual -θ, and half a hit, with residual 1 - θ.
    variance = design.variance(numerator - share * denominator, (share**2 + (1 - share) ** 2) / 2) / base**2
    spread = share * (1 - share)
    trials = spread / variance if variance > 0 and spread > 0 else design.effective(denominator)
    # The variance is itself an estimate, so Student's quantile replaces the normal one.
    return SampledShare(share, trials * _shrinkage(max(int(np.count_nonzero(denominator)) - 1, 1)))


def estimate_stratified(
    strata: Sequence[str],
    populations: Mapping[str, int] | None,
    hits: ArrayLike,
    members: ArrayLike,
    *,
    finite: bool = True,
) -> SampledShare:
    """Estimate the share of hits among the members of a population, from pairs drawn at random within strata.

    Args:
        strata: the stratum of each sampled pair.
        populations: the number of pairs in each stratum; None for a simple random sample of unknown pairs.
        hits: whether each sampled pair counts.
        members: whether each sampled pair is in the denominator.
        finite: whether the share of exactly this population is estimated, so that a population that was sampled
            completely is known without error; otherwise that of all pairs like these.

    Raises:
        InputError: a stratum's population is missing, or smaller than its sample.
    """
    inside = np.asarray(members, np.bool_)
    names = np.asarray(strata, dtype=np.str_)
    # A stratum without a member adds nothing to either sum, and so no uncertainty.
    used = np.isin(names, names[inside])
    count = int(np.count_nonzero(used))
    design = Design.simple(count) if populations is None else Design.stratified(names[used].tolist(), populations)
    if not finite:
        design = replace(design, unsampled=np.ones_like(design.unsampled))
    counted = inside[used].astype(np.float64)
    return estimate_share(design, np.asarray(hits, np.float64)[used] * counted, counted)


@functools.cache
def _shrinkage(degrees: int, confidence: float = 0.95) -> float:
    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    return (normal / student_quantile(confidence, degrees)) ** 2


def _same_length(n: int, **columns: NDArray[np.generic]) -> None:
    for name, column in columns.items():
        if len(column) != n:
            raise InputError(f"The sample has {n} pairs, but its column '{name}' has {len(column)} values.")
