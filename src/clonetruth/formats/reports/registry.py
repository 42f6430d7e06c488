"""The registry of report formats, and the recognition of a report's format. A format is one file and one line here."""

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
    of=ReportFormat,
)

_LAST_RESORT = "bigcloneeval"
"""A CSV without a header or signature, considered only if no other format matches."""


def recognise_report(paths: Sequence[Path], asked: str | None = None) -> ReportFormat:
    """The format of a report.

    Args:
        paths: the files of the report.
        asked: the name of the format (default: recognise it).

    Raises:
        InputError: a file is missing, or no format or several formats match.
        UnknownNameError: there is no format with this name.
    """
    if not paths:
        raise InputError("No report was given.", hint="Pass the files that the tool wrote.")
    for path in paths:
        if not path.exists():
            raise InputError("There is no such file or folder.", where=path)
    if asked is not None:
        return REPORT_FORMATS[asked]
    matching = _matching(paths)
    if len(matching) == 1:
        return REPORT_FORMATS[matching[0]]
    where = ", ".join(map(str, paths))
    known = f"Name the format: {', '.join(REPORT_FORMATS)}."
    if matching:
        raise InputError(f"Several report formats match: {', '.join(matching)}.", where=where, hint=known)
    if len(paths) > 1:
        seen = "; ".join(f"{path.name} ({', '.join(_matching([path])) or 'unknown'})" for path in paths)
        raise InputError(f"The files are not a report of one format. Found: {seen}.", where=where, hint=known)
    what = "a folder" if paths[0].is_dir() else f"a file that begins with {head(paths[0], 40)!r}"
    raise InputError(f"No report format matches. Found: {what}.", where=where, hint=known)


def _matching(paths: Sequence[Path]) -> list[str]:
    matching = [name for name in REPORT_FORMATS if _matches(name, paths)]
    return [name for name in matching if name != _LAST_RESORT] or matching


def _matches(name: str, paths: Sequence[Path]) -> bool:
    """Whether the files are one report of a format, or each is one. An unreadable file does not match."""
    try:
        report_format = REPORT_FORMATS[name]
        return report_format.recognise(paths) or all(report_format.recognise([path]) for path in paths)
    except CloneTruthError:
        return False
