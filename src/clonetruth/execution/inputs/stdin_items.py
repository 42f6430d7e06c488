"""Parts of what a program reads from standard input."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class ReadKind(StrEnum):
    """What is read at once."""

    INT = "number"
    FLOAT = "decimal number"
    WORD = "word"
    LINE = "line"


@dataclass(frozen=True)
class ReadToken:
    """A number or word that is read, and the variable that it goes to (empty if that is not known)."""

    kind: ReadKind
    name: str = ""


@dataclass(frozen=True)
class LineEnd:
    """The program goes on with the next line."""


@dataclass(frozen=True)
class Repetition:
    """Something that is read several times.

    Attributes:
        count: an expression over variables that were read, or a number; empty if it is not known.
        body: what is read each time.
    """

    count: str
    body: tuple[ReadItem, ...]


ReadItem = ReadToken | LineEnd | Repetition
"""A part of the input."""


def simple_count(expression: str) -> str:
    """An expression, if it has names, numbers and simple operators only."""
    found = re.sub(r"\s+|\(\s*int\s*\)", "", expression)
    found = re.sub(r"-(\d+)\+\1$|\+(\d+)-\2$", "", found)
    return found if re.fullmatch(r"[\w+\-*/()]+", found) else ""
