"""Engines: where SQL runs.

SQL stays in the subset that DuckDB and Spark interpret alike; `docs/scaling.md` lists the differences. The engines
guarantee that a sum of integers is an int64, that NULL sorts before every value, that `"left"` is a column, and that an
overflow or a failed cast is an error. Queries must avoid division by zero, `concat` of NULL, the width of `length`,
`row_number` and `floor` (cast them), sampling clauses (order by `md5(id || seed)` instead) and PIVOT.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import re
import secrets
import shutil
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import duckdb
import pyarrow as pa

from clonetruth.errors import BenchmarkError, InputError, OutOfMemoryError, UnknownNameError
from clonetruth.parsing import parse_json
from clonetruth.store.atomic import new_file
from clonetruth.store.parquet import ROW_GROUP_ROWS, ParquetSink, check_tables


def open_engine(spec: str | None = None, memory_limit: str | None = None, threads: int | None = None) -> Engine:
    """Open an engine by name. It starts with its first query.

    Args:
        spec: "duckdb" (in-process, the default), "spark" (Spark on this machine), or "spark=spark://host:port" (a
            cluster).
        memory_limit: maximum memory ("4GB"); see `DuckDBEngine` and `SparkEngine`.
        threads: number of threads (default: all cores).

    Raises:
        UnknownNameError: there is no such engine.
        InputError: the master or the memory limit is invalid.
    """
    name, separator, master = (spec or "duckdb").partition("=")
    if name == "spark":
        from clonetruth.store.spark import SparkEngine

        return SparkEngine(master if separator else "local[*]", memory_limit, threads)
    if name != "duckdb":
        raise UnknownNameError(f"There is no engine '{name}'.", hint="Known: duckdb, spark, spark=spark://host:port.")
    if separator:
        raise InputError(f"The engine 'duckdb' does not accept '{master}'.", hint="It runs in-process.")
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
        """Stream the result of one SELECT atomically to a Parquet file.

        Args:
            text: the SELECT.
            tables: the tables that it reads.
            path: the Parquet file.
            schema: the schema to cast to (default: the schema of the result).
            metadata: key-value metadata of the file.

        Returns:
            The number of rows.
        """
        ...


class DuckDBEngine:
    """In-process DuckDB; sorts, joins and aggregates larger than memory spill to disk.

    Args:
        memory_limit: maximum memory in DuckDB's notation, such as "4GB" (default: most of the machine's memory).
        threads: number of threads (default: all cores).
        temp_directory: where to spill (default: the system's temporary folder).
    """

    def __init__(
        self, memory_limit: str | None = None, threads: int | None = None, temp_directory: Path | None = None
    ) -> None:
        self.memory_limit = memory_limit
        self.threads = threads
        self.temp_directory = temp_directory

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
                    check_tables(paths)
                    files = ", ".join(_sql_path(path) for path in paths)
                    connection.execute(
                        f"CREATE TEMP VIEW {_sql_name(name)} AS SELECT * FROM "
                        f"read_parquet([{files}], hive_partitioning = false)"
                    )
            _refuse_others(text)
            yield connection.sql(text).to_arrow_reader(ROW_GROUP_ROWS)

    @contextlib.contextmanager
    def _connect(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A separate connection per query: its views are temporary, and threads do not interfere."""
        with contextlib.closing(_cursor(self.memory_limit, self.threads, self.temp_directory)) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            yield connection


_databases: dict[tuple[str | None, int | None, Path | None, int], duckdb.DuckDBPyConnection] = {}
_databases_lock = threading.Lock()


def _cursor(memory_limit: str | None, threads: int | None, folder: Path | None) -> duckdb.DuckDBPyConnection:
    """A connection to this process's database for these options: starting a database costs more than a small query.

    A forked process inherits the object, but not the threads of the database in it, and starts its own.
    """
    key = (memory_limit, threads, folder, os.getpid())
    with _databases_lock:
        if key not in _databases:
            if not _databases:
                # Closed databases that the module still refers to would be reported as leaks at exit.
                atexit.register(_databases.clear)
            _databases[key] = _start(memory_limit, threads, folder)
        return _databases[key].cursor()


def _start(memory_limit: str | None, threads: int | None, folder: Path | None) -> duckdb.DuckDBPyConnection:
    # Two processes that spill into one folder would overwrite each other's files. DuckDB creates the folder
    # when it first spills.
    spill = (folder or Path(tempfile.gettempdir())) / f"clonetruth-spill-{os.getpid()}-{secrets.token_hex(8)}"
    config: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": str(spill),
        # A query does not fetch programs from the network.
        "autoinstall_known_extensions": "false",
        # The caller's Python variables must not become tables.
        "python_enable_replacements": "false",
        # As Spark sorts.
        "default_null_order": "nulls_first_on_asc_last_on_desc",
    }
    if memory_limit is not None:
        config["memory_limit"] = memory_limit
    if threads is not None:
        config["threads"] = threads
    try:
        database = duckdb.connect(config=config)
    except duckdb.Error as error:
        raise InputError(
            f"DuckDB rejects its options: {error}",
            hint=f"The memory limit was {memory_limit}, the number of threads {threads}.",
        ) from error
    atexit.register(_stop, database, spill, os.getpid())
    return database


def _stop(database: duckdb.DuckDBPyConnection, spill: Path, process: int) -> None:
    # A forked child inherits this, but the files are its parent's.
    if os.getpid() == process:
        database.close()
        shutil.rmtree(spill, ignore_errors=True)


def check_select(text: str) -> None:
    """Refuse a text that is not a single SELECT by DuckDB's grammar.

    Raises:
        InputError: it is another statement, several statements, or not SQL.
    """
    with _plain_errors():
        _refuse_others(text)


def check_reads(text: str, tables: Collection[str]) -> None:
    """Refuse the SQL of a stranger if it reads anything but tables: SQL can also read files and addresses.

    Raises:
        InputError: it reads something else, or is not a SELECT.
    """
    with contextlib.closing(_grammar().cursor()) as connection, _plain_errors():
        _refuse_others(text)
        row = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [text]).fetchone()
    try:
        tree = parse_json(row[0]) if row else {}
    except ValueError as error:
        raise InputError(f"The SQL cannot be checked: {error}") from error
    if tree.get("error", True):
        raise InputError(f"The SQL cannot be checked: {tree.get('error_message')}")
    known = {name.lower() for name in tables}
    nodes = list(_nodes(tree))
    for node in nodes:
        # A name with a dot or a slash could be a file elsewhere in the same query.
        named = (str(one["key"]).lower() for one in (node.get("cte_map") or {}).get("map", ()))
        known |= {name for name in named if re.fullmatch(r"\w+", name)}
    for node in nodes:
        if node.get("type") == "BASE_TABLE":
            read = ".".join(filter(None, (node["catalog_name"], node["schema_name"], node["table_name"])))
        elif node.get("type") == "TABLE_FUNCTION":
            read = f"{node['function']['function_name']}()"
        else:
            continue
        if read.lower() not in known | _HARMLESS_FUNCTIONS:
            raise InputError(f"The SQL reads '{read}', which is not a table of the benchmark.")


_HARMLESS_FUNCTIONS = {"unnest()", "range()", "generate_series()"}


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object of a JSON document."""
    if isinstance(tree, dict):
        yield tree
    for inner in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _nodes(inner)


@functools.cache
def _grammar() -> duckdb.DuckDBPyConnection:
    """A database that only parses SQL."""
    atexit.register(_grammar.cache_clear)
    return duckdb.connect(config={"threads": 1})


@functools.lru_cache(maxsize=1024)
def _is_select(text: str) -> bool:
    """Whether a text is one SELECT, by DuckDB's grammar."""
    with contextlib.closing(_grammar().cursor()) as connection:
        return [statement.type for statement in connection.extract_statements(text)] == [duckdb.StatementType.SELECT]


def _refuse_others(text: str) -> None:
    if not _is_select(text):
        # COPY or ATTACH would write, and a query must only read.
        raise InputError("The SQL is not a single SELECT.", where=text.strip()[:200])


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
    """The schema with sums of integers, 128 bits wide in DuckDB, as int64 as in Spark."""
    wide = pa.decimal128(38, 0)
    return pa.schema([field.with_type(pa.int64()) if field.type == wide else field for field in schema])


def _batches(reader: pa.RecordBatchReader, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The reader's batches, cast. DuckDB's mid-stream errors arrive as Arrow errors, their kind only in the text."""
    while True:
        try:
            batch = reader.read_next_batch().cast(schema)
        except StopIteration:
            return
        except (pa.ArrowException, OSError) as error:
            if "Out of Memory" in str(error):
                raise out_of_memory(error) from error
            raise InputError(f"The SQL cannot be run to completion: {error}") from error
        yield batch


def out_of_memory(error: Exception) -> OutOfMemoryError:
    """The error for a query that ran out of memory."""
    return OutOfMemoryError(
        "The query needs more memory than it may use.",
        hint=f"Raise the memory limit, or lower the number of threads. ({error})",
    )


def _sql_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _sql_path(path: Path) -> str:
    # Brackets keep DuckDB from interpreting characters of the path as a glob.
    literal = "".join(f"[{character}]" if character in "*?[" else character for character in str(path.absolute()))
    return "'" + literal.replace("'", "''") + "'"
