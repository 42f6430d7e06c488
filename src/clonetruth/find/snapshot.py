"""What a search remembers of the last one over the same files: their contents, and the pairs that were found.

A file with the size and the time of the last change that it had then is not read again, as in git. Pairs of functions
in files that did not change are the same as they were, so only new functions need to be compared with all.
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
"""Nanoseconds without a change after which a file's time tells its contents: clocks of file systems are coarse."""

State = tuple[int, int]
"""The size of a file, and when it was changed last; (-1, -1) where that does not tell its contents."""
UNKNOWN = (-1, -1)


def state(file: SearchedFile) -> State:
    """The state of a file, to be asked for before it is read."""
    try:
        found = file.path.stat()
    except OSError:
        return UNKNOWN
    settled = found.st_mtime_ns < time.time_ns() - _SETTLED
    return (found.st_size, found.st_mtime_ns) if settled else UNKNOWN


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A search that was made.

    Args:
        paths: the files, as bytes.
        states: the state of each.
        contents: the digest of the contents of each, empty for a file that was skipped.
        compared: how many functions of each were compared.
        pairs: what was found, with the columns of `PAIRS_FOUND`.
    """

    paths: Sequence[bytes]
    states: Sequence[State]
    contents: Sequence[bytes]
    compared: Integers
    pairs: pa.Table

    @classmethod
    def of_note(cls, note: pa.Table) -> Snapshot:
        """What `note` made a note of."""
        files, pairs = (pa.Table.from_struct_array(note[name].combine_chunks().flatten()) for name in note.column_names)
        sizes, changes = files["size"].to_pylist(), files["changed"].to_pylist()
        return cls(
            paths=files["path"].to_pylist(),
            states=list(zip(sizes, changes, strict=True)),
            contents=files["content"].to_pylist(),
            compared=files["compared"].to_numpy().astype(np.int64),
            pairs=pairs.cast(PAIRS_FOUND),
        )

    def note(self) -> pa.Table:
        """This run as a table of one row."""
        sizes, changes = zip(*self.states, strict=True) if self.states else ((), ())
        files = pa.table([self.paths, sizes, changes, self.contents, self.compared.astype(np.int32)], schema=_FILES)
        plain = self.pairs.set_column(3, "finder", self.pairs["finder"].cast(pa.string()))
        return pa.table({"files": _one_row(files), "pairs": _one_row(plain)})

    def known_contents(self, paths: Sequence[bytes], states: Sequence[State]) -> list[bytes]:
        """The contents of files as far as their states tell; empty where they do not."""
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
    """What an earlier search found of the functions of this one.

    Args:
        run: the earlier search.
        contents: the contents of the files now.
        compared: how many functions of each are compared.

    Attributes:
        unchanged: whether the files are the same, in the same order.
        kept: which functions of now the earlier search compared.
    """

    def __init__(self, run: Snapshot, contents: Sequence[bytes], compared: Integers) -> None:
        self._run = run
        self._numbers = _renumbered(run, contents, compared)
        self.unchanged = list(run.contents) == list(contents)
        self.kept: npt.NDArray[np.bool_] = np.zeros(int(compared.sum()), dtype=bool)
        self.kept[self._numbers[self._numbers >= 0]] = True

    def found_by(self, finder: str) -> Matches:
        """The pairs that a finder found of functions that still are, with the numbers that they have now."""
        table = self._run.pairs
        pairs = table.filter(pa.array(np.array(table["finder"].cast(pa.string()).to_pylist(), dtype=object) == finder))
        left, right = (self._numbers[pairs[side].to_numpy()] for side in ("left", "right"))
        kept = (left >= 0) & (right >= 0)
        return Matches(left[kept], right[kept], pairs["score"].to_numpy()[kept])


def _renumbered(run: Snapshot, contents: Sequence[bytes], compared: Integers) -> Integers:
    """The number that each function of a run has among files of such contents; -1 where it is gone."""
    places: dict[bytes, deque[int]] = defaultdict(deque)
    for file, content in enumerate(contents):
        places[content].append(file)
    now = np.array([places[old].popleft() if old and places[old] else -1 for old in run.contents], dtype=np.int64)
    starts = np.append(np.cumsum(compared) - compared, -1)[now]
    own = np.cumsum(run.compared) - run.compared
    number = np.arange(int(run.compared.sum())) + np.repeat(starts - own, run.compared)
    return np.where(np.repeat(now < 0, run.compared), -1, number)
