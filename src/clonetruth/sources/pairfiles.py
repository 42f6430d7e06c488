"""Files that hold two functions: where one ends and the other begins."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clonetruth.code import Language, extract


@dataclass(frozen=True)
class PairFilePart:
    """A piece of a text. Lines are 1-based and inclusive."""

    text: str
    first_line: int
    last_line: int


_WRAPPER = re.compile(r"\s*(?:public\s+)?class\s+\w+\s*\{[ \t]*\n")
_COMMENT = re.compile(r"\s*/\*.*?\*/", re.DOTALL)


def separated(text: str, blank_lines: int, *, first_line: int = 1) -> list[PairFilePart]:
    """The parts of a text that at least so many wholly blank lines stand between."""
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
    """The two functions of a file that two blank lines separate; None where it does not hold exactly two.

    Blank lines within the second function are recognised by its being one function when parsed.
    """
    parts = separated(text, 2)
    if len(parts) > 2:
        lines = text.split("\n")
        rest: list[PairFilePart] = []
        _add(rest, lines, parts[1].first_line - 1, parts[-1].last_line, 1)
        parts = [parts[0], *rest] if _outermost(rest[0].text, language) == 1 else []
    return (parts[0], parts[1]) if len(parts) == 2 else None


def two_methods(text: str) -> tuple[str, tuple[PairFilePart, PairFilePart]] | None:
    """The leading comment and the two methods of a class that was only made to hold them; None for any other text."""
    wrapper = _WRAPPER.match(text)
    end = text.rstrip().rfind("}")
    if not wrapper or end < wrapper.end():
        return None
    comment = _COMMENT.match(text, wrapper.end())
    start = comment.end() if comment else wrapper.end()
    parts = separated(text[start:end], 1, first_line=text.count("\n", 0, start) + 1)
    return (comment.group().strip() if comment else "", (parts[0], parts[1])) if len(parts) == 2 else None


def _add(parts: list[PairFilePart], lines: list[str], start: int, end: int, first_line: int) -> None:
    """Append the lines from `start` up to `end`, without blank ones around them, if any are left."""
    while start < end and not lines[start].strip():
        start += 1
    end = min(end, len(lines))
    while end > start and not lines[end - 1].strip():
        end -= 1
    if end > start:
        parts.append(PairFilePart("\n".join(lines[start:end]), first_line + start, first_line + end - 1))


def _outermost(text: str, language: Language) -> int:
    """How many functions a text holds, not counting those inside others."""
    count, reached = 0, -1
    for function in extract(text, language, lone=True).functions:
        if function.start >= reached:
            count, reached = count + 1, function.end
    return count
