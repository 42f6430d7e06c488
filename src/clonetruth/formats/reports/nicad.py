"""NiCad's XML: clone pairs or clone classes, with or without the source text.

NiCad copies source text unescaped into its `-withsource.xml`, so that the file is not well-formed XML. All its files
are therefore searched line by line for NiCad's own tags, and never parsed as XML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import unescape

from clonetruth.errors import InputError
from clonetruth.formats.reports.classes import ClassReport, RawLocation, ReportedClass, clone_class, parse_score
from clonetruth.formats.reports.elements import root_element
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.streams import read_lines

_ROOTS = ("clones", "clonepairs", "cloneclasses")
_TAG = re.compile(rb'<source\s+file="([^"]*)"([^>]*)>|<(?:clone|class)\s+(?:nlines|classid)=[^>]*>')
_ATTRIBUTE = re.compile(r'\s(startline|endline|similarity)="([^"]*)"')
_END = re.compile(rb"</(?:clones|clonepairs|cloneclasses)>\s*$")
_STAGES = (".ifdefed", ".abstract", ".pyindent")
"""Endings of the copies that earlier stages of NiCad make of some files, and that it then compares."""


def _matches(path: Path) -> bool:
    return root_element(path) in _ROOTS


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    begin: int | None = None
    score: float | None = None
    locations: list[RawLocation] = []
    number, last = 0, b""
    for number, line in read_lines(path):
        last = line if line.strip() else last
        for tag in _TAG.finditer(line):
            if tag[1] is None:
                if begin is not None:
                    yield from clone_class(locations, path, begin, log, score=score)
                begin, locations = number, []
                score = parse_score(_attributes(tag[0]).get("similarity"))
            elif begin is None:
                log.skip(path, number, "the source is outside a clone")
            else:
                locations.append(_location(tag[1], tag[2], number))
    if not _END.search(last):
        raise InputError(
            "The report does not end like a NiCad report.", where=f"{path}, line {number}", hint="It may be truncated."
        )
    if begin is not None:
        yield from clone_class(locations, path, begin, log, score=score)


def _location(file: bytes, rest: bytes, number: int) -> RawLocation:
    attributes = _attributes(rest)
    name = file.decode("utf-8", errors="replace")
    if "&" in name:
        name = unescape(name, {"&quot;": '"', "&apos;": "'"})
    for stage in _STAGES:
        name = name.removesuffix(stage)
    return RawLocation(name, attributes.get("startline"), attributes.get("endline"), number)


def _attributes(text: bytes) -> dict[str, str]:
    return dict(_ATTRIBUTE.findall(text.decode("utf-8", errors="replace")))


FORMAT = ClassReport(
    name="nicad",
    description="NiCad's XML of clone pairs or clone classes, with or without source",
    matches=_matches,
    classes=_classes,
)
