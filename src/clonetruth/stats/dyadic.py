"""Pairs that share fragments: the dyadic-robust variance.

A pair belongs to two clusters, its two fragments. Two pairs are correlated if they share one. The variance of a
linearised metric is the sum of the products of influences over all such pairs of pairs (Aronow, Samii and Assenova
2015; Cameron and Miller 2014):

    V = Σ_f (Σ_{pairs with f} u)² − Σ_{fragment pairs} (Σ_{rows of it} u)²

where the second sum subtracts what was counted for both fragments. Each fragment's sum is scaled as in the jackknife
that leaves the fragment out.

The same holds for functionalities if pairs cross them: a pair then belongs to two, or twice to one.

With few functionalities, an interval for others cannot be had, but one for these functionalities can: only fragments
are then random, so influences are taken as deviations from the mean of the functionality (`DyadsWithin`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clonetruth.stats.clusters import LEAST_CLUSTERS, Spread, effective_clusters, independent_variance
from clonetruth.stats.influence import Influence, KindInfluence, PairInfluence
from clonetruth.stats.rates import Bools, Floats, Integers, Kinds, counts_by


@dataclass(frozen=True)
class Dyads:
    """The two fragments of each pair.

    Attributes:
        left: the first fragment of each pair, numbered from 0.
        right: the second fragment.
        kinds: the kind of each pair (`rates.cells`).
        count: one more than the largest number.
        kind_count: number of kinds.
    """

    left: Integers
    right: Integers
    kinds: Kinds
    count: int
    kind_count: int = 4

    @classmethod
    def of(cls, left: Integers, right: Integers, kinds: Kinds, kind_count: int = 4) -> Dyads:
        """From fragment numbers, which may have gaps."""
        count = int(max(left.max(initial=-1), right.max(initial=-1))) + 1
        if count > 2 * len(left):  # more numbers than fragments: number those that occur
            codes = np.unique(np.concatenate([left, right]), return_inverse=True)[1].astype(np.int64)
            left, right = codes[: len(left)], codes[len(left) :]
            count = int(codes.max(initial=-1)) + 1
        return cls(left, right, kinds, count, kind_count)

    @cached_property
    def counts(self) -> Floats:
        """Counts of each kind among the pairs of each fragment; a pair of a fragment with itself counts once."""
        right, kinds = self.right[self._distinct], self.kinds[self._distinct]
        first = counts_by(self.left, self.kinds, self.count, self.kind_count)
        return first + counts_by(right, kinds, self.count, self.kind_count)

    def sums(self, influence: Influence) -> Floats:
        """The sum of the influences of each fragment's pairs."""
        if isinstance(influence, KindInfluence):
            return self.counts @ influence.values
        second = np.where(self._distinct, influence.values, 0.0)
        sums = np.bincount(self.left, influence.values, self.count) + np.bincount(self.right, second, self.count)
        return sums.astype(np.float64, copy=False)

    def spread(self, influence: Influence, stake: Floats) -> Spread | None:
        """The uncertainty of a metric.

        Args:
            influence: influence of the pairs on the metric.
            stake: weight of a pair of each kind in the metric.

        Returns:
            Variance and effective fragments; None for fewer than `LEAST_CLUSTERS` effective fragments, or if one
            fragment is in every pair, so that no variation can be observed.
        """
        weights = self.counts @ stake
        if effective_clusters(weights) < LEAST_CLUSTERS - 1e-9:
            return None
        without = 1 - weights / (self._totals @ stake)
        if without.min() < 1e-9:
            return None
        sums, sizes = self.sums(influence), self.counts.sum(axis=1)
        # A pair of a fragment with itself counts once, so the sums need not add up to zero; their common part is not
        # spread.
        enlarged = (sums - sizes / sizes.sum() * sums.sum()) / without
        shared = float(enlarged @ enlarged) - self.counted_twice(influence)
        alone = independent_variance(influence, self._totals)
        return Spread(max(shared, alone), effective_clusters(weights))

    def effective(self, stake: Floats) -> float:
        """The number of effective fragments for a metric in which pairs of each kind have a stake."""
        return effective_clusters(self.counts @ stake)

    @cached_property
    def _distinct(self) -> Bools:
        return np.not_equal(self.left, self.right)

    @cached_property
    def _totals(self) -> Floats:
        """Number of pairs of each kind."""
        return np.bincount(self.kinds, minlength=self.kind_count).astype(np.float64)

    @cached_property
    def _distinct_totals(self) -> Floats:
        """Number of pairs of each kind whose fragments differ."""
        return np.bincount(self.kinds[self._distinct], minlength=self.kind_count).astype(np.float64)

    @cached_property
    def _repeated(self) -> tuple[Integers, Integers]:
        """The rows whose two fragments occur in another row, grouped, and the start of each group."""
        rows = np.flatnonzero(self._distinct)
        left, right = self.left[rows], self.right[rows]
        keys = np.minimum(left, right) * self.count + np.maximum(left, right)
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        like_last = np.zeros(len(keys) + 1, np.bool_)
        like_last[1:-1] = ordered[1:] == ordered[:-1]
        repeated = like_last[:-1] | like_last[1:]
        return rows[order[repeated]], np.flatnonzero(~like_last[:-1][repeated])

    def counted_twice(self, influence: Influence) -> float:
        """Σ over pairs of two different fragments of (Σ of their rows' influences)²."""
        rows, starts = self._repeated
        if isinstance(influence, KindInfluence):
            alone, again = float(self._distinct_totals @ influence.values**2), influence.values[self.kinds[rows]]
        else:
            alone, again = float((influence.values[self._distinct] ** 2).sum()), influence.values[rows]
        if not len(rows):
            return alone
        together = np.add.reduceat(again, starts)
        return alone - float(again @ again) + float(together @ together)


@dataclass(frozen=True)
class DyadsWithin:
    """The two fragments of each pair, where the functionalities of the fragments are given and not drawn.

    A pair's influence is compared with the mean of the pairs whose fragments have the same two functionalities.

    Attributes:
        dyads: the fragments of each pair.
        groups: the functionality of each fragment, numbered from 0.
    """

    dyads: Dyads
    groups: Integers

    def spread(self, influence: Influence, stake: Floats) -> Spread | None:
        """The uncertainty of a metric for these functionalities, as in `Dyads.spread`.

        None for fewer than `LEAST_CLUSTERS` effective fragments in each effective functionality.
        """
        weights = self.dyads.counts @ stake
        fragments, groups = effective_clusters(weights), effective_clusters(np.bincount(self.groups, weights))
        if not groups or fragments / groups < LEAST_CLUSTERS - 1e-9:
            return None
        values = influence.values[self.dyads.kinds] if isinstance(influence, KindInfluence) else influence.values
        means = np.bincount(self._cells, values) / np.maximum(self._cell_sizes, 1)
        centred = PairInfluence(values - means[self._cells])
        # What is left of the pairs of a fragment's functionality without the fragment.
        share = weights / np.maximum(self._group_pairs.counts @ stake, np.finfo(float).tiny)[self.groups]
        enlarged = self.dyads.sums(centred) / np.maximum(1 - share, 1 / 3)
        shared = float(enlarged @ enlarged) - self.dyads.counted_twice(centred)
        # Every functionality takes a degree of freedom.
        return Spread(max(shared, float(values @ values)), fragments - groups + 1)

    def effective(self, stake: Floats) -> float:
        """The number of effective fragments, as in `Dyads.effective`."""
        return self.dyads.effective(stake)

    @cached_property
    def _cells(self) -> Integers:
        """The two functionalities of each pair, as one number."""
        left, right = self.groups[self.dyads.left], self.groups[self.dyads.right]
        keys = np.minimum(left, right) * (int(self.groups.max(initial=0)) + 1) + np.maximum(left, right)
        if keys.max(initial=0) < 2 * len(keys):
            return keys
        return np.unique(keys, return_inverse=True)[1].astype(np.int64)

    @cached_property
    def _cell_sizes(self) -> Integers:
        return np.bincount(self._cells)

    @cached_property
    def _group_pairs(self) -> Dyads:
        """The two functionalities of each pair."""
        left, right = self.groups[self.dyads.left], self.groups[self.dyads.right]
        count = int(self.groups.max(initial=-1)) + 1
        return Dyads(left, right, self.dyads.kinds, count, self.dyads.kind_count)
