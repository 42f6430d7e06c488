"""Dolos: `pairs.csv` with the similarity of every pair of files, and the fragments they share where they are given.

A report is the folder that Dolos writes, or its `pairs.csv`, with `files.csv` where the pairs name files by number
only. In a folder, `fragments/<pair>.json` says which lines the two files share; its rows count from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.formats.reports.classes import LAST_LINE, Mention, ReportedClass, clone_class, pairs_of, score_of
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.sniffing import first_line
from clonetruth.formats.tables import Row, read_csv

WHOLE_FILES = (
    "Whole files were compared where the report gives no fragments, and all pairs of files that share anything are "
    "listed: the score alone says which of them the tool takes for clones."
)
"""What a reader of the numbers should know."""


class DolosCsv:
    """The format as the registry knows it."""

    name = "dolos"
    description = "Dolos' report: the folder, or pairs.csv with files.csv"

    def recognise(self, paths: Sequence[Path]) -> bool:
        """See `ReportFormat.recognise`."""
        files = [path for path in _files(paths) if path.is_file()]
        return sum(map(_is_pairs, files)) == 1 and all(_is_pairs(path) or _is_beside(path) for path in files)

    def read(self, paths: Sequence[Path], log: ReadingLog) -> Iterator[pa.RecordBatch]:
        """See `ReportFormat.read`."""
        files = _files(paths)
        lists = [path for path in files if _is_pairs(path)]
        if not lists:
            raise InputError(
                "There is no list of pairs among the files.", where=", ".join(map(str, paths)), hint="Give pairs.csv."
            )
        log.notes.append(WHOLE_FILES)
        names = _names(files)
        fragments = [path / "fragments" for path in paths if path.is_dir()]
        for path in lists:
            yield from pairs_of(_classes(path, names, fragments, log), log)


FORMAT = DolosCsv()


def _files(paths: Sequence[Path]) -> list[Path]:
    return [file for path in paths for file in ([path / "pairs.csv", path / "files.csv"] if path.is_dir() else [path])]


def _is_pairs(path: Path) -> bool:
    header = first_line(path).split(",")
    return "leftFileId" in header and "rightFileId" in header and "similarity" in header


def _is_names(path: Path) -> bool:
    return first_line(path).startswith("id,path,")


def _is_beside(path: Path) -> bool:
    """Whether Dolos writes such a file beside the pairs."""
    return _is_names(path) or path.name.partition(".")[0] in ("metadata", "kgrams")


def _names(files: Sequence[Path]) -> dict[str, str]:
    """The paths of the files by their numbers."""
    tables = (path for path in files if _is_names(path))
    return {row.values["id"]: row.values["path"] for path in tables for row in read_csv(path) if "path" in row.values}


def _classes(
    path: Path, names: Mapping[str, str], fragments: Sequence[Path], log: ReadingLog
) -> Iterator[ReportedClass]:
    for row in read_csv(path):
        score = score_of(row.values.get("similarity"))
        if score is None:
            log.skip(path, row.line, "the similarity is no number")
            continue
        left, right = (_file(row, side, names) for side in ("left", "right"))
        places = _shared(row.values.get("id"), fragments) or [((1, LAST_LINE), (1, LAST_LINE))]
        for (left_first, left_last), (right_first, right_last) in places:
            mentions = (Mention(left, left_first, left_last), Mention(right, right_first, right_last))
            yield from clone_class(mentions, path, row.line, log, score=score)


def _file(row: Row, side: str, names: Mapping[str, str]) -> str | None:
    return row.values.get(f"{side}FilePath") or names.get(row.values.get(f"{side}FileId", ""))


_Lines = tuple[object, object]


def _shared(pair: str | None, folders: Sequence[Path]) -> list[tuple[_Lines, _Lines]]:
    """The lines that the files of a pair share; none where the report does not say."""
    if pair is None or not pair.isdecimal():
        return []
    found = next((file for folder in folders if (file := folder / f"{pair}.json").is_file()), None)
    document = read_document(found) if found else None
    return [
        (_lines(fragment.get("leftSelection")), _lines(fragment.get("rightSelection")))
        for fragment in (document if isinstance(document, list) else [])
        if isinstance(fragment, dict)
    ]


def _lines(selection: Any) -> _Lines:
    rows = [selection.get(name) if isinstance(selection, dict) else None for name in ("startRow", "endRow")]
    first, last = (row + 1 if isinstance(row, int) else row for row in rows)
    return first, last
