"""Runs of one to three tokens, hashed: the features of the n-gram baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical.features import token_grams
from clonetruth.code.canonical.forest import read_forest
from clonetruth.code.canonical.kinds import known_language
from clonetruth.code.language import Language
from clonetruth.code.parallel import map_parallel

Integers = npt.NDArray[np.int64]

GRAM_BINS = 1 << 18
"""Bins of hashed runs."""
_BATCH = 128
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(64 - 18)


@dataclass(frozen=True, eq=False)
class GramCounts:
    """The runs of tokens of fragments.

    Attributes:
        starts: where the bins of each fragment begin, and the end.
        bins: the bins, ascending within a fragment.
        counts: how often each occurs.
    """

    starts: Integers
    bins: Integers
    counts: Integers

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def joined(cls, parts: Sequence[GramCounts]) -> GramCounts:
        """The runs of several batches as one."""
        if not parts:
            return cls(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))
        ends = np.cumsum([0, *(part.starts[-1] for part in parts)])
        starts = [part.starts[:-1] + end for part, end in zip(parts, ends, strict=False)]
        return cls(
            np.concatenate([*starts, ends[-1:]]),
            np.concatenate([part.bins for part in parts]),
            np.concatenate([part.counts for part in parts]),
        )


def read_grams(texts: Sequence[str], languages: Sequence[str], *, processes: int = 1) -> Iterator[GramCounts]:
    """Read the runs of tokens of fragments, batch by batch, in order; punctuation and comments do not count.

    Args:
        texts: functions or files; one in an unknown language has no runs.
        languages: the name of the language of each.
        processes: the number of worker processes.
    """
    batches = (
        (texts[first : first + _BATCH], languages[first : first + _BATCH]) for first in range(0, len(texts), _BATCH)
    )
    yield from map_parallel(_read_batch, None, batches, processes)


def _read_batch(_: None, batch: tuple[Sequence[str], Sequence[str]]) -> GramCounts:
    texts, names = batch
    known: list[Language | None] = [known_language(name) for name in names]
    owner, hashes = token_grams(read_forest(texts, known))
    codes, counts = np.unique(
        owner * GRAM_BINS + ((hashes * _MULTIPLIER) >> _SHIFT).astype(np.int64), return_counts=True
    )
    edges = np.arange(len(texts) + 1) * GRAM_BINS
    return GramCounts(np.searchsorted(codes, edges), codes % GRAM_BINS, counts)
