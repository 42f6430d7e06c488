"""Lists of different lengths, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clonetruth.training.trainer import Integers


@dataclass(frozen=True, eq=False)
class Ragged:
    """Lists of integers of different lengths, one after the other.

    Attributes:
        values: all integers.
        starts: where each list begins, and the end.
    """

    values: Integers
    starts: Integers

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]]) -> Ragged:
        """From lists."""
        lengths = np.array([len(one) for one in lists], dtype=np.int64)
        values = np.array([value for one in lists for value in one], dtype=np.int64)
        return cls(values, np.concatenate([[0], lengths.cumsum()]).astype(np.int64))

    @property
    def lengths(self) -> Integers:
        """The length of each list."""
        return np.diff(self.starts)

    def take(self, rows: Integers) -> Ragged:
        """Some of the lists."""
        lengths = self.lengths[rows]
        starts = np.concatenate([[0], lengths.cumsum()]).astype(np.int64)
        shift = np.repeat(self.starts[rows] - starts[:-1], lengths)
        return Ragged(self.values[np.arange(starts[-1]) + shift], starts)

    def renumbered(self) -> tuple[Integers, Ragged]:
        """The distinct values, and the lists with positions among them."""
        distinct, positions = np.unique(self.values, return_inverse=True)
        return distinct, Ragged(positions.astype(np.int64), self.starts)

    def by_step(self) -> tuple[Integers, Integers]:
        """The positions of all first values, then of all second ones, and so on; and how many lists have each.

        In every step the longest lists come first, as a recurrent network reads sequences of different lengths.
        """
        lengths = self.lengths
        owner = np.repeat(np.arange(len(lengths)), lengths)
        step = np.arange(len(self.values)) - self.starts[owner]
        return np.lexsort([owner, -lengths[owner], step]), np.bincount(step)
