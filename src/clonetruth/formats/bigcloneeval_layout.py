"""BigCloneEval's text report: the headings, labels and header that reader and writer share, and the writer.

The writer keeps the original layout, so that scripts that parse it still work. Numbers have one structure everywhere:
`{"overall": section, "functionalities": {id: section}}`; a section is
`{"types" | "regions" | "min_similarity": {"all" | "inter" | "intra": {label: cell}}}`; a cell is
`[detected, total, recall]`, where recall is None for 0 / 0 and "Infinity" for n / 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from clonetruth.formats.java_text import java_double, java_hash_order
from clonetruth.model import Functionality

Cell: TypeAlias = list[int | float | str | None]
Section: TypeAlias = dict[str, dict[str, dict[str, Cell]]]

SCOPES = ("all", "inter", "intra")

TYPE_LABELS: Mapping[str, str] = {
    "T1": "Type-1",
    "T2": "Type-2",
    "T2_blind": "Type-2 (blind)",
    "T2_consistent": "Type-2 (consistent)",
    "VST3": "Very-Strongly Type-3",
    "ST3": "Strongly Type-3",
    "MT3": "Moderatly Type-3",  # the original spelling, which other programs parse
    "WT3_T4": "Weakly Type-3/Type-4",
}
"""The clone types: their keys in the numbers, and their labels in the report."""

FILTER_LABELS: Mapping[str, str] = {
    "min_lines": "Min Lines",
    "max_lines": "Max Lines",
    "min_tokens": "Min Tokens",
    "max_tokens": "Max Tokens",
    "min_pretty_lines": "Min Pretty Lines",
    "max_pretty_lines": "Max Pretty Lines",
    "min_judges": "Min Judges",
    "min_confidence": "Min Confidence",
}
"""The filters in the order of the report, with its labels."""

_FRAME = "=" * 80
_LABEL_WIDTH = 20
_RANGES = {
    "Very-Strongly Type-3": "[90,100)",
    "Strongly Type-3": "[70, 90)",
    "Moderately Type-3": "[50, 70)",
    "Weakly Type-3/Type-4": "[ 0, 50)",
}

_NUMBERS = "numDetected / numClones = recall"

HEADINGS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("types", "all"): (f"-- Recall Per Clone Type (type: {_NUMBERS}) --",),
    ("types", "inter"): (f"-- Inter-Project Recall Per Clone Type (type: {_NUMBERS})  --",),
    ("types", "intra"): (
        f"-- Intra-Project Recall Per Clone Type (type: {_NUMBERS}) --",
        "-- Recall Per Clone Type --",
    ),
    ("regions", "all"): (f"-- Type-3 Recall per 5% Region ([start,end]: {_NUMBERS})  --",),
    ("regions", "inter"): ("-- Type-3 Inter-Project Recall per 5% Region--",),
    ("regions", "intra"): ("-- Type-3 Intra-Project Recall per 5% Region--",),
    ("min_similarity", "all"): ("-- Type-3 Recall Per Minimum Similarity --",),
    ("min_similarity", "inter"): ("-- Type-3 Inter-Project Recall Per Minimum Similarity --",),
    ("min_similarity", "intra"): ("-- Type-3 Intra-Project Recall Per Minimum Similarity --",),
}
"""The nine blocks of a section in order, with their heading lines."""


@dataclass(frozen=True)
class ReportHeader:
    """The header of a report.

    Attributes:
        tool: the tool's name.
        tool_id: its number in the tools database.
        description: its user's description.
        clones: the number of imported pairs.
        bigcloneeval: the program's version, as printed.
        bigclonebench: the benchmark's version, as printed.
        filters: the filters that are set, by the keys of `FILTER_LABELS`.
        similarity_type: BOTH, LINE, TOKEN or AVG.
        matcher: the line that describes the matcher.
    """

    tool: str
    tool_id: int
    description: str
    clones: int
    bigclonebench: str
    matcher: str
    bigcloneeval: str = "Release Version 0.1"
    filters: Mapping[str, int] = field(default_factory=dict)
    similarity_type: str = "BOTH"


@dataclass(frozen=True)
class PublishedReport:
    """A report: the header, the functionalities in order, and the numbers in the structure of this module."""

    header: ReportHeader
    functionalities: tuple[Functionality, ...]
    overall: Section
    by_functionality: Mapping[str, Section]

    @property
    def recall(self) -> dict[str, Section | Mapping[str, Section]]:
        """The numbers in the structure that results store."""
        return {"overall": self.overall, "functionalities": self.by_functionality}


def write_report(report: PublishedReport) -> str:
    """Format a report as text. Functionalities are in the order of Java's hash set, as in the original.

    If their ids are not all integers, which BigCloneEval does not support, they keep their own order.
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
