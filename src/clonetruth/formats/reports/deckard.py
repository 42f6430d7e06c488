"""Deckard's cluster files: a line for each fragment, clusters apart by blank lines.

A line is `000000353 dist:0.0 FILE path LINE:first:length NODE_KIND:… …`; the path may hold blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from clonetruth.formats.reports.classes import ClassReport, Mention, ReportedClass, clone_class
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import read_lines

_FRAGMENT = re.compile(r"(?:^|.*?\s)FILE (.+) LINE:(-?\d+):(-?\d+)(?:\s.*)?")
_SEEN = re.compile(rb"^(?:.*\s)?FILE .+ LINE:\d+:\d+", re.MULTILINE)


def _sees(path: Path) -> bool:
    return bool(_SEEN.search(head(path, 16_384)))


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    begin = 0
    started = False
    mentions: list[Mention] = []
    for number, raw in read_lines(path):
        line = raw.decode("utf-8", errors="replace")
        fragment = _FRAGMENT.fullmatch(line)
        if fragment:
            started = True
            begin = begin if mentions else number
            first = int(fragment[2])
            mentions.append(Mention(fragment[1], first, first + int(fragment[3]) - 1, number))
        elif not line.strip():
            if mentions:
                yield from clone_class(mentions, path, begin, log)
            mentions = []
        elif started:
            # Before the first fragment stand the parameters of the run.
            log.skip(path, number, "the line names no file and lines")
    if mentions:
        yield from clone_class(mentions, path, begin, log)


FORMAT = ClassReport(
    name="deckard",
    description="Deckard's cluster files",
    sees=_sees,
    classes=_classes,
)
