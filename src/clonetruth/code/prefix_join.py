"""The join of sets by overlap: a prefix index, bitmaps, and an exact count of the remaining pairs.

`overlap.py` explains the bounds, and why no pair is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from clonetruth.code.overlap import Bags, Integers

_WORDS = 8  # machine words of a bitmap
_PROGRESS_INTERVAL = 1000  # sets between two progress calls
_LOOKUPS = 1_000_000  # index entries looked up at a time: bounds memory


@dataclass(frozen=True, eq=False)
class SortedSets:
    """Distinct sets in order of size.

    Args:
        elements: their elements, from rare to common, concatenated.
        offsets: the first position of each set, followed by the number of all elements.
        sizes: the number of elements of each set.
    """

    elements: npt.NDArray[np.int32]
    offsets: Integers
    sizes: Integers

    @classmethod
    def of(cls, elements: npt.NDArray[np.int32], bags: Bags, rows: Integers) -> SortedSets:
        """Return the sets of some bags, in the order of `rows`; `elements` are those of all bags."""
        sizes = bags.sizes[rows]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        return cls(elements[ranges(bags.offsets[rows], sizes)], offsets, sizes)

    def join(
        self, required: Integers, progress: Callable[[int, int], None]
    ) -> tuple[list[Integers], list[Integers], list[Integers]]:
        """Return the pairs of sets that overlap enough: positions of the larger and the smaller set, and overlaps.

        Args:
            required: the required overlap of each set with one that is not larger.
            progress: called with the number of sets done since the last call, and the number of all sets.
        """
        lefts: list[Integers] = []
        rights: list[Integers] = []
        overlaps: list[Integers] = []
        count = len(self.sizes)
        if not count:
            return lefts, rights, overlaps
        # For each row, the first row that is large enough to match it; rows before a row are not larger than it.
        least = np.searchsorted(self.sizes, required)
        index = _PrefixIndex.of(self, required, least)
        bitmaps = self._bitmaps()
        marked = np.zeros(int(self.elements.max()) + 1, dtype=bool)
        for first, last in index.blocks():
            rows, others = index.candidates(first, last)
            apart = np.bitwise_count(bitmaps[others] ^ bitmaps[rows]).sum(axis=1, dtype=np.int64)
            close = self.sizes[rows] + self.sizes[others] - apart >= 2 * required[rows]
            rows, others = rows[close], others[close]
            starts = np.flatnonzero(np.diff(rows, prepend=-1))
            for row, near in zip(rows[starts].tolist(), np.split(others, starts[1:]), strict=False):
                own = self.elements[self.offsets[row] : self.offsets[row + 1]]
                marked[own] = True
                sizes = self.sizes[near]
                shared = np.add.reduceat(
                    marked[self.elements[ranges(self.offsets[near], sizes)]], np.cumsum(sizes) - sizes, dtype=np.int64
                )
                marked[own] = False
                good = shared >= required[row]
                lefts.append(np.full(np.count_nonzero(good), row))
                rights.append(near[good])
                overlaps.append(shared[good])
            if last % _PROGRESS_INTERVAL == 0:
                progress(_PROGRESS_INTERVAL, count)
        return lefts, rights, overlaps

    def _bitmaps(self) -> npt.NDArray[np.uint64]:
        bits = _WORDS.bit_length() - 1 + 6
        hashed = (self.elements.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits)
        bit = np.uint64(1) << (hashed & np.uint64(63))
        word = hashed >> np.uint64(6)
        columns = [
            np.bitwise_xor.reduceat(np.where(word == number, bit, np.uint64(0)), self.offsets[:-1])
            for number in range(_WORDS)
        ]
        return np.stack(columns, axis=1)


@dataclass(frozen=True, eq=False)
class _PrefixIndex:
    """For each element, the rows that have it in their prefix; for each row, its range in those lists."""

    postings: npt.NDArray[np.int32]
    begins: Integers
    counts: Integers
    offsets: Integers

    @classmethod
    def of(cls, sets: SortedSets, required: Integers, least: Integers) -> _PrefixIndex:
        lengths = sets.sizes - required + 1
        element = sets.elements[ranges(sets.offsets[:-1], lengths)].astype(np.int64)
        row = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        order = np.argsort(element, kind="stable")  # rows of one element stay in order of size
        own = np.empty(len(element), np.int64)
        own[order] = np.arange(len(element))
        keys = element[order] << 32 | row[order]
        begins = np.searchsorted(keys, element << 32 | least[row])
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        return cls(row[order].astype(np.int32), begins, own - begins, offsets)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Ranges of rows to look up at a time: small enough for memory, and ending at each progress call."""
        looked_up = np.append(0, np.cumsum(self.counts))[self.offsets]
        first, count = 0, len(self.offsets) - 1
        while first < count:
            fits = int(np.searchsorted(looked_up, looked_up[first] + _LOOKUPS, side="right")) - 1
            last = min(max(fits, first + 1), (first // _PROGRESS_INTERVAL + 1) * _PROGRESS_INTERVAL, count)
            yield first, last
            first = last

    def candidates(self, first: int, last: int) -> tuple[Integers, Integers]:
        """The rows of a range, each with the rows before it that are large enough and share a prefix element."""
        part = slice(self.offsets[first], self.offsets[last])
        counts = self.counts[part]
        row = np.repeat(np.arange(first, last), np.diff(self.offsets[first : last + 1]))
        other = self.postings[ranges(self.begins[part], counts)]
        pairs = np.unique(np.repeat(row, counts) << 32 | other)
        return pairs >> 32, pairs & 0xFFFFFFFF


def ranges(starts: Integers, counts: Integers) -> Integers:
    """Return the numbers of several ranges, concatenated."""
    ends = np.cumsum(counts)
    numbers: Integers = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - counts), counts)
    return numbers
