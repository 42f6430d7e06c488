"""iClones: its XML, or its RCF result printed as text.

Only iClones' own library reads the binary RCF file, so programs print it as text: a line `-- Type 2` starts a clone
class, and each of its fragments is a line `File: path` followed by a line `Position: first,last`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from clonetruth.formats.reports.classes import ClassReport, RawLocation, ReportedClass, clone_class
from clonetruth.formats.reports.elements import read_tags
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import read_lines

_XML = re.compile(rb"<version\b[^>]*\bbasepath=")
_CLASS = re.compile(r"-- Type\b")
_TEXT = re.compile(rb"^-- Type\b.*\s+^File: ", re.MULTILINE)
_POSITION = re.compile(r"Position:\s*([^,\s]+)\s*,\s*(\S+)\s*")


def _matches(path: Path) -> bool:
    start = head(path)
    return bool(_XML.search(start) or _TEXT.search(start))


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    return _from_xml(path, log) if _XML.search(head(path)) else _from_text(path, log)


def _from_xml(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    base, begin = "", 0
    locations: list[RawLocation] = []
    for tag in read_tags(path, ("version", "cloneclass", "fragment")):
        if tag.name == "version":
            base = tag.attributes.get("basepath", "")
        elif tag.name == "cloneclass" and tag.opens:
            begin, locations = tag.line, []
        elif tag.name == "cloneclass":
            yield from clone_class(locations, path, begin, log)
        elif tag.opens:
            file = tag.attributes.get("fileid")
            lines = tag.attributes.get("startline"), tag.attributes.get("endline")
            locations.append(RawLocation(file and base + file, *lines, tag.line))


def _from_text(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    begin: int | None = None
    file: tuple[int, str] | None = None
    locations: list[RawLocation] = []
    for number, raw in read_lines(path):
        line = raw.decode("utf-8", errors="replace")
        position = _POSITION.fullmatch(line)
        if file and not position:
            locations.append(RawLocation(file[1], None, None, file[0]))
            file = None
        if _CLASS.match(line):
            if begin is not None:
                yield from clone_class(locations, path, begin, log)
            begin, locations = number, []
        elif line.startswith("File:"):
            file = number, line.removeprefix("File:").strip()
        elif position and begin is not None:
            locations.append(RawLocation(file and file[1], position[1], position[2], number))
            file = None
    if file:
        locations.append(RawLocation(file[1], None, None, file[0]))
    if begin is not None:
        yield from clone_class(locations, path, begin, log)


FORMAT = ClassReport(
    name="iclones",
    description="iClones' XML, or its RCF result printed as text",
    matches=_matches,
    classes=_classes,
)
