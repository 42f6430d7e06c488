"""The join of sets by overlap: a prefix index, bitmaps, and an exact count of the remaining pairs.

`overlap.py` explains the bounds, and why no pair is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from clonetruth.code.overlap import Bags

Integers = npt.NDArray[np.int64]
JoinedRows: TypeAlias = tuple[list[Integers], list[Integers], list[Integers]]
"""Pairs of rows, in parts: the larger set, the smaller one, and their overlap."""
JoinedPart: TypeAlias = tuple[Integers, Integers, Integers]
"""Pairs of rows: the larger set, the smaller one, and their overlap."""

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

    def join(self, required: Integers, progress: Callable[[int, int], None]) -> JoinedRows:
        """Return the pairs of sets that overlap enough: positions of the larger and the smaller set, and overlaps.

        Args:
            required: the required overlap of each set with one that is not larger.
            progress: called with the number of sets done since the last call, and the number of all sets.
        """
        return _collected(self.joined(required, progress))

    def joined(self, required: Integers, progress: Callable[[int, int], None]) -> Iterator[JoinedPart]:
        """Yield the pairs that `join` returns, in parts, so that they need not all be in memory."""
        count = len(self.sizes)
        if count:
            yield from PreparedJoin.of(self, required).joined(0, count, progress)

    def bitmaps(self) -> npt.NDArray[np.uint64]:
        """The hashes of the elements of each set, xor-ed into a few machine words."""
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
class PreparedJoin:
    """All that is needed to join any range of rows with the rows before it.

    Args:
        sets: the sets.
        required: the required overlap of each set with one that is not larger.
        index: the prefix index of the sets.
        bitmaps: the bitmaps of the sets.
        universe: a number larger than every element.
    """

    sets: SortedSets
    required: Integers
    index: _PrefixIndex
    bitmaps: npt.NDArray[np.uint64]
    universe: int

    @classmethod
    def of(cls, sets: SortedSets, required: Integers) -> PreparedJoin:
        """Prepare the join of at least one set."""
        # For each row, the first row that is large enough to match it; rows before a row are not larger than it.
        least = np.searchsorted(sets.sizes, required)
        index = _PrefixIndex.of(sets, required, least)
        return cls(sets, required, index, sets.bitmaps(), int(sets.elements.max()) + 1)

    def save(self, folder: Path) -> None:
        """Write the arrays to a folder."""
        for name, array in {
            "required": self.required,
            "bitmaps": self.bitmaps,
            "universe": np.array([self.universe]),
            **{f"sets-{field.name}": getattr(self.sets, field.name) for field in fields(self.sets)},
            **{f"index-{field.name}": getattr(self.index, field.name) for field in fields(self.index)},
        }.items():
            np.save(folder / f"{name}.npy", array)

    @classmethod
    def load(cls, folder: Path) -> PreparedJoin:
        """Map the arrays that `save` has written into memory."""

        def array(name: str) -> npt.NDArray[Any]:
            mapped: npt.NDArray[Any] = np.load(folder / f"{name}.npy", mmap_mode="r")
            return mapped.view(np.ndarray)

        sets = SortedSets(*(array(f"sets-{field.name}") for field in fields(SortedSets)))
        index = _PrefixIndex(*(array(f"index-{field.name}") for field in fields(_PrefixIndex)))
        return cls(sets, array("required"), index, array("bitmaps"), int(array("universe")[0]))

    def row_ranges(self, lookups: int) -> list[tuple[int, int]]:
        """Split all rows into ranges with about this many index entries to look up each."""
        looked_up = self.index.looked_up(0, len(self.sets.sizes))
        steps = np.arange(lookups, max(int(looked_up[-1]), lookups), lookups)
        inner = np.searchsorted(looked_up, steps)
        bounds = np.unique([0, *inner.tolist(), len(self.sets.sizes)]).tolist()
        return list(pairwise(bounds))

    def join(self, first: int, last: int, progress: Callable[[int, int], None] | None = None) -> JoinedRows:
        """The pairs of a range of rows with rows before them; see `SortedSets.join`."""
        return _collected(self.joined(first, last, progress))

    def joined(self, first: int, last: int, progress: Callable[[int, int], None] | None = None) -> Iterator[JoinedPart]:
        """Yield the pairs that `join` returns, in parts."""
        sets, required = self.sets, self.required
        lanes = np.zeros(self.universe, dtype=np.uint64)  # bit k: the element is in the k-th of some rows
        for start, end in self.index.blocks(first, last):
            rows, others = self.index.candidates(start, end)
            apart = np.bitwise_count(self.bitmaps[others] ^ self.bitmaps[rows]).sum(axis=1, dtype=np.int64)
            close = sets.sizes[rows] + sets.sizes[others] - apart >= 2 * required[rows]
            rows, others = rows[close], others[close]
            for part in _parts(rows, sets.sizes[others]):
                shared = self._shared(rows[part], others[part], lanes)
                good = shared >= required[rows[part]]
                yield rows[part][good], others[part][good], shared[good]
            if progress and end % _PROGRESS_INTERVAL == 0:
                progress(_PROGRESS_INTERVAL, len(sets.sizes))

    def _shared(self, rows: Integers, others: Integers, lanes: npt.NDArray[np.uint64]) -> Integers:
        """How many elements each of up to 64 rows, in ascending order, shares with another row.

        Args:
            rows: the rows, each as often as it is compared.
            others: the other row of each.
            lanes: zeros, one for each element; they are zeros again at the end.
        """
        sets, own = self.sets, distinct_numbers(rows)
        lane = np.searchsorted(own, rows).astype(np.uint64)
        for number, row in enumerate(own.tolist()):
            lanes[sets.elements[sets.offsets[row] : sets.offsets[row + 1]]] |= np.uint64(1 << number)
        sizes = sets.sizes[others]
        found = lanes[sets.elements[ranges(sets.offsets[others], sizes)]] >> np.repeat(lane, sizes)
        lanes[sets.elements[ranges(sets.offsets[own], sets.sizes[own])]] = 0
        shared: Integers = np.add.reduceat(found & np.uint64(1), np.cumsum(sizes) - sizes, dtype=np.int64)
        return shared


def _collected(parts: Iterable[JoinedPart]) -> JoinedRows:
    lefts: list[Integers] = []
    rights: list[Integers] = []
    overlaps: list[Integers] = []
    for left, right, overlap in parts:
        lefts.append(left)
        rights.append(right)
        overlaps.append(overlap)
    return lefts, rights, overlaps


def _parts(rows: Integers, sizes: Integers) -> Iterator[slice]:
    """Split pairs, in ascending order of `rows`, into parts with up to 64 rows and a bounded number of elements."""
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    before = np.append(0, np.cumsum(sizes))[starts]
    first = 0
    while first < len(starts):
        last = min(first + 64, max(int(np.searchsorted(before, before[first] + _LOOKUPS)), first + 1))
        yield slice(int(starts[first]), int(starts[last]) if last < len(starts) else len(rows))
        first = last


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

    def looked_up(self, first: int, last: int) -> Integers:
        """How many entries are looked up for the rows of a range before each of them, and for all of them."""
        counts = self.counts[self.offsets[first] : self.offsets[last]]
        sums: Integers = np.append(0, np.cumsum(counts))[self.offsets[first : last + 1] - self.offsets[first]]
        return sums

    def blocks(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Ranges of rows to look up at a time: small enough for memory, and ending at each progress call."""
        looked_up, origin = self.looked_up(first, last), first
        while first < last:
            most = looked_up[first - origin] + _LOOKUPS
            fits = origin + int(np.searchsorted(looked_up, most, side="right")) - 1
            end = min(max(fits, first + 1), (first // _PROGRESS_INTERVAL + 1) * _PROGRESS_INTERVAL, last)
            yield first, end
            first = end

    def candidates(self, first: int, last: int) -> tuple[Integers, Integers]:
        """The rows of a range, each with the rows before it that are large enough and share a prefix element."""
        part = slice(self.offsets[first], self.offsets[last])
        counts = self.counts[part]
        row = np.repeat(np.arange(first, last), np.diff(self.offsets[first : last + 1]))
        other = self.postings[ranges(self.begins[part], counts)]
        pairs = distinct_numbers(np.repeat(row, counts) << 32 | other)
        return pairs >> 32, pairs & 0xFFFFFFFF


def distinct_numbers(numbers: Integers) -> Integers:
    """Return distinct numbers, sorted. `np.unique` hashes them, which can take many times as long."""
    ordered = np.sort(numbers, kind="stable")  # fast if they consist of sorted runs
    kept = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=kept[1:])
    return ordered[kept]


def ranges(starts: Integers, counts: Integers) -> Integers:
    """Return the numbers of several ranges, concatenated."""
    ends = np.cumsum(counts)
    numbers: Integers = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - counts), counts)
    return numbers
