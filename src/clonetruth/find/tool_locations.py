"""Places that tools of others report, put beside the functions of a search."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

import pyarrow as pa

from clonetruth.code import language, lexed_tokens, read_source
from clonetruth.find.search_result import FRAGMENTS_FOUND, PAIRS_FOUND, SearchResult

_SIDES = ("left", "right")
_Place = tuple[str, int, int]

SCORED = PAIRS_FOUND.set(2, pa.field("score", pa.float64()))
"""Found pairs, some without a score: not every tool gives one."""


def with_places(found: SearchResult, tool: str, reported: pa.Table) -> SearchResult:
    """What a search found, and what a tool reports.

    A place that is a function is that function; any other becomes a fragment without a name.

    Args:
        found: what the search found, in all files that the tool was given.
        tool: the tool's name.
        reported: its pairs, with the columns of `REPORTED`, and the names of the files as the search has them.
    """
    known = {
        (found.files[row["file"]].name, row["first_line"], row["last_line"]): row["fragment"]
        for row in found.fragments.select(["fragment", "file", "first_line", "last_line"]).to_pylist()
    }
    columns = {name: column.to_pylist() for name, column in zip(reported.column_names, reported.columns, strict=True)}
    places = {
        side: list(zip(*(columns[f"{side}_{part}"] for part in ("path", "first_line", "last_line")), strict=True))
        for side in _SIDES
    }
    new = dict.fromkeys(place for side in _SIDES for place in places[side] if place not in known)
    rows = [*_rows(found, new)]
    known.update(zip(new, range(found.fragments.num_rows, found.fragments.num_rows + len(rows)), strict=True))
    sides = [[known[place] for place in places[side]] for side in _SIDES]
    pairs = pa.table(
        [
            pa.array(list(map(min, *sides)), pa.int64()),
            pa.array(list(map(max, *sides)), pa.int64()),
            pa.array(columns["score"], pa.float64()),
            pa.array([tool] * reported.num_rows, pa.string()).cast(PAIRS_FOUND.field("finder").type),
        ],
        schema=SCORED,
    )
    return dataclasses.replace(
        found,
        fragments=pa.concat_tables([found.fragments, pa.Table.from_pylist(rows, FRAGMENTS_FOUND)]),
        pairs=pa.concat_tables([found.pairs.cast(SCORED), pairs]).unify_dictionaries(),
    )


def _rows(found: SearchResult, places: Iterable[_Place]) -> Iterator[dict[str, object]]:
    """The rows of places that are no functions."""
    files = {file.name: number for number, file in enumerate(found.files)}
    lines: dict[int, list[bytes]] = {}
    for fragment, (name, first, last) in enumerate(places, start=found.fragments.num_rows):
        number = files[name]
        file = found.files[number]
        if number not in lines:
            lines[number] = read_source(file.path).text.encode("utf-8", errors="replace").splitlines(keepends=True)
        before, text = b"".join(lines[number][: first - 1]), b"".join(lines[number][first - 1 : last]).rstrip(b"\n")
        tokens = len(lexed_tokens(text.decode("utf-8", errors="replace"), language(file.language)))
        # A report may name a whole file without saying how long it is.
        last = min(last, len(lines[number]))
        values = (fragment, number, "", first, last, tokens, len(before), len(before) + len(text), file.language)
        yield dict(zip(FRAGMENTS_FOUND.names, values, strict=True))
