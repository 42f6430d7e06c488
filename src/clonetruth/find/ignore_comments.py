"""Clones that developers have decided to keep: ``clonetruth: ignore`` in a comment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from clonetruth.code import read_source
from clonetruth.code.statements import Rows
from clonetruth.errors import InputError
from clonetruth.find.functions import Functions
from clonetruth.find.search_result import SearchResult

_COMMENT = re.compile(r"[ \t]*(?:#|//|/\*|\*)")
_MARK = re.compile(r"(?:#|//|/\*|\*)[ \t]*clonetruth:[ \t]*ignore\b(?!-)")
_WORD = "clonetruth:"


def suppressed(result: SearchResult, fragments: Sequence[int]) -> set[int]:
    """Return the fragments with a comment to ignore them: directly above, or on a line up to the one with the name.

    Args:
        result: the result of a search.
        fragments: the fragments to check.
    """
    read, first_block = len(result.ignored), result.first_block
    ignored = {fragment for fragment in fragments if fragment < read and result.ignored[fragment]}
    ignored.update(one for one in fragments if one >= first_block and result.blocks.ignored[one - first_block])
    by_file: dict[int, list[int]] = {}
    for fragment in fragments:
        if read <= fragment < first_block:
            by_file.setdefault(result.location(fragment)[0], []).append(fragment)
    for number, members in by_file.items():
        try:
            text = read_source(result.files[number].path).text
        except InputError:  # deleted since it was searched: the error is reported when its text is shown
            continue
        if _WORD in text:
            lines = text.split("\n")
            rows = result.fragments.select(["name", "first_line", "last_line"]).take(members).to_pylist()
            ignored.update(fragment for fragment, row in zip(members, rows, strict=True) if _is_ignored(lines, **row))
    return ignored


def ignored_functions(functions: Functions) -> list[bool]:
    """Return which functions have a comment to ignore them; see `suppressed`."""
    ignored = [False] * len(functions)
    word = _WORD.encode()
    files = {number for number in set(functions.file.tolist()) if word in functions.texts[number]}
    lines = {number: functions.texts[number].decode("utf-8", errors="replace").split("\n") for number in files}
    if lines:
        for at, number in enumerate(functions.file.tolist()):
            if number in lines:
                first, last = int(functions.first_line[at]), int(functions.last_line[at])
                ignored[at] = _is_ignored(lines[number], functions.name[at], first, last)
    return ignored


def mark_ignored(text: bytes, statements: Rows) -> None:
    """Mark the statements of a file with a comment to ignore them: directly above, or on their first line."""
    if _WORD.encode() not in text:
        return
    lines = text.decode("utf-8", errors="replace").split("\n")
    for at, line in enumerate(statements["first_line"].tolist()):
        statements["ignored"][at] = _is_ignored(lines, "", line, line)


def _is_ignored(lines: Sequence[str], name: str, first_line: int, last_line: int) -> bool:
    above = takewhile(_COMMENT.match, reversed(lines[: first_line - 1]))
    if any(map(_MARK.search, above)):
        return True
    # A name that is written in another way, or is none, may be anywhere: then only the first line counts.
    own_name = re.compile(rf"(?<!\w){re.escape(name.rpartition('.')[2])}(?!\w)")
    last = next((number for number in range(first_line, last_line) if own_name.search(lines[number - 1])), first_line)
    return any(map(_MARK.search, lines[first_line - 1 : last]))
