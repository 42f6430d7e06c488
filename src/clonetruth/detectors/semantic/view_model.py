"""The model of `semantic`: a weighted sum of similarities. It never sees a word, so it cannot learn one by heart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical import VIEWS
from clonetruth.detectors.semantic.behaviour import BEHAVIOUR

Floats = npt.NDArray[np.float64]

_DIGITS = 6
"""Scores are rounded: the last digits of long sums depend on how many pairs are compared at once."""
MOST_ODDS = 13.0
"""Log-odds are clipped to this: more would not be seen in six digits."""


@dataclass(frozen=True, eq=False)
class ViewModel:
    """A logistic model with one non-negative weight for each view, and for the learned vector where there is one.

    Attributes:
        weights: the weight of each view: more similarity never lowers the score.
        bias: the log-odds where all similarities are those of unrelated code.
    """

    weights: Floats
    bias: float

    @classmethod
    def untrained(cls) -> ViewModel:
        """All views count the same."""
        return cls(np.full(len(VIEWS), 3.0 / len(VIEWS)), -4.5)

    @property
    def used(self) -> npt.NDArray[np.bool_]:
        """The views that have a weight: the others need not be compared."""
        used: npt.NDArray[np.bool_] = self.weights > 0
        return used

    def log_odds(self, similarities: npt.NDArray[np.floating]) -> Floats:
        """The log-odds of a clone, for each row of similarities."""
        odds: Floats = similarities.astype(np.float64) @ self.weights + self.bias
        return odds

    def probabilities(self, similarities: npt.NDArray[np.floating], same: npt.NDArray[np.bool_]) -> Floats:
        """The probability of a clone for each row, rounded to six digits; 1 for pairs whose views are all equal."""
        return probabilities(self.log_odds(similarities), same)


@dataclass(frozen=True, eq=False)
class OutputModel:
    """How outputs revise the log-odds of a pair. Where nothing is known of its outputs, they stay as they are.

    Attributes:
        weights: the weight of the log-odds of the views, then of each column of `BEHAVIOUR`; none is negative.
        bias: added where outputs are known.
    """

    weights: Floats
    bias: float

    @classmethod
    def silent(cls) -> OutputModel:
        """Outputs say nothing."""
        return cls(np.append(1.0, np.zeros(len(BEHAVIOUR))), 0.0)

    def revised(self, odds: Floats, columns: Floats, known: npt.NDArray[np.bool_]) -> Floats:
        """The log-odds of pairs with what their outputs say (`FragmentOutputs.columns`)."""
        revised: Floats = odds * self.weights[0] + columns @ self.weights[1:] + self.bias
        return np.where(known, revised, odds)


def probabilities(odds: Floats, same: npt.NDArray[np.bool_]) -> Floats:
    """The probabilities for log-odds, rounded to six digits; 1 for pairs whose views are all equal."""
    scores: Floats = np.round(1 / (1 + np.exp(-np.clip(odds, -MOST_ODDS, MOST_ODDS))), _DIGITS)
    return np.where(same, 1.0, scores)
