"""The overlap join: all pairs of fragments whose bags of tokens overlap enough, exactly.

SourcererCC's rule (Sajnani et al., ICSE 2016): two bags match where their overlap, the sum of the smaller
counts, is at least ⌈θ × the larger size⌉. The k-th occurrence of a token is taken as an element of its own, which
makes sets of the bags, and four bounds keep most pairs from being compared:

* size: the smaller bag must be at least as large as the overlap that is asked for;
* prefix (SourcererCC's sub-block): with elements from rare to common, two sets that match share one of their
  first n − ⌈θn⌉ + 1 elements, so only those are indexed;
* bitmap: the elements' hashes, xor-ed into a few machine words, differ in at most as many bits as the sets
  differ in elements;
* equal bags are compared once, however many fragments have them.

What is left is counted exactly. `docs/decisions/0003-overlap-join.md` has the measurements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

_WORDS = 8  # machine words of a bitmap
_TELL_EVERY = 1000
_LOOKUPS = 1_000_000  # entries of the index that are looked at together: bounds memory


@dataclass(frozen=True, eq=False)
class Bags:
    """Bags of tokens, end to end.

    Args:
        tokens: the tokens' numbers.
        offsets: where each bag begins, and at last where all end.
    """

    tokens: npt.NDArray[np.int32]
    offsets: Integers

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Integers:
        """The number of tokens of each bag."""
        return np.diff(self.offsets)

    @classmethod
    def of(cls, sequences: Iterable[Sequence[object]]) -> Bags:
        """Number the tokens of sequences; equal tokens get equal numbers."""
        return cls.numbered(sequences)[0]

    @classmethod
    def numbered(cls, sequences: Iterable[Sequence[object]]) -> tuple[Bags, list[object]]:
        """The same, and the tokens in the order of their numbers."""
        numbers: dict[object, int] = {}
        parts: list[npt.NDArray[np.int32]] = []
        offsets = [0]
        for sequence in sequences:
            parts.append(np.array([numbers.setdefault(token, len(numbers)) for token in sequence], dtype=np.int32))
            offsets.append(offsets[-1] + len(sequence))
        tokens = np.concatenate(parts) if parts else np.empty(0, np.int32)
        return cls(tokens, np.array(offsets, dtype=np.int64)), list(numbers)

    @classmethod
    def joined(cls, parts: Iterable[tuple[Bags, Sequence[object]]]) -> Bags:
        """Bags that were numbered apart, end to end: what `of` gives for all their sequences."""
        numbers: dict[object, int] = {}
        tokens, sizes = [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
        for bags, known in parts:
            renumbered = np.array([numbers.setdefault(token, len(numbers)) for token in known], dtype=np.int32)
            tokens.append(renumbered[bags.tokens])
            sizes.append(bags.sizes)
        return cls(np.concatenate(tokens), np.cumsum(np.concatenate(sizes)))


@dataclass(frozen=True, eq=False)
class OverlapPairs:
    """What the join found.

    Args:
        left, right: positions of the bags of each pair, left before right.
        overlap: the number of tokens that they share.
    """

    left: Integers
    right: Integers
    overlap: Integers

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True, eq=False)
class OverlapGroups:
    """The join of distinct bags. Fragments with equal bags would fill the result with squares of their number.

    Args:
        bag: for every fragment, the position of the first one with the same bag; -1 where it is too small.
        pairs: matching pairs of different bags, by those positions.
    """

    bag: Integers
    pairs: OverlapPairs


def overlap_join(
    bags: Bags, threshold: float = 0.7, *, minimum: int = 1, progress: Callable[[int, int], None] | None = None
) -> OverlapPairs:
    """All pairs of bags that overlap in at least ⌈threshold × the larger size⌉ tokens; each pair once, sorted.

    Args:
        bags: the bags.
        threshold: in (0, 1].
        minimum: bags with fewer tokens are left out; at least 1.
        progress: told how many bags were done since the last call, and how many there are.
    """
    groups = overlap_groups(bags, threshold, minimum=minimum, progress=progress)
    sizes = bags.sizes
    members = np.argsort(groups.bag, kind="stable")
    members = members[groups.bag[members] >= 0]
    first, start, count = np.unique(groups.bag[members], return_index=True, return_counts=True)
    lefts, rights, overlaps = [], [], []
    for begin, number in zip(start[count > 1].tolist(), count[count > 1].tolist(), strict=True):
        a, b = np.triu_indices(number, 1)
        same = members[begin : begin + number]
        lefts.append(same[a])
        rights.append(same[b])
        overlaps.append(np.full(len(a), sizes[same[0]]))
    spans = zip(start.tolist(), (start + count).tolist(), strict=True)
    at = dict(zip(first.tolist(), spans, strict=True))
    found = groups.pairs
    for a_bag, b_bag, shared in zip(found.left.tolist(), found.right.tolist(), found.overlap.tolist(), strict=True):
        one, other = members[slice(*at[a_bag])], members[slice(*at[b_bag])]
        lefts.append(np.repeat(one, len(other)))
        rights.append(np.tile(other, len(one)))
        overlaps.append(np.full(len(one) * len(other), shared))
    return _sorted(lefts, rights, overlaps)


def overlap_groups(
    bags: Bags, threshold: float = 0.7, *, minimum: int = 1, progress: Callable[[int, int], None] | None = None
) -> OverlapGroups:
    """The same join with equal bags kept together; see `overlap_join`.

    Raises:
        ValueError: the threshold is not in (0, 1].
    """
    if not 0 < threshold <= 1:
        raise ValueError("the threshold must be in (0, 1]")
    elements = _elements(bags)
    bag = _first_equal(elements, bags.offsets, max(minimum, 1))
    rows = np.flatnonzero(bag == np.arange(len(bags)))
    sizes = bags.sizes[rows]
    rows = rows[np.argsort(sizes, kind="stable")]
    sets = _Sets.of(elements, bags, rows)
    lefts, rights, overlaps = sets.join(threshold, progress or (lambda done, total: None))
    return OverlapGroups(bag, _sorted([rows[a] for a in lefts], [rows[b] for b in rights], overlaps))


def needed(sizes: Integers, threshold: float) -> Integers:
    """⌈threshold × size⌉ with the threshold as it is written: 0.1 × 30 is 3, whatever binary fractions say."""
    exact = Fraction(str(threshold))
    return -(-sizes * exact.numerator // exact.denominator)


def _sorted(lefts: list[Integers], rights: list[Integers], overlaps: list[Integers]) -> OverlapPairs:
    if not lefts:
        none = np.empty(0, np.int64)
        return OverlapPairs(none, none, none)
    left, right = np.concatenate(lefts), np.concatenate(rights)
    least, most = np.minimum(left, right), np.maximum(left, right)
    order = np.lexsort((most, least))
    return OverlapPairs(least[order], most[order], np.concatenate(overlaps)[order].astype(np.int64))


def _elements(bags: Bags) -> npt.NDArray[np.int32]:
    """For each bag its elements (token and occurrence), numbered from rare to common, sorted."""
    if not len(bags.tokens):
        return np.empty(0, np.int32)
    row = np.repeat(np.arange(len(bags), dtype=np.int64), bags.sizes) << 32
    key = row | bags.tokens
    key.sort()
    again = np.zeros(len(key), dtype=bool)
    again[1:] = key[1:] == key[:-1]
    element = (key & 0xFFFFFFFF).astype(np.int32)
    if again.any():  # else every token is an element, and much memory is spared
        element = _with_occurrences(element, again)
    frequency = np.bincount(element)
    rank = np.empty(len(frequency), np.int32)
    rank[np.argsort(frequency, kind="stable")] = np.arange(len(frequency), dtype=np.int32)
    key = row | rank[element]
    key.sort()
    ordered: npt.NDArray[np.int32] = (key & 0xFFFFFFFF).astype(np.int32)
    return ordered


def _with_occurrences(token: npt.NDArray[np.int32], again: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """Numbers for tokens and how often they came before in their bag, of the sorted tokens of bags."""
    at = np.arange(len(token))
    occurrence = at - np.maximum.accumulate(np.where(again, 0, at))
    last = np.append(np.flatnonzero(~again)[1:] - 1, len(token) - 1)
    most = np.zeros(int(token.max()) + 1, np.int64)
    np.maximum.at(most, token[last], occurrence[last] + 1)
    element: npt.NDArray[np.int32] = ((np.cumsum(most) - most)[token] + occurrence).astype(np.int32)
    return element


def _first_equal(elements: npt.NDArray[np.int32], offsets: Integers, minimum: int) -> Integers:
    first: dict[bytes, int] = {}
    bag = np.full(len(offsets) - 1, -1, dtype=np.int64)
    for row, (start, end) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)):
        if end - start >= minimum:
            bag[row] = first.setdefault(elements[start:end].tobytes(), row)
    return bag


@dataclass(frozen=True, eq=False)
class _Sets:
    """Distinct sets in order of size."""

    elements: npt.NDArray[np.int32]
    offsets: Integers
    sizes: Integers

    @classmethod
    def of(cls, elements: npt.NDArray[np.int32], bags: Bags, rows: Integers) -> _Sets:
        sizes = bags.sizes[rows]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        return cls(elements[ranges(bags.offsets[rows], sizes)], offsets, sizes)

    def join(
        self, threshold: float, progress: Callable[[int, int], None]
    ) -> tuple[list[Integers], list[Integers], list[Integers]]:
        lefts: list[Integers] = []
        rights: list[Integers] = []
        overlaps: list[Integers] = []
        count = len(self.sizes)
        if not count:
            return lefts, rights, overlaps
        need = needed(self.sizes, threshold)
        # The first row that is large enough to match a row; rows before a row are not larger than it.
        least = np.searchsorted(self.sizes, need)
        index = _PrefixIndex.of(self, need, least)
        bitmaps = self._bitmaps()
        marked = np.zeros(int(self.elements.max()) + 1, dtype=bool)
        for first, last in index.blocks():
            rows, others = index.candidates(first, last)
            apart = np.bitwise_count(bitmaps[others] ^ bitmaps[rows]).sum(axis=1, dtype=np.int64)
            close = self.sizes[rows] + self.sizes[others] - apart >= 2 * need[rows]
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
                good = shared >= need[row]
                lefts.append(np.full(np.count_nonzero(good), row))
                rights.append(near[good])
                overlaps.append(shared[good])
            if last % _TELL_EVERY == 0:
                progress(_TELL_EVERY, count)
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
    """For each element the rows that have it in their prefix, and for each row where to look in those lists."""

    postings: npt.NDArray[np.int32]
    begins: Integers
    counts: Integers
    offsets: Integers

    @classmethod
    def of(cls, sets: _Sets, need: Integers, least: Integers) -> _PrefixIndex:
        lengths = sets.sizes - need + 1
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
        """Ranges of rows that are looked up at once: few enough for memory, none across a row that is told of."""
        looked_up = np.append(0, np.cumsum(self.counts))[self.offsets]
        first, count = 0, len(self.offsets) - 1
        while first < count:
            fits = int(np.searchsorted(looked_up, looked_up[first] + _LOOKUPS, side="right")) - 1
            last = min(max(fits, first + 1), (first // _TELL_EVERY + 1) * _TELL_EVERY, count)
            yield first, last
            first = last

    def candidates(self, first: int, last: int) -> tuple[Integers, Integers]:
        """The rows of a range, each with the rows before it, and large enough, that share an element of the prefix."""
        part = slice(self.offsets[first], self.offsets[last])
        counts = self.counts[part]
        row = np.repeat(np.arange(first, last), np.diff(self.offsets[first : last + 1]))
        other = self.postings[ranges(self.begins[part], counts)]
        pairs = np.unique(np.repeat(row, counts) << 32 | other)
        return pairs >> 32, pairs & 0xFFFFFFFF


def ranges(starts: Integers, counts: Integers) -> Integers:
    """The numbers of several ranges, end to end."""
    ends = np.cumsum(counts)
    numbers: Integers = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - counts), counts)
    return numbers
