"""Writers for pairs: plain CSV tables and BigCloneEval's CSV."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

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


def write_csv(path: str | os.PathLike[str], columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a table with a header. Missing values become empty cells."""
    path = Path(path)
    with _new(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([row[column] for column in columns])


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
