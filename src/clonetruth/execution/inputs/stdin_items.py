"""Parts of what a program reads from standard input."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

UNTIL_END = "*"
"""The count of what is read until the input ends."""


class ReadKind(StrEnum):
    """What is read at once."""

    INT = "number"
    FLOAT = "decimal number"
    WORD = "word"
    LETTER = "letter"
    LINE = "line"


@dataclass(frozen=True)
class ReadToken:
    """A number or word that is read.

    Attributes:
        kind: what it is.
        name: the variable that it goes to; empty if that is not known.
        commands: texts that it is compared with, one of which it has to be.
    """

    kind: ReadKind
    name: str = ""
    commands: tuple[str, ...] = ()


@dataclass(frozen=True)
class LineEnd:
    """The program goes on with the next line."""


@dataclass(frozen=True)
class Repetition:
    """Something that is read several times.

    Attributes:
        count: an expression over variables that were read, or a number; `UNTIL_END` for all that there is; empty if it
            is not known.
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
