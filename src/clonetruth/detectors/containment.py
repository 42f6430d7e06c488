"""Containment: how much of one fragment occurs in another, piece by piece.

A fragment is a sequence of pieces (fingerprints, windows of lines), and a piece has one or more keys. Another fragment
contains a piece if any of its own pieces shares a key with it. The score of a pair is the share of pieces that the
other fragment contains, taken from the side with the larger share: a small fragment inside a large one scores 1.

The finder examines few pairs and misses none: if another fragment contains ⌈θn⌉ of the n pieces of a fragment, it
contains at least one of any n − ⌈θn⌉ + 1 pieces. The finder looks up the pieces with the rarest keys, from either side,
and counts their hits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

import numpy as np

from clonetruth.code.overlap import Integers, required_overlap
from clonetruth.code.prefix_join import distinct_numbers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.pair_batches import Matches, bounded_ranges, positions_within
from clonetruth.detectors.tokenized import Items
from clonetruth.progress import Progress

_KEY_BYTES = 8
_LOOKUPS = 1_000_000
"""Keys per lookup: bounds memory."""


def piece_key(content: bytes) -> bytes:
    """The key of a content. Two different contents share a key with a probability of 2⁻⁶⁴."""
    return blake2b(content, digest_size=_KEY_BYTES).digest()


class ContainmentComparison:
    """Compares fragments by the pieces of one that the other contains.

    Args:
        distinct: the pieces of each fragment, at least one; a piece is the concatenation of its keys.
    """

    def __init__(self, distinct: Iterable[Items]) -> None:
        pieces, keys, contents = [], [], []
        for items in distinct:
            pieces.append(len(items))
            keys += [len(item) // _KEY_BYTES for item in items]
            contents.append(b"".join(items))
        self._pieces = _Runs(np.array(pieces, dtype=np.int64))
        self._keys = _Runs(np.array(keys, dtype=np.int64))
        known, numbers = np.unique(np.frombuffer(b"".join(contents), np.uint64), return_inverse=True)
        self._numbers = numbers.astype(np.int64)
        self._key_count = max(len(known), 1)
        fragment = np.repeat(np.repeat(np.arange(len(pieces)), self._pieces.counts), self._keys.counts)
        # Fragment and key as one ascending number: a single search answers whether a fragment has a key.
        self._entries = distinct_numbers(fragment * self._key_count + self._numbers)

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `PairComparison.scores`."""
        of_left = self._contained(left, right) / self._pieces.counts[left]
        of_right = self._contained(right, left) / self._pieces.counts[right]
        return np.maximum(of_left, of_right)

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `PairComparison.matches`."""
        count = len(self._pieces.counts)
        need = required_overlap(self._pieces.counts, threshold)
        pairs = [np.empty(0, np.int64)]
        for left, right in self._candidates(need, report):
            good = self._contained(left, right) >= need[left]
            a, b = left[good], right[good]
            pairs.append(np.minimum(a, b) * count + np.maximum(a, b))
        left, right = np.divmod(distinct_numbers(np.concatenate(pairs)), max(count, 1))
        yield Matches(left, right, self.scores(left, right))

    def _contained(self, left: Integers, right: Integers) -> Integers:
        """The number of pieces of each left side that its right side contains."""
        contained = np.zeros(len(left), dtype=np.int64)
        lengths = self._keys.ends[self._pieces.ends[left] - 1] - self._keys.starts[self._pieces.starts[left]]
        for first, last in bounded_ranges(lengths, _LOOKUPS):
            pieces, pair = self._pieces.members(left[first:last])
            keys, piece = self._keys.members(pieces)
            wanted = right[first:last][pair][piece] * self._key_count + self._numbers[keys]
            position = np.minimum(np.searchsorted(self._entries, wanted), len(self._entries) - 1)
            inside = np.zeros(len(pieces), dtype=bool)
            inside[piece[self._entries[position] == wanted]] = True
            contained[first:last] = np.bincount(pair[inside], minlength=last - first)
        return contained

    def _candidates(self, need: Integers, report: Progress) -> Iterator[tuple[Integers, Integers]]:
        """Pairs of fragments that share a rare piece; a pair may be found from both sides."""
        fragment, key = np.divmod(self._entries, self._key_count)
        holders = fragment[np.argsort(key, kind="stable")]
        of_key = _Runs(np.bincount(key, minlength=self._key_count))
        holder_counts = of_key.counts[self._numbers]
        piece_holders = np.add.reduceat(holder_counts, self._keys.starts) if len(holder_counts) else holder_counts
        owner = np.repeat(np.arange(len(need)), self._pieces.counts)
        rarest = np.lexsort((piece_holders, owner))
        probes = rarest[positions_within(self._pieces.counts) <= (self._pieces.counts - need)[owner]]
        for first, last in bounded_ranges(piece_holders[probes], _LOOKUPS):
            keys, probe = self._keys.members(probes[first:last])
            positions, looked_up = of_key.members(self._numbers[keys])
            pairs = distinct_numbers(owner[probes[first:last]][probe][looked_up] * len(need) + holders[positions])
            left, right = np.divmod(pairs, len(need))
            report("Comparing fragments", last - first, len(probes))
            yield left[left != right], right[left != right]


class _Runs:
    """Consecutive runs with the given numbers of members."""

    def __init__(self, counts: Integers) -> None:
        self.counts = counts
        self.ends = np.cumsum(counts)
        self.starts = self.ends - counts

    def members(self, runs: Integers) -> tuple[Integers, Integers]:
        """The positions of all members of some runs, and for each member the index of its run in `runs`."""
        counts = self.counts[runs]
        run = np.repeat(np.arange(len(runs)), counts)
        return self.starts[runs][run] + positions_within(counts), run
