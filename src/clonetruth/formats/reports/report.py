"""Clone reports: which places in source files a tool calls clones, whatever file it writes.

A reader gives the reported pairs in Arrow batches with the columns of `REPORTED`. A class of n fragments is
n (n - 1) / 2 pairs. Rows that have no sense are told, and left out; nothing else is changed: spans may be
reversed or negative, pairs may repeat.
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
"""A reported pair: two places with inclusive lines from 1, and the tool's score where it gives one."""


@dataclass
class ReadingLog:
    """What happened while a report was read.

    Attributes:
        strict: refuse the report at its first bad row instead of leaving the row out.
        pairs: pairs given so far.
        skipped: bad rows so far.
        first: the first few of them, as (file, line or None, why).
        notes: what a reader of the numbers should know of the report, e.g. that whole files were compared.
    """

    strict: bool = False
    pairs: int = 0
    skipped: int = 0
    first: list[tuple[Path, int | None, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    EXAMPLES = 20

    def skip(self, path: Path, line: int | None, why: str) -> None:
        """Leave a bad row out, or refuse the report when strict."""
        if self.strict:
            where = f"{path}, line {line}" if line is not None else str(path)
            raise InputError(f"A row of the report has no sense: {why}.", where=where)
        self.skipped += 1
        if len(self.first) < self.EXAMPLES:
            self.first.append((path, line, why))


class ReportFormat(Protocol):
    """A tool's report format."""

    name: str
    """How it is asked for ("nicad")."""

    description: str
    """What the files are, in a sentence."""

    def recognise(self, paths: Sequence[Path]) -> bool:
        """Whether the files are such a report, from their names and first bytes; cheap and specific."""
        ...

    def read(self, paths: Sequence[Path], log: ReadingLog) -> Iterator[pa.RecordBatch]:
        """The reported pairs, streamed, with the columns of `REPORTED` and the paths as the tool wrote them.

        Raises:
            InputError: the files are no such report, or damaged beyond leaving rows out.
        """
        ...
