"""Files that hold two functions, and how to separate them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clonetruth.code import Language, extract


@dataclass(frozen=True)
class PairFilePart:
    """A part of a text. Lines are 1-based and inclusive."""

    text: str
    first_line: int
    last_line: int


_WRAPPER = re.compile(r"\s*(?:public\s+)?class\s+\w+\s*\{[ \t]*\n")
_COMMENT = re.compile(r"\s*/\*.*?\*/", re.DOTALL)


def separated(text: str, blank_lines: int, *, first_line: int = 1) -> list[PairFilePart]:
    """The parts of a text that are separated by at least `blank_lines` completely blank lines."""
    parts: list[PairFilePart] = []
    lines = text.split("\n")
    start, blank = 0, 0
    for index, line in enumerate([*lines, *[""] * blank_lines]):
        blank = 0 if line.rstrip("\r") else blank + 1
        if blank == blank_lines:
            _add(parts, lines, start, index, first_line)
        if blank >= blank_lines:
            start = index + 1
    return parts


def two_functions(text: str, language: Language) -> tuple[PairFilePart, PairFilePart] | None:
    """The two functions of a file, separated by two blank lines; None if the file does not hold exactly two.

    Blank lines within the second function are accepted if the rest of the file parses as one function.
    """
    parts = separated(text, 2)
    if len(parts) > 2:
        lines = text.split("\n")
        rest: list[PairFilePart] = []
        _add(rest, lines, parts[1].first_line - 1, parts[-1].last_line, 1)
        parts = [parts[0], *rest] if _outermost(rest[0].text, language) == 1 else []
    return (parts[0], parts[1]) if len(parts) == 2 else None


def two_methods(text: str) -> tuple[str, tuple[PairFilePart, PairFilePart]] | None:
    """The leading comment and the two methods of a class that only wraps them; None for any other text."""
    wrapper = _WRAPPER.match(text)
    end = text.rstrip().rfind("}")
    if not wrapper or end < wrapper.end():
        return None
    comment = _COMMENT.match(text, wrapper.end())
    start = comment.end() if comment else wrapper.end()
    parts = separated(text[start:end], 1, first_line=text.count("\n", 0, start) + 1)
    return (comment.group().strip() if comment else "", (parts[0], parts[1])) if len(parts) == 2 else None


def _add(parts: list[PairFilePart], lines: list[str], start: int, end: int, first_line: int) -> None:
    """Append the lines from `start` up to `end` without surrounding blank ones, unless none are left."""
    while start < end and not lines[start].strip():
        start += 1
    end = min(end, len(lines))
    while end > start and not lines[end - 1].strip():
        end -= 1
    if end > start:
        parts.append(PairFilePart("\n".join(lines[start:end]), first_line + start, first_line + end - 1))


def _outermost(text: str, language: Language) -> int:
    """The number of functions in a text, without nested ones."""
    count, reached = 0, -1
    for function in extract(text, language, lone=True).functions:
        if function.start >= reached:
            count, reached = count + 1, function.end
    return count
