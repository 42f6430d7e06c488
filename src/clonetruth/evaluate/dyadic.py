"""Pairs that share fragments: the dyadic-robust variance.

A pair belongs to two clusters, its two fragments. Two pairs are correlated when they share one. The variance of a
linearised metric is the sum of the products of influences over all such pairs of pairs (Aronow, Samii and Assenova
2015; Cameron and Miller 2014):

    V = Σ_f (Σ_{pairs with f} u)² − Σ_{fragment pairs} (Σ_{rows of it} u)²

where the second sum takes back what was counted for both fragments. Each fragment's sum is enlarged as in the jackknife
that leaves the fragment out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clonetruth.evaluate.clusters import Spread
from clonetruth.evaluate.rates import Bools, Floats, Integers


@dataclass(frozen=True)
class Dyads:
    """Which two fragments each pair is of.

    Attributes:
        left: the first fragment of each pair, numbered from 0.
        right: the second fragment.
        count: one more than the largest number.
    """

    left: Integers
    right: Integers
    count: int

    @classmethod
    def of(cls, left: Integers, right: Integers) -> Dyads:
        """From numbers of fragments, which may have gaps."""
        count = int(max(left.max(initial=-1), right.max(initial=-1))) + 1
        if count > 2 * len(left):  # more numbers than fragments: number those that occur
            codes = np.unique(np.concatenate([left, right]), return_inverse=True)[1].astype(np.int64)
            left, right = codes[: len(left)], codes[len(left) :]
            count = int(codes.max(initial=-1)) + 1
        return cls(left, right, count)

    def sums(self, values: Floats) -> Floats:
        """Sum of the values of the pairs that each fragment is in; a fragment paired with itself counts once."""
        once = values if self._different.all() else np.where(self._different, values, 0.0)
        sums = np.bincount(self.left, values, self.count) + np.bincount(self.right, once, self.count)
        return sums.astype(np.float64, copy=False)

    @cached_property
    def _different(self) -> Bools:
        return np.not_equal(self.left, self.right)

    @cached_property
    def _repeats(self) -> tuple[Integers, Integers] | None:
        """Rows in the order of their fragment pairs, and where each begins; None where no two rows are of the same."""
        keys = np.minimum(self.left, self.right) * self.count + np.maximum(self.left, self.right)
        ordered = np.sort(keys)
        if not (ordered[1:] == ordered[:-1]).any():
            return None
        order = np.argsort(keys, kind="stable")
        fresh = np.ones(len(keys), np.bool_)
        fresh[1:] = ordered[1:] != ordered[:-1]
        return order, np.flatnonzero(fresh)

    def _counted_twice(self, influence: Floats) -> float:
        """Σ over the pairs of two different fragments of (Σ of their rows' influences)²."""
        values = np.where(self._different, influence, 0.0)
        if self._repeats is not None:
            order, starts = self._repeats
            values = np.add.reduceat(values[order], starts)
        return float(values @ values)

    def spread(self, influence: Floats, stake: Floats) -> Spread | None:
        """The uncertainty of a metric.

        Args:
            influence: each pair's influence on the metric; they sum to zero.
            stake: how much each pair has to say in it.

        Returns:
            Variance and effective fragments; None where fewer than three fragments have a stake, or where one fragment
            is in every pair: nothing varies then that could be seen.
        """
        weights = self.sums(stake)
        if np.count_nonzero(weights) < 3:
            return None
        weights = weights / weights.sum()
        left = 1 - 2 * weights
        if left.min() < 1e-9:
            return None
        enlarged = self.sums(influence) / left
        shared = float(enlarged @ enlarged) - self._counted_twice(influence)
        return Spread(max(shared, float(influence @ influence)), 1 / float(weights @ weights))
