"""Simian's XML: `<set lineCount>` with a `<block sourceFile startLineNumber endLineNumber>` for each place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clonetruth.formats.reports.classes import ClassReport, Mention, ReportedClass, clone_class
from clonetruth.formats.reports.elements import read_groups, root_element
from clonetruth.formats.reports.report import ReadingLog


def _sees(path: Path) -> bool:
    return root_element(path) == "simian"


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    for found in read_groups(path, "set", "block"):
        mentions = [
            Mention(
                block.attributes.get("sourceFile"),
                block.attributes.get("startLineNumber"),
                block.attributes.get("endLineNumber"),
                block.line,
            )
            for block in found.members
        ]
        yield from clone_class(mentions, path, found.tag.line, log)


FORMAT = ClassReport(
    name="simian",
    description="Simian's XML of sets of similar blocks",
    sees=_sees,
    classes=_classes,
)
