"""The files of ValidateClones, a tool for judging clone pairs: input blocks and output rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clonetruth.formats.streams import read_lines

_BLOCK = b"$" * 40
_PART = b"-" * 40
_LOCATION = re.compile(r"\s*(?P<file>\S.*?)\s+(?P<first>\d{1,9})\s+(?P<last>\d{1,9})\s*")
_LONGEST_LOCATION = 1000


@dataclass(frozen=True)
class CloneLocation:
    """A fragment's file and lines, 1-based and inclusive."""

    file: str
    first_line: int
    last_line: int


@dataclass(frozen=True)
class InputBlock:
    """A pair for a judge.

    Args:
        line: the block's first line, from 1.
        heading: the lines before the first text: numbers of the pair, and the locations of its fragments.
        texts: the texts between the rulers; a valid block has two.
    """

    line: int
    heading: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class OutputRow:
    """The recorded status of a pair; `locations` has two entries if the row is valid."""

    line: int
    status: str
    locations: tuple[CloneLocation, ...]


def parse_location(text: str) -> CloneLocation | None:
    """Parse a location written as ``file first last``; None if it has another form."""
    match = _LOCATION.fullmatch(text) if len(text) < _LONGEST_LOCATION else None
    return CloneLocation(match["file"], int(match["first"]), int(match["last"])) if match else None


def read_input(path: Path) -> Iterator[InputBlock]:
    """The blocks of an input file: 40 dollars, a heading, and texts between lines of 40 dashes."""
    line, parts = 0, [list[str]()]
    for number, content in read_lines(path):
        if content.strip() == _BLOCK:
            if line:
                yield _block(line, parts)
            line, parts = number, [[]]
        elif content.strip() == _PART:
            parts.append([])
        else:
            parts[-1].append(content.decode("utf-8", errors="replace"))
    if line:
        yield _block(line, parts)


def _block(line: int, parts: list[list[str]]) -> InputBlock:
    heading = tuple(text.strip() for text in parts[0] if text.strip())
    texts = ("\n".join(part).strip("\n") for part in parts[1:])
    return InputBlock(line, heading, tuple(text for text in texts if text.strip()))


def read_output(path: Path) -> Iterator[OutputRow]:
    """The rows of an output file: ``id,number,status,file first last,file first last``."""
    for number, content in read_lines(path):
        values = content.decode("utf-8", errors="replace").split(",")
        if values == [""]:
            continue
        locations = [parse_location(value) for value in values[3:]] if len(values) == 5 else []
        status = values[2].strip() if len(values) > 2 else ""
        yield OutputRow(number, status, tuple(location for location in locations if location))
