"""Clone reports: the locations in source files that a tool reports as clones, whatever its file format.

A reader gives the reported pairs in Arrow batches with the columns of `REPORTED`. A class of n fragments gives
n (n - 1) / 2 pairs. Invalid rows are logged and left out; nothing else is changed: ranges may be reversed or negative,
and pairs may repeat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from clonetruth.errors import InputError

REPORTED = pa.schema(
    [
        pa.field("left_path", pa.string(), nullable=False),
        pa.field("left_first_line", pa.int32(), nullable=False),
        pa.field("left_last_line", pa.int32(), nullable=False),
        pa.field("right_path", pa.string(), nullable=False),
        pa.field("right_first_line", pa.int32(), nullable=False),
        pa.field("right_last_line", pa.int32(), nullable=False),
        pa.field("score", pa.float64()),
    ]
)
"""A reported pair: two locations with inclusive lines from 1, and the tool's score, if any."""


@dataclass
class ReadingLog:
    """Counts and problems of reading a report.

    Attributes:
        strict: raise an error at the first bad row. By default, bad rows are left out and counted.
        pairs: the number of pairs so far.
        skipped: the number of bad rows so far.
        first: the first few bad rows, as (file, line or None, reason).
        notes: notes for readers of the numbers, for example that whole files were compared.
    """

    strict: bool = False
    pairs: int = 0
    skipped: int = 0
    first: list[tuple[Path, int | None, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    EXAMPLES = 20

    def skip(self, path: Path, line: int | None, why: str) -> None:
        """Leave a bad row out; raise an error if `strict`."""
        if self.strict:
            where = f"{path}, line {line}" if line is not None else str(path)
            raise InputError(f"A row of the report is invalid: {why}.", where=where)
        self.skipped += 1
        if len(self.first) < self.EXAMPLES:
            self.first.append((path, line, why))


class ReportFormat(Protocol):
    """A tool's report format."""

    name: str
    """The name in the registry ("nicad")."""

    description: str
    """One sentence on the files."""

    def recognise(self, paths: Sequence[Path]) -> bool:
        """Whether the files are such a report, from their names and first bytes. Must be cheap and specific."""
        ...

    def read(self, paths: Sequence[Path], log: ReadingLog) -> Iterator[pa.RecordBatch]:
        """The reported pairs, streamed, with the columns of `REPORTED` and the tool's own paths.

        Raises:
            InputError: the files are not such a report, or too damaged to leave rows out.
        """
        ...
