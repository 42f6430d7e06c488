"""Fragments as bags of words: the set of words in each fragment, as numbers in consecutive runs."""

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
    """The known words, sorted; a word's number is its position."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, fragments: Iterable[frozenset[str]], min_fragments: int) -> WordVocabulary:
        """The words that occur in at least `min_fragments` fragments."""
        counts: dict[str, int] = {}
        for words in fragments:
            for word in words:
                counts[word] = counts.get(word, 0) + 1
        return cls(tuple(sorted(word for word, count in counts.items() if count >= min_fragments)))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def bags(self, fragments: Sequence[frozenset[str]]) -> WordBags:
        """Convert fragments to numbers; unknown words are dropped."""
        numbers = self._numbers
        runs = [sorted(numbers[word] for word in known if word in numbers) for known in fragments]
        lengths = np.array([len(run) for run in runs], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        words = np.fromiter((word for run in runs for word in run), dtype=np.int32, count=int(starts[-1]))
        return WordBags(starts, words, len(self))


@dataclass(frozen=True, eq=False)
class WordBags:
    """The words of each fragment.

    Attributes:
        starts: where the words of each fragment begin, followed by the end of the last fragment.
        words: the numbers of the words, ascending within a fragment.
        vocabulary_size: the number of known words.
    """

    starts: Integers
    words: Words
    vocabulary_size: int

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def sizes(self) -> Integers:
        """The number of words in each fragment."""
        return np.diff(self.starts)

    def take(self, rows: Integers) -> WordBags:
        """Select fragments by row, in the given order."""
        lengths = self.sizes[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        return WordBags(starts, self.words[_runs(self.starts[rows], lengths)], self.vocabulary_size)

    def shared(self, left: Integers, right: Integers) -> WordBags:
        """The words that the two sides of each pair share."""
        swap = self.sizes[left] > self.sizes[right]
        few, many = np.where(swap, right, left), np.where(swap, left, right)
        lengths = self.sizes[few]
        pair = np.repeat(np.arange(len(few)), lengths)
        words = self.words[_runs(self.starts[few], lengths)]
        wanted = many[pair] * self.vocabulary_size + words
        position = np.searchsorted(self._entries, wanted)
        found = position < len(self._entries)
        found[found] = self._entries[position[found]] == wanted[found]
        counts = np.bincount(pair[found], minlength=len(few))
        return WordBags(np.concatenate([[0], np.cumsum(counts)]), words[found], self.vocabulary_size)

    @cached_property
    def _entries(self) -> Integers:
        """Fragment and word as one ascending number: a single search answers whether a fragment has a word."""
        owners = np.repeat(np.arange(len(self)), self.sizes)
        return owners * self.vocabulary_size + self.words


def _runs(starts: Integers, lengths: Integers) -> Integers:
    """The positions covered by runs with these starts and lengths, concatenated."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    positions: Integers = np.arange(total) + np.repeat(starts - (ends - lengths), lengths)
    return positions
