"""SourcererCC: pairs of block numbers, and the bookkeeping with the blocks' locations.

Pairs are `project,block,project,block` or `block,block`. The bookkeeping has one of three layouts:
`project,block,path,first,last` or `block,path,first,last`, one block per line, or the tokenizer's statistics, where a
line `f<project>,<file>,"path",…` names a file and the lines `b<project>,<block>,"hash",…,first,last` below it are its
blocks. SourcererCC's file of tokens (`…@#@token@@::@@count,…`) is accepted too, but holds no locations.
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
from clonetruth.formats.reports.classes import RawLocation, ReportedLocation, parse_location
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
"""The first line of each kind of file; the first pattern that matches applies."""


_NOT_PLAIN = re.compile(rb'[ \t"]|(?:^|\n)\r?\n')
"""Blanks, quotes and empty lines, which Arrow would not read as SourcererCC means them."""


class SourcererCC:
    """The registered format."""

    name = "sourcerercc"
    description = "SourcererCC's pairs of blocks, with the bookkeeping of the blocks"

    def recognise(self, paths: Sequence[Path]) -> bool:
        """See `ReportFormat.recognise`."""
        parts = [_part(path) for path in paths]
        return _Part.PAIRS in parts and None not in parts

    def read(self, paths: Sequence[Path], log: ReadingLog) -> Iterator[pa.RecordBatch]:
        """See `ReportFormat.read`. A pair with a block that is not in the bookkeeping is left out and counted."""
        parts = {path: _part(path) for path in paths}
        books = [path for path, part in parts.items() if part in (_Part.BLOCKS, _Part.STATISTICS)]
        where = ", ".join(map(str, paths))
        if _Part.PAIRS not in parts.values():
            raise InputError("No list of pairs is among the files.", where=where, hint="Add the file of clone pairs.")
        if not books:
            raise InputError(
                "The pairs name blocks by number, and no file gives the blocks' locations.",
                where=where,
                hint="Add the bookkeeping (block, path, first and last line) or the tokenizer's statistics; a file of "
                "tokens holds no locations.",
            )
        blocks = _Blocks(log)
        for path in books:
            blocks.read(path, statistics=parts[path] is _Part.STATISTICS)
        for path in (path for path, part in parts.items() if part is _Part.PAIRS):
            yield from _pairs(path, blocks, log)


FORMAT = SourcererCC()


def _part(path: Path) -> _Part | None:
    """The kind of a file, from its first line; None if it is not part of a report."""
    line = first_line(path)
    return next((part for part, pattern in _FIRST_LINES.items() if pattern.fullmatch(line)), None)


class _Blocks:
    """The locations of the blocks by their numbers, including the project's number if it is known."""

    def __init__(self, log: ReadingLog) -> None:
        self.log = log
        self.locations: list[ReportedLocation] = []
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
                self._add(path, line, cells[0][1:], cells[1], RawLocation(file, cells[-2], cells[-1]))
            elif not statistics and len(cells) == 5:
                self._add(path, line, cells[0], cells[1], RawLocation(cells[2], cells[3], cells[4]))
            elif not statistics and len(cells) == 4:
                self._add(path, line, None, cells[0], RawLocation(cells[1], cells[2], cells[3]))
            else:
                self.log.skip(path, line, f"a line of the bookkeeping has {len(cells)} columns")

    def _add(self, path: Path, line: int, project: str | None, block: str, location: RawLocation) -> None:
        try:
            self.locations.append(parse_location(location))
        except ValueError as error:
            self.log.skip(path, line, str(error))
        else:
            self._blocks.append(block.strip())
            self._projects.append(None if project is None else project.strip())

    def keys(self, *, with_projects: bool) -> pa.Array:
        """The keys of the blocks: their numbers, preceded by the project's if the pairs have it too."""
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
    paths = pa.array([location.path for location in blocks.locations], pa.string())
    first = np.array([location.first_line for location in blocks.locations], dtype=np.int32)
    last = np.array([location.last_line for location in blocks.locations], dtype=np.int32)
    for line, block in read_line_blocks(path):
        lines, cells = _cells(path, line, block, width, log)
        keys = [cells[width // 2 - 1], cells[width - 1]]
        if with_projects:
            keys = [_keys(cells[0], keys[0]), _keys(cells[2], keys[1])]
        left, right = (_positions(key, known) for key in keys)
        known_pairs = (left >= 0) & (right >= 0)
        for row in np.flatnonzero(~known_pairs).tolist():
            missing = keys[0 if left[row] < 0 else 1][row].as_py()
            log.skip(path, int(lines[row]), f"block {missing} is not in the bookkeeping")
        columns: list[pa.Array] = []
        for side in (left[known_pairs], right[known_pairs]):
            columns += [paths.take(pa.array(side)), pa.array(first[side]), pa.array(last[side])]
        pairs = int(known_pairs.sum())
        log.pairs += pairs
        yield pa.RecordBatch.from_arrays([*columns, pa.nulls(pairs, pa.float64())], schema=REPORTED)


def _positions(keys: pa.Array, known: pa.Array) -> npt.NDArray[np.int32]:
    positions: npt.NDArray[np.int32] = pc.fill_null(pc.index_in(keys, value_set=known), -1).to_numpy(
        zero_copy_only=False
    )
    return positions


def _cells(
    path: Path, start: int, block: bytes, width: int, log: ReadingLog
) -> tuple[npt.NDArray[np.int64], list[pa.Array]]:
    """The columns of a block of lines, and the line number of each row."""
    names = [f"column {at}" for at in range(width)]
    if not _NOT_PLAIN.search(block):
        with suppress(pa.ArrowInvalid):  # a row has a different number of columns
            table = pa_csv.read_csv(
                pa.BufferReader(block),
                read_options=pa_csv.ReadOptions(column_names=names),
                convert_options=pa_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
            )
            lines = np.arange(start, start + table.num_rows)
            return lines, [column.combine_chunks() for column in table.columns]
    return _cells_line_by_line(path, start, block, width, log)


def _cells_line_by_line(
    path: Path, start: int, block: bytes, width: int, log: ReadingLog
) -> tuple[npt.NDArray[np.int64], list[pa.Array]]:
    """The same, line by line, for a block with blanks, empty lines or bad rows."""
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
