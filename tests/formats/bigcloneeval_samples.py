"""Synthetic BigCloneEval reports."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from clonetruth.formats.bigcloneeval_layout import HEADINGS, TYPE_LABELS, Cell, PublishedReport, ReportHeader, Section
from clonetruth.model import Functionality

HEADER = ReportHeader(
    tool="a - tool",
    tool_id=3,
    description="first line\nsecond line",
    clones=1234,
    bigclonebench="Version 2.0",
    matcher="Coverage Matcher.  Coverage Ratio = 0.7, minimum raito is of reference clone: null",
    filters={"min_tokens": 50, "min_lines": 6},
)
_BOUNDS = {"VST3": 90, "ST3": 70, "MT3": 50, "WT3_T4": 0}


def cell(detected: int, total: int) -> Cell:
    """The three numbers of a row."""
    recall = detected / total if total else math.inf if detected else math.nan
    return [detected, total, None if math.isnan(recall) else "Infinity" if math.isinf(recall) else recall]


def row_names(least: int = 0) -> dict[str, list[str]]:
    """The rows of each part if similarities from `least` are printed."""
    starts = range(least, 100, 5)
    return {
        "types": [name for name in TYPE_LABELS if least <= _BOUNDS.get(name, 100)],
        "regions": [f"{start}-{start + 5}" for start in starts],
        "min_similarity": [f"{start}-100" for start in starts],
    }


def section(counts: Mapping[str, tuple[int, int]], least: int = 0) -> Section:
    """A section in which every scope has the same counts, by row; other rows are 0 / 0."""
    names = row_names(least)
    made: Section = {part: {} for part in names}
    for part, scope in HEADINGS:
        made[part][scope] = {name: cell(*counts.get(name, (0, 0))) for name in names[part]}
    return made


def summed(sections: Sequence[Section]) -> Section:
    """The section over all functionalities."""
    return {
        part: {
            scope: {
                name: cell(*(sum(int(one[part][scope][name][at] or 0) for one in sections) for at in (0, 1)))
                for name in rows
            }
            for scope, rows in scopes.items()
        }
        for part, scopes in sections[0].items()
    }


def report(by_functionality: Mapping[str, Section], header: ReportHeader = HEADER) -> PublishedReport:
    """A report whose overall numbers are the sums."""
    functionalities = tuple(Functionality(one, f"name of {one}", f"desc of {one}") for one in by_functionality)
    return PublishedReport(header, functionalities, summed(list(by_functionality.values())), dict(by_functionality))


SMALL = report(
    {
        "2": section({"T1": (9, 10), "T2": (4, 4), "T2_blind": (4, 4), "MT3": (1, 3), "50-55": (1, 3)}),
        "3": section({"T1": (5, 10), "VST3": (6, 8), "90-95": (6, 8), "WT3_T4": (1, 1000)}),
        "17": section({"T1": (20, 20), "WT3_T4": (0, 7), "0-5": (0, 7)}),
    }
)
