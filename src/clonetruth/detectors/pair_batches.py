"""Expands matches between distinct items into pairs of fragments, batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.finder import FOUND_PAIRS

_ROWS = 100_000
"""The approximate number of rows in a batch."""


@dataclass(frozen=True, eq=False)
class Matches:
    """Pairs with their scores, one entry per pair."""

    left: Integers
    right: Integers
    score: Floats

    def __len__(self) -> int:
        return len(self.left)

    def at_least(self, threshold: float) -> Matches:
        """The pairs whose score reaches the threshold."""
        kept = self.score >= threshold
        return Matches(self.left[kept], self.right[kept], self.score[kept])


def found_pairs(keys: Integers, ids: Integers, matches: Iterable[Matches]) -> Iterator[pa.RecordBatch]:
    """Yield the matching pairs of fragments: all pairs with equal items, and those with matching distinct items.

    Args:
        keys: the keys of the fragments.
        ids: the id of each fragment's items, -1 where it has none.
        matches: matching pairs of distinct items, by id.
    """
    pending: list[Matches] = []
    rows = 0
    for expanded in GroupMembers(ids).pairs(matches):
        pending.append(expanded)
        rows += len(expanded)
        if rows >= _ROWS:
            yield _batch(keys, pending)
            pending, rows = [], 0
    if rows:
        yield _batch(keys, pending)


def _batch(keys: Integers, pending: list[Matches]) -> pa.RecordBatch:
    one, other = (keys[np.concatenate(side)] for side in zip(*((m.left, m.right) for m in pending), strict=True))
    score = np.concatenate([matches.score for matches in pending])
    return pa.record_batch(
        [pa.array(np.minimum(one, other)), pa.array(np.maximum(one, other)), score], schema=FOUND_PAIRS
    )


class GroupMembers:
    """Groups of equal elements.

    Args:
        groups: the group of each element, -1 for an element without one.
    """

    def __init__(self, groups: Integers) -> None:
        order = np.argsort(groups, kind="stable")
        self._rows = order[np.count_nonzero(groups < 0) :]
        self._counts = np.bincount(groups[self._rows])
        self._starts = np.cumsum(self._counts) - self._counts

    def pairs(self, matches: Iterable[Matches]) -> Iterator[Matches]:
        """Yield all pairs within a group, with a score of 1, and all pairs across two matching groups.

        Args:
            matches: matching pairs of groups.
        """
        return chain(self._within_groups(), self._across_groups(matches))

    def _within_groups(self) -> Iterator[Matches]:
        # For each element, the number of elements that follow it in its group.
        ends = np.repeat(self._starts + self._counts, self._counts)
        following = ends - np.arange(len(self._rows)) - 1
        for first, last in bounded_ranges(following):
            counts = following[first:last]
            left = np.repeat(np.arange(first, last), counts)
            right = left + 1 + positions_within(counts)
            yield Matches(self._rows[left], self._rows[right], np.ones(len(left)))

    def _across_groups(self, matches: Iterable[Matches]) -> Iterator[Matches]:
        for match in matches:
            # Pair every member of the left group with the whole right group.
            sizes = self._counts[match.left]
            pair = np.repeat(np.arange(len(match)), sizes)
            one = self._rows[self._starts[match.left][pair] + positions_within(sizes)]
            others = self._counts[match.right][pair]
            for first, last in bounded_ranges(others):
                left = np.repeat(np.arange(first, last), others[first:last])
                of = pair[left]
                right = self._rows[self._starts[match.right][of] + positions_within(others[first:last])]
                yield Matches(one[left], right, match.score[of])


def bounded_ranges(counts: Integers, size: int = _ROWS) -> Iterator[tuple[int, int]]:
    """Split entries into ranges whose counts sum to at most `size`; a larger entry gets its own range."""
    ends = np.cumsum(counts)
    first = 0
    while first < len(counts):
        done = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, done + size, side="right")))
        yield first, last
        first = last


def positions_within(counts: Integers) -> Integers:
    """The concatenation of `range(count)` for each count."""
    ends = np.cumsum(counts)
    numbers: Integers = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
    return numbers
