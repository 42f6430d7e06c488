"""Simian's XML: `<set lineCount>` with a `<block sourceFile startLineNumber endLineNumber>` for each location."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clonetruth.formats.reports.classes import ClassReport, RawLocation, ReportedClass, clone_class
from clonetruth.formats.reports.elements import read_groups, root_element
from clonetruth.formats.reports.report import ReadingLog


def _matches(path: Path) -> bool:
    return root_element(path) == "simian"


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    for group in read_groups(path, "set", "block"):
        locations = [
            RawLocation(
                block.attributes.get("sourceFile"),
                block.attributes.get("startLineNumber"),
                block.attributes.get("endLineNumber"),
                block.line,
            )
            for block in group.members
        ]
        yield from clone_class(locations, path, group.tag.line, log)


FORMAT = ClassReport(
    name="simian",
    description="Simian's XML of sets of similar blocks",
    matches=_matches,
    classes=_classes,
)
