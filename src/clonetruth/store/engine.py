"""Engines: where the one SQL text runs.

SQL is kept in the subset that DuckDB and Spark read alike; `docs/scaling.md` lists what differs. The engines
settle among themselves that a sum of integers is an int64, that NULL is less than every value, that `"left"` is a
column, and that an overflow or a cast that fails is an error. What a text must write around: division by zero,
`concat` of NULL, the width of `length`, `row_number` and `floor` (cast them), sampling clauses (order by
`md5(id || seed)` instead) and PIVOT.
"""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

import duckdb
import pyarrow as pa

from clonetruth.errors import BenchmarkError, InputError, UnknownNameError
from clonetruth.store.atomic import new_file
from clonetruth.store.parquet import ROW_GROUP_ROWS, ParquetSink

# Engines by name, as a person asks for them.


def open_engine(spec: str | None = None, memory_limit: str | None = None, threads: int | None = None) -> Engine:
    """The engine that a text means. Nothing is started before its first query.

    Args:
        spec: "duckdb" (within the process, the default), "spark" (Spark on this machine), or
            "spark=spark://host:port" (a cluster).
        memory_limit: of the engine ("4GB"); see `DuckDBEngine` and `SparkEngine`.
        threads: of the engine; all cores unless told.

    Raises:
        UnknownNameError: there is no such engine.
        InputError: the master or the memory limit cannot be read.
    """
    name, separator, master = (spec or "duckdb").partition("=")
    if name == "spark":
        from clonetruth.store.spark import SparkEngine

        return SparkEngine(master if separator else "local[*]", memory_limit, threads)
    if name != "duckdb":
        raise UnknownNameError(f"There is no engine '{name}'.", hint="Known: duckdb, spark, spark=spark://host:port.")
    if separator:
        raise InputError(f"The engine 'duckdb' takes no '{master}'.", hint="It runs within the process.")
    return DuckDBEngine(memory_limit, threads)


TableLike: TypeAlias = pa.Table | Path | Sequence[Path]
"""What a query may read: an Arrow table, a Parquet file, or the Parquet files of one table."""


class Engine(Protocol):
    """Runs SQL over named tables."""

    def sql(self, text: str, tables: Mapping[str, TableLike]) -> pa.Table:
        """The result of one SELECT as an Arrow table."""
        ...

    def write(
        self,
        text: str,
        tables: Mapping[str, TableLike],
        path: Path,
        *,
        schema: pa.Schema | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> int:
        """Stream the result of one SELECT to a Parquet file, which appears whole or not at all.

        Args:
            text: the SELECT.
            tables: the tables that it names.
            path: the Parquet file.
            schema: the columns to cast to; the result's own unless told.
            metadata: key-value metadata of the file.

        Returns:
            The number of rows.
        """
        ...


class DuckDBEngine:
    """DuckDB within the process; sorts, joins and aggregates larger than memory spill to disk.

    Args:
        memory_limit: as DuckDB writes it ("4GB"); most of the machine's memory unless told.
        threads: how many; all cores unless told.
        temp_directory: where to spill; the system's temporary folder unless told.
    """

    def __init__(
        self, memory_limit: str | None = None, threads: int | None = None, temp_directory: Path | None = None
    ) -> None:
        self.memory_limit = memory_limit
        self.threads = threads
        self.temp_directory = temp_directory
        self._lock = threading.Lock()
        self._database: duckdb.DuckDBPyConnection | None = None
        self._process = 0

    def sql(self, text: str, tables: Mapping[str, TableLike]) -> pa.Table:
        """See `Engine.sql`."""
        with self._stream(text, tables) as reader:
            schema = _narrowed(reader.schema)
            return pa.Table.from_batches(_batches(reader, schema), schema=schema)

    def write(
        self,
        text: str,
        tables: Mapping[str, TableLike],
        path: Path,
        *,
        schema: pa.Schema | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> int:
        """See `Engine.write`."""
        with (
            new_file(path) as temporary,
            self._stream(text, tables) as reader,
            ParquetSink(temporary, schema or _narrowed(reader.schema), metadata) as sink,
        ):
            for batch in _batches(reader, _narrowed(reader.schema)):
                sink.write(batch)
        return sink.rows

    @contextlib.contextmanager
    def _stream(self, text: str, tables: Mapping[str, TableLike]) -> Iterator[pa.RecordBatchReader]:
        with self._connect() as connection, _plain_errors():
            for name, table in tables.items():
                if isinstance(table, pa.Table):
                    connection.register(name, table)
                else:
                    paths = [table] if isinstance(table, Path) else list(table)
                    files = ", ".join(_sql_path(path) for path in paths)
                    connection.execute(
                        f"CREATE TEMP VIEW {_sql_name(name)} AS SELECT * FROM "
                        f"read_parquet([{files}], hive_partitioning = false)"
                    )
            _refuse_others(connection, text)
            yield connection.sql(text).to_arrow_reader(ROW_GROUP_ROWS)

    @contextlib.contextmanager
    def _connect(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection of its own for one query: its views are temporary, and threads do not meet."""
        with self._lock:
            # A forked process inherits the object, but not the threads of the database in it.
            if self._database is None or self._process != os.getpid():
                self._database, self._process = self._start(), os.getpid()
            connection = self._database.cursor()
        with contextlib.closing(connection):
            connection.execute("SET TimeZone = 'UTC'")
            yield connection

    def _start(self) -> duckdb.DuckDBPyConnection:
        # Two processes that spill into one folder would overwrite each other's files. DuckDB makes the folder
        # when it spills for the first time.
        parent = self.temp_directory or Path(tempfile.gettempdir())
        spill = parent / f"clonetruth-spill-{os.getpid()}-{secrets.token_hex(8)}"
        config: dict[str, str | bool | int | float | list[str]] = {
            "temp_directory": str(spill),
            # Python variables of the caller must not become tables by having a table's name.
            "python_enable_replacements": "false",
            # As Spark sorts.
            "default_null_order": "nulls_first_on_asc_last_on_desc",
        }
        if self.memory_limit is not None:
            config["memory_limit"] = self.memory_limit
        if self.threads is not None:
            config["threads"] = self.threads
        try:
            database = duckdb.connect(config=config)
        except duckdb.Error as error:
            raise InputError(
                f"DuckDB refuses its options: {error}",
                hint=f"The memory limit was {self.memory_limit}, the number of threads {self.threads}.",
            ) from error
        weakref.finalize(self, _stop, database, spill, os.getpid())
        return database


def _stop(database: duckdb.DuckDBPyConnection, spill: Path, process: int) -> None:
    # A forked child inherits this duty, but the files are its parent's.
    if os.getpid() == process:
        database.close()
        shutil.rmtree(spill, ignore_errors=True)


def check_select(text: str) -> None:
    """Refuse a text that is not one SELECT, by DuckDB's grammar.

    Raises:
        InputError: it is another statement, several, or no SQL.
    """
    with contextlib.closing(_grammar().cursor()) as connection, _plain_errors():
        _refuse_others(connection, text)


@functools.cache
def _grammar() -> duckdb.DuckDBPyConnection:
    """A database that only reads texts."""
    return duckdb.connect(config={"threads": 1})


def _refuse_others(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    statements = connection.extract_statements(text)
    if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
        # COPY or ATTACH would write where a query must only read.
        raise InputError("The SQL is not one SELECT.", where=text.strip()[:200])


@contextlib.contextmanager
def _plain_errors() -> Iterator[None]:
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise out_of_memory(error) from error
    except duckdb.IOException as error:
        raise BenchmarkError("A table cannot be read.", hint=f"Copy the benchmark folder again. ({error})") from error
    except duckdb.Error as error:
        raise InputError(f"The SQL cannot be run: {error}") from error


def _narrowed(schema: pa.Schema) -> pa.Schema:
    """The schema with sums of integers, 128 bits wide in DuckDB, as the int64 that they are in Spark."""
    wide = pa.decimal128(38, 0)
    return pa.schema([field.with_type(pa.int64()) if field.type == wide else field for field in schema])


def _batches(reader: pa.RecordBatchReader, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The reader's batches, cast. DuckDB's errors in mid-stream arrive as Arrow's, their kind only in the text."""
    while True:
        try:
            batch = reader.read_next_batch().cast(schema)
        except StopIteration:
            return
        except (pa.ArrowException, OSError) as error:
            if "Out of Memory" in str(error):
                raise out_of_memory(error) from error
            raise InputError(f"The SQL cannot be run to its end: {error}") from error
        yield batch


def out_of_memory(error: Exception) -> InputError:
    """The error for a query that an engine gave up for want of memory."""
    return InputError(
        "The query needs more memory than it may use.",
        hint=f"Raise the memory limit, or lower the number of threads. ({error})",
    )


def _sql_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _sql_path(path: Path) -> str:
    # Brackets keep DuckDB from reading signs of the path as a glob.
    literal = "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path.absolute()))
    return "'" + literal.replace("'", "''") + "'"
