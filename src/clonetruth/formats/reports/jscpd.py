"""jscpd's JSON report: `duplicates`, each with a first and a second file. Versions 3, 4 and 5."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.formats.reports.classes import ClassReport, RawLocation, ReportedClass, clone_class
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.sniffing import head


def _matches(path: Path) -> bool:
    start = head(path)
    return start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and (
        b'"detectionDate"' in start or b'"duplicates"' in start
    )


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    document = read_document(path)
    duplicates = document.get("duplicates") if isinstance(document, dict) else None
    if not isinstance(duplicates, list):
        raise InputError("The file is not a jscpd report: it has no list of duplicates.", where=path)
    for duplicate in duplicates:
        found = duplicate if isinstance(duplicate, dict) else {}
        sides = (found.get("firstFile"), found.get("secondFile"))
        yield from clone_class([_location(side, found.get("format")) for side in sides], path, None, log)


def _location(side: Any, language: Any) -> RawLocation:
    if not isinstance(side, dict):
        return RawLocation(None, None, None)
    name = side.get("name")
    if isinstance(name, str) and isinstance(language, str):
        # Version 5 names code inside another document like this: `README.md:javascript`.
        name = name.removesuffix(f":{language}")
    return RawLocation(name, side.get("start"), side.get("end"))


FORMAT = ClassReport(
    name="jscpd",
    description="jscpd's JSON report",
    matches=_matches,
    classes=_classes,
)
