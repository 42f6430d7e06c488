"""Draws which groups go into which bin: at random, within balance limits, with the same result on every machine.

How many groups a bin gets follows the shares; which ones is drawn. A draw is accepted if every bin's share of the
fragments is within the tolerance of the requested share r:

    |S / (r T) − 1| ≤ tolerance

with S the fragments of the bin and T those of all groups. Where none of many draws is accepted, the best of a few is
taken, and the split carries a warning: the best of all would be the same for every seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from clonetruth.splits.balance import Integers

_MAX_DRAWS = 2_000
_MAX_DRAWN_GROUPS = 2_000_000
"""How many draws are tried, and how many groups they may have altogether."""
_FALLBACK_DRAWS = 20
"""Where no draw is accepted, the best of this many is taken."""


@dataclass(frozen=True, eq=False)
class Draw:
    """An assignment of groups to bins.

    Attributes:
        bins: the bin of each group.
        deviation: the largest relative distance of a bin's share of fragments from the requested one.
    """

    bins: Integers
    deviation: float


def draw(
    labels: Sequence[str], sizes: Integers, counts: Sequence[int], shares: Sequence[float], tolerance: float, seed: str
) -> Draw:
    """Draw the bin of each group.

    Args:
        labels: the groups; the draw depends on their names, and not on their order.
        sizes: number of fragments of each group.
        counts: number of groups of each bin.
        shares: the share of the fragments that each bin should have.
        tolerance: the largest deviation of a draw that is accepted.
        seed: any text; another one gives another draw.

    Returns:
        The first draw that is accepted, or the best of a few where none is.
    """
    bins = np.repeat(np.arange(len(counts)), counts)
    wanted = np.array(shares) * max(int(sizes.sum()), 1)
    drawn: list[Draw] = []
    for order in _orders(labels, seed):
        chosen = np.empty(len(bins), dtype=np.int64)
        chosen[order] = bins
        held = np.bincount(chosen, weights=sizes, minlength=len(counts))
        drawn.append(Draw(chosen, float(np.abs(held / wanted - 1).max())))
        if drawn[-1].deviation <= tolerance:
            return drawn[-1]
    return min(drawn[:_FALLBACK_DRAWS], key=lambda one: one.deviation)


def group_counts(groups: int, shares: Sequence[int]) -> list[int]:
    """How many groups each bin gets: by the shares (Webster's apportionment, ties for the smaller bin), at least one.

    >>> group_counts(20, (3, 1, 1)), group_counts(8, (3, 1, 1)), group_counts(8, (1, 1, 1, 1, 1))
    ([12, 4, 4], [4, 2, 2], [2, 2, 2, 1, 1])
    """
    counts = [max(groups * share // sum(shares) - 1, 1) for share in shares]

    def claim(at: int) -> tuple[Fraction, int, int]:
        return Fraction(shares[at], 2 * counts[at] + 1), -shares[at], -at

    for _ in range(groups - sum(counts)):
        counts[max(range(len(shares)), key=claim)] += 1
    return counts


def _orders(labels: Sequence[str], seed: str) -> Iterator[Integers]:
    """Random orders of the labels, made of hashes: number generators may change from version to version."""
    digests = [hashlib.md5(f"{label} {seed}".encode(), usedforsecurity=False).digest() for label in labels]
    keys = np.frombuffer(b"".join(digest[:8] for digest in digests), dtype="<u8").astype(np.uint64)
    by_name = np.array(sorted(range(len(labels)), key=labels.__getitem__), dtype=np.int64)
    count = min(_MAX_DRAWS, max(_FALLBACK_DRAWS, _MAX_DRAWN_GROUPS // max(len(labels), 1)))
    for number in range(count):
        yield by_name[np.argsort(_mixed(keys[by_name], number), kind="stable")]


def _mixed(keys: npt.NDArray[np.uint64], number: int) -> npt.NDArray[np.uint64]:
    """SplitMix64's finaliser, on keys that are shifted by the number of the draw."""
    mixed = keys + np.uint64(number * 0x9E3779B97F4A7C15 % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
