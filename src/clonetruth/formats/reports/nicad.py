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
from clonetruth.formats.reports.classes import ClassReport, CloneClass, Mention, clone_class, score_of
from clonetruth.formats.reports.elements import root_element
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.streams import read_lines

_ROOTS = ("clones", "clonepairs", "cloneclasses")
_TAG = re.compile(rb'<(source|clone|class)\s+((?:file|nlines|classid)="[^>]*)>')
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_END = re.compile(rb"</(?:clones|clonepairs|cloneclasses)>\s*$")
_STAGE = re.compile(r"\.(?:ifdefed|abstract|pyindent)$")
"""NiCad compares copies of some files, made by an earlier stage and named after it."""


def _sees(path: Path) -> bool:
    return root_element(path) in _ROOTS


def _classes(path: Path, log: ReadingLog) -> Iterator[CloneClass]:
    begin: int | None = None
    score: float | None = None
    mentions: list[Mention] = []
    number, last = 0, b""
    for number, line in read_lines(path):
        last = line if line.strip() else last
        if b"<" not in line:
            continue
        for tag in _TAG.finditer(line):
            attributes = dict(_ATTRIBUTE.findall(tag[2].decode("utf-8", errors="replace")))
            if tag[1] != b"source":
                if begin is not None:
                    yield from clone_class(mentions, path, begin, log, score=score)
                begin, score, mentions = number, score_of(attributes.get("similarity")), []
            elif begin is None:
                log.skip(path, number, "the source stands outside of a clone")
            else:
                mentions.append(_mention(attributes, number))
    if not _END.search(last):
        raise InputError(
            "The report does not end as a NiCad report does.", where=f"{path}, line {number}", hint="Is it cut off?"
        )
    if begin is not None:
        yield from clone_class(mentions, path, begin, log, score=score)


def _mention(attributes: dict[str, str], number: int) -> Mention:
    file = attributes.get("file")
    name = None if file is None else _STAGE.sub("", unescape(file, {"&quot;": '"', "&apos;": "'"}))
    return Mention(name, attributes.get("startline"), attributes.get("endline"), number)


FORMAT = ClassReport(
    name="nicad",
    description="NiCad's XML of clone pairs or clone classes, with or without source",
    sees=_sees,
    classes=_classes,
)
