"""A snapshot of the last search over the same files: their contents, and the found pairs.

A file with the same size and modification time is not read again, as in git. Pairs of functions in unchanged files
stay the same, so only new functions must be compared with all.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.detectors.pair_batches import Matches
from clonetruth.find.search_result import PAIRS_FOUND, SearchedFile

_FILES = pa.schema(
    [
        pa.field("path", pa.large_binary(), nullable=False),
        pa.field("size", pa.int64(), nullable=False),
        pa.field("changed", pa.int64(), nullable=False),
        pa.field("content", pa.binary(), nullable=False),
        pa.field("compared", pa.int32(), nullable=False),
    ]
)
_SETTLED = 2_000_000_000
"""Nanoseconds without a change after which the modification time is reliable: file system clocks are coarse."""

State = tuple[int, int]
"""The size and modification time of a file; (-1, -1) if these do not identify its contents."""
UNKNOWN = (-1, -1)


def state(file: SearchedFile) -> State:
    """Return the state of a file; call this before reading it."""
    try:
        status = file.path.stat()
    except OSError:
        return UNKNOWN
    settled = status.st_mtime_ns < time.time_ns() - _SETTLED
    return (status.st_size, status.st_mtime_ns) if settled else UNKNOWN


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A finished search.

    Args:
        paths: the files, each with its language, as bytes.
        states: the state of each file.
        contents: the digest of the contents of each file, empty for a skipped one.
        compared: the number of compared functions of each file.
        pairs: the found pairs, with the columns of `PAIRS_FOUND`.
    """

    paths: Sequence[bytes]
    states: Sequence[State]
    contents: Sequence[bytes]
    compared: Integers
    pairs: pa.Table

    @classmethod
    def from_table(cls, table: pa.Table) -> Snapshot:
        """Return the snapshot that `to_table` stored."""
        files, pairs = (
            pa.Table.from_struct_array(table[name].combine_chunks().flatten()) for name in table.column_names
        )
        sizes, changes = files["size"].to_pylist(), files["changed"].to_pylist()
        return cls(
            paths=files["path"].to_pylist(),
            states=list(zip(sizes, changes, strict=True)),
            contents=files["content"].to_pylist(),
            compared=files["compared"].to_numpy().astype(np.int64),
            pairs=pairs.cast(PAIRS_FOUND),
        )

    def to_table(self) -> pa.Table:
        """Return the snapshot as a table with one row."""
        sizes, changes = zip(*self.states, strict=True) if self.states else ((), ())
        files = pa.table([self.paths, sizes, changes, self.contents, self.compared.astype(np.int32)], schema=_FILES)
        plain = self.pairs.set_column(3, "finder", self.pairs["finder"].cast(pa.string()))
        return pa.table({"files": _one_row(files), "pairs": _one_row(plain)})

    def known_contents(self, paths: Sequence[bytes], states: Sequence[State]) -> list[bytes]:
        """Return the contents of files by their states; empty if unknown."""
        known = {
            (path, state): content
            for path, state, content in zip(self.paths, self.states, self.contents, strict=True)
            if state != UNKNOWN
        }
        return [known.get(entry, b"") for entry in zip(paths, states, strict=True)]


def _one_row(table: pa.Table) -> pa.Array:
    rows = table.to_struct_array()
    values = pa.concat_arrays(rows.chunks) if rows.num_chunks else pa.array([], rows.type)
    return pa.LargeListArray.from_arrays(pa.array([0, len(values)], pa.int64()), values)


class PreviousRun:
    """What an earlier search found among the functions of the current one.

    Args:
        run: the earlier search.
        contents: the current contents of the files.
        compared: the number of functions of each file to compare.

    Attributes:
        unchanged: whether the files are the same, in the same order.
        kept: which current functions the earlier search compared.
    """

    def __init__(self, run: Snapshot, contents: Sequence[bytes], compared: Integers) -> None:
        self._run = run
        self._numbers = _renumbered(run, contents, compared)
        self.unchanged = list(run.contents) == list(contents)
        self.kept: npt.NDArray[np.bool_] = np.zeros(int(compared.sum()), dtype=bool)
        self.kept[self._numbers[self._numbers >= 0]] = True

    def pairs_of(self, finder: str) -> Matches:
        """Return the pairs that a finder found among functions that still exist, with their current numbers."""
        table = self._run.pairs
        pairs = table.filter(pa.array(np.array(table["finder"].cast(pa.string()).to_pylist(), dtype=object) == finder))
        left, right = (self._numbers[pairs[side].to_numpy()] for side in ("left", "right"))
        kept = (left >= 0) & (right >= 0)
        return Matches(left[kept], right[kept], pairs["score"].to_numpy()[kept])


def _renumbered(run: Snapshot, contents: Sequence[bytes], compared: Integers) -> Integers:
    """Return the current number of each function of a run; -1 if it no longer exists."""
    files_by_content: dict[bytes, deque[int]] = defaultdict(deque)
    for file, content in enumerate(contents):
        files_by_content[content].append(file)
    now = np.array(
        [files_by_content[old].popleft() if old and files_by_content[old] else -1 for old in run.contents],
        dtype=np.int64,
    )
    starts = np.append(np.cumsum(compared) - compared, -1)[now]
    own = np.cumsum(run.compared) - run.compared
    number = np.arange(int(run.compared.sum())) + np.repeat(starts - own, run.compared)
    return np.where(np.repeat(now < 0, run.compared), -1, number)
