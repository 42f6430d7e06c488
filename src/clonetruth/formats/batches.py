"""Large tables as Arrow batches: CSV or Parquet, plain or compressed.

Columns of a CSV file are text, those of a Parquet file have their stored types; `as_text` and `as_numbers` convert
both.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from clonetruth.arrow_files import open_parquet, parquet_batches
from clonetruth.errors import InputError
from clonetruth.formats.reads import looking, report_read
from clonetruth.formats.streams import COMPRESSED, inner_suffix, open_stream, read_lines
from clonetruth.formats.tables import not_csv, read_cells

BLOCK_BYTES = 8 * 1024 * 1024
BATCH_ROWS = 131_072

_NUMBER = r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$"

BadRow = Callable[[int, str], None]
"""Called for an invalid row, with its line number and the reason."""


@dataclass
class _BadLines:
    """The lines of a CSV file that were left out; the line numbers of the other rows depend on them.

    They are found while reading ahead, and reported when the caller reaches them.
    """

    lines: list[int] = field(default_factory=list)
    waiting: deque[tuple[int, str]] = field(default_factory=deque)

    def add(self, line: int, why: str | None) -> None:
        self.lines.append(line)
        if why:
            self.waiting.append((line, why))

    def report(self, on_bad_row: BadRow) -> None:
        while self.waiting:
            on_bad_row(*self.waiting.popleft())


@dataclass(frozen=True)
class Batch:
    """Rows of a table.

    Args:
        rows: the requested columns.
        first: the index of the first row in the table, from 0.
    """

    rows: pa.RecordBatch
    first: int
    _left_out: Sequence[int] = ()
    _header: int = 1

    def column(self, name: str) -> pa.Array:
        """A column by name."""
        return self.rows.column(self.rows.schema.get_field_index(name))

    def line(self, row: int) -> int:
        """The line number of a row in the file (in a Parquet file, its row number from 1)."""
        return int(self.lines(slice(row, row + 1))[0])

    def lines(self, rows: slice = slice(None)) -> npt.NDArray[np.int64]:
        """The line numbers of several rows (default: all)."""
        numbers = np.arange(self.first + 1, self.first + 1 + self.rows.num_rows)[rows]
        if self._left_out is _PARQUET:
            return numbers
        lines = plain = numbers + self._header
        while not np.array_equal(shifted := plain + np.searchsorted(self._left_out, lines, side="right"), lines):
            lines = shifted
        return lines


_PARQUET: tuple[int, ...] = (-1,)


def table_columns(path: Path) -> list[str]:
    """The names of a table's columns, in lower case.

    Raises:
        InputError: the file is damaged or not a table.
    """
    if inner_suffix(path) == ".parquet":
        with _plain_errors(path):
            return [name.lower() for name in open_parquet(path).schema_arrow.names]
    with looking():
        first = next(read_lines(path), (1, b""))[1].decode("utf-8", errors="replace")
    try:
        return [name.strip().lower() for name in next(csv.reader([first], delimiter=_delimiter(path)), [])]
    except csv.Error as error:
        raise not_csv(error, path) from error


def read_batches(
    path: Path, columns: Sequence[str], *, optional: Sequence[str] = (), header: Sequence[str] = (), on_bad_row: BadRow
) -> Iterator[Batch]:
    """The rows of a CSV, TSV or Parquet file, as batches. An empty line is a row of nulls.

    Args:
        path: the file.
        columns: the required columns, in lower case; case in the file does not matter.
        optional: further columns; null if the file does not have them.
        header: the column names of a CSV or TSV file without a header.
        on_bad_row: called for CSV rows with too few or too many columns, which are left out.

    Raises:
        InputError: the file is damaged, or a column is missing.
    """
    present = list(header) or table_columns(path)
    report_read(path)
    missing = [name for name in columns if name not in present]
    if missing:
        raise InputError(
            f"The table has no column '{missing[0]}'.", where=path, hint=f"Its columns: {', '.join(present) or 'none'}."
        )
    wanted = [name for name in (*columns, *optional) if name in present]
    absent = [name for name in optional if name not in present]
    first = 0
    parquet = inner_suffix(path) == ".parquet"
    bad = _BadLines()
    skip = 0 if header else 1
    batches = _parquet(path, present, wanted) if parquet else _csv(path, present, wanted, bad, skip)
    with _plain_errors(path):
        for rows in _ahead(batches):
            bad.report(on_bad_row)
            for name in absent:
                rows = rows.append_column(name, pa.nulls(rows.num_rows, pa.string()))
            yield Batch(rows, first, _PARQUET if parquet else bad.lines, skip)
            first += rows.num_rows
        bad.report(on_bad_row)


def _ahead(batches: Generator[pa.RecordBatch, None, None]) -> Iterator[pa.RecordBatch]:
    """Read the next batch while the caller works on this one; Arrow releases Python's lock while it reads."""
    with ThreadPoolExecutor(1) as pool:
        try:
            waiting = pool.submit(next, batches, None)
            while (batch := waiting.result()) is not None:
                waiting = pool.submit(next, batches, None)
                yield batch
        finally:
            pool.shutdown()
            batches.close()


def as_text(array: pa.Array) -> pa.Array:
    """The values as text."""
    return array if pa.types.is_string(array.type) else array.cast(pa.string())


class IdIndex:
    """Looks up the positions of ids in a list, for columns with millions of rows.

    Args:
        known: the ids, without repeats.
    """

    SPARSE = 512
    """Numeric ids are looked up in an array with one entry per number, up to this many entries per id."""

    def __init__(self, known: Sequence[str]) -> None:
        self.known = pa.array(known, pa.string())
        self._by_number: npt.NDArray[np.int32] | None = None
        numbers = [int(one) for one in known if one.isdecimal() and one.isascii() and len(one) < 9]
        # A number with leading zeros is a different id.
        if known and len(numbers) == len(known) and all(map(_plain, known)) and max(numbers) < self.SPARSE * len(known):
            self._by_number = np.full(max(numbers) + 2, -1, dtype=np.int32)
            self._by_number[numbers] = np.arange(len(known), dtype=np.int32)

    def positions(self, column: pa.Array) -> npt.NDArray[np.int32]:
        """The position of every value, or -1 if it is unknown. White space around a value is ignored."""
        if self._by_number is not None:
            try:
                numbers = column.cast(pa.int64())
            except pa.ArrowException:
                pass
            else:
                last = len(self._by_number) - 1
                clipped = pc.fill_null(numbers, -1).to_numpy(zero_copy_only=False)
                return self._by_number[np.where((clipped < 0) | (clipped > last), last, clipped)]
        text = pc.utf8_trim_whitespace(as_text(column))
        positions: npt.NDArray[np.int32] = pc.fill_null(pc.index_in(text, value_set=self.known), -1).to_numpy(
            zero_copy_only=False
        )
        return positions

    def ids_at(self, positions: npt.NDArray[np.integer[Any]]) -> pa.Array:
        """The ids at the given positions."""
        return self.known.take(pa.array(positions))


def _plain(number: str) -> bool:
    return number == "0" or not number.startswith("0")


def as_numbers(array: pa.Array) -> pa.Array:
    """The values as doubles; null for anything that is not a number."""
    if not (pa.types.is_string(array.type) or pa.types.is_large_string(array.type)):
        return array.cast(pa.float64())
    try:
        return array.cast(pa.float64())
    except pa.ArrowException:
        good = pc.match_substring_regex(array, _NUMBER)
        return pc.utf8_trim_whitespace(pc.if_else(good, array, pa.scalar(None, array.type))).cast(pa.float64())


def _delimiter(path: Path) -> str:
    return "\t" if inner_suffix(path) == ".tsv" else ","


def _csv(
    path: Path, names: list[str], wanted: list[str], bad: _BadLines, skip: int
) -> Generator[pa.RecordBatch, None, None]:
    done = 0
    try:
        with _source(path) as source:
            reader = pa_csv.open_csv(
                source,
                read_options=pa_csv.ReadOptions(column_names=names, skip_rows=skip, block_size=BLOCK_BYTES),
                parse_options=pa_csv.ParseOptions(delimiter=_delimiter(path), ignore_empty_lines=False),
                convert_options=pa_csv.ConvertOptions(
                    column_types=dict.fromkeys(wanted, pa.string()),
                    include_columns=wanted,
                    strings_can_be_null=True,
                    null_values=[""],
                ),
            )
            for batch in reader:
                yield batch
                done += batch.num_rows
    except pa.ArrowInvalid:
        # A row has a different length, or bytes are not UTF-8: continue row by row.
        yield from _csv_rows(path, names, wanted, bad, done + skip)


def _csv_rows(
    path: Path, names: list[str], wanted: list[str], bad: _BadLines, done: int
) -> Generator[pa.RecordBatch, None, None]:
    """The rows after the first `done` ones (including the header), for a file that Arrow cannot read to the end."""
    positions = [names.index(name) for name in wanted]
    rows: list[list[str | None]] = []
    for number, (line, cells) in enumerate(read_cells(path, delimiter=_delimiter(path))):
        if number < done:
            continue
        if cells and len(cells) != len(names):
            empty = not any(cell.strip() for cell in cells)
            bad.add(line, None if empty else f"the row has {len(cells)} columns instead of {len(names)}")
            continue
        rows.append([cells[position] or None if cells else None for position in positions])
        if len(rows) == BATCH_ROWS:
            yield _batch(rows, wanted)
            rows = []
    if rows:
        yield _batch(rows, wanted)


def _batch(rows: list[list[str | None]], names: list[str]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    return pa.RecordBatch.from_arrays([pa.array(column, pa.string()) for column in columns], names=names)


@contextmanager
def _source(path: Path) -> Iterator[str | IO[bytes]]:
    if path.suffix.lower() in COMPRESSED:
        with open_stream(path) as stream:
            yield stream
    else:
        yield str(path)


def _parquet(path: Path, names: list[str], wanted: list[str]) -> Generator[pa.RecordBatch, None, None]:
    with open_parquet(path) as file:
        stored = [file.schema_arrow.names[names.index(name)] for name in wanted]
    for batch in parquet_batches(path, BATCH_ROWS, stored):
        yield pa.RecordBatch.from_arrays([batch.column(name) for name in stored], names=wanted)


@contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read the table: {error}", where=path) from error
