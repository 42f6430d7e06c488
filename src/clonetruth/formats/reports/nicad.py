"""NiCad's XML: clone pairs or clone classes, with or without the source text.

NiCad copies source text into its `-withsource.xml` as it stands, unescaped, so that the file is no XML any more. All
its files are therefore searched for NiCad's own tags, line by line, and never parsed as XML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import unescape

from clonetruth.errors import InputError
from clonetruth.formats.reports.classes import ClassReport, Mention, ReportedClass, clone_class, score_of
from clonetruth.formats.reports.elements import root_element
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.streams import read_lines

_ROOTS = ("clones", "clonepairs", "cloneclasses")
_TAG = re.compile(rb'<source\s+file="([^"]*)"([^>]*)>|<(?:clone|class)\s+(?:nlines|classid)=[^>]*>')
_ATTRIBUTE = re.compile(r'\s(startline|endline|similarity)="([^"]*)"')
_END = re.compile(rb"</(?:clones|clonepairs|cloneclasses)>\s*$")
_STAGES = (".ifdefed", ".abstract", ".pyindent")
"""NiCad compares copies of some files, made by an earlier stage and named after it."""


def _sees(path: Path) -> bool:
    return root_element(path) in _ROOTS


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    begin: int | None = None
    score: float | None = None
    mentions: list[Mention] = []
    number, last = 0, b""
    for number, line in read_lines(path):
        last = line if line.strip() else last
        for tag in _TAG.finditer(line):
            if tag[1] is None:
                if begin is not None:
                    yield from clone_class(mentions, path, begin, log, score=score)
                begin, mentions = number, []
                score = score_of(_attributes(tag[0]).get("similarity"))
            elif begin is None:
                log.skip(path, number, "the source stands outside of a clone")
            else:
                mentions.append(_mention(tag[1], tag[2], number))
    if not _END.search(last):
        raise InputError(
            "The report does not end as a NiCad report does.", where=f"{path}, line {number}", hint="Is it cut off?"
        )
    if begin is not None:
        yield from clone_class(mentions, path, begin, log, score=score)


def _mention(file: bytes, rest: bytes, number: int) -> Mention:
    attributes = _attributes(rest)
    name = file.decode("utf-8", errors="replace")
    if "&" in name:
        name = unescape(name, {"&quot;": '"', "&apos;": "'"})
    for stage in _STAGES:
        name = name.removesuffix(stage)
    return Mention(name, attributes.get("startline"), attributes.get("endline"), number)


def _attributes(text: bytes) -> dict[str, str]:
    return dict(_ATTRIBUTE.findall(text.decode("utf-8", errors="replace")))


FORMAT = ClassReport(
    name="nicad",
    description="NiCad's XML of clone pairs or clone classes, with or without source",
    sees=_sees,
    classes=_classes,
)
