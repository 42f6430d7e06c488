"""Parquet files of the store: streamed writing, and metadata that says what a file is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.parquet as pq

from clonetruth import __version__
from clonetruth.arrow_files import check_files, open_parquet, remember_files
from clonetruth.errors import BenchmarkError, InputError
from clonetruth.store.schemas import SCHEMA_VERSION

ROW_GROUP_ROWS = 131_072
ROW_GROUP_BYTES = 64 * 1024 * 1024

_PREFIX = "clonetruth."
_IDS = ("id", "left", "right", "fragment")


def table_metadata(table: str, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The key-value metadata of a stored table: its name, the versions, and `more`."""
    return {"table": table, "schema_version": str(SCHEMA_VERSION), "version": __version__, **(more or {})}


def read_metadata(path: Path) -> dict[str, str]:
    """The `clonetruth.*` metadata of a Parquet file, without the prefix."""
    stored = parquet_file(path).schema_arrow.metadata or {}
    texts = {key.decode(): value.decode() for key, value in stored.items() if key.startswith(_PREFIX.encode())}
    return {key.removeprefix(_PREFIX): value for key, value in texts.items()}


def parquet_file(path: Path) -> pq.ParquetFile:
    """Open a Parquet file.

    Raises:
        BenchmarkError: the file is missing, truncated or not Parquet.
    """
    check_tables([path])
    try:
        return open_parquet(path)
    except InputError as error:
        raise _damaged(path, error.what) from error


def check_tables(paths: Sequence[Path]) -> None:
    """Check Parquet files that pyarrow and DuckDB will read; see `arrow_files`.

    Raises:
        BenchmarkError: a file is missing, truncated or not Parquet.
    """
    for path in paths:
        try:
            check_files([path], sql=True)
        except FileNotFoundError as error:
            raise BenchmarkError(
                "The file is missing.", where=path, hint="Copy the benchmark folder again from its origin."
            ) from error
        except InputError as error:
            raise _damaged(path, error.what) from error
        except OSError as error:
            raise _damaged(path, str(error)) from error


def _damaged(path: Path, why: str) -> BenchmarkError:
    return BenchmarkError(
        "The file is damaged, or not a Parquet file.",
        where=path,
        hint=f"Copy the benchmark folder again from its origin. ({why})",
    )


class ParquetSink:
    """Writes batches to a Parquet file in row groups of bounded size, cast to one schema.

    Args:
        path: the file to write.
        schema: the columns; nulls in a column that is not nullable are refused.
        metadata: key-value metadata, stored under `clonetruth.`.
        staged: the file is read once and deleted, so speed matters more than size.
    """

    def __init__(
        self, path: Path, schema: pa.Schema, metadata: Mapping[str, str] | None = None, *, staged: bool = False
    ) -> None:
        self.rows = 0
        self._path = path
        self._schema = schema
        self._waiting: list[pa.RecordBatch] = []
        self._waiting_rows = 0
        self._waiting_bytes = 0
        stored = {f"{_PREFIX}{key}": value for key, value in (metadata or {}).items()}
        self._writer = pq.ParquetWriter(
            path,
            schema.with_metadata(stored or None),
            compression="lz4" if staged else "zstd",
            write_page_checksum=True,
            use_dictionary=[field.name for field in schema if _repeats(field, staged=staged)],
        )

    def __enter__(self) -> ParquetSink:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._flush()
        self._writer.close()
        if kind is None:
            remember_files([self._path], lasting=False)

    def write(self, batch: pa.RecordBatch) -> None:
        """Append the rows of a batch. Columns are matched by name; unknown columns are refused.

        Raises:
            InputError: a column is missing, unknown, of another type, or null where it must not be.
        """
        conformed = conform(batch, self._schema, row=self.rows)
        self.rows += conformed.num_rows
        self._waiting.append(conformed)
        self._waiting_rows += conformed.num_rows
        self._waiting_bytes += conformed.nbytes
        if self._waiting_rows >= ROW_GROUP_ROWS or self._waiting_bytes >= ROW_GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._waiting_rows:
            table = pa.Table.from_batches(self._waiting, schema=self._schema)
            try:
                self._writer.write_table(table, row_group_size=ROW_GROUP_ROWS)
            except OSError as error:
                raise InputError(
                    f"The file cannot be written: {error.strerror or error}.",
                    where=self._path,
                    hint="Free some disk space, or choose another folder (TMPDIR for temporary files).",
                ) from error
        self._waiting, self._waiting_rows, self._waiting_bytes = [], 0, 0


def _repeats(field: pa.Field, *, staged: bool) -> bool:
    """Whether a column is worth a dictionary: for keys, measures or ids it costs time, and even space."""
    return bool(pa.types.is_string(field.type)) and not (staged and field.name in _IDS)


def conform(batch: pa.RecordBatch, schema: pa.Schema, *, row: int = 0, where: str | None = None) -> pa.RecordBatch:
    """The batch with exactly the schema's columns; nullable columns that are missing become null.

    Args:
        batch: the incoming batch.
        schema: the target schema.
        row: number of the batch's first row, for messages.
        where: the table's name, for messages.

    Raises:
        InputError: see `ParquetSink.write`.
    """
    unknown = [name for name in batch.schema.names if schema.get_field_index(name) < 0]
    if unknown:
        raise InputError(
            f"There is no column '{unknown[0]}'.", where=where, hint=f"Columns: {', '.join(schema.names)}."
        )
    arrays = []
    for field in schema:
        index = batch.schema.get_field_index(field.name)
        if index < 0 and not field.nullable:
            raise InputError(f"The column '{field.name}' is missing.", where=where)
        array = pa.nulls(batch.num_rows, field.type) if index < 0 else _cast(batch.column(index), field, where)
        if array.null_count and not field.nullable:
            first = array.is_null().index(pa.scalar(True)).as_py()
            raise InputError(f"The column '{field.name}' has a missing value.", where=_location(where, row + first))
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _location(where: str | None, row: int) -> str:
    return f"{where}, row {row}" if where else f"row {row}"


def _cast(array: pa.Array, field: pa.Field, where: str | None) -> pa.Array:
    if array.type == field.type:
        return array
    try:
        return array.cast(field.type)
    except pa.ArrowException as error:
        raise InputError(
            f"The column '{field.name}' is {array.type}, and cannot be converted to {field.type}.",
            where=where,
            hint=str(error),
        ) from error
