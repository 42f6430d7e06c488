"""The overlap join: all pairs of fragments whose bags of tokens overlap enough, exactly.

SourcererCC's rule (Sajnani et al., ICSE 2016): two bags match if their overlap, the sum of the smaller
counts, is at least ⌈θ × the larger size⌉. The k-th occurrence of a token is a separate element, which turns bags
into sets, and four bounds keep most pairs from being compared:

* size: the smaller bag must be at least as large as the required overlap;
* prefix (SourcererCC's sub-block): with elements from rare to common, two sets that match share one of their
  first n − ⌈θn⌉ + 1 elements, so only those are indexed;
* bitmap: the elements' hashes, xor-ed into a few machine words, differ in at most as many bits as the sets
  differ in elements;
* equal bags are compared once, however many fragments have them.

The remaining pairs are counted exactly. `docs/decisions/0003-overlap-join.md` has the measurements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from clonetruth.code.prefix_join import JoinedPart, SortedSets

Integers = npt.NDArray[np.int64]

_PAIRS_IN_MEMORY = 2_000_000
"""Pairs of `overlap_parts` that are sorted at a time: about 0.3 GB."""


@dataclass(frozen=True, eq=False)
class Bags:
    """Bags of tokens, concatenated.

    Args:
        tokens: the tokens' numbers.
        offsets: the first position of each bag, followed by the number of all tokens.
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
        """Number the tokens of sequences; also return the tokens in the order of their numbers."""
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
        """Concatenate bags that were numbered separately: the same as `of` for all their sequences."""
        numbers: dict[object, int] = {}
        tokens, sizes = [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
        for bags, known in parts:
            renumbered = np.array([numbers.setdefault(token, len(numbers)) for token in known], dtype=np.int32)
            tokens.append(renumbered[bags.tokens])
            sizes.append(bags.sizes)
        return cls(np.concatenate(tokens), np.cumsum(np.concatenate(sizes)))


@dataclass(frozen=True, eq=False)
class OverlapPairs:
    """The pairs that a join found.

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
    """The join of distinct bags, since fragments with equal bags give quadratically many pairs.

    Args:
        bag: for every fragment, the position of the first one with the same bag; -1 if it is too small.
        pairs: matching pairs of different bags, by those positions.
    """

    bag: Integers
    pairs: OverlapPairs


def overlap_join(
    bags: Bags, threshold: float = 0.7, *, minimum: int = 1, progress: Callable[[int, int], None] | None = None
) -> OverlapPairs:
    """Return all pairs of bags that overlap in at least ⌈threshold × the larger size⌉ tokens; each pair once, sorted.

    Args:
        bags: the bags.
        threshold: in (0, 1].
        minimum: bags with fewer tokens are left out; at least 1.
        progress: called with the number of bags done since the last call, and the number of all bags.
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
    pairs = groups.pairs
    for a_bag, b_bag, shared in zip(pairs.left.tolist(), pairs.right.tolist(), pairs.overlap.tolist(), strict=True):
        left, right = members[slice(*at[a_bag])], members[slice(*at[b_bag])]
        lefts.append(np.repeat(left, len(right)))
        rights.append(np.tile(right, len(left)))
        overlaps.append(np.full(len(left) * len(right), shared))
    return _sorted(lefts, rights, overlaps)


def overlap_groups(
    bags: Bags,
    threshold: float = 0.7,
    *,
    minimum: int = 1,
    distinct: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> OverlapGroups:
    """Join bags with equal bags kept together; see `overlap_join`.

    Args:
        bags: the bags.
        threshold: in (0, 1].
        minimum: bags with fewer tokens are left out; at least 1.
        distinct: no bag has a token twice, which saves looking for repeats.
        progress: called with the number of bags done since the last call, and the number of all bags.

    Raises:
        ValueError: the threshold is not in (0, 1].
    """
    bag, rows, sets = _distinct_sets(bags, minimum, distinct)
    required = required_overlap(sets.sizes, threshold)
    lefts, rights, overlaps = sets.join(required, progress or (lambda done, total: None))
    return OverlapGroups(bag, _sorted([rows[a] for a in lefts], [rows[b] for b in rights], overlaps))


def overlap_parts(
    bags: Bags,
    threshold: float,
    *,
    distinct: bool = False,
    join: Callable[[SortedSets, Integers], Iterable[JoinedPart]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Integers, Iterator[OverlapPairs]]:
    """Join bags with equal bags kept together, as `overlap_groups` does, with the pairs in parts.

    Thousands of bags that all match each other have more pairs than fit into memory. The pairs of a part are
    sorted; there is more than one part only if there are millions of pairs.

    Args:
        bags: the bags.
        threshold: in (0, 1].
        distinct: no bag has a token twice, which saves looking for repeats.
        join: joins distinct sets, given the overlap that each requires (default: `SortedSets.joined`).
        progress: called with the number of bags done since the last call, and the number of all bags.

    Returns:
        `OverlapGroups.bag`, and the parts of `OverlapGroups.pairs`.

    Raises:
        ValueError: the threshold is not in (0, 1].
    """
    bag, rows, sets = _distinct_sets(bags, 1, distinct)
    required = required_overlap(sets.sizes, threshold)
    found = join(sets, required) if join else sets.joined(required, progress or (lambda done, total: None))
    return bag, (
        _sorted([rows[left]], [rows[right]], [overlap]) for left, right, overlap in _bounded(found, _PAIRS_IN_MEMORY)
    )


def _bounded(parts: Iterable[JoinedPart], size: int) -> Iterator[JoinedPart]:
    """Put parts together, so that all but the last have exactly `size` pairs, however they were divided before."""
    pending: list[JoinedPart] = []
    waiting = 0
    for part in parts:
        pending.append(part)
        waiting += len(part[0])
        while waiting >= size:
            left, right, overlap = (np.concatenate(column) for column in zip(*pending, strict=True))
            yield left[:size], right[:size], overlap[:size]
            pending, waiting = [(left[size:], right[size:], overlap[size:])], waiting - size
    if waiting:
        left, right, overlap = (np.concatenate(column) for column in zip(*pending, strict=True))
        yield left, right, overlap


def _distinct_sets(bags: Bags, minimum: int, distinct: bool) -> tuple[Integers, Integers, SortedSets]:
    """The first bag that is equal to each, the bags that are not equal to an earlier one, and these as sets."""
    elements = _elements(bags, distinct)
    bag = _first_equal(elements, bags.offsets, max(minimum, 1))
    rows = np.flatnonzero(bag == np.arange(len(bags)))
    rows = rows[np.argsort(bags.sizes[rows], kind="stable")]
    return bag, rows, SortedSets.of(elements, bags, rows)


def required_overlap(sizes: Integers, threshold: float) -> Integers:
    """Return ⌈threshold × size⌉, with the threshold as a decimal fraction: 0.1 × 30 is exactly 3.

    Raises:
        ValueError: the threshold is not in (0, 1].
    """
    if not 0 < threshold <= 1:
        raise ValueError("the threshold must be in (0, 1]")
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


def _elements(bags: Bags, distinct: bool) -> npt.NDArray[np.int32]:
    """The elements (token and occurrence) of each bag, numbered from rare to common, sorted."""
    if not len(bags.tokens):
        return np.empty(0, np.int32)
    row = np.repeat(np.arange(len(bags), dtype=np.int64), bags.sizes) << 32
    element = bags.tokens
    if not distinct:
        key = row | bags.tokens
        key.sort()
        again = np.zeros(len(key), dtype=bool)
        again[1:] = key[1:] == key[:-1]
        element = (key & 0xFFFFFFFF).astype(np.int32)
        if again.any():  # else every token is an element, which saves much memory
            element = _with_occurrences(element, again)
    frequency = np.bincount(element)
    rank = np.empty(len(frequency), np.int32)
    rank[np.argsort(frequency, kind="stable")] = np.arange(len(frequency), dtype=np.int32)
    key = row | rank[element]
    key.sort()
    ordered: npt.NDArray[np.int32] = (key & 0xFFFFFFFF).astype(np.int32)
    return ordered


def _with_occurrences(token: npt.NDArray[np.int32], again: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """Number each token together with its occurrence in its bag, for the sorted tokens of bags."""
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
