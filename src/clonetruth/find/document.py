"""Clone reports as JSON documents: written, and read again as baselines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clonetruth.find.report import CloneReport

if TYPE_CHECKING:
    from clonetruth.store.records import RecordFormat

SCHEMA, VERSION = "clonetruth-clones", 1


def _format() -> RecordFormat[CloneReport]:
    # The store takes longer to load than a small search does; who only prints to a terminal does not need it.
    from clonetruth.store.records import RecordFormat

    return RecordFormat(CloneReport, SCHEMA, VERSION, "clone report", "clonetruth find --format json")


def report_text(report: CloneReport) -> str:
    """A report as JSON."""
    return _format().text(report)


def read_report(path: Path) -> CloneReport:
    """Read what `report_text` made.

    Raises:
        InputError: the file is no clone report, damaged, or of a later version.
    """
    return _format().read(path)
