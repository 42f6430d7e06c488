"""Locations that external tools report, merged with the functions of a search."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

import pyarrow as pa

from clonetruth.code import language, lexed_tokens, read_source
from clonetruth.find.search_result import FRAGMENTS_FOUND, LOCATION, PAIRS_FOUND, SearchResult

_SIDES = ("left", "right")
_Location = tuple[str, int, int]

SCORED = PAIRS_FOUND.set(2, pa.field("score", pa.float64()))
"""Found pairs, some without a score: not every tool reports one."""


def with_locations(result: SearchResult, tool: str, reported: pa.Table) -> SearchResult:
    """Add the pairs that a tool reports to the result of a search.

    A location that is a function is matched to it; any other becomes a fragment without a name.

    Args:
        result: the result of a search in all files that the tool was given.
        tool: the tool's name.
        reported: its pairs, with the columns of `REPORTED`; files have the names that the search uses.
    """
    known = {
        (result.files[row["file"]].name, row["first_line"], row["last_line"]): row["fragment"]
        for row in result.fragments.select(["fragment", "file", "first_line", "last_line"]).to_pylist()
    }
    columns = {name: column.to_pylist() for name, column in zip(reported.column_names, reported.columns, strict=True)}
    locations = {
        side: list(zip(*(columns[f"{side}_{part}"] for part in ("path", "first_line", "last_line")), strict=True))
        for side in _SIDES
    }
    new = dict.fromkeys(location for side in _SIDES for location in locations[side] if location not in known)
    rows = [*_rows(result, new)]
    known.update(zip(new, range(result.fragments.num_rows, result.fragments.num_rows + len(rows)), strict=True))
    sides = [[known[location] for location in locations[side]] for side in _SIDES]
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
        result,
        fragments=pa.concat_tables([result.fragments, pa.Table.from_pylist(rows, FRAGMENTS_FOUND)]),
        pairs=pa.concat_tables([result.pairs.cast(SCORED), pairs]).unify_dictionaries(),
    )


def _rows(result: SearchResult, locations: Iterable[_Location]) -> Iterator[dict[str, object]]:
    """The rows of locations that are not functions."""
    files = {file.name: number for number, file in enumerate(result.files)}
    lines: dict[int, list[bytes]] = {}
    for fragment, (name, first, last) in enumerate(locations, start=result.fragments.num_rows):
        number = files[name]
        file = result.files[number]
        if number not in lines:
            lines[number] = read_source(file.path).text.encode("utf-8", errors="replace").splitlines(keepends=True)
        before, text = b"".join(lines[number][: first - 1]), b"".join(lines[number][first - 1 : last]).rstrip(b"\n")
        tokens = len(lexed_tokens(text.decode("utf-8", errors="replace"), language(file.language)))
        # A report may name a whole file without its length.
        last = min(last, len(lines[number]))
        values = (
            fragment,
            number,
            "",
            first,
            last,
            tokens,
            len(before),
            len(before) + len(text),
            file.language,
            LOCATION,
        )
        yield dict(zip(FRAGMENTS_FOUND.names, values, strict=True))
