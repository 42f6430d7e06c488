"""iClones: its XML, or its RCF result printed as text.

The binary RCF file itself is read by iClones' own library only, so programs print it: a line `-- Type 2` begins a
clone class, and every fragment of it is a line `File: path` with a line `Position: first,last` below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from clonetruth.formats.reports.classes import ClassReport, Mention, ReportedClass, clone_class
from clonetruth.formats.reports.elements import read_tags
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import read_lines

_XML = re.compile(rb"<version\b[^>]*\bbasepath=")
_CLASS = re.compile(r"-- Type\b")
_TEXT = re.compile(rb"^-- Type\b.*\s+^File: ", re.MULTILINE)
_POSITION = re.compile(r"Position:\s*([^,\s]+)\s*,\s*(\S+)\s*")


def _sees(path: Path) -> bool:
    start = head(path)
    return bool(_XML.search(start) or _TEXT.search(start))


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    return _from_xml(path, log) if _XML.search(head(path)) else _from_text(path, log)


def _from_xml(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    base, begin = "", 0
    mentions: list[Mention] = []
    for tag in read_tags(path, ("version", "cloneclass", "fragment")):
        if tag.name == "version":
            base = tag.attributes.get("basepath", "")
        elif tag.name == "cloneclass" and tag.opens:
            begin, mentions = tag.line, []
        elif tag.name == "cloneclass":
            yield from clone_class(mentions, path, begin, log)
        elif tag.opens:
            file = tag.attributes.get("fileid")
            lines = tag.attributes.get("startline"), tag.attributes.get("endline")
            mentions.append(Mention(file and base + file, *lines, tag.line))


def _from_text(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    begin: int | None = None
    file: tuple[int, str] | None = None
    mentions: list[Mention] = []
    for number, raw in read_lines(path):
        line = raw.decode("utf-8", errors="replace")
        position = _POSITION.fullmatch(line)
        if file and not position:
            mentions.append(Mention(file[1], None, None, file[0]))
            file = None
        if _CLASS.match(line):
            if begin is not None:
                yield from clone_class(mentions, path, begin, log)
            begin, mentions = number, []
        elif line.startswith("File:"):
            file = number, line.removeprefix("File:").strip()
        elif position and begin is not None:
            mentions.append(Mention(file and file[1], position[1], position[2], number))
            file = None
    if file:
        mentions.append(Mention(file[1], None, None, file[0]))
    if begin is not None:
        yield from clone_class(mentions, path, begin, log)


FORMAT = ClassReport(
    name="iclones",
    description="iClones' XML, or its RCF result printed as text",
    sees=_sees,
    classes=_classes,
)
