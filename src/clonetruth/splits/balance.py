"""Assigns groups to bins, near the requested shares in every column, with the same result on every machine.

Every group adds a number to each of several columns: fragments, ends of clone pairs, ends of non-clone pairs, and
fragments of each functionality. With S the sum of a column over a bin, T over all groups, and r the bin's share, the
objective is

    Σ over columns, weight × Σ over bins, (S / (r T) − 1)²

so that a small bin may miss its share by as many per cent as a large one, and not by as many fragments. Pairs count
by their ends: where pairs stay within groups, the share of ends is the share of pairs; where they go across groups, a
part with a share r of the ends has r² of the pairs, whichever groups it gets.

Groups come in the order of their hash, and each goes where it lowers the objective most. Then single moves and swaps of
two groups, the best one first, improve the result until bins miss their shares by no more than `TOLERANCE` (root mean
square), or until no move or swap helps. The largest groups are not placed first and the optimum is not searched for:
few groups have only one optimum, and every seed would give the same split. All arithmetic is on integers, so that the
order of summation does not matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

_UNIT = 1 << 20  # a whole column; with ratios up to 128 and 64 columns, sums of squares stay below 2⁶³
MAX_COLUMNS = 60
TOLERANCE = 0.1
"""How far bins may be from their shares, relative to them, before the result is improved further."""

_MAX_SWAPPED_GROUPS = 800
"""Swaps are tried up to this number of groups, since every pair of groups is a candidate."""
_MAX_MULTIPLICATIONS = 400_000_000
"""How many multiplications the improvement may take."""


@dataclass(frozen=True, eq=False)
class Features:
    """What groups add to the columns, in the order of their hash.

    Attributes:
        amounts: for each group, bin and column, what the group adds to the bin; the second axis has length 1 where it
            is the same for every bin.
        weights: how much each column counts.
    """

    amounts: Integers
    weights: npt.NDArray[np.float64]


def balanced(features: Features, shares: tuple[int, ...]) -> Integers:
    """Assign a bin to each group. No bin is empty.

    Args:
        features: what the groups add; there are at least as many groups as bins.
        shares: the relative sizes of the bins.
    """
    targets = _targets(features, shares)
    state = _State.start(_scaled(features, shares), targets)
    state.fill()
    state.improve(target=int(TOLERANCE**2 * len(shares) * int((targets * targets).sum())))
    return state.bins


def _scaled(features: Features, shares: tuple[int, ...]) -> Integers:
    """What each group adds to a bin, relative to the bin's share, in integers."""
    amounts = features.amounts
    whole = np.maximum(amounts.sum(axis=(0, 1), dtype=np.int64), 1)
    unit = _UNIT * np.sqrt(features.weights) / whole
    scaled = np.rint(amounts * unit).astype(np.int64)
    multiple = math.lcm(*shares)
    factors = np.array([multiple // share for share in shares], dtype=np.int64)
    stretched: Integers = scaled * factors[None, :, None]
    return stretched


def _targets(features: Features, shares: tuple[int, ...]) -> Integers:
    targets: Integers = np.rint(_UNIT * np.sqrt(features.weights) * math.lcm(*shares) / sum(shares)).astype(np.int64)
    return targets


@dataclass(eq=False)
class _State:
    """An assignment, and how far the bins are from their targets.

    Args:
        steps: for each group, bin and column, what the group adds to the bin.
        residual: for each bin and column, how far it is above its target.
        bins: the bin of each group; -1 while it has none.
    """

    steps: Integers
    residual: Integers
    bins: Integers

    @cached_property
    def _squares(self) -> Integers:
        squares: Integers = (self.steps * self.steps).sum(axis=2)
        return squares

    @classmethod
    def start(cls, steps: Integers, targets: Integers) -> _State:
        groups, count, _ = steps.shape
        return cls(steps, np.repeat(-targets[None, :], count, axis=0), np.full(groups, -1, dtype=np.int64))

    def fill(self) -> None:
        """Put each group, in order, where it lowers the objective most; the last groups go into empty bins."""
        groups, count, _ = self.steps.shape
        empty = set(range(count))
        for group, step in enumerate(self.steps):
            cost = (step * (2 * self.residual + step)).sum(axis=1)
            open_bins = sorted(empty) if groups - group <= len(empty) else range(count)
            chosen = min(open_bins, key=lambda at: (int(cost[at]), at))
            empty.discard(chosen)
            self._put(group, chosen)

    def improve(self, target: int) -> None:
        """Move and swap groups while the objective is above the target and that lowers it."""
        groups = len(self.bins)
        products = self._products() if groups <= _MAX_SWAPPED_GROUPS else None
        scan = self.steps.size + (groups * groups if products is not None else 0)
        for _ in range(max(1, min(4 * groups, _MAX_MULTIPLICATIONS // max(scan, 1)))):
            if int((self.residual * self.residual).sum()) <= target:
                return
            gains = self._move_gains()
            if not self._best_move(gains) and (products is None or not self._best_swap(gains, products)):
                return

    def _products(self) -> list[Integers]:
        return [self.steps[:, at] @ self.steps[:, at].T for at in range(self.steps.shape[1])]

    def _move_gains(self) -> Integers:
        """For each group and bin, the change of the objective if the group moves there."""
        rows = np.arange(len(self.bins))
        toward = 2 * (self.steps * self.residual[None]).sum(axis=2)
        leave = self._squares[rows, self.bins] - toward[rows, self.bins]
        gains: Integers = toward + self._squares + leave[:, None]
        gains[rows, self.bins] = 0
        return gains

    def _best_move(self, gains: Integers) -> bool:
        lonely = np.bincount(self.bins, minlength=self.steps.shape[1])[self.bins] == 1
        open_gains = np.where(lonely[:, None], 0, gains)
        group, to = np.unravel_index(int(np.argmin(open_gains)), gains.shape)
        if open_gains[group, to] >= 0:
            return False
        self._put(int(group), int(to))
        return True

    def _best_swap(self, gains: Integers, products: list[Integers]) -> bool:
        best, pair = 0, None
        for one in range(len(products)):
            ours = np.flatnonzero(self.bins == one)
            for other in range(one + 1, len(products)):
                theirs = np.flatnonzero(self.bins == other)
                shared = products[one][np.ix_(ours, theirs)] + products[other][np.ix_(ours, theirs)]
                change = gains[ours, other][:, None] + gains[theirs, one][None, :] - 2 * shared
                at = np.unravel_index(int(np.argmin(change)), change.shape)
                if change[at] < best:
                    best, pair = int(change[at]), (int(ours[at[0]]), int(theirs[at[1]]))
        if pair is None:
            return False
        first, second = pair
        to_second, to_first = int(self.bins[second]), int(self.bins[first])
        self._put(first, to_second)
        self._put(second, to_first)
        return True

    def _put(self, group: int, to: int) -> None:
        at = int(self.bins[group])
        if at >= 0:
            self.residual[at] -= self.steps[group, at]
        self.residual[to] += self.steps[group, to]
        self.bins[group] = to
