"""Rows of JSON lines files with known columns. Other lines are skipped and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from clonetruth.formats.streams import read_lines
from clonetruth.formats.tables import Row
from clonetruth.parsing import parse_json
from clonetruth.sources.source import ImportLog


def json_rows(path: Path, log: ImportLog, *, text: Sequence[str]) -> Iterator[Row]:
    """The objects of a file, with their lines.

    Args:
        path: the file.
        log: records lines that are not JSON objects or lack a column.
        text: required columns that hold text or a number; their values are converted to text.
    """
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            values = parse_json(line)
        except (ValueError, RecursionError):
            log.skip(path, number, "the line is not JSON")
            continue
        if not isinstance(values, dict):
            log.skip(path, number, "the line is not a JSON object")
            continue
        found = {name: as_text(values.get(name)) for name in text}
        if None in found.values():
            log.skip(path, number, "a column is missing or is neither text nor a number")
            continue
        yield Row(number, {**values, **found})


def as_text(value: Any) -> str | None:
    """A string or an integer as text that can be stored; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    # JSON may escape a lone surrogate, which no encoding can write.
    return str(value).encode("utf-8", errors="replace").decode("utf-8")


def first_object(line: bytes) -> dict[str, Any]:
    """The JSON object in the first line of some bytes; empty if there is none."""
    try:
        value = parse_json(line.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
