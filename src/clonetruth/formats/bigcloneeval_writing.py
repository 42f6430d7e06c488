"""BigCloneEval's text report, written in the original layout, so that scripts that parse it go on working."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from clonetruth.formats.bigcloneeval_layout import (
    FILTER_LABELS,
    HEADINGS,
    TYPE_LABELS,
    Cell,
    PublishedReport,
    ReportHeader,
    Section,
)
from clonetruth.formats.java_text import java_double, java_hash_order
from clonetruth.model import Functionality

_FRAME = "=" * 80
_LABEL_WIDTH = 20
_RANGES = {
    "Very-Strongly Type-3": "[90,100)",
    "Strongly Type-3": "[70, 90)",
    "Moderately Type-3": "[50, 70)",
    "Weakly Type-3/Type-4": "[ 0, 50)",
}


def write_report(report: PublishedReport) -> str:
    """A report as text. Functionalities stand in the order of Java's hash set, as in the original.

    Functionalities whose ids are no whole numbers, which BigCloneEval does not know, stand in their own order.
    """
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: PublishedReport) -> Iterator[str]:
    yield from _header_lines(report.header)
    yield from (_FRAME, "\tAll Functionalities", _FRAME)
    yield from _section_lines(report.overall)
    for one in _printed_order(report.functionalities):
        yield from (_FRAME, "Functionality", f"  id: {one.id}", f"name: {one.name}")
        yield from (f"desc: {one.specification or ''}", _FRAME)
        yield from _section_lines(report.by_functionality[one.id])


def _header_lines(header: ReportHeader) -> Iterator[str]:
    yield from (
        "-- Tool --",
        f"       Tool: {header.tool_id} - {header.tool}",
        f"Description: {header.description}",
        f"    #Clones: {header.clones}",
        "",
        "-- Versioning --",
        f" BigCloneEval: {header.bigcloneeval}",
        f"BigCloneBench: {header.bigclonebench}",
        "-- Selected Clones --",
    )
    for key, label in FILTER_LABELS.items():
        yield f"{label:>18}: {header.filters.get(key, 'null')}"
    yield from (f"{'Sim Type':>18}: {header.similarity_type}", "Minimum Similarity:", "")
    yield from ("-- Clone Matcher --", header.matcher, "", "-- Clone Types --", "Type-1", "Type-2")
    for label, bounds in _RANGES.items():
        yield (
            f"{label:>{_LABEL_WIDTH}}: Clone similarity in range {bounds} "
            "after pretty-printing and identifier/literal normalization."
        )
    yield ""


def _section_lines(section: Section) -> Iterator[str]:
    for (part, scope), headings in HEADINGS.items():
        yield from headings
        for name, cell in section[part][scope].items():
            yield f"{_label(part, name)}: {cell[0]} / {cell[1]} = {_recall(cell)}"
        yield ""


def _label(part: str, name: str) -> str:
    return f"{TYPE_LABELS[name]:>{_LABEL_WIDTH}}" if part == "types" else f"[{name.replace('-', ',')}]"


def _recall(cell: Cell) -> str:
    recall = math.nan if cell[2] is None else float(cell[2])
    return java_double(recall)


def _printed_order(functionalities: tuple[Functionality, ...]) -> list[Functionality]:
    by_number: Mapping[int, Functionality] = {int(one.id): one for one in functionalities if one.id.isdecimal()}
    if len(by_number) < len(functionalities):
        return list(functionalities)
    return [by_number[number] for number in java_hash_order(list(by_number))]
