"""Survey estimation: how judged pairs were drawn, and what their answers say about the population.

A pair drawn with probability π represents 1/π pairs: its weight. Weighted sums over the sample are unbiased estimates
of sums over the population (Horvitz and Thompson 1952), and a proportion is the ratio of two such sums (Hájek 1971).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clonetruth.errors import InputError
from clonetruth.stats.intervals import student_quantile, wilson

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

    def total(self, values: Numbers) -> float:
        """The estimated sum of a variable over the population."""
        return float(self.weight @ values)

    def covariance(self, left: Numbers, right: Numbers) -> float:
        """The estimated covariance of two estimated sums, with the finite-population correction."""
        products = np.bincount(self.group, self._deviations(left) * self._deviations(right))
        return float(np.sum(self.unsampled * self._counts * products / np.maximum(self._counts - 1, 1)))

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


@dataclass(frozen=True, eq=False)
class Control:
    """A ratio's numerator and denominator according to a proxy of the truth that is known for every pair.

    Attributes:
        numerator: one per judged pair.
        denominator: one per judged pair.
        numerator_total: the sum over the population.
        denominator_total: the sum over the population.
    """

    numerator: Numbers
    denominator: Numbers
    numerator_total: float
    denominator_total: float


@dataclass(frozen=True)
class SurveyEstimate:
    """An estimated proportion of the population. Everything is None if no judged pair is in the denominator.

    Attributes:
        value: the proportion.
        low: lower end of its interval.
        high: upper end of its interval.
        equal: Kish's effective number of judged pairs in the denominator; infinite if every pair was judged.
        power: the weight of the proxy, 0 to 1: the λ of prediction-powered inference.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    equal: float | None = None
    power: float = 0.0


def estimate_ratio(
    design: Design,
    numerator: Numbers,
    denominator: Numbers,
    control: Control | None = None,
    confidence: float = 0.95,
    *,
    settled: float = 0.0,
) -> SurveyEstimate:
    """Estimate the ratio of two population sums, between 0 and 1, from a sample.

    With â and b̂ the estimated sums, θ = â / b̂. With a control, θ = (â + λ(X − x̂)) / (b̂ + λ(Z − ẑ)), where X and Z
    are the known sums of the proxy and x̂, ẑ their estimates from the sample; λ minimises the variance and is clipped
    to [0, 1] (power-tuned prediction-powered inference, Angelopoulos, Duchi and Zrnic 2023). The variance is that of
    the linearised ratio, Var(Σ w (a − θ b − λ(x − θ z))) / b², smoothed, and the interval is Wilson's with
    n_eff = θ(1 − θ) / variance trials, reduced for the degrees of freedom. If all judged pairs agree, n_eff is Kish's.

    Args:
        design: how the sample was drawn.
        numerator: one per judged pair, at most its denominator.
        denominator: one per judged pair.
        control: a proxy of the truth that is known for all pairs.
        confidence: confidence level of the interval.
        settled: a known part of the denominator, from pairs outside the sampled population.
    """
    _same_length(design.n, numerator=numerator, denominator=denominator)
    if design.total(denominator) <= 0:
        return SurveyEstimate(None)
    base = design.total(denominator) + settled
    share, power = design.total(numerator) / base, 0.0
    residual = numerator - share * denominator
    if control is not None:
        proxy = control.numerator - share * control.denominator
        power = _power(design, residual, proxy)
        tuned = base + power * (control.denominator_total - design.total(control.denominator))
        if power and tuned > 0:
            raised = power * (control.numerator_total - design.total(control.numerator))
            share = min(max((design.total(numerator) + raised) / tuned, 0.0), 1.0)
            residual = numerator - share * denominator - power * (control.numerator - share * control.denominator)
            base = tuned
        else:
            power = 0.0
    # The additional pair is half a miss, with residual -θ, and half a hit, with residual 1 - θ.
    variance = design.variance(residual, (share**2 + (1 - share) ** 2) / 2) / base**2
    spread, equal = share * (1 - share), design.effective(denominator)
    effective = spread / variance if variance > 0 and spread > 0 else equal
    if math.isinf(effective):
        return SurveyEstimate(share, share, share, equal, power)
    # The variance is itself an estimate, so Student's quantile replaces the normal one.
    used = effective * _shrinkage(max(int(np.count_nonzero(denominator)) - 1, 1), confidence)
    interval = wilson(share * used, used, confidence)
    assert interval is not None
    return SurveyEstimate(share, interval.low, interval.high, equal, power)


def _power(design: Design, residual: Numbers, proxy: Numbers) -> float:
    spread = design.covariance(proxy, proxy)
    return min(max(design.covariance(residual, proxy) / spread, 0.0), 1.0) if spread > 0 else 0.0


@functools.cache
def _shrinkage(degrees: int, confidence: float) -> float:
    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    return (normal / student_quantile(confidence, degrees)) ** 2


def _same_length(n: int, **columns: NDArray[np.generic]) -> None:
    for name, column in columns.items():
        if len(column) != n:
            raise InputError(f"The sample has {n} pairs, but its column '{name}' has {len(column)} values.")
