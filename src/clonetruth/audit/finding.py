"""Findings: what an audit rule reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Cell = str | int | float | None


class Severity(StrEnum):
    """How serious a finding is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the most severe."""
        return list(Severity).index(self)


@dataclass(frozen=True)
class Example:
    """One case of a finding.

    Args:
        ids: the source's ids of the fragments, or of what the note names.
        note: what the case shows.
    """

    ids: tuple[str, ...]
    note: str = ""


class Chart(StrEnum):
    """How a table of details is plotted, in addition to being shown as a table."""

    NONE = "none"
    BARS = "bars"  # the first column names the bars, each numeric column is a series
    LINES = "lines"  # the first column is the x axis, each further one a curve


@dataclass(frozen=True)
class Details:
    """The numbers behind a finding.

    Args:
        title: what they show.
        columns: names of the columns; the first names the rows.
        rows: the cells; floats in a column whose name begins with "share" are shares.
        chart: how to plot them.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    chart: Chart = Chart.NONE


@dataclass(frozen=True)
class Fix:
    """A recipe for a derived benchmark without the finding. It is never applied automatically.

    Args:
        operation: `drop-pairs`, `drop-fragments`, `deduplicate-texts`, `unlabel-pairs` or `split`.
        description: what it does, in a sentence.
        sql: one SELECT over the benchmark's tables that returns the keys (column `pair` or `fragment`).
        parameters: further parameters of the operation.
    """

    operation: str
    description: str
    sql: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class Finding:
    """What a rule found. A finding never changes data.

    Args:
        message: what was found, in one line with its numbers.
        count: number of cases.
        of: number of things that were checked; None if there is no such total.
        examples: some of the cases.
        details: tables of evidence.
        fix: a recipe that removes it, if there is one.
        severity: None for the rule's default.
        code: the rule's code; filled in when the rule runs.
    """

    message: str
    count: int
    of: int | None = None
    examples: tuple[Example, ...] = ()
    details: tuple[Details, ...] = ()
    fix: Fix | None = None
    severity: Severity | None = None
    code: str = ""

    @property
    def rank(self) -> int:
        """The rank of its severity."""
        return (self.severity or Severity.INFO).rank

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON values: code, name, severity, count, of, message, examples, details."""
        from clonetruth.audit.output import finding_row

        return finding_row(self)

    def __repr__(self) -> str:
        return f"<Finding {self.code} {self.severity}: {self.message}>"

    def _repr_html_(self) -> str:
        from clonetruth.audit.output import finding_view

        return finding_view(self)
