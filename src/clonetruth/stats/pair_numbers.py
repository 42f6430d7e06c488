"""Pairs by number: all pairs within groups and all pairs across groups, drawn without listing them.

The members are ordered by group: `starts` gives the first member of each group, `sizes` its number of members.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clonetruth.stats.rates import Integers

# Draws without replacement from a range too large to list: a keyed permutation, so that a larger draw contains a
# smaller one. A Feistel network mixes the bits of a number; results outside the range go through it again until they
# are inside. It is a permutation, so no number comes twice, and only the requested ones are computed.

_Words = npt.NDArray[np.uint64]

_ROUNDS = 6


def draw(total: int, count: int, seed: int) -> Integers:
    """`count` different numbers below `total` (all of them if there are fewer), determined by the seed."""
    if total <= 0:
        return np.empty(0, np.int64)
    half = max((total - 1).bit_length() + 1, 2) // 2
    numbers = np.arange(min(count, total), dtype=np.uint64)
    numbers = _mixed(numbers, half, seed)
    while (outside := numbers >= np.uint64(total)).any():
        numbers[outside] = _mixed(numbers[outside], half, seed)
    return numbers.astype(np.int64)


def _mixed(numbers: _Words, half: int, seed: int) -> _Words:
    bits, mask = np.uint64(half), np.uint64((1 << half) - 1)
    left, right = numbers >> bits, numbers & mask
    for number in range(_ROUNDS):
        left, right = right, left ^ (_hashed(right, (seed << 8) + number) & mask)
    return (left << bits) | right


def _hashed(numbers: _Words, key: int) -> _Words:
    """SplitMix64's finaliser (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        mixed = numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64((key * 0xD1342543DE82EF95) % 2**64)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))


def count_within(sizes: Integers) -> int:
    """The number of pairs within groups."""
    return int((sizes * (sizes - 1) // 2).sum())


def count_across(sizes: Integers) -> int:
    """The number of pairs across groups."""
    return (int(sizes.sum()) ** 2 - int((sizes * sizes).sum())) // 2


def unrank_within(numbers: Integers, starts: Integers, sizes: Integers) -> tuple[Integers, Integers, Integers]:
    """The positions of the two sides of each numbered pair, and its group."""
    ends = np.cumsum(sizes * (sizes - 1) // 2)
    group = np.searchsorted(ends, numbers, side="right")
    rest = numbers - np.concatenate([[0], ends])[group]
    # The pairs of a group are numbered by the later side: 0 is (0, 1), then (0, 2), (1, 2), (0, 3) …
    later = ((1 + np.sqrt(1 + 8 * rest.astype(np.float64))) / 2).astype(np.int64)
    # The root of a large number may be off by one.
    later -= later * (later - 1) // 2 > rest
    later += later * (later + 1) // 2 <= rest
    earlier = rest - later * (later - 1) // 2
    return starts[group] + earlier, starts[group] + later, group


def unrank_across(numbers: Integers, starts: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """The positions of the two sides of each numbered pair: a member, and a member of a later group."""
    behind = starts + sizes
    width = int(sizes.sum()) - behind
    ends = np.cumsum(sizes * width)
    group = np.searchsorted(ends, numbers, side="right")
    rest = numbers - np.concatenate([[0], ends])[group]
    return starts[group] + rest // width[group], behind[group] + rest % width[group]
