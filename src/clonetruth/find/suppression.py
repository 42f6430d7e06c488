"""Clones that somebody has looked at and wants to keep: ``clonetruth: ignore`` in a comment."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

import pyarrow as pa

from clonetruth.code import read_source
from clonetruth.errors import InputError
from clonetruth.find.search_result import SearchResult

_COMMENT = re.compile(r"[ \t]*(?:#|//|/\*|\*)")
_MARK = re.compile(r"(?:#|//|/\*|\*)[ \t]*clonetruth:[ \t]*ignore\b(?!-)")
_WORD = "clonetruth:"


def suppressed(found: SearchResult, fragments: Sequence[int]) -> set[int]:
    """The fragments that a comment wants to be ignored: right above, or on a line of the head, up to that of the name.

    Args:
        found: what a search gave.
        fragments: those that matter.
    """
    columns = ["fragment", "file", "name", "first_line", "last_line"]
    rows = found.fragments.select(columns).take(pa.array(fragments, pa.int64())).to_pylist()
    by_file: dict[int, list[dict[str, int | str]]] = {}
    for row in rows:
        by_file.setdefault(row["file"], []).append(row)
    ignored: set[int] = set()
    for number, members in by_file.items():
        try:
            text = read_source(found.files[number].path).text
        except InputError:  # gone since it was searched: whoever shows its text will say so
            continue
        if _WORD in text:
            lines = text.split("\n")
            ignored.update(int(row["fragment"]) for row in members if _is_marked(lines, row))
    return ignored


def _is_marked(lines: Sequence[str], row: Mapping[str, int | str]) -> bool:
    first, last = int(row["first_line"]), int(row["last_line"])
    above = takewhile(_COMMENT.match, reversed(lines[: first - 1]))
    if any(map(_MARK.search, above)):
        return True
    own_name = re.compile(rf"\b{re.escape(str(row['name']).rpartition('.')[2])}\b")
    for line in lines[first - 1 : last]:
        if _MARK.search(line):
            return True
        if own_name.search(line):
            break
    return False
