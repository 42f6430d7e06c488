"""Text from data, made safe for the place where it is shown: a terminal, JSON, Markdown, a spreadsheet.

A benchmark, a repository or a report of somebody else can contain any character. A terminal obeys some of them
(colours, window titles, links), others hide or reorder what a person reads, Markdown renders HTML, and a spreadsheet
computes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

CELL_LIMIT = 1_000
"""Characters that are shown of a table cell."""
TEXT_LIMIT = 10_000
"""Characters that are shown of a line or a message."""

# Control characters (C0, DEL, C1); characters without a shape: soft hyphen, joiners, fillers, variation selectors,
# tags; marks that reorder text; separators of lines; halves of surrogate pairs; what is not a character at all.
_SHAPELESS = (
    "\x7f-\x9f\xad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_UNSEEN = "\x00-\x1f" + _SHAPELESS
_HOSTILE = re.compile(f"[{_UNSEEN}]")
# A set is searched several times as fast as an expression with a condition.
_HOSTILE_IN_LINES = re.compile(f"[\x00-\x09\x0b-\x1f{_SHAPELESS}]")
_HOSTILE_IN_CODE = re.compile(f"[\x00-\x08\x0b-\x1f{_SHAPELESS}]")


def visible(text: object, limit: int = TEXT_LIMIT) -> str:
    """A text as one line in which every character can be seen; others are escaped as in Python, such as ``\\x1b``.

    Args:
        text: any object; its `str` is shown.
        limit: the number of characters after which it is cut, with its length.
    """
    return _HOSTILE.sub(_escape, _cut(str(text), limit))


def visible_lines(text: object, limit: int = TEXT_LIMIT) -> str:
    """A text of several lines, otherwise as `visible` shows it."""
    return _HOSTILE_IN_LINES.sub(_escape, _cut(str(text).replace("\r\n", "\n"), limit))


def visible_code(text: str) -> str:
    """Source text in full: lines and tabs stay, everything else is as `visible` shows it."""
    return _HOSTILE_IN_CODE.sub(_escape, text.replace("\r\n", "\n"))


def visible_json(text: str) -> str:
    """JSON that means the same, with every character that cannot be seen as a JSON escape."""
    # Most lines need no search by characters.
    return "\n".join(
        [
            line if line.isascii() and line.isprintable() else _HOSTILE_IN_LINES.sub(_json_escape, line)
            for line in text.split("\n")
        ]
    )


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


def _json_escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


# --- Markdown

# A backslash before the characters that begin HTML, links and table cells, or that would make another character of an
# entity. Backquotes stay: a code span, open or closed, cannot contain markup.
_MARKUP = re.compile(r"[\\<|*]|\](?=[(\[:])|~(?=~)|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])")
_BLOCK_START = re.compile(r"[#\-+>\[]|```")


def markdown_line(text: object) -> str:
    """A text as one line of Markdown that shows it literally, also as a table cell or a list item."""
    line = _MARKUP.sub(r"\\\g<0>", visible(" ".join(str(text).split())))
    start = re.match(r"\d+(?=[.)]\s)", line)
    if start:
        return f"{start[0]}\\{line[start.end() :]}"
    return f"\\{line}" if _BLOCK_START.match(line) else line


def markdown_paragraphs(text: object) -> str:
    """A text as paragraphs of Markdown that show it literally; empty lines separate them."""
    return "\n\n".join(markdown_line(part) for part in re.split(r"\n\s*\n", str(text)) if part.strip())


def markdown_code(text: object) -> str:
    """A text as a code span, whatever backquotes it contains. In a table cell, `|` is escaped."""
    line = visible(text).replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    gap = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{gap}{line}{gap}{fence}"


def markdown_row(cells: Iterable[object]) -> str:
    """A row of a Markdown table that shows its cells literally."""
    return f"| {' | '.join(markdown_line(cell) for cell in cells)} |"


def markdown_rule(columns: int, numbers_from: int | None = None) -> str:
    """The row below the head of a Markdown table; columns of numbers are set to the right."""
    right = columns if numbers_from is None else numbers_from
    return f"| {' | '.join('---:' if column >= right else '---' for column in range(columns))} |"


# --- spreadsheets

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
# What spreadsheets skip or remove at the start of a cell: blanks, quotes, characters without a shape.
_FORMULA = re.compile(rf"[\s\"'`´‘’“”„«»＂＇{_UNSEEN}]*[=+\-@＝＋－﹣﹢＠﹫﹦]|[\t\r\n]")


def spreadsheet_cell(value: object) -> object:
    """A value that no spreadsheet takes for a formula: an apostrophe precedes a text that could be one.

    Numbers stay as they are.
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value) or not _FORMULA.match(value):
        return value
    return f"'{value}"


def spreadsheet_row(row: Iterable[object]) -> list[object]:
    """A row of such values."""
    return [spreadsheet_cell(value) for value in row]
