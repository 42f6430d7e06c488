"""The names that two fragments share: a detector that reads names and ignores what the code does with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code import LANGUAGES, map_parallel, name_tokens
from clonetruth.code import language as language_named
from clonetruth.detectors.detector import score_array, side_rows
from clonetruth.detectors.word_bags import Integers, WordBags
from clonetruth.progress import Progress, no_progress

_FRAGMENTS = 1024
"""Fragments per batch: large enough to hide the cost of sending them to another process."""
_LOOKUPS = 20_000_000
"""Names per lookup: bounds memory."""


@dataclass(frozen=True)
class IdentifierOverlap:
    """The Jaccard index of the sets of variable, function and type names; any language, also across languages."""

    name: str = "identifier-overlap"
    description: str = "Names that both fragments contain ÷ names that either contains."
    default_threshold: float | None = 0.5

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a fragment has no name."""
        left, right = side_rows(fragments, pairs)
        report = progress or no_progress
        sets = _NameSets(_names(fragments, processes, report))
        a, b = sets.sizes[left], sets.sizes[right]
        known = (a > 0) & (b > 0)
        common = sets.common(left, right, report)
        jaccard = np.divide(common, a + b - common, out=np.zeros(len(a)), where=known)
        return score_array(jaccard, known)


def _names(fragments: pa.Table, processes: int, report: Progress) -> Iterator[list[set[bytes]]]:
    batches = fragments.select(["language", "text"]).to_batches(_FRAGMENTS)
    rows = (list(zip(*batch.to_pydict().values(), strict=True)) for batch in batches)
    for names in map_parallel(_names_of_batch, None, rows, processes):
        report("Reading names", len(names), fragments.num_rows)
        yield names


def _names_of_batch(_: None, rows: list[tuple[str, str]]) -> list[set[bytes]]:
    return [set(name_tokens(text, language_named(name) if name in LANGUAGES else None)) for name, text in rows]


class _NameSets:
    """The names of each fragment as numbers, in consecutive runs.

    Names that occur in a single fragment get no number, since they cannot be shared.
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
        name_count = max(len(numbers), 1)
        entries = np.sort(owners[shared] * name_count + names[shared])
        starts = np.searchsorted(entries, np.arange(len(runs) + 1) * name_count)
        self._bags = WordBags(starts, (entries % name_count).astype(np.int32), name_count)

    def common(self, left: Integers, right: Integers, report: Progress) -> Integers:
        """The number of names that the two sides of each pair share."""
        ends = np.cumsum(np.minimum(self._bags.sizes[left], self._bags.sizes[right]))
        shared = np.zeros(len(left), dtype=np.int64)
        start = 0
        while start < len(left):
            done = ends[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, done + _LOOKUPS, side="right")))
            shared[start:stop] = self._bags.shared(left[start:stop], right[start:stop]).sizes
            report("Comparing names", stop - start, len(left))
            start = stop
        return np.where(left == right, self.sizes[left], shared)


IDENTIFIER_OVERLAP = IdentifierOverlap()
