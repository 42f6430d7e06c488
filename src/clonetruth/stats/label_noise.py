"""Label noise: what precision, recall, F1 and the share of clones become when some labels are wrong.

Evaluated pairs fall into groups by their label (and clone type), each divided into pairs that the detector predicts to
be clones and others. A judged sample shows which share of a group are clones. Every method combines the same numbers,
the counts n of the pairs and the shares t of clones among them; the methods differ in what they assume about how the
clones of a group divide into predicted and other pairs:

    design-based    nothing: the judged pairs of each half show the share of clones in it
    independent     both halves of a group have the same share of clones
    rogan-gladen    a clone is predicted equally often whatever its label, and so is a non-clone
    bounds          nothing, and nothing is known about the halves

An interval joins the sampling errors of the judged and of the evaluated pairs. Each share has a distribution of lower
and one of upper ends (those of Clopper and Pearson's intervals); they are drawn together, each in the direction that
lowers or raises the metric, then the error of the evaluated pairs, and the quantiles are the interval (melding: Fay,
Proschan and Brittain 2015; for surveys with imperfect assays Bayer, Fay and Graubard 2023). docs/corrections.md derives
all of this.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from clonetruth.stats.intervals import Interval
from clonetruth.stats.survey import SampledShare

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CORRECTED_METRICS: tuple[str, ...] = ("precision", "recall", "f1", "prevalence")
"""The corrected metrics; the prevalence is the share of clones among the evaluated pairs."""

DesignEffect = Callable[[Floats, Floats], float]
"""How many times larger the variance of a metric is than if the evaluated pairs were independent; infinite if that is
unknown. Takes the influence of a pair of each cell on the metric, and its weight in the metric (both groups × 2)."""

_DRAWS = 8192
_DECIMALS = 3
_ENOUGH = 10
"""With fewer predicted, or fewer other, pairs in a group, the share of predicted pairs is drawn."""


class CorrectionMethod(StrEnum):
    """A method of correction."""

    INDEPENDENT = "independent"
    ROGAN_GLADEN = "rogan-gladen"
    DESIGN_BASED = "design-based"
    BOUNDS = "bounds"
    SENSITIVITY = "sensitivity"
    AS_PUBLISHED = "as-published"


@dataclass(frozen=True)
class LabelGroup:
    """Evaluated pairs with the same label (and clone type).

    Attributes:
        label: whether they are labelled clones.
        predicted: number of them that the detector predicts to be clones.
        others: number of the others.
        clones: the share of them that are clones.
        predicted_clones: the share of clones among the predicted ones, where predicted pairs were judged.
        other_clones: the share of clones among the others, where such pairs were judged.
        judged: whether `clones` comes from a judged sample; False if the label is taken as right.
        effect: how many times larger the variance of the share of predicted pairs is than for independent pairs, where
            only that is known. If it is given for all groups, their sizes are taken as given.
    """

    label: bool
    predicted: float
    others: float
    clones: SampledShare
    predicted_clones: SampledShare | None = None
    other_clones: SampledShare | None = None
    judged: bool = True
    effect: float | None = None

    @classmethod
    def believed(cls, label: bool, predicted: float, others: float) -> LabelGroup:
        """A group whose labels nobody judged, and which are taken as right."""
        return cls(label, predicted, others, SampledShare(float(label)), judged=False)


@dataclass(frozen=True)
class NoisyLabels:
    """The evaluated pairs.

    Attributes:
        groups: the groups of pairs.
        sampled: whether the counts are those of a sample of pairs; False if only their ratios are known, so that their
            sampling error is unknown.
        design_effect: for dependent pairs, how many times larger variances are than for independent ones.
    """

    groups: tuple[LabelGroup, ...]
    sampled: bool = True
    design_effect: DesignEffect | None = None


@dataclass(frozen=True)
class CorrectedNumber:
    """A corrected metric; `value` is None if it is undefined or only bounded, `interval` if nothing is known."""

    value: float | None
    interval: Interval | None


_Function = Callable[[Floats, Floats, Bools], Floats]
"""Takes counts and shares of clones (… × groups × 2) and the labels of the groups; returns metrics (… × 4)."""


def correct_labels(
    pairs: NoisyLabels, method: CorrectionMethod, confidence: float = 0.95
) -> Mapping[str, CorrectedNumber] | None:
    """Correct precision, recall, F1 and prevalence for wrong labels.

    Returns:
        The corrected metrics by name; None if the method cannot be used: `design-based` without judged pairs that have
        predictions, `sensitivity` if both kinds of labels were judged, `rogan-gladen` without pairs labelled
        non-clones or where the numbers refute its assumption.
    """
    used = tuple(one for one in pairs.groups if one.predicted + one.others > 0)
    if not used:
        return None
    pairs = replace(pairs, groups=used)
    by_half = method is CorrectionMethod.DESIGN_BASED
    if by_half and not any(one.predicted_clones or one.other_clones for one in used):
        return None
    if method is CorrectionMethod.SENSITIVITY:
        return _sensitivity(pairs, confidence)
    if method is CorrectionMethod.BOUNDS:
        ends = [_Melding(pairs, function, confidence).numbers() for function in (_fewest_hits, _most_hits)]
        return {name: _between(ends[0][name], ends[1][name]) for name in CORRECTED_METRICS}
    if method is CorrectionMethod.ROGAN_GLADEN:
        return _rogan_gladen_numbers(pairs, confidence)
    if method is CorrectionMethod.AS_PUBLISHED:
        return _as_published_numbers(pairs, confidence)
    return {name: _clipped(one) for name, one in _Melding(pairs, _plain, confidence, by_half).numbers().items()}


SENSITIVITY_SHARE = 0.05
"""The largest share of wrong labels that `sensitivity` assumes where nobody judged labels."""


def _sensitivity(pairs: NoisyLabels, confidence: float) -> Mapping[str, CorrectedNumber] | None:
    """The widest intervals of `independent` if up to 5 % of the labels that nobody judged are wrong."""
    if all(one.judged for one in pairs.groups):
        return None
    doubted = tuple(
        one
        if one.judged
        else replace(one, clones=SampledShare(1 - SENSITIVITY_SHARE if one.label else SENSITIVITY_SHARE))
        for one in pairs.groups
    )
    cases = [_Melding(one, _plain, confidence).numbers() for one in (pairs, replace(pairs, groups=doubted))]
    return {name: _between(cases[0][name], cases[1][name]) for name in CORRECTED_METRICS}


def _rogan_gladen_numbers(pairs: NoisyLabels, confidence: float) -> Mapping[str, CorrectedNumber] | None:
    found = _Melding(pairs, _rogan_gladen, confidence).numbers()
    recall = found["recall"]
    if recall.value is None or recall.interval is None or recall.interval.low > 1 or recall.interval.high < 0:
        return None
    return {name: _clipped(one) for name, one in found.items()}


def _as_published_numbers(pairs: NoisyLabels, confidence: float) -> Mapping[str, CorrectedNumber]:
    """Every figure is rounded to three decimals, as if calculated with printed numbers; the intervals are not."""
    exact = _Melding(pairs, _as_published, confidence).numbers()
    printed = _Melding(pairs, partial(_as_published, decimals=_DECIMALS), confidence).values
    return {
        name: replace(exact[name], value=None if math.isnan(value) else float(value))
        for name, value in zip(CORRECTED_METRICS[:3], printed, strict=False)
    }


def refutes_rogan_gladen(pairs: NoisyLabels, confidence: float = 0.95) -> float | None:
    """The impossible recall that follows from the assumption of `rogan-gladen`; None if it is possible or undefined."""
    used = replace(pairs, groups=tuple(one for one in pairs.groups if one.predicted + one.others > 0))
    if not used.groups or _rogan_gladen_numbers(used, confidence) is not None:
        return None
    return _Melding(used, _rogan_gladen, confidence).numbers()["recall"].value


# The metrics as functions of counts and shares.


def _ratios(hits: Floats, clones: Floats, n: Floats) -> Floats:
    predicted, total = n[..., 0].sum(-1), n.sum((-2, -1))
    hits, clones, predicted, total = np.broadcast_arrays(hits, clones, predicted, total)
    parts = np.stack([hits, hits, 2 * hits, clones], -1)
    wholes = np.stack([predicted, clones, predicted + clones, total], -1)
    found: Floats = np.divide(parts, wholes, out=np.full(parts.shape, np.nan), where=wholes > 0)
    return found


def _plain(n: Floats, t: Floats, label: Bools) -> Floats:
    clones = n * t
    return _ratios(clones[..., 0].sum(-1), clones.sum((-2, -1)), n)


def _rogan_gladen(n: Floats, t: Floats, label: Bools) -> Floats:
    """The recall r and false-positive rate f that solve: a group with share t of clones is predicted at t r + (1−t) f.

    With one group of each label this is Rogan and Gladen's correction of the predicted share for the sensitivity and
    specificity of the labels. Groups with clone labels are pooled.
    """
    clones = n * t
    found, right = n[..., label, 0].sum(-1), clones[..., label, :].sum((-2, -1))
    wrong = (n - clones)[..., label, :].sum((-2, -1))
    rest, missed = n[..., ~label, :].sum((-2, -1)), clones[..., ~label, :].sum((-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        share, odds, hidden = found / right, wrong / right, missed / rest
        alarms = (n[..., ~label, 0].sum(-1) / rest - hidden * share) / (1 - hidden - hidden * odds)
        recall = np.where(1 - hidden - hidden * odds > 0, share - odds * alarms, np.nan)
        return _ratios(recall * (right + missed), right + missed, n)


def _as_published(n: Floats, t: Floats, label: Bools, decimals: int = 15) -> Floats:
    """Krinke and Ragkhitwetsagul (2025): the "recall" divides the found clones by all pairs labelled clones."""
    labelled, predicted = n[..., label, :].sum((-2, -1)), n[..., 0].sum(-1)
    found = n[..., label, 0].sum(-1)
    right = np.round((n * t)[..., label, :].sum((-2, -1)) / labelled, decimals)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.round(np.round(found / predicted, decimals) * right, decimals)
        recall = np.round(np.round(found / labelled, decimals) * right, decimals)
        f1 = np.round(2 * precision * recall / (precision + recall), decimals)
    return np.stack(np.broadcast_arrays(precision, recall, f1, np.nan), -1)


def _fewest_hits(n: Floats, t: Floats, label: Bools) -> Floats:
    """The clones of each group are, as far as possible, among the pairs that are not predicted."""
    clones = (n * t).sum(-1)
    return _ratios(np.maximum(clones - n[..., 1], 0).sum(-1), clones.sum(-1), n)


def _most_hits(n: Floats, t: Floats, label: Bools) -> Floats:
    """The clones of each group are, as far as possible, among the predicted pairs."""
    clones = (n * t).sum(-1)
    return _ratios(np.minimum(clones, n[..., 0]).sum(-1), clones.sum(-1), n)


# Intervals.


@dataclass(frozen=True)
class _Melding:
    """The interval of a function of counts and shares.

    The shares of clones are drawn, and so is the share of predicted pairs in groups where few, or nearly all, are: its
    distribution is skewed, and at 0 and 1 it shows no spread. The sampling error of everything else is that of the
    linearised metric, drawn last.
    """

    pairs: NoisyLabels
    function: _Function
    confidence: float
    by_half: bool = False

    def numbers(self) -> dict[str, CorrectedNumber]:
        """The value and the interval of each metric."""
        found = {}
        for metric, name in enumerate(CORRECTED_METRICS):
            value = None if math.isnan(self.values[metric]) else float(self.values[metric])
            found[name] = CorrectedNumber(value, self._interval(metric, value))
        return found

    @cached_property
    def values(self) -> Floats:
        """The values; NaN where one is undefined."""
        known = np.array([math.nan if one.value is None else one.value for one in self._truth()])
        return self._of(self._counts, known)

    def _truth(self) -> Iterator[SampledShare]:
        for one in self.pairs.groups:
            if not self.by_half:
                yield one.clones
            elif not one.judged:
                yield from (one.clones, one.clones)
            else:
                for count, half in ((one.predicted, one.predicted_clones), (one.others, one.other_clones)):
                    # An empty half has no share that matters.
                    yield (half or SampledShare(None, 0.0)) if count else SampledShare(0.0)

    @cached_property
    def _counts(self) -> Floats:
        return np.array([[one.predicted, one.others] for one in self.pairs.groups], np.float64)

    @cached_property
    def _rates(self) -> Floats:
        """The share of predicted pairs in each group."""
        rates: Floats = self._counts[:, 0] / self._counts.sum(1)
        return rates

    @cached_property
    def _centre(self) -> Floats:
        """The shares of clones; one that nobody knows lies anywhere, and so in the middle."""
        return np.array([0.5 if one.value is None else one.value for one in self._truth()])

    @cached_property
    def _drawn(self) -> dict[tuple[SampledShare, ...], _Draws]:
        """Draws of shares, which several metrics have in common."""
        return {}

    def _of(self, n: Floats, truth: Floats) -> Floats:
        groups = len(self.pairs.groups)
        t = truth.reshape(*truth.shape[:-1], groups, 2) if self.by_half else np.repeat(truth[..., None], 2, -1)
        return self.function(n, t, np.array([one.label for one in self.pairs.groups]))

    def _metrics(self, truth: Floats, rates: Floats) -> Floats:
        return self._of(self._counts.sum(1)[:, None] * np.stack([rates, 1 - rates], -1), truth)

    def _interval(self, metric: int, value: float | None) -> Interval | None:
        rates, error = self._sampling(metric)
        if math.isinf(error):
            return None
        shares = (*self._truth(), *rates)
        if shares not in self._drawn:
            self._drawn[shares] = _Draws.of(shares)
        drawn = self._drawn[shares]
        rising = self._rising(metric, drawn)
        tail = (1 - self.confidence) / 2
        ends = [] if value is None else [value]
        for up, upper, level in ((rising, False, tail), (~rising, True, 1 - tail)):
            if (known := drawn.metrics.get(up.tobytes())) is None:
                columns, split = np.where(up, drawn.lower, drawn.upper), len(shares) - len(rates)
                known = drawn.metrics[up.tobytes()] = self._metrics(columns[:, :split], columns[:, split:])
            values = known[:, metric]
            values = _with_error(values[np.isfinite(values)], error, upper=upper)
            if not len(values):
                return None
            ends.append(float(np.quantile(values, level)))
        return Interval(min(ends), max(ends))

    def _rising(self, metric: int, drawn: _Draws) -> Bools:
        """For each share, whether the metric rises with it, all others being as estimated."""
        centre, split = np.concatenate([self._centre, self._rates]), len(self._centre)
        low, high = np.tile(centre, (len(centre), 1)), np.tile(centre, (len(centre), 1))
        for ends, end in zip((low, high), drawn.span, strict=True):
            np.fill_diagonal(ends, end)
        at_low, at_high = (self._metrics(one[:, :split], one[:, split:])[:, metric] for one in (low, high))
        # Undefined at one end: the direction there does not matter, since undefined draws are dropped.
        return np.asarray(~(at_high < at_low))

    def _sampling(self, metric: int) -> tuple[list[SampledShare], float]:
        """The shares of predicted pairs, without error where it is in the second number: one over the trials left."""
        counts, rates = self._counts, self._rates.tolist()
        value = float(self._of(counts, self._centre)[metric])
        slopes, stake = self._slopes(metric, value), self._stake(metric)
        if not self.pairs.sampled or not np.isfinite(slopes).all():
            return [SampledShare(rate) for rate in rates], 0.0
        shares = []
        for number, (group, rate) in enumerate(zip(self.pairs.groups, rates, strict=True)):
            if group.effect is None and counts[number].min() >= _ENOUGH:
                shares.append(SampledShare(rate))
                continue
            size, own = counts[number].sum(), group.effect
            if own is None:
                influence, alone = np.zeros_like(counts), np.zeros_like(counts)
                alone[number] = 1.0
                if 0 < rate < 1:
                    influence[number] = ((1 - rate) / size, -rate / size)
                own = self._effect(influence, alone)
            shares.append(SampledShare(rate, float(size) / own))
            slopes[number] = counts[number] @ slopes[number] / size
        if all(one.effect is not None for one in self.pairs.groups):
            return shares, 0.0
        variance = float((counts * slopes**2).sum()) * self._effect(slopes, stake)
        return shares, variance / (value * (1 - value)) if 0 < value < 1 else 0.0

    def _slopes(self, metric: int, value: float) -> Floats:
        """The derivative of the metric by each count: the influence of a pair."""
        step = 1e-6 * self._counts.sum()
        moved = self._counts + step * np.eye(self._counts.size).reshape(-1, *self._counts.shape)
        slopes: Floats = (self._of(moved, self._centre[None])[:, metric] - value) / step
        return slopes.reshape(self._counts.shape)

    def _stake(self, metric: int) -> Floats:
        """The weight of a pair of each kind in the metric."""
        t = self._centre.reshape(-1, 2) if self.by_half else np.repeat(self._centre[:, None], 2, 1)
        predicted = np.tile([1.0, 0.0], (len(t), 1))
        return (predicted, t, predicted + t, np.ones_like(t))[metric]

    def _effect(self, slopes: Floats, stake: Floats) -> float:
        return 1.0 if self.pairs.design_effect is None else max(1.0, self.pairs.design_effect(slopes, stake))


def _with_error(values: Floats, error: float, *, upper: bool) -> Floats:
    """Draws of the ends of the interval around each value, for a share with 1 / `error` trials."""
    inside = (values > 0) & (values < 1)
    if not error or not inside.any():
        return values
    hits, misses = values[inside] / error, (1 - values[inside]) / error
    drawn = values.copy()
    drawn[inside] = np.random.default_rng(1).beta(hits + upper, misses + (not upper))
    return drawn


@dataclass(frozen=True, eq=False)
class _Draws:
    """Draws of lower and of upper ends, a column for each share.

    Attributes:
        metrics: the metrics of each draw, by which of the shares are lower ends (as bytes).
    """

    lower: Floats
    upper: Floats
    metrics: dict[bytes, Floats] = field(default_factory=dict)

    @cached_property
    def span(self) -> tuple[Floats, Floats]:
        """Where nearly all draws of each share lie."""
        lowest = np.maximum(self.lower.mean(0) - 2 * self.lower.std(0), 0)
        return lowest, np.minimum(self.upper.mean(0) + 2 * self.upper.std(0), 1)

    @classmethod
    def of(cls, shares: Sequence[SampledShare]) -> _Draws:
        random = np.random.default_rng(0)
        size = _DRAWS if any(0 < one.trials < math.inf for one in shares) else 1
        ends = [np.stack([one.draws(random, size, upper=upper) for one in shares], -1) for upper in (False, True)]
        return cls(ends[0], ends[1])


def _clipped(one: CorrectedNumber) -> CorrectedNumber:
    value = None if one.value is None else min(max(one.value, 0.0), 1.0)
    span = one.interval
    return CorrectedNumber(value, None if span is None else Interval(max(span.low, 0.0), min(span.high, 1.0)))


def _between(one: CorrectedNumber, other: CorrectedNumber) -> CorrectedNumber:
    """Bounds: no value, and an interval that contains both."""
    if one.interval is None or other.interval is None:
        return CorrectedNumber(None, one.interval or other.interval)
    low, high = min(one.interval.low, other.interval.low), max(one.interval.high, other.interval.high)
    # Rounding may leave a bound just outside.
    return _clipped(CorrectedNumber(None, Interval(low, high)))
