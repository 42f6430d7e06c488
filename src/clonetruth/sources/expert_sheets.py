"""The common parts of the sheets of Krinke and Ragkhitwetsagul's two studies: judges, votes, snippets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from clonetruth.code.source import decode
from clonetruth.errors import CloneTruthError
from clonetruth.formats.reads import looking
from clonetruth.formats.sniffing import first_line
from clonetruth.formats.spreadsheets import WORKBOOK
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import read_cells
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.model import Fragment, Functionality, Judge, JudgeKind, MemberValue, PairValue
from clonetruth.sources.source import ImportLog

URL = "https://github.com/jkrinke/BigCloneBench-Sample-Validation"
PAIR_CRITERION = "same-main-purpose"
METHOD_CRITERION = "implements-functionality"

VERDICTS = {"T": PairValue.CLONE, "F": PairValue.NOT_CLONE}
LABELS = {
    "major": MemberValue.MAJOR,
    "incomplete": MemberValue.INCOMPLETE,
    "minor": MemberValue.MINOR,
    "wrong": MemberValue.WRONG,
    "test": MemberValue.TEST,
}

_SNIPPET = re.compile(r"(?P<functionality>\d{1,9})_(?P<file>\w+)#(?P<first>\d{1,9})#(?P<last>\d{1,9})\.java")


def expert(study: str, number: int) -> Judge:
    """One of the two judges of a study."""
    return Judge(
        id=f"person:{study}-{number}",
        kind=JudgeKind.PERSON,
        name=f"Judge {number}",
        description="One of the two authors; both judged every pair and method independently.",
    )


def agreement(study: str, description: str) -> Judge:
    """Both judges of a study, after their discussion."""
    return Judge(
        id=f"person:{study}-agreed",
        kind=JudgeKind.PERSON,
        name="Both judges",
        description=description,
        settings={"speaks_for": [expert(study, number).id for number in (1, 2)]},
    )


def functionality_of(number: str) -> Functionality:
    """A functionality of BigCloneBench by its number."""
    return Functionality(number, "Copy File" if number == "4" else f"functionality {number}")


def begins_with(path: Path, header: Sequence[str]) -> bool:
    """Whether a file is a sheet, as CSV or as a workbook, whose first row begins with these cells."""
    if path.suffix.lower() == WORKBOOK:
        try:
            with looking():
                cells = next(read_cells(path), (1, []))[1]
        except CloneTruthError:
            return False
        return [cell.strip() for cell in cells[: len(header)]] == list(header)
    return inner_suffix(path) == ".csv" and first_line(path).startswith(",".join(header))


def read_sheet(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a sheet with their line numbers; cells are stripped.

    Raises:
        InputError: the file is not CSV.
    """
    for line, cells in read_cells(path):
        if any(cells):
            yield line, [cell.strip() for cell in cells]


def snippets(paths: Sequence[Path], log: ImportLog) -> dict[str, str]:
    """The texts of the snippets in folders and archives, by file name."""
    found: dict[str, str] = {}
    for path in paths:
        for member in read_tree(path) if is_tree(path) else ():
            if _SNIPPET.fullmatch(member.name.name):
                log.read("snippets")
                found[member.name.name] = decode(member.read()).text
    return found


def snippet_functionality(name: str) -> str | None:
    """The functionality in a snippet's name; None if it is not the name of a snippet."""
    found = _SNIPPET.fullmatch(name)
    return found["functionality"] if found else None


def snippet_fragment(name: str, text: str) -> Fragment:
    """A snippet as a fragment; its name holds its location."""
    found = _SNIPPET.fullmatch(name)
    assert found
    first, last = int(found["first"]), int(found["last"])
    return Fragment(name, "java", text, path=f"{found['file']}.java", first_line=first, last_line=last)
