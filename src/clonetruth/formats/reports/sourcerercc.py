"""SourcererCC: pairs of block numbers, and the bookkeeping that says where the blocks are.

Pairs are `project,block,project,block` or `block,block`. The bookkeeping has one of three layouts:
`project,block,path,first,last` or `block,path,first,last`, one block a line, or the tokenizer's statistics, where a
line `f<project>,<file>,"path",…` names a file and the lines `b<project>,<block>,"hash",…,first,last` below it are its
blocks. Its file of tokens (`…@#@token@@::@@count,…`) may stand beside; it holds no places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from clonetruth.errors import InputError
from clonetruth.formats.reports.classes import Mention, ReportedLocation, place_of
from clonetruth.formats.reports.report import REPORTED, ReadingLog
from clonetruth.formats.sniffing import first_line
from clonetruth.formats.streams import read_line_blocks
from clonetruth.formats.tables import read_cells


class _Part(Enum):
    PAIRS = "pairs"
    BLOCKS = "blocks"
    STATISTICS = "statistics"
    TOKENS = "tokens"


_FIRST_LINES = {
    _Part.TOKENS: re.compile(r"\d+,\d+,.*@#@.*"),
    _Part.PAIRS: re.compile(r"\d+\s*,\s*\d+(?:\s*,\s*\d+\s*,\s*\d+)?\s*"),
    _Part.STATISTICS: re.compile(r'[fb]\d+,\d+,".*'),
    _Part.BLOCKS: re.compile(r"\d+,(?:\d+,)?.+,\d+,\d+\s*"),
}
"""How the files begin; the first that fits counts."""


_NEEDS_CARE = re.compile(rb'[ \t"]|(?:^|\n)\r?\n')
"""Blanks, quotes and empty lines."""


class SourcererCC:
    """The format as the registry knows it."""

    name = "sourcerercc"
    description = "SourcererCC's pairs of blocks, with the bookkeeping of the blocks"

    def recognise(self, paths: Sequence[Path]) -> bool:
        """See `ReportFormat.recognise`."""
        parts = [_part(path) for path in paths]
        return _Part.PAIRS in parts and None not in parts

    def read(self, paths: Sequence[Path], log: ReadingLog) -> Iterator[pa.RecordBatch]:
        """See `ReportFormat.read`. A pair of which a block is not in the bookkeeping is left out, and counted."""
        parts = {path: _part(path) for path in paths}
        books = [path for path, part in parts.items() if part in (_Part.BLOCKS, _Part.STATISTICS)]
        where = ", ".join(map(str, paths))
        if _Part.PAIRS not in parts.values():
            raise InputError("There is no list of pairs among the files.", where=where, hint="Give the clone pairs.")
        if not books:
            raise InputError(
                "The pairs name blocks by numbers, and no file says where the blocks are.",
                where=where,
                hint="Give the bookkeeping (block, path, first and last line) or the statistics of the tokenizer too; "
                "a file of tokens holds no places.",
            )
        blocks = _Blocks(log)
        for path in books:
            blocks.read(path, statistics=parts[path] is _Part.STATISTICS)
        for path in (path for path, part in parts.items() if part is _Part.PAIRS):
            yield from _pairs(path, blocks, log)


FORMAT = SourcererCC()


def _part(path: Path) -> _Part | None:
    """What a file of the report is, from its first line; None where it is none."""
    line = first_line(path)
    return next((part for part, pattern in _FIRST_LINES.items() if pattern.fullmatch(line)), None)


class _Blocks:
    """The places of the blocks, found by their numbers, with the project's where it is known."""

    def __init__(self, log: ReadingLog) -> None:
        self.log = log
        self.places: list[ReportedLocation] = []
        self._blocks: list[str] = []
        self._projects: list[str | None] = []

    def read(self, path: Path, *, statistics: bool) -> None:
        file = None
        for line, cells in read_cells(path):
            if not cells:
                continue
            if statistics and cells[0].startswith("f") and len(cells) > 2:
                file = cells[2]
            elif statistics and len(cells) > 4:
                self._add(path, line, cells[0][1:], cells[1], Mention(file, cells[-2], cells[-1]))
            elif not statistics and len(cells) == 5:
                self._add(path, line, cells[0], cells[1], Mention(cells[2], cells[3], cells[4]))
            elif not statistics and len(cells) == 4:
                self._add(path, line, None, cells[0], Mention(cells[1], cells[2], cells[3]))
            else:
                self.log.skip(path, line, f"a line of the bookkeeping has {len(cells)} columns")

    def _add(self, path: Path, line: int, project: str | None, block: str, mention: Mention) -> None:
        try:
            self.places.append(place_of(mention))
        except ValueError as error:
            self.log.skip(path, line, str(error))
        else:
            self._blocks.append(block.strip())
            self._projects.append(None if project is None else project.strip())

    def keys(self, *, with_projects: bool) -> pa.Array:
        """What the blocks are found by: the number, after the project's where the pairs give it too."""
        blocks = pa.array(self._blocks, pa.string())
        return _keys(pa.array(self._projects, pa.string()), blocks) if with_projects else blocks

    @property
    def have_projects(self) -> bool:
        return None not in self._projects


def _keys(projects: pa.Array, blocks: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise(projects, blocks, ",")


def _pairs(path: Path, blocks: _Blocks, log: ReadingLog) -> Iterator[pa.RecordBatch]:
    width = first_line(path).count(",") + 1
    with_projects = width == 4 and blocks.have_projects
    known = blocks.keys(with_projects=with_projects)
    paths = pa.array([place.path for place in blocks.places], pa.string())
    first = np.array([place.first_line for place in blocks.places], dtype=np.int32)
    last = np.array([place.last_line for place in blocks.places], dtype=np.int32)
    for line, block in read_line_blocks(path):
        lines, cells = _cells(path, line, block, width, log)
        keys = [cells[width // 2 - 1], cells[width - 1]]
        if with_projects:
            keys = [_keys(cells[0], keys[0]), _keys(cells[2], keys[1])]
        left, right = (_places(key, known) for key in keys)
        found = (left >= 0) & (right >= 0)
        for row in np.flatnonzero(~found).tolist():
            missing = keys[0 if left[row] < 0 else 1][row].as_py()
            log.skip(path, int(lines[row]), f"block {missing} is not in the bookkeeping")
        columns: list[pa.Array] = []
        for side in (left[found], right[found]):
            columns += [paths.take(pa.array(side)), pa.array(first[side]), pa.array(last[side])]
        pairs = int(found.sum())
        log.pairs += pairs
        yield pa.RecordBatch.from_arrays([*columns, pa.nulls(pairs, pa.float64())], schema=REPORTED)


def _places(keys: pa.Array, known: pa.Array) -> npt.NDArray[np.int32]:
    found: npt.NDArray[np.int32] = pc.fill_null(pc.index_in(keys, value_set=known), -1).to_numpy(zero_copy_only=False)
    return found


def _cells(
    path: Path, start: int, block: bytes, width: int, log: ReadingLog
) -> tuple[npt.NDArray[np.int64], list[pa.Array]]:
    """The columns of a block of lines, and the line of each row."""
    names = [f"column {at}" for at in range(width)]
    if not _NEEDS_CARE.search(block):
        with suppress(pa.ArrowInvalid):  # a row has another number of columns
            table = pa_csv.read_csv(
                pa.BufferReader(block),
                read_options=pa_csv.ReadOptions(column_names=names),
                convert_options=pa_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
            )
            lines = np.arange(start, start + table.num_rows)
            return lines, [column.combine_chunks() for column in table.columns]
    return _careful_cells(path, start, block, width, log)


def _careful_cells(
    path: Path, start: int, block: bytes, width: int, log: ReadingLog
) -> tuple[npt.NDArray[np.int64], list[pa.Array]]:
    """The same, row by row, for a block that has blanks, empty lines or bad rows."""
    lines: list[int] = []
    rows: list[list[str]] = []
    for line, text in enumerate(block.decode("utf-8", errors="replace").split("\n"), start=start):
        cells = [cell.strip(' \t\r"') for cell in text.split(",")]
        if len(cells) == width:
            lines.append(line)
            rows.append(cells)
        elif any(cells):
            log.skip(path, line, f"the row has {len(cells)} columns instead of {width}")
    return np.array(lines, dtype=np.int64), [pa.array([row[at] for row in rows], pa.string()) for at in range(width)]
