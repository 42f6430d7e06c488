"""Predictions that met verdicts, as columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clonetruth.errors import InputError
from clonetruth.stats.rates import Bools, Floats, Integers


@dataclass(frozen=True)
class Outcomes:
    """Predictions that met verdicts, one entry a pair. Pairs without a verdict are not among them.

    Attributes:
        predicted: whether the detector calls the pair a clone.
        truth: whether the verdict does.
        score: the detector's score; None where it gives none.
        cluster: the pair's functionality as a number; -1 where it has none. None: not known for any pair.
        left: the first fragment as a number. None: fragments are not known.
        right: the second fragment as a number, counted with those of `left`.

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
            raise ValueError("a pair has two fragments or none: left and right go together")
        if self.score is not None and np.isnan(self.score).any():
            row = int(np.flatnonzero(np.isnan(self.score))[0])
            raise InputError("A score is no number (NaN).", where=f"pair {row}", hint="Give every pair a score.")

    def __len__(self) -> int:
        return len(self.predicted)

    def select(self, rows: Bools | Integers) -> Outcomes:
        """Some of the pairs: a stratum's."""
        return Outcomes(
            self.predicted[rows],
            self.truth[rows],
            None if self.score is None else self.score[rows],
            None if self.cluster is None else self.cluster[rows],
            None if self.left is None else self.left[rows],
            None if self.right is None else self.right[rows],
        )

    def fragment_functionalities(self) -> Integers | None:
        """The functionality of each fragment, by its number: that of its clones, else of its other pairs; -1 for none.

        None where functionalities or fragments are not known.
        """
        if self.cluster is None or self.left is None or self.right is None:
            return None
        found = np.full(int(max(self.left.max(initial=-1), self.right.max(initial=-1))) + 1, -1)
        known = self.cluster >= 0
        for rows in (known, known & self.truth):
            for side in (self.left, self.right):
                found[side[rows]] = self.cluster[rows]
        return found
