"""Fragments as bags of words: which words are in them, as numbers, one run after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.int32]


@dataclass(frozen=True)
class WordVocabulary:
    """The words that count, sorted; a word's number is its place."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, fragments: Iterable[frozenset[str]], least: int) -> WordVocabulary:
        """The words that at least so many fragments have."""
        counts: dict[str, int] = {}
        for own in fragments:
            for word in own:
                counts[word] = counts.get(word, 0) + 1
        return cls(tuple(sorted(word for word, count in counts.items() if count >= least)))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def bags(self, fragments: Sequence[frozenset[str]]) -> WordBags:
        """The fragments as numbers; words that do not count are left out."""
        numbers = self._numbers
        runs = [sorted(numbers[word] for word in own if word in numbers) for own in fragments]
        lengths = np.array([len(run) for run in runs], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        words = np.fromiter((word for run in runs for word in run), dtype=np.int32, count=int(starts[-1]))
        return WordBags(starts, words, len(self))


@dataclass(frozen=True, eq=False)
class WordBags:
    """The words of each fragment.

    Attributes:
        starts: where the words of each fragment begin, and where those of the last one end.
        words: the numbers of the words, rising within a fragment.
        kinds: how many words there are to choose from.
    """

    starts: Integers
    words: Words
    kinds: int

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def sizes(self) -> Integers:
        """How many words each fragment has."""
        return np.diff(self.starts)

    def take(self, rows: Integers) -> WordBags:
        """Some of the fragments, in another order."""
        lengths = self.sizes[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        return WordBags(starts, self.words[_runs(self.starts[rows], lengths)], self.kinds)

    def shared(self, left: Integers, right: Integers) -> WordBags:
        """The words that both sides of each pair have."""
        swap = self.sizes[left] > self.sizes[right]
        few, many = np.where(swap, right, left), np.where(swap, left, right)
        lengths = self.sizes[few]
        pair = np.repeat(np.arange(len(few)), lengths)
        words = self.words[_runs(self.starts[few], lengths)]
        wanted = many[pair] * self.kinds + words
        place = np.searchsorted(self._entries, wanted)
        there = place < len(self._entries)
        there[there] = self._entries[place[there]] == wanted[there]
        counts = np.bincount(pair[there], minlength=len(few))
        return WordBags(np.concatenate([[0], np.cumsum(counts)]), words[there], self.kinds)

    @cached_property
    def _entries(self) -> Integers:
        """Fragment and word in one number, rising: one search tells whether a fragment has a word."""
        owners = np.repeat(np.arange(len(self)), self.sizes)
        return owners * self.kinds + self.words


def _runs(starts: Integers, lengths: Integers) -> Integers:
    """The places of runs of these lengths from these starts, one run after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    places: Integers = np.arange(total) + np.repeat(starts - (ends - lengths), lengths)
    return places
