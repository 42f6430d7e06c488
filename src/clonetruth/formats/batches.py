"""Large tables as Arrow batches: CSV or Parquet, plain or compressed, never a row at a time.

Columns of a CSV file come as text, those of a Parquet file as they are stored; `as_text` and `as_numbers` make
either what a caller needs.
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
import pyarrow.parquet as pq

from clonetruth.errors import InputError
from clonetruth.formats.streams import COMPRESSED, inner_suffix, open_stream, read_lines
from clonetruth.formats.tables import read_cells

BLOCK_BYTES = 8 * 1024 * 1024
BATCH_ROWS = 131_072

_NUMBER = r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$"

BadRow = Callable[[int, str], None]
"""Told of a row that has no sense: its line, and why."""


@dataclass
class _BadLines:
    """The lines of a CSV file that were left out, so that the lines of the others are known.

    They are found while reading ahead, and told when the caller gets there.
    """

    lines: list[int] = field(default_factory=list)
    waiting: deque[tuple[int, str]] = field(default_factory=deque)

    def add(self, line: int, why: str | None) -> None:
        self.lines.append(line)
        if why:
            self.waiting.append((line, why))

    def told(self, tell: BadRow) -> None:
        while self.waiting:
            tell(*self.waiting.popleft())


@dataclass(frozen=True)
class Batch:
    """Rows of a table.

    Args:
        rows: the columns that were asked for.
        first: the number of the first row, from 0, among all that were read.
    """

    rows: pa.RecordBatch
    first: int
    _left_out: Sequence[int] = ()
    _header: int = 1

    def column(self, name: str) -> pa.Array:
        """A column by its name."""
        return self.rows.column(self.rows.schema.get_field_index(name))

    def line(self, row: int) -> int:
        """The line of the batch's row in the file (the row from 1 in a Parquet file)."""
        return int(self.lines(slice(row, row + 1))[0])

    def lines(self, rows: slice = slice(None)) -> npt.NDArray[np.int64]:
        """The same for many rows; all unless told."""
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
        InputError: the file is damaged or no table.
    """
    if inner_suffix(path) == ".parquet":
        with _plain_errors(path):
            return [name.lower() for name in pq.ParquetFile(path).schema_arrow.names]
    for _, line in read_lines(path):
        text = line.decode("utf-8", errors="replace")
        try:
            return [name.strip().lower() for name in next(csv.reader([text], delimiter=_delimiter(path)), [])]
        except csv.Error as error:
            raise InputError(f"This is no CSV: {error}", where=path) from error
    return []


def read_batches(
    path: Path, columns: Sequence[str], *, optional: Sequence[str] = (), header: Sequence[str] = (), tell: BadRow
) -> Iterator[Batch]:
    """The rows of a CSV, TSV or Parquet file, as batches. An empty line is a row of nulls.

    Args:
        path: the file.
        columns: the columns that must be there, in lower case; the file may write them otherwise.
        optional: columns that are null where the file has none.
        header: the column names of a CSV or TSV file that has none.
        tell: told of CSV rows with too few or too many columns; they are left out.

    Raises:
        InputError: the file is damaged, or a column is missing.
    """
    present = list(header) or table_columns(path)
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
            bad.told(tell)
            for name in absent:
                rows = rows.append_column(name, pa.nulls(rows.num_rows, pa.string()))
            yield Batch(rows, first, _PARQUET if parquet else bad.lines, skip)
            first += rows.num_rows
        bad.told(tell)


def _ahead(batches: Generator[pa.RecordBatch, None, None]) -> Iterator[pa.RecordBatch]:
    """Read the next batch while the caller works on this one; Arrow reads outside Python's lock."""
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


class LinePlaces:
    """Finds the places of ids in a list, for columns of millions of rows.

    Args:
        known: the ids, each once.
    """

    SPARSE = 512
    """Numeric ids are found through an array with an entry for each number, if so many entries serve one id."""

    def __init__(self, known: Sequence[str]) -> None:
        self.known = pa.array(known, pa.string())
        self._by_number: npt.NDArray[np.int32] | None = None
        numbers = [int(one) for one in known if one.isdecimal() and one.isascii() and len(one) < 9]
        # Numbers with leading zeros are other texts.
        if known and len(numbers) == len(known) and all(map(_plain, known)) and max(numbers) < self.SPARSE * len(known):
            self._by_number = np.full(max(numbers) + 2, -1, dtype=np.int32)
            self._by_number[numbers] = np.arange(len(known), dtype=np.int32)

    def of(self, column: pa.Array) -> npt.NDArray[np.int32]:
        """The place of every value, -1 for unknown ones. Space around a value does not count."""
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
        found: npt.NDArray[np.int32] = pc.fill_null(pc.index_in(text, value_set=self.known), -1).to_numpy(
            zero_copy_only=False
        )
        return found

    def at(self, places: npt.NDArray[np.integer[Any]]) -> pa.Array:
        """The ids at some places."""
        return self.known.take(pa.array(places))


def _plain(number: str) -> bool:
    return number == "0" or not number.startswith("0")


def as_numbers(array: pa.Array) -> pa.Array:
    """The values as doubles; what is no number is null."""
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
        # A row of another length, or bytes that are not UTF-8: from here on, row by row.
        yield from _csv_rows(path, names, wanted, bad, done + skip)


def _csv_rows(
    path: Path, names: list[str], wanted: list[str], bad: _BadLines, done: int
) -> Generator[pa.RecordBatch, None, None]:
    """The rows after the first `done` (the header among them), for a file that Arrow cannot read to its end."""
    places = [names.index(name) for name in wanted]
    rows: list[list[str | None]] = []
    for number, (line, cells) in enumerate(read_cells(path, delimiter=_delimiter(path))):
        if number < done:
            continue
        if cells and len(cells) != len(names):
            empty = not any(cell.strip() for cell in cells)
            bad.add(line, None if empty else f"the row has {len(cells)} columns instead of {len(names)}")
            continue
        rows.append([cells[place] or None if cells else None for place in places])
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
    file = pq.ParquetFile(path)
    stored = [file.schema_arrow.names[names.index(name)] for name in wanted]
    for batch in file.iter_batches(BATCH_ROWS, columns=stored):
        yield pa.RecordBatch.from_arrays([batch.column(name) for name in stored], names=wanted)


@contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read the table: {error}", where=path) from error
