"""A snapshot of the last search over the same files: what was read from them, and the found pairs.

A file with the same size and times is not read again, as in git. Pairs of functions in unchanged files stay the same,
so only new functions must be compared with all; if no file changed, the snapshot is the result.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.code.discovery_memo import FileState
from clonetruth.code.overlap import Integers
from clonetruth.detectors.pair_batches import Matches
from clonetruth.find.reading import UNREADABLE
from clonetruth.find.search_result import PAIRS_FOUND, SearchedFile

STATES: pa.Schema = pa.schema(
    [
        pa.field("path", pa.large_binary(), nullable=False),
        *(pa.field(name, pa.int64()) for name in FileState._fields),
    ]
)
"""The columns of paths with states; null for a file whose state is unknown."""


def current_state(file: SearchedFile) -> FileState | None:
    """Return the state of a file; call this before reading it."""
    if file.state is not None:
        return file.state
    try:
        return FileState.of(file.path.stat())
    except OSError:
        return None


def state_columns(paths: Sequence[bytes], states: Sequence[FileState | None]) -> list[pa.Array]:
    """Return the columns of `STATES`."""
    columns = zip(*(state or (None,) * len(FileState._fields) for state in states), strict=True)
    numbers = [pa.array(column, pa.int64()) for column in columns]
    return [pa.array(paths, pa.large_binary()), *(numbers or [pa.array([], pa.int64())] * len(FileState._fields))]


def stored_states(table: pa.Table) -> list[FileState | None]:
    """Return the states that `state_columns` stored."""
    rows = zip(*(table[name].to_pylist() for name in FileState._fields), strict=True)
    return [None if row[0] is None else FileState(*row) for row in rows]


def bundled(**tables: pa.Table) -> pa.Table:
    """Return several tables as one, with one row and a column for each."""
    return pa.table({name: _one_row(table) for name, table in tables.items()})


def unbundled(bundle: pa.Table) -> list[pa.Table]:
    """Return the tables of a bundle."""
    return [pa.Table.from_struct_array(bundle[name].combine_chunks().flatten()) for name in bundle.column_names]


def _one_row(table: pa.Table) -> pa.Array:
    rows = table.to_struct_array()
    values = pa.concat_arrays(rows.chunks) if rows.num_chunks else pa.array([], rows.type)
    return pa.LargeListArray.from_arrays(pa.array([0, len(values)], pa.int64()), values)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A finished search.

    Args:
        paths: the files, each with its language, as bytes.
        states: the state of each file.
        contents: the digest of the contents of each file, empty for a skipped one.
        read: what was read from each file, with the columns of `ReadingPlan.schema` but the number of the file and
            the features.
        pairs: the found pairs, with the columns of `PAIRS_FOUND`.
    """

    paths: Sequence[bytes]
    states: Sequence[FileState | None]
    contents: Sequence[bytes]
    read: pa.Table
    pairs: pa.Table

    @classmethod
    def from_table(cls, table: pa.Table) -> Snapshot:
        """Return the snapshot that `to_table` stored."""
        files, pairs = unbundled(table)
        read = files.drop_columns(STATES.names)
        return cls(
            paths=files["path"].to_pylist(),
            states=stored_states(files),
            contents=read["content"].to_pylist(),
            read=read,
            pairs=pairs.cast(PAIRS_FOUND),
        )

    def to_table(self) -> pa.Table:
        """Return the snapshot as a table with one row."""
        columns = [*state_columns(self.paths, self.states), *self.read.columns]
        files = pa.table(columns, schema=pa.schema([*STATES, *self.read.schema]))
        plain = self.pairs.set_column(3, "finder", self.pairs["finder"].cast(pa.string()))
        return bundled(files=files, pairs=plain)

    @property
    def compared(self) -> Integers:
        """The number of compared functions of each file."""
        compared: Integers = self.read["compared"].to_numpy().astype(np.int64)
        return compared

    def positions(self, paths: Sequence[bytes], states: Sequence[FileState | None]) -> list[int]:
        """Return the position of each file among those of the snapshot; -1 for one that may have changed."""
        reasons = self.read["why"].to_pylist()
        known = {
            path: (state, number)
            for number, (path, state, why) in enumerate(zip(self.paths, self.states, reasons, strict=True))
            # Why a file could not be opened may be different now.
            if state is not None and not (why or "").startswith(UNREADABLE)
        }
        found = (known.get(path, (None, -1)) for path in paths)
        return [
            number if state is not None and state == before else -1
            for state, (before, number) in zip(states, found, strict=True)
        ]

    def most_pairs(self) -> int:
        """The number of pairs of the finder that found most."""
        return max((row["counts"] for row in pc.value_counts(self.pairs["finder"]).to_pylist()), default=0)


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
        self.unchanged = list(run.contents) == list(contents)
        self._numbers = np.arange(int(compared.sum())) if self.unchanged else _renumbered(run, contents, compared)
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
