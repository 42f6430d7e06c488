"""Parquet and Arrow files, checked before they are opened, with errors that name the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from clonetruth.arrow_files.checker import arrow_file
from clonetruth.arrow_files.checking import check_files, remember_files
from clonetruth.errors import InputError

if TYPE_CHECKING:
    import pyarrow.parquet as pq


def open_parquet(path: Path) -> pq.ParquetFile:
    """Open a Parquet file.

    Raises:
        InputError: the file is missing, damaged, or not a Parquet file.
    """
    with _plain_errors(path):
        check_files([path])
        # Parquet loads Arrow's file systems, which small Arrow files do not need.
        import pyarrow.parquet as pq

        return pq.ParquetFile(path)


def parquet_batches(path: Path, rows: int = 65_536, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of a Parquet file in batches of at most `rows`.

    Raises:
        InputError: the file is missing or damaged, or has no such column.
    """
    with open_parquet(path) as file:
        batches = file.iter_batches(rows, columns=None if columns is None else list(columns))
        while True:
            with _plain_errors(path):
                batch = next(batches, None)
            if batch is None:
                return
            yield batch


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """A Parquet file as a table.

    Raises:
        InputError: the file is missing or damaged, or has no such column.
    """
    with open_parquet(path) as file, _plain_errors(path):
        # Not as a dataset: a folder named `a=b` would become a column.
        return file.read(columns=None if columns is None else list(columns))


def arrow_batches(path: Path) -> Iterator[pa.RecordBatch]:
    """The batches of an Arrow file, in the stream or the file format.

    Raises:
        InputError: the file is missing or damaged.
    """
    with _plain_errors(path):
        check_files([path], ipc=True)
        batches = arrow_file(path)
    while True:
        with _plain_errors(path):
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


def python_rows(batch: pa.RecordBatch, path: Path) -> list[dict[str, Any]]:
    """The rows of a batch as Python values.

    Raises:
        InputError: a value has no counterpart in Python.
    """
    with _plain_errors(path):
        rows: list[dict[str, Any]] = batch.to_pylist()
        return rows


def sealed_table(data: memoryview) -> pa.Table:
    """The table in the bytes of an Arrow file whose digest was compared, so that no bit is flipped.

    Raises:
        ArrowException: it is not what this program writes.
    """
    table = pa.ipc.open_file(pa.py_buffer(data)).read_all()
    table.validate(full=True)
    return table


def write_parquet(table: pa.Table, path: Path) -> None:
    """Write a temporary Parquet file that this process reads again."""
    import pyarrow.parquet as pq

    pq.write_table(table, path)
    remember_files([path], lasting=False)


@contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise InputError("There is no such file.", where=path) from error
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        raise InputError(f"Cannot read the file: {error}", where=path) from error
