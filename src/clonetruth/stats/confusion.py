"""The confusion matrix of predictions and verdicts, and the rates that follow from it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from clonetruth.stats.rates import BALANCED_ACCURACY, F1, MCC, PRECISION, RECALL, SPECIFICITY, Rate


@dataclass(frozen=True)
class Confusion:
    """Counts of predictions against verdicts. A rate without a denominator is None: unknown is not zero."""

    tp: int
    fp: int
    fn: int
    tn: int

    def __post_init__(self) -> None:
        if min(self.tp, self.fp, self.fn, self.tn) < 0:
            raise ValueError(f"negative count in {self}")

    @classmethod
    def count(cls, outcomes: Iterable[tuple[bool, bool]]) -> Confusion:
        """Count (predicted, true) outcomes."""
        cells = Counter(outcomes)
        return cls(tp=cells[True, True], fp=cells[True, False], fn=cells[False, True], tn=cells[False, False])

    @property
    def n(self) -> int:
        """Number of counted pairs."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def precision(self) -> float | None:
        """Share of the predicted clones that are clones."""
        return self.rate(PRECISION)

    @property
    def recall(self) -> float | None:
        """Share of the clones that are predicted."""
        return self.rate(RECALL)

    @property
    def specificity(self) -> float | None:
        """Share of the non-clones that are not predicted."""
        return self.rate(SPECIFICITY)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall, 2tp / (2tp + fp + fn)."""
        return self.rate(F1)

    @property
    def balanced_accuracy(self) -> float | None:
        """Mean of recall and specificity; 0.5 is chance, whatever the share of clones."""
        return self.rate(BALANCED_ACCURACY)

    @property
    def mcc(self) -> float | None:
        """Matthews correlation coefficient; None if a row or column is empty."""
        return self.rate(MCC)

    def rate(self, rate: Rate) -> float | None:
        """Any decision metric."""
        value = float(rate.value(np.array([self.tp, self.fp, self.fn, self.tn], np.float64)))
        return None if math.isnan(value) else value
