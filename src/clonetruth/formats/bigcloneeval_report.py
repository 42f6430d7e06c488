"""Reader for BigCloneEval's text report. It checks the numbers: a truncated or changed report is refused."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from typing import NoReturn

from clonetruth.errors import InputError
from clonetruth.formats.bigcloneeval_layout import (
    FILTER_LABELS,
    HEADINGS,
    TYPE_LABELS,
    Cell,
    PublishedReport,
    ReportHeader,
    Section,
)
from clonetruth.formats.streams import open_stream, read_lines
from clonetruth.model import Functionality

_OPENING = "-- Tool --"
_ROW = re.compile(r"\s*(?P<label>[^:]+): (?P<detected>\d+) / (?P<total>\d+) = (?P<recall>NaN|Infinity|[\d.E-]+)\s*")
_RANGE = re.compile(r"\[(\d+),(\d+)\]")
_FIELD = re.compile(r"\s*(?P<key>[#A-Z][^:]*):(?: (?P<value>.*))?")
_FRAME = re.compile(r"={20,}\s*")
_HEADER_FIELDS = {
    "Tool": ("Tool", "Description", "#Clones"),
    "Versioning": ("BigCloneEval", "BigCloneBench"),
    "Selected Clones": (*FILTER_LABELS.values(), "Sim Type", "Minimum Similarity"),
}
_TYPES = {label: name for name, label in TYPE_LABELS.items()} | {"Moderately Type-3": "MT3"}
_AFTERWORD = "Data as CSV"
"""Later versions repeat the recalls as CSV at the end, which adds no information."""


def recognise_report(path: Path) -> bool:
    """Whether a file, plain or compressed, begins like a report."""
    with open_stream(path) as stream:
        first = stream.read(len(_OPENING) + 16)
    return first.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(_OPENING.encode())


def read_report(path: str | os.PathLike[str]) -> PublishedReport:
    """Read a report, plain or compressed, of the current or an earlier version of BigCloneEval.

    Raises:
        InputError: the file is not a report, is truncated, or its numbers contradict each other; the error names the
            line.
    """
    path = Path(path)
    reader = _Reader(path)
    for number, line in read_lines(path):
        if not reader.take(number, line.decode("utf-8", errors="replace")):
            break
    return reader.finish()


class _Reader:
    """Parses a report line by line: header blocks, then framed titles with their nine blocks of rows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._line = 0
        self._block: str | None = None
        self._fields: dict[str, str] = {}
        self._field: str | None = None
        self._matcher: list[str] = []
        self._title: list[str] | None = None
        self._section: Section | None = None
        self._place: tuple[str, str] | None = None
        self._overall: Section | None = None
        self._functionalities: list[Functionality] = []
        self._sections: dict[str, Section] = {}

    def take(self, number: int, line: str) -> bool:
        """Parse the next line; False if nothing relevant can follow."""
        self._line = number
        if self._block is None and line.strip() and line.strip() != _OPENING:
            raise InputError(
                f"The file is not a BigCloneEval report: it does not begin with '{_OPENING}'.",
                where=f"{self._path}:{number}",
            )
        if _FRAME.fullmatch(line):
            if self._title is None:
                self._title = []
                self._check_section()
            else:
                title, self._title = self._title, None
                return self._open_section(title)
        elif self._title is not None:
            self._title.append(line)
        elif line.startswith("-- "):
            self._open_block(line)
        elif self._section is not None:
            if line.strip():
                self._take_row(line)
        else:
            self._take_header(line)
        return True

    def finish(self) -> PublishedReport:
        """The complete report, after the final checks."""
        if self._title is not None or self._overall is None:
            self._refuse("The report is truncated" if self._block else "The file is empty")
        self._check_section()
        self._check_sums(self._overall)
        return PublishedReport(self._header(), tuple(self._functionalities), self._overall, self._sections)

    def _open_block(self, line: str) -> None:
        if self._section is None:
            self._block, self._field = line.strip().strip("-").strip(), None
            return
        name = _heading(line)
        if name == _heading(HEADINGS["types", "intra"][1]) and self._place == ("types", "intra"):
            return  # this block has two headings
        self._place = next((place for place, (first, *_) in HEADINGS.items() if _heading(first) == name), None)
        if self._place is None:
            self._refuse(f"Unknown heading: '{line.strip()[:80]}'")
        part, scope = self._place
        if scope in self._section.setdefault(part, {}):
            self._refuse(f"The section has a second block '{line.strip()[:80]}'")
        self._section[part][scope] = {}

    def _take_header(self, line: str) -> None:
        if self._block == "Clone Matcher" and line.strip():
            self._matcher.append(line.strip())
        known = _HEADER_FIELDS.get(self._block or "", ())
        field = _FIELD.fullmatch(line)
        if field and field["key"] in known:
            self._field = field["key"]
            self._fields[self._field] = field["value"] or ""
        elif self._field == "Description":  # a description may have several lines
            self._fields[self._field] += f"\n{line}"

    def _open_section(self, title: list[str]) -> bool:
        if title and title[0].strip() == _AFTERWORD:
            return False
        self._section, self._place = {}, None
        if title and title[0].strip() == "All Functionalities" and self._overall is None:
            self._overall = self._section
            return True
        match = re.fullmatch(r"Functionality\s*\n\s*id: (\S+)\s*\nname: (.*?)\ndesc: (.*)", "\n".join(title), re.DOTALL)
        if match is None or self._overall is None:
            self._refuse("The section's title is neither 'All Functionalities' nor a functionality")
        if match[1] in self._sections:
            self._refuse(f"Functionality {match[1]} has a second section")
        self._functionalities.append(Functionality(match[1], match[2], match[3]))
        self._sections[match[1]] = self._section
        return True

    def _take_row(self, line: str) -> None:
        row = _ROW.fullmatch(line)
        if self._section is None or self._place is None or row is None:
            self._refuse(f"The line is not a row of numbers: '{line.strip()[:80]}'")
        part, scope = self._place
        bounds = _RANGE.fullmatch(row["label"])
        name = _TYPES.get(row["label"]) if part == "types" else bounds and f"{bounds[1]}-{bounds[2]}"
        if name is None or name in self._section[part][scope]:
            self._refuse(f"The label '{row['label'][:40]}' is unknown or repeated in this block")
        detected, total = int(row["detected"]), int(row["total"])
        self._section[part][scope][name] = self._cell(detected, total, row["recall"])

    def _cell(self, detected: int, total: int, printed: str) -> Cell:
        """The three numbers. The printed recall must be the quotient; otherwise the line was truncated or changed."""
        try:
            recall = float(printed)
        except ValueError:
            recall = -1.0
        wanted = detected / total if total else math.inf if detected else math.nan
        if recall != wanted and not math.isclose(recall, wanted, rel_tol=1e-12) and not (total == detected == 0):
            self._refuse(f"{detected} / {total} is not {printed}")
        return [detected, total, None if math.isnan(recall) else "Infinity" if math.isinf(recall) else recall]

    def _check_section(self) -> None:
        """Check that a section has the nine blocks with the same rows; otherwise it is truncated."""
        if self._section is None or self._overall is None:
            return
        for part, scope in HEADINGS:
            rows = self._section.get(part, {}).get(scope)
            # All scopes print the same rows, and all sections those of the first one.
            if rows is None or list(rows) != list(self._overall[part]["all"]):
                self._refuse(f"The section before this line is truncated: {_heading(HEADINGS[part, scope][0])}")
        if len(self._overall["regions"]["all"]) != len(self._overall["min_similarity"]["all"]):
            self._refuse("The section before this line is truncated: recall per minimum similarity")

    def _check_sums(self, overall: Section) -> None:
        if not self._sections:
            return
        for part, scope in HEADINGS:
            for name, (detected, total, _) in overall[part][scope].items():
                cells = [section[part][scope][name] for section in self._sections.values()]
                if [sum(int(cell[at] or 0) for cell in cells) for at in (0, 1)] != [detected, total]:
                    self._refuse(
                        f"The {len(cells)} functionalities do not add up to the overall {detected} / {total} of {name}"
                    )

    def _header(self) -> ReportHeader:
        identity, _, name = self._text("Tool").partition(" - ")
        filters = {key: self._text(label) for key, label in FILTER_LABELS.items()}
        return ReportHeader(
            tool=name,
            tool_id=self._whole("Tool", identity),
            description=self._text("Description").rstrip(),
            clones=self._whole("#Clones", self._text("#Clones")),
            bigclonebench=self._text("BigCloneBench"),
            matcher=" ".join(self._matcher),
            bigcloneeval=self._text("BigCloneEval"),
            filters={
                key: self._whole(FILTER_LABELS[key], value)
                for key, value in filters.items()
                if value not in ("null", "")
            },
            similarity_type=self._text("Sim Type"),
        )

    def _text(self, key: str) -> str:
        if key not in self._fields:
            raise InputError(f"The header of the report has no line '{key}:'.", where=self._path)
        return self._fields[key]

    def _whole(self, key: str, text: str) -> int:
        if not re.fullmatch(r"-?\d+", text):
            raise InputError(f"'{key}:' is '{text[:40]}', which is not an integer.", where=self._path)
        return int(text)

    def _refuse(self, what: str) -> NoReturn:
        raise InputError(
            f"{what}.",
            where=f"{self._path}:{self._line}",
            hint="Use the report as BigCloneEval wrote it, complete and unchanged.",
        )


def _heading(line: str) -> str:
    """A heading without dashes and the remark in brackets; versions differ only in blanks."""
    return re.sub(r"\(.*\)", "", line).strip(" -").lower()
