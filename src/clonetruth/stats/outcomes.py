"""Predictions matched with verdicts, as columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clonetruth.errors import InputError
from clonetruth.stats.rates import Bools, Floats, Integers


@dataclass(frozen=True)
class Outcomes:
    """Predictions matched with verdicts, one entry per pair. Pairs without a verdict are not included.

    Attributes:
        predicted: whether the detector calls the pair a clone.
        truth: whether the verdict is clone.
        score: the detector's score; None if it gives none.
        cluster: the pair's functionality as a number, -1 for none; None if functionalities are unknown.
        left: the first fragment as a number; None if fragments are unknown.
        right: the second fragment as a number, from the same numbering.

    Raises:
        InputError: a score is NaN.
    """

    predicted: Bools
    truth: Bools
    score: Floats | None = None
    cluster: Integers | None = None
    left: Integers | None = None
    right: Integers | None = None

    def __post_init__(self) -> None:
        for name in ("truth", "score", "cluster", "left", "right"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.predicted):
                raise ValueError(f"{len(self.predicted)} predictions, and {len(column)} values of {name}")
        if (self.left is None) != (self.right is None):
            raise ValueError("left and right must be given together")
        if self.score is not None and np.isnan(self.score).any():
            row = int(np.flatnonzero(np.isnan(self.score))[0])
            raise InputError("A score is not a number (NaN).", where=f"pair {row}", hint="Give every pair a score.")

    def __len__(self) -> int:
        return len(self.predicted)

    def select(self, rows: Bools | Integers) -> Outcomes:
        """A subset of the pairs, such as a stratum."""
        return Outcomes(
            self.predicted[rows],
            self.truth[rows],
            None if self.score is None else self.score[rows],
            None if self.cluster is None else self.cluster[rows],
            None if self.left is None else self.left[rows],
            None if self.right is None else self.right[rows],
        )

    def fragment_functionalities(self) -> Integers | None:
        """The functionality of each fragment: that of its clones, otherwise of its other pairs; -1 for none.

        None if functionalities or fragments are unknown.
        """
        if self.cluster is None or self.left is None or self.right is None:
            return None
        found = np.full(int(max(self.left.max(initial=-1), self.right.max(initial=-1))) + 1, -1)
        known = self.cluster >= 0
        for rows in (known, known & self.truth):
            for side in (self.left, self.right):
                found[side[rows]] = self.cluster[rows]
        return found
