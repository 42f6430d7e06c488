"""JPlag's CSV of similarities between submissions, in its three layouts.

Since version 4: `results.csv` with the header `submissionName1,submissionName2,averageSimilarity,maxSimilarity`, as
fractions. Version 3: `matches_avg.csv` with rows `number;name;name;percent;`. Version 2: rows
`name;number;name;percent;number;name;percent;…`, where the first name is paired with each of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from clonetruth.formats.reports.classes import (
    LAST_LINE,
    ClassReport,
    RawLocation,
    ReportedClass,
    clone_class,
    parse_score,
)
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.sniffing import first_line
from clonetruth.formats.tables import read_cells, read_csv

WHOLE_FILES = (
    "Whole files were compared, and all their pairs are listed: only the score shows which of them the tool considers "
    "clones."
)
"""A note for readers of the numbers: the report has neither lines nor decisions."""

_HEADER = "submissionName1,submissionName2,averageSimilarity"
_NUMBER = r"\d+(?:\.\d+)?"
_VERSION_3 = re.compile(rf"0;[^;]+;[^;]+;{_NUMBER};?")
_VERSION_2 = re.compile(rf"[^;]+;\d+;[^;]+;{_NUMBER}(?:;|$)")


def _matches(path: Path) -> bool:
    line = first_line(path)
    return bool(line.startswith(_HEADER) or _VERSION_3.fullmatch(line) or _VERSION_2.match(line))


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    if WHOLE_FILES not in log.notes:
        log.notes.append(WHOLE_FILES)
    pairs = _with_header(path) if first_line(path).startswith(_HEADER) else _without_header(path)
    for line, left, right, similarity in pairs:
        score = parse_score(similarity)
        if score is None:
            log.skip(path, line, f"the similarity is not a number: {str(similarity)[:40]!r}")
        else:
            locations = (RawLocation(left, 1, LAST_LINE), RawLocation(right, 1, LAST_LINE))
            yield from clone_class(locations, path, line, log, score=score)


class _Pair(NamedTuple):
    """Two submissions and their similarity as a row states them, and its line."""

    line: int
    left: str | None
    right: str | None
    similarity: str | None


def _with_header(path: Path) -> Iterator[_Pair]:
    for row in read_csv(path):
        yield _Pair(row.line, *map(row.values.get, ("submissionName1", "submissionName2", "averageSimilarity")))


def _without_header(path: Path) -> Iterator[_Pair]:
    numbered: bool | None = None
    for line, cells in read_cells(path, delimiter=";"):
        row = cells[:-1] if cells and not cells[-1].strip() else cells
        if not row:
            continue
        if numbered is None:
            # Version 3 numbers its rows from 0; in version 2 they begin with a name.
            numbered = row[0].strip() == "0" and len(row) == 4
        groups = [row[1:]] if numbered else [[row[0], *row[at : at + 2]] for at in range(2, max(len(row), 3), 3)]
        for group in groups:
            left, right, similarity, *_ = [*group, None, None, None]
            yield _Pair(line, left, right, similarity)


FORMAT = ClassReport(
    name="jplag",
    description="JPlag's CSV of similarities between submissions (results.csv, matches_avg.csv)",
    matches=_matches,
    classes=_classes,
)
