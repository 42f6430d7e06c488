"""PMD CPD's XML: `<duplication lines tokens>` with a `<file line endline path>` for each location."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clonetruth.formats.reports.classes import ClassReport, RawLocation, ReportedClass, clone_class
from clonetruth.formats.reports.elements import Tag, read_groups, root_element
from clonetruth.formats.reports.report import ReadingLog


def _matches(path: Path) -> bool:
    return root_element(path) == "pmd-cpd"


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    for duplication in read_groups(path, "duplication", "file"):
        lines = duplication.tag.attributes.get("lines")
        locations = [_location(file, lines) for file in duplication.members]
        yield from clone_class(locations, path, duplication.tag.line, log)


def _location(file: Tag, lines: str | None) -> RawLocation:
    first = file.attributes.get("line")
    last = file.attributes.get("endline")
    if last is None:
        last = _end(first, lines)
    return RawLocation(file.attributes.get("path"), first, last, file.line)


def _end(first: str | None, lines: str | None) -> str | None:
    """The last line, which versions before 6 do not state, from the number of lines."""
    try:
        return str(int(first or "") + int(lines or "") - 1)
    except ValueError:
        return None


FORMAT = ClassReport(
    name="pmd",
    description="PMD CPD's XML of duplications",
    matches=_matches,
    classes=_classes,
)
