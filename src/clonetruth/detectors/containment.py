"""Containment: how much of a fragment is in another one, piece by piece.

A fragment is a sequence of pieces (fingerprints, windows of lines), and a piece has one or more keys. A piece is in
another fragment where any piece there has one of its keys. The score of a pair is the share of pieces that are in the
other fragment, of the side for which it is larger: a small fragment inside a large one scores 1.

The finder looks at few pairs, and loses none: if ⌈θn⌉ of the n pieces of a fragment are in another one, so is one of
any n − ⌈θn⌉ + 1 pieces. It looks up those with the rarest keys, from either side, and counts where they lead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

import numpy as np

from clonetruth.code.overlap import Integers, needed
from clonetruth.code.similarity import Floats
from clonetruth.detectors.pair_batches import Matches, counted, portions
from clonetruth.detectors.tokenized import Items
from clonetruth.progress import Progress

_KEY = 8
"""Bytes of a key."""
_LOOKUPS = 1_000_000
"""Keys looked up at a time: bounds memory."""


def piece_key(content: bytes) -> bytes:
    """The key of a content. Different contents have different keys, but for one chance in 2⁶⁴."""
    return blake2b(content, digest_size=_KEY).digest()


class ContainmentComparison:
    """Fragments compared by the pieces that one has of the other.

    Args:
        readings: for each fragment its pieces, at least one; a piece is its keys, end to end.
    """

    def __init__(self, readings: Iterable[Items]) -> None:
        pieces, keys, contents = [], [], []
        for items in readings:
            pieces.append(len(items))
            keys += [len(item) // _KEY for item in items]
            contents.append(b"".join(items))
        self._pieces = _Runs(np.array(pieces, dtype=np.int64))
        self._keys = _Runs(np.array(keys, dtype=np.int64))
        known, numbers = np.unique(np.frombuffer(b"".join(contents), np.uint64), return_inverse=True)
        self._numbers = numbers.astype(np.int64)
        self._kinds = max(len(known), 1)
        fragment = np.repeat(np.repeat(np.arange(len(pieces)), self._pieces.counts), self._keys.counts)
        # Fragment and key in one number, rising: one search tells whether a fragment has a key.
        self._entries = np.unique(fragment * self._kinds + self._numbers)

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `Comparison.scores`."""
        there = self._contained(left, right) / self._pieces.counts[left]
        back = self._contained(right, left) / self._pieces.counts[right]
        return np.maximum(there, back)

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `Comparison.matches`."""
        count = len(self._pieces.counts)
        need = needed(self._pieces.counts, threshold)
        found = [np.empty(0, np.int64)]
        for left, right in self._candidates(need, report):
            good = self._contained(left, right) >= need[left]
            a, b = left[good], right[good]
            found.append(np.minimum(a, b) * count + np.maximum(a, b))
        left, right = np.divmod(np.unique(np.concatenate(found)), max(count, 1))
        yield Matches(left, right, self.scores(left, right))

    def _contained(self, left: Integers, right: Integers) -> Integers:
        """How many pieces of each left side are in its right side."""
        found = np.zeros(len(left), dtype=np.int64)
        lengths = self._keys.ends[self._pieces.ends[left] - 1] - self._keys.starts[self._pieces.starts[left]]
        for first, last in portions(lengths, _LOOKUPS):
            pieces, pair = self._pieces.members(left[first:last])
            keys, piece = self._keys.members(pieces)
            wanted = right[first:last][pair][piece] * self._kinds + self._numbers[keys]
            place = np.minimum(np.searchsorted(self._entries, wanted), len(self._entries) - 1)
            inside = np.zeros(len(pieces), dtype=bool)
            inside[piece[self._entries[place] == wanted]] = True
            found[first:last] = np.bincount(pair[inside], minlength=last - first)
        return found

    def _candidates(self, need: Integers, report: Progress) -> Iterator[tuple[Integers, Integers]]:
        """Fragments with those that have one of their rarest pieces; a pair may come from both sides."""
        fragment, key = np.divmod(self._entries, self._kinds)
        holders = fragment[np.argsort(key, kind="stable")]
        of_key = _Runs(np.bincount(key, minlength=self._kinds))
        fans = of_key.counts[self._numbers]
        piece_fans = np.add.reduceat(fans, self._keys.starts) if len(fans) else fans
        owner = np.repeat(np.arange(len(need)), self._pieces.counts)
        rarest = np.lexsort((piece_fans, owner))
        probes = rarest[counted(self._pieces.counts) <= (self._pieces.counts - need)[owner]]
        for first, last in portions(piece_fans[probes], _LOOKUPS):
            keys, probe = self._keys.members(probes[first:last])
            places, looked_up = of_key.members(self._numbers[keys])
            pairs = np.unique(owner[probes[first:last]][probe][looked_up] * len(need) + holders[places])
            left, right = np.divmod(pairs, len(need))
            report("Comparing fragments", last - first, len(probes))
            yield left[left != right], right[left != right]


class _Runs:
    """Runs of so many things each, end to end."""

    def __init__(self, counts: Integers) -> None:
        self.counts = counts
        self.ends = np.cumsum(counts)
        self.starts = self.ends - counts

    def members(self, runs: Integers) -> tuple[Integers, Integers]:
        """The places of the things in some runs, and for each of them the place of its run in `runs`."""
        counts = self.counts[runs]
        run = np.repeat(np.arange(len(runs)), counts)
        return self.starts[runs][run] + counted(counts), run
