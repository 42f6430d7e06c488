"""The join of sets by overlap, on workers: each compares a range of rows with all rows before it.

The prefix index and the sets are written once to a folder that all workers see, and are mapped into memory: a worker
reads the parts that its ranges need, and workers on one machine share them.
"""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.code.prefix_join import Integers, JoinedPart, PreparedJoin, SortedSets
from clonetruth.code.remote_workers import RemoteWorkers
from clonetruth.progress import Progress

_LOOKUPS = 20_000_000
"""Index entries that a worker looks up at a time: about a second of work."""


def join_remotely(workers: RemoteWorkers, report: Progress, sets: SortedSets, required: Integers) -> list[JoinedPart]:
    """As `SortedSets.joined`, by workers."""
    if not len(sets.sizes):
        return []
    with tempfile.TemporaryDirectory(prefix="clonetruth-join-") as folder:
        join = PreparedJoin.of(sets, required)
        join.save(Path(folder))
        tables = workers.map_batches(
            join_range,
            folder,
            join.row_ranges(_LOOKUPS),
            lambda done, total: report("Comparing fragments on the workers", done, total),
        )
        larger, smaller, overlap = ([table[name].to_numpy() for table in tables] for name in _COLUMNS)
    return list(zip(larger, smaller, overlap, strict=True))


_COLUMNS = ("larger", "smaller", "overlap")


def join_range(folder: str, rows: tuple[int, int]) -> pa.Table:
    """The pairs of a range of rows, with the columns `larger`, `smaller` and `overlap`."""
    found = _loaded(folder).join(*rows)
    columns = [np.concatenate([np.empty(0, np.int64), *column]) for column in found]
    return pa.table(dict(zip(_COLUMNS, columns, strict=True)))


@functools.lru_cache(maxsize=1)
def _loaded(folder: str) -> PreparedJoin:
    return PreparedJoin.load(Path(folder))
