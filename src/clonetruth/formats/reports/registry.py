"""The report formats: one file each, one line here; and which of them some files are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clonetruth.errors import CloneTruthError, InputError
from clonetruth.formats.reports.report import ReportFormat
from clonetruth.formats.sniffing import head
from clonetruth.registry import Registry

REPORT_FORMATS: Registry[ReportFormat] = Registry(
    "report format",
    {
        "bigcloneeval": "clonetruth.formats.reports.bigcloneeval:FORMAT",
        "nicad": "clonetruth.formats.reports.nicad:FORMAT",
        "sourcerercc": "clonetruth.formats.reports.sourcerercc:FORMAT",
        "jscpd": "clonetruth.formats.reports.jscpd:FORMAT",
        "pmd": "clonetruth.formats.reports.pmd:FORMAT",
        "simian": "clonetruth.formats.reports.simian:FORMAT",
        "iclones": "clonetruth.formats.reports.iclones:FORMAT",
        "deckard": "clonetruth.formats.reports.deckard:FORMAT",
        "jplag": "clonetruth.formats.reports.jplag:FORMAT",
        "dolos": "clonetruth.formats.reports.dolos:FORMAT",
        "sarif": "clonetruth.formats.reports.sarif:FORMAT",
    },
    group="clonetruth.report_formats",
)

_LAST_RESORT = "bigcloneeval"
"""A CSV without a header and a signature: it is meant only where nothing else fits."""


def recognise_report(paths: Sequence[Path], asked: str | None = None) -> ReportFormat:
    """The one format whose files these are.

    Args:
        paths: the files of a report.
        asked: the format by name, where the user gives it.

    Raises:
        InputError: a file is missing, no format fits, or several do; the message says what was seen.
        UnknownNameError: there is no format of the name.
    """
    if not paths:
        raise InputError("No report was given.", hint="Name the files that the tool wrote.")
    for path in paths:
        if not path.exists():
            raise InputError("There is no such file or folder.", where=path)
    if asked is not None:
        return REPORT_FORMATS[asked]
    fitting = _fitting(paths)
    if len(fitting) == 1:
        return REPORT_FORMATS[fitting[0]]
    where = ", ".join(map(str, paths))
    known = f"Name the format: {', '.join(REPORT_FORMATS)}."
    if fitting:
        raise InputError(f"Several report formats fit: {', '.join(fitting)}.", where=where, hint=known)
    if len(paths) > 1:
        seen = "; ".join(f"{path.name} ({', '.join(_fitting([path])) or 'unknown'})" for path in paths)
        raise InputError(f"The files are no report of one format. Seen: {seen}.", where=where, hint=known)
    what = "a folder" if paths[0].is_dir() else f"a file that begins with {head(paths[0], 40)!r}"
    raise InputError(f"No report format was recognised. Seen: {what}.", where=where, hint=known)


def _fitting(paths: Sequence[Path]) -> list[str]:
    fitting = [name for name in REPORT_FORMATS if _fits(name, paths)]
    return [name for name in fitting if name != _LAST_RESORT] or fitting


def _fits(name: str, paths: Sequence[Path]) -> bool:
    """Whether the files are one report of a format, or each is one. A file that cannot be read is not its own."""
    try:
        found = REPORT_FORMATS[name]
        return found.recognise(paths) or all(found.recognise([path]) for path in paths)
    except CloneTruthError:
        return False
