"""What an audit rule reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Cell = str | int | float | None


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)


@dataclass(frozen=True)
class Example:
    """A case to look at.

    Args:
        ids: the source's ids of the fragments (or of whatever the note names).
        note: what is to be seen.
    """

    ids: tuple[str, ...]
    note: str = ""


class Chart(StrEnum):
    """How a table of details is drawn, besides being shown as a table."""

    NONE = "none"
    BARS = "bars"  # the first column names the bars, every column of numbers is a series
    LINES = "lines"  # the first column is the x axis, every further one a curve


@dataclass(frozen=True)
class Details:
    """The numbers behind a finding.

    Args:
        title: what they show.
        columns: names of the columns; the first names the rows.
        rows: the cells; a float in a column whose name begins with "share" is a share.
        chart: how to draw them.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    chart: Chart = Chart.NONE


@dataclass(frozen=True)
class Fix:
    """A recipe by which a derived benchmark would not have the finding. Nothing applies it by itself.

    Args:
        operation: `drop-pairs`, `drop-fragments`, `deduplicate-texts`, `unlabel-pairs` or `split`.
        says: what it does, in a sentence.
        sql: one SELECT over the benchmark's tables that gives the keys (column `pair` or `fragment`).
        parameters: what the operation needs besides.
    """

    operation: str
    says: str
    sql: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """What a rule found. A finding never edits data.

    Args:
        message: one line on what was found, with its numbers.
        count: how many cases.
        of: out of how many; None where there is no whole.
        examples: some of the cases.
        details: tables of evidence.
        mend: a recipe against it, where there is one.
        severity: None for the rule's own.
        code: the rule's code; filled in by the rule.
    """

    message: str
    count: int
    of: int | None = None
    examples: tuple[Example, ...] = ()
    details: tuple[Details, ...] = ()
    mend: Fix | None = None
    severity: Severity | None = None
    code: str = ""

    @property
    def rank(self) -> int:
        """The rank of its severity."""
        return (self.severity or Severity.INFO).rank
