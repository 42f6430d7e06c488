"""From matching readings to found pairs of fragments, batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.finder import FOUND

_ROWS = 100_000
"""Rows of a batch, about."""


@dataclass(frozen=True, eq=False)
class Matches:
    """Pairs with their scores, one entry a pair."""

    left: Integers
    right: Integers
    score: Floats

    def __len__(self) -> int:
        return len(self.left)

    def at_least(self, threshold: float) -> Matches:
        """Those with such a score or more."""
        good = self.score >= threshold
        return Matches(self.left[good], self.right[good], self.score[good])


def found_pairs(keys: Integers, which: Integers, matches: Iterable[Matches]) -> Iterator[pa.RecordBatch]:
    """The pairs of fragments, where equal readings match and some different ones do.

    Args:
        keys: the keys of the fragments.
        which: the reading of each fragment, -1 where it has none.
        matches: pairs of different readings that match.
    """
    waiting: list[Matches] = []
    rows = 0
    for found in Members(which).pairs(matches):
        waiting.append(found)
        rows += len(found)
        if rows >= _ROWS:
            yield _batch(keys, waiting)
            waiting, rows = [], 0
    if rows:
        yield _batch(keys, waiting)


def _batch(keys: Integers, found: list[Matches]) -> pa.RecordBatch:
    one, other = (keys[np.concatenate(side)] for side in zip(*((m.left, m.right) for m in found), strict=True))
    score = np.concatenate([matches.score for matches in found])
    return pa.record_batch([pa.array(np.minimum(one, other)), pa.array(np.maximum(one, other)), score], schema=FOUND)


class Members:
    """Groups of things that are equal in some way.

    Args:
        which: the number of the group of each thing, -1 for one that is in none.
    """

    def __init__(self, which: Integers) -> None:
        order = np.argsort(which, kind="stable")
        self._rows = order[np.count_nonzero(which < 0) :]
        self._counts = np.bincount(which[self._rows])
        self._starts = np.cumsum(self._counts) - self._counts

    def pairs(self, matches: Iterable[Matches]) -> Iterator[Matches]:
        """The pairs of things in one group, with a score of 1, and those in two groups that match.

        Args:
            matches: pairs of groups.
        """
        return chain(self._equal(), self._spread(matches))

    def _equal(self) -> Iterator[Matches]:
        # How many of the same group come behind each.
        ends = np.repeat(self._starts + self._counts, self._counts)
        behind = ends - np.arange(len(self._rows)) - 1
        for first, last in portions(behind):
            counts = behind[first:last]
            left = np.repeat(np.arange(first, last), counts)
            right = left + 1 + counted(counts)
            yield Matches(self._rows[left], self._rows[right], np.ones(len(left)))

    def _spread(self, matches: Iterable[Matches]) -> Iterator[Matches]:
        for match in matches:
            # Every member of the left group, with the whole right group.
            sizes = self._counts[match.left]
            pair = np.repeat(np.arange(len(match)), sizes)
            one = self._rows[self._starts[match.left][pair] + counted(sizes)]
            others = self._counts[match.right][pair]
            for first, last in portions(others):
                left = np.repeat(np.arange(first, last), others[first:last])
                of = pair[left]
                right = self._rows[self._starts[match.right][of] + counted(others[first:last])]
                yield Matches(one[left], right, match.score[of])


def portions(counts: Integers, size: int = _ROWS) -> Iterator[tuple[int, int]]:
    """Ranges of entries that sum up to such a size or less; an entry that is larger is alone."""
    ends = np.cumsum(counts)
    first = 0
    while first < len(counts):
        done = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, done + size, side="right")))
        yield first, last
        first = last


def counted(counts: Integers) -> Integers:
    """0 to count - 1 for each count, end to end."""
    ends = np.cumsum(counts)
    numbers: Integers = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
    return numbers
