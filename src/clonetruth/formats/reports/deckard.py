"""Deckard's cluster files: one line per fragment, blank lines between clusters.

A line is `000000353 dist:0.0 FILE path LINE:first:length NODE_KIND:… …`; the path may contain blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from clonetruth.formats.reports.classes import ClassReport, RawLocation, ReportedClass, clone_class
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import read_lines

_FRAGMENT = re.compile(r"(?:^|.*?\s)FILE (.+) LINE:(-?\d+):(-?\d+)(?:\s.*)?")
_SIGNATURE = re.compile(rb"^(?:.*\s)?FILE .+ LINE:\d+:\d+", re.MULTILINE)


def _matches(path: Path) -> bool:
    return bool(_SIGNATURE.search(head(path, 16_384)))


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    begin = 0
    started = False
    locations: list[RawLocation] = []
    for number, raw in read_lines(path):
        line = raw.decode("utf-8", errors="replace")
        fragment = _FRAGMENT.fullmatch(line)
        if fragment:
            started = True
            begin = begin if locations else number
            first = int(fragment[2])
            locations.append(RawLocation(fragment[1], first, first + int(fragment[3]) - 1, number))
        elif not line.strip():
            if locations:
                yield from clone_class(locations, path, begin, log)
            locations = []
        elif started:
            # The parameters of the run precede the first fragment.
            log.skip(path, number, "the line does not name a file and lines")
    if locations:
        yield from clone_class(locations, path, begin, log)


FORMAT = ClassReport(
    name="deckard",
    description="Deckard's cluster files",
    matches=_matches,
    classes=_classes,
)
