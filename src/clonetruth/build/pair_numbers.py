"""Pairs by number: all pairs within groups, and all pairs across them, without listing them.

Members stand in a row, group after group: `starts` says where a group begins, `sizes` how many it has.
"""

from __future__ import annotations

import numpy as np

from clonetruth.build.draws import Integers


def count_within(sizes: Integers) -> int:
    """The pairs of two members of one group."""
    return int((sizes * (sizes - 1) // 2).sum())


def count_across(sizes: Integers) -> int:
    """The pairs of members of different groups."""
    return (int(sizes.sum()) ** 2 - int((sizes * sizes).sum())) // 2


def unrank_within(numbers: Integers, starts: Integers, sizes: Integers) -> tuple[Integers, Integers, Integers]:
    """The places of the two sides of each numbered pair, and its group."""
    ends = np.cumsum(sizes * (sizes - 1) // 2)
    group = np.searchsorted(ends, numbers, side="right")
    rest = numbers - np.concatenate([[0], ends])[group]
    # The pairs of a group are numbered by the later side: 0 is (0, 1), then (0, 2), (1, 2), (0, 3) …
    later = ((1 + np.sqrt(1 + 8 * rest.astype(np.float64))) / 2).astype(np.int64)
    # The root of a large number may be one off.
    later -= later * (later - 1) // 2 > rest
    later += later * (later + 1) // 2 <= rest
    earlier = rest - later * (later - 1) // 2
    return starts[group] + earlier, starts[group] + later, group


def unrank_across(numbers: Integers, starts: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """The places of the two sides of each numbered pair: a member, and one of a later group."""
    behind = starts + sizes
    width = int(sizes.sum()) - behind
    ends = np.cumsum(sizes * width)
    group = np.searchsorted(ends, numbers, side="right")
    rest = numbers - np.concatenate([[0], ends])[group]
    return starts[group] + rest // width[group], behind[group] + rest % width[group]
