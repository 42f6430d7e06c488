"""Dolos: `pairs.csv` with the similarity of every pair of files, and the fragments they share if the report has them.

A report is the folder that Dolos writes, or its `pairs.csv`, with `files.csv` if the pairs name files only by number.
In a folder, `fragments/<pair>.json` lists the lines that two files share, counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.formats.reports.classes import (
    LAST_LINE,
    RawLocation,
    ReportedClass,
    class_pairs,
    clone_class,
    parse_score,
)
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.sniffing import first_line
from clonetruth.formats.tables import Row, read_csv

WHOLE_FILES = (
    "Whole files were compared where the report has no fragments, and all pairs of files that share anything are "
    "listed: only the score shows which of them the tool considers clones."
)
"""A note for readers of the numbers."""


class DolosCsv:
    """The registered format."""

    name = "dolos"
    description = "Dolos' report: the folder, or pairs.csv with files.csv"

    def recognise(self, paths: Sequence[Path]) -> bool:
        """See `ReportFormat.recognise`."""
        files = [path for path in _files(paths) if path.is_file()]
        return sum(map(_is_pairs, files)) == 1 and all(_is_pairs(path) or _is_companion(path) for path in files)

    def read(self, paths: Sequence[Path], log: ReadingLog) -> Iterator[pa.RecordBatch]:
        """See `ReportFormat.read`."""
        files = _files(paths)
        lists = [path for path in files if _is_pairs(path)]
        if not lists:
            raise InputError(
                "No list of pairs is among the files.", where=", ".join(map(str, paths)), hint="Add pairs.csv."
            )
        log.notes.append(WHOLE_FILES)
        names = _names(files)
        fragments = [path / "fragments" for path in paths if path.is_dir()]
        for path in lists:
            yield from class_pairs(_classes(path, names, fragments, log), log)


FORMAT = DolosCsv()


def _files(paths: Sequence[Path]) -> list[Path]:
    return [file for path in paths for file in ([path / "pairs.csv", path / "files.csv"] if path.is_dir() else [path])]


def _is_pairs(path: Path) -> bool:
    header = first_line(path).split(",")
    return "leftFileId" in header and "rightFileId" in header and "similarity" in header


def _is_names(path: Path) -> bool:
    return first_line(path).startswith("id,path,")


def _is_companion(path: Path) -> bool:
    """Whether Dolos writes such a file next to the pairs."""
    return _is_names(path) or path.name.partition(".")[0] in ("metadata", "kgrams")


def _names(files: Sequence[Path]) -> dict[str, str]:
    """The paths of the files by number."""
    tables = (path for path in files if _is_names(path))
    return {row.values["id"]: row.values["path"] for path in tables for row in read_csv(path) if "path" in row.values}


def _classes(
    path: Path, names: Mapping[str, str], fragments: Sequence[Path], log: ReadingLog
) -> Iterator[ReportedClass]:
    for row in read_csv(path):
        score = parse_score(row.values.get("similarity"))
        if score is None:
            log.skip(path, row.line, "the similarity is not a number")
            continue
        left, right = (_file(row, side, names) for side in ("left", "right"))
        ranges = _shared(row.values.get("id"), fragments) or [((1, LAST_LINE), (1, LAST_LINE))]
        for (left_first, left_last), (right_first, right_last) in ranges:
            locations = (RawLocation(left, left_first, left_last), RawLocation(right, right_first, right_last))
            yield from clone_class(locations, path, row.line, log, score=score)


def _file(row: Row, side: str, names: Mapping[str, str]) -> str | None:
    return row.values.get(f"{side}FilePath") or names.get(row.values.get(f"{side}FileId", ""))


_Lines = tuple[object, object]


def _shared(pair: str | None, folders: Sequence[Path]) -> list[tuple[_Lines, _Lines]]:
    """The lines that the files of a pair share; none if the report does not list them."""
    if pair is None or not pair.isdecimal():
        return []
    path = next((file for folder in folders if (file := folder / f"{pair}.json").is_file()), None)
    document = read_document(path) if path else None
    return [
        (_lines(fragment.get("leftSelection")), _lines(fragment.get("rightSelection")))
        for fragment in (document if isinstance(document, list) else [])
        if isinstance(fragment, dict)
    ]


def _lines(selection: Any) -> _Lines:
    rows = [selection.get(name) if isinstance(selection, dict) else None for name in ("startRow", "endRow")]
    first, last = (row + 1 if isinstance(row, int) else row for row in rows)
    return first, last
