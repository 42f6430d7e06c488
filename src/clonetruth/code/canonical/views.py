"""The views of a fragment: what it looks like as tokens, as a tree, as flows of values, as words.

A view is a bag of features. A feature is hashed into one of `BINS` bins, so that a view of any code has the same size
and no text is stored. `VIEWS` names them; `read_views` computes them for many fragments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical.features import VIEWS, view_features
from clonetruth.code.canonical.forest import read_forest
from clonetruth.code.canonical.kinds import known_language
from clonetruth.code.language import Language
from clonetruth.code.parallel import map_parallel

Integers = npt.NDArray[np.int64]

BINS = 1 << 15
"""Bins of a view."""

_BATCH = 128
"""Fragments that are read at once: enough for arrays, few enough for memory."""
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(64 - 15)
_MAX_COUNT = 255


@dataclass(frozen=True, eq=False)
class ViewCounts:
    """The features of fragments: the bins of every view of every fragment, with their counts.

    Attributes:
        starts: where the bins of each fragment and view begin (`fragment * len(VIEWS) + view`), and the end.
        columns: `view * BINS + bin`, ascending within a fragment.
        counts: how often a feature occurs, at most 255.
    """

    starts: Integers
    columns: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return (len(self.starts) - 1) // len(VIEWS)

    @classmethod
    def joined(cls, parts: Sequence[ViewCounts]) -> ViewCounts:
        """The features of several batches as one."""
        if not parts:
            return cls(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint8))
        ends = np.cumsum([0, *(part.starts[-1] for part in parts)])
        starts = [part.starts[:-1] + end for part, end in zip(parts, ends, strict=False)]
        return cls(
            np.concatenate([*starts, ends[-1:]]),
            np.concatenate([part.columns for part in parts]),
            np.concatenate([part.counts for part in parts]),
        )

    def take(self, rows: Integers) -> ViewCounts:
        """The features of some fragments, in the given order."""
        views = len(VIEWS)
        runs = (rows[:, None] * views + np.arange(views)).reshape(-1)
        lengths = self.starts[runs + 1] - self.starts[runs]
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        positions = np.arange(total) + np.repeat(self.starts[runs] - (ends - lengths), lengths)
        return ViewCounts(np.concatenate([[0], ends]), self.columns[positions], self.counts[positions])

    def sizes(self) -> Integers:
        """The number of bins of each fragment (rows) and view (columns)."""
        return np.diff(self.starts).reshape(-1, len(VIEWS))


def read_views(texts: Sequence[str], languages: Sequence[str], *, processes: int = 1) -> Iterator[ViewCounts]:
    """Compute the views of fragments, batch by batch, in order.

    Args:
        texts: functions or files. One that does not parse has the views of what the parser recognised, and of all its
            tokens; one in an unknown language, or without a token, has none.
        languages: the name of the language of each.
        processes: the number of worker processes.
    """
    batches = (
        (texts[first : first + _BATCH], languages[first : first + _BATCH]) for first in range(0, len(texts), _BATCH)
    )
    yield from map_parallel(_read_batch, None, batches, processes)


def _read_batch(_: None, batch: tuple[Sequence[str], Sequence[str]]) -> ViewCounts:
    texts, names = batch
    known: list[Language | None] = [known_language(name) for name in names]
    forest = read_forest(texts, known)
    keys = []
    for view, (owner, feature) in enumerate(view_features(forest)):
        bins = ((feature * _MULTIPLIER) >> _SHIFT).astype(np.int64)
        keys.append((owner * len(VIEWS) + view) * BINS + bins)
    codes, counts = np.unique(np.concatenate(keys), return_counts=True)
    edges = np.arange(len(texts) * len(VIEWS) + 1) * BINS
    columns = codes % (len(VIEWS) * BINS)
    return ViewCounts(
        np.searchsorted(codes, edges), columns.astype(np.int32), np.minimum(counts, _MAX_COUNT).astype(np.uint8)
    )
