"""Which names two fragments share: a detector that reads names, and nothing of what is done with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code import LANGUAGES, map_parallel, name_tokens
from clonetruth.code import language as language_named
from clonetruth.detectors.detector import scores, sides
from clonetruth.detectors.word_bags import Integers, WordBags
from clonetruth.progress import Progress, no_progress

_FRAGMENTS = 1024
"""Fragments read at a time: hides the cost of sending them to another process."""
_LOOKUPS = 20_000_000
"""Names looked up at a time: bounds memory."""


@dataclass(frozen=True)
class IdentifierOverlap:
    """Jaccard's index of the sets of names (of variables, functions and types); any language, also across languages."""

    name: str = "identifier-overlap"
    description: str = "Names that both fragments have ÷ names that either has."
    default_threshold: float | None = 0.5

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a fragment has no name."""
        left, right = sides(fragments, pairs)
        report = progress or no_progress
        sets = _NameSets(_names(fragments, processes, report))
        a, b = sets.sizes[left], sets.sizes[right]
        known = (a > 0) & (b > 0)
        common = sets.common(left, right, report)
        jaccard = np.divide(common, a + b - common, out=np.zeros(len(a)), where=known)
        return scores(jaccard, known)


def _names(fragments: pa.Table, processes: int, report: Progress) -> Iterator[list[set[bytes]]]:
    batches = fragments.select(["language", "text"]).to_batches(_FRAGMENTS)
    rows = (list(zip(*batch.to_pydict().values(), strict=True)) for batch in batches)
    for found in map_parallel(_names_of_batch, None, rows, processes):
        report("Reading names", len(found), fragments.num_rows)
        yield found


def _names_of_batch(_: None, rows: list[tuple[str, str]]) -> list[set[bytes]]:
    return [set(name_tokens(text, language_named(name) if name in LANGUAGES else None)) for name, text in rows]


class _NameSets:
    """The names of each fragment as numbers, one run after the other.

    A name that only one fragment has is no number: it can be shared with nobody.
    """

    def __init__(self, batches: Iterator[list[set[bytes]]]) -> None:
        numbers: dict[bytes, int] = {}
        runs: list[npt.NDArray[np.int32]] = []
        for batch in batches:
            for own in batch:
                runs.append(np.array([numbers.setdefault(name, len(numbers)) for name in own], dtype=np.int32))
        self.sizes: Integers = np.array([len(run) for run in runs], dtype=np.int64)
        names = np.concatenate([np.zeros(0, np.int32), *runs])
        owners = np.repeat(np.arange(len(runs)), self.sizes)
        shared = np.bincount(names, minlength=1)[names] > 1 if len(names) else np.zeros(0, dtype=bool)
        kinds = max(len(numbers), 1)
        entries = np.sort(owners[shared] * kinds + names[shared])
        starts = np.searchsorted(entries, np.arange(len(runs) + 1) * kinds)
        self._bags = WordBags(starts, (entries % kinds).astype(np.int32), kinds)

    def common(self, left: Integers, right: Integers, report: Progress) -> Integers:
        """How many names the two sides of each pair share."""
        ends = np.cumsum(np.minimum(self._bags.sizes[left], self._bags.sizes[right]))
        found = np.zeros(len(left), dtype=np.int64)
        start = 0
        while start < len(left):
            done = ends[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, done + _LOOKUPS, side="right")))
            found[start:stop] = self._bags.shared(left[start:stop], right[start:stop]).sizes
            report("Comparing names", stop - start, len(left))
            start = stop
        return np.where(left == right, self.sizes[left], found)


IDENTIFIER_OVERLAP = IdentifierOverlap()
