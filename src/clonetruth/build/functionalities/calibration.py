"""Calibration: from the lead of a functionality to a measured confidence, the share of such leads that are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.build.functionalities.inference import Flags

_MIN_TRIALS = 25
"""Minimum number of trials of a step: fewer are not enough to estimate a share."""


@dataclass(frozen=True)
class Calibration:
    """An increasing step function from leads to confidence.

    Attributes:
        starts: the smallest lead of each step.
        confidences: (right + 1) / (trials + 2) of each step, so that no step claims certainty. Leads below the first
            step have confidence 0.
    """

    starts: tuple[float, ...]
    confidences: tuple[float, ...]

    @classmethod
    def of(cls, leads: npt.NDArray[np.floating], right: Flags) -> Calibration:
        """Fit the step function: steps of some trials each, joined until their confidences increase with the leads.

        Args:
            leads: the leads of the trials.
            right: which of the trials were right.
        """
        order = np.argsort(leads, kind="stable")
        steps: list[_Step] = []
        for begin, end in _cuts(leads[order].tolist()):
            steps.append(_Step(float(leads[order[begin]]), int(right[order[begin:end]].sum()), end - begin))
            while len(steps) > 1 and steps[-2].confidence >= steps[-1].confidence:
                upper = steps.pop()
                lower = steps.pop()
                steps.append(_Step(lower.start, lower.right + upper.right, lower.trials + upper.trials))
        return cls(tuple(step.start for step in steps), tuple(step.confidence for step in steps))

    def __call__(self, leads: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
        """The confidence of leads; 0 below the first step, where nothing was measured."""
        step = np.searchsorted(np.array(self.starts), leads, side="right")
        return np.array([0.0, *self.confidences])[step]


@dataclass(frozen=True)
class _Step:
    start: float
    right: int
    trials: int

    @property
    def confidence(self) -> float:
        return (self.right + 1) / (self.trials + 2)


def _cuts(leads: Sequence[float]) -> list[tuple[int, int]]:
    """Runs of at least `_MIN_TRIALS` sorted trials; equal leads stay together, and the rest joins the last run."""
    cuts: list[tuple[int, int]] = []
    begin = 0
    while begin < len(leads):
        end = min(begin + _MIN_TRIALS, len(leads))
        while end < len(leads) and leads[end] == leads[end - 1]:
            end += 1
        if end - begin < _MIN_TRIALS and cuts:
            begin = cuts.pop()[0]
        cuts.append((begin, end))
        begin = end
    return cuts
