"""Writers for pairs: plain CSV tables and BigCloneEval's CSV."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

from clonetruth.safe_text import spreadsheet_row

PAIR_COLUMNS = (
    "left",
    "right",
    "label",
    "part",
    "functionality",
    "claimed_type",
    "claimed_similarity_line",
    "claimed_similarity_token",
)
FRAGMENT_COLUMNS = ("id", "language", "text", "kind", "name", "project", "path", "first_line", "last_line")


_CHUNK = 1 << 16


class _RowBuffer:
    """Takes the rows of a `csv.writer` whose lines end in CRLF, so that it quotes both, and ends them in LF."""

    def __init__(self) -> None:
        self.rows: list[str] = []
        self.size = 0

    def write(self, row: str) -> None:
        self.rows.append(row[:-2] + "\n")
        self.size += len(row)

    def take(self) -> str:
        rows, self.rows, self.size = self.rows, [], 0
        return "".join(rows)


def csv_pieces(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, spreadsheet_safe: bool = False
) -> Iterator[str]:
    """A table with a header as CSV, in pieces of text. Missing values become empty cells.

    Args:
        columns: the header.
        rows: the cells of each row.
        spreadsheet_safe: quote every cell, and put an apostrophe before those that a spreadsheet could take for a
            formula; otherwise a reader gets back exactly what is written.
    """
    buffer = _RowBuffer()
    writer = csv.writer(buffer, lineterminator="\r\n", quoting=csv.QUOTE_ALL if spreadsheet_safe else csv.QUOTE_MINIMAL)
    writer.writerow(columns)
    for row in rows:
        writer.writerow(spreadsheet_row(row) if spreadsheet_safe else row)
        if buffer.size >= _CHUNK:
            yield buffer.take()
    yield buffer.take()


def write_csv(
    path: str | os.PathLike[str],
    columns: tuple[str, ...],
    rows: Iterable[Mapping[str, Any]],
    *,
    spreadsheet_safe: bool = False,
) -> None:
    """Write a table as `csv_pieces` does."""
    cells = ([row[column] for column in columns] for row in rows)
    with _new(Path(path)) as file:
        file.writelines(csv_pieces(columns, cells, spreadsheet_safe=spreadsheet_safe))


def bigcloneeval_location(path: str | None, first_line: int | None, last_line: int | None) -> str | None:
    """Format a fragment's location as ``folder,file,first,last``.

    Returns None if the location is unknown, or if the path contains a character that the format cannot hold.
    """
    if not path or first_line is None or last_line is None or any(sign in path for sign in ',"\n\r'):
        return None
    file = PurePosixPath(path)
    return f"{file.parent},{file.name},{first_line},{last_line}"


def write_bigcloneeval(path: str | os.PathLike[str], pairs: Iterable[tuple[str, str]]) -> None:
    """Write clones as BigCloneEval imports them: one pair per line, as two locations from `bigcloneeval_location`."""
    path = Path(path)
    with _new(path) as file:
        for left, right in pairs:
            file.write(f"{left},{right}\n")


def _new(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", newline="")
