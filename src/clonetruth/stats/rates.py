"""Decision metrics: functions of the counts of true and false positives, false and true negatives.

Each metric is defined once, for an array whose last axis is (tp, fp, fn, tn), so that one definition serves a
single evaluation, every cluster and every bootstrap replicate. Undefined values are NaN inside arrays; the public
functions turn them into None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Kinds = npt.NDArray[np.int8]

TP, FP, FN, TN = range(4)


@dataclass(frozen=True)
class Rate:
    """A decision metric.

    Attributes:
        name: as docs/metrics.md defines it.
        value: the metric as a function of counts whose last axis is (tp, fp, fn, tn); NaN if undefined.
        gradient: its derivatives with respect to the four counts, where it is defined. Since scaling all counts leaves
            the metric unchanged, the derivative is the influence of a pair.
        stake: the weight of a pair of each of the four kinds in the metric, for given counts: the coefficients of the
            denominator if the metric is a share.
        numerator: the coefficients of the numerator if the metric is a share of pairs; otherwise None.
        low: the smallest possible value.
    """

    name: str
    value: Callable[[Floats], Floats]
    gradient: Callable[[Floats], Floats]
    stake: Callable[[Floats], Floats]
    numerator: tuple[int, int, int, int] | None = None
    low: float = 0.0


def cells(predicted: Bools, truth: Bools) -> Kinds:
    """The kind of each pair, as an index into the counts: 0 tp, 1 fp, 2 fn, 3 tn."""
    return (2 * ~predicted + ~truth).astype(np.int8)


def counts_by(codes: Integers, kinds: Kinds, count: int, kind_count: int = 4) -> Floats:
    """Counts (tp, fp, fn, tn) of `count` groups of pairs, from the group and the kind of each pair.

    Other kinds are possible, numbered from 0 to `kind_count` - 1.
    """
    found = np.bincount(codes * kind_count + kinds, minlength=kind_count * count)
    return found.reshape(count, kind_count).astype(np.float64)


def _share(name: str, numerator: tuple[int, int, int, int], denominator: tuple[int, int, int, int]) -> Rate:
    part, whole = np.array(numerator, float), np.array(denominator, float)

    def value(counts: Floats) -> Floats:
        return _divide(counts @ part, counts @ whole)

    def gradient(counts: Floats) -> Floats:
        slope: Floats = (part - value(counts) * whole) / (counts @ whole)
        return slope

    counted = max(denominator) == 1  # F1 counts true positives twice, so it is not a share of pairs
    return Rate(name, value, gradient, lambda counts: whole, numerator if counted else None)


def _divide(part: Floats, whole: Floats) -> Floats:
    """Division, with NaN for division by zero."""
    quotient: Floats = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole) != 0)
    return quotient


def by_class(counts: Floats) -> Floats:
    """The stake of a pair if all clones together weigh as much as all non-clones together."""
    clones, others = counts[TP] + counts[FN], counts[FP] + counts[TN]
    return np.array([1 / clones, 1 / others, 1 / clones, 1 / others])


def _balanced_accuracy(counts: Floats) -> Floats:
    return (RECALL.value(counts) + SPECIFICITY.value(counts)) / 2


def _balanced_accuracy_gradient(counts: Floats) -> Floats:
    return (RECALL.gradient(counts) + SPECIFICITY.gradient(counts)) / 2


def _margins(counts: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    tp, fp, fn, tn = np.moveaxis(counts, -1, 0)
    return tp + fp, tp + fn, tn + fp, tn + fn


def _mcc(counts: Floats) -> Floats:
    tp, fp, fn, tn = np.moveaxis(counts, -1, 0)
    predicted, clones, others, left = _margins(counts)
    # Two roots: a double cannot hold the product of four margins of ten million pairs each exactly.
    return _divide(tp * tn - fp * fn, np.sqrt(predicted * clones) * np.sqrt(others * left))


def _mcc_gradient(counts: Floats) -> Floats:
    tp, fp, fn, tn = counts
    predicted, clones, others, left = _margins(counts)
    root, half = np.sqrt(predicted * clones) * np.sqrt(others * left), _mcc(counts) / 2
    return np.array(
        [
            tn / root - half * (1 / predicted + 1 / clones),
            -fn / root - half * (1 / predicted + 1 / others),
            -fp / root - half * (1 / clones + 1 / left),
            tp / root - half * (1 / others + 1 / left),
        ]
    )


PRECISION = _share("precision", (1, 0, 0, 0), (1, 1, 0, 0))
RECALL = _share("recall", (1, 0, 0, 0), (1, 0, 1, 0))
F1 = _share("f1", (2, 0, 0, 0), (2, 1, 1, 0))
SPECIFICITY = _share("specificity", (0, 0, 0, 1), (0, 1, 0, 1))
ACCURACY = _share("accuracy", (1, 0, 0, 1), (1, 1, 1, 1))
BALANCED_ACCURACY = Rate("balanced-accuracy", _balanced_accuracy, _balanced_accuracy_gradient, by_class)
MCC = Rate("mcc", _mcc, _mcc_gradient, by_class, low=-1.0)

RATES: Mapping[str, Rate] = {
    rate.name: rate for rate in (PRECISION, RECALL, F1, SPECIFICITY, MCC, BALANCED_ACCURACY, ACCURACY)
}
