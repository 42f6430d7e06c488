"""Spark: the same SQL beyond one machine.

Paths are read and written by the workers: on a cluster, the benchmark folder, the results and the temporary
folder (`TMPDIR`) must be on storage that every worker sees under the same path. No Python runs on the workers.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.store.atomic import new_file, scratch_folder
from clonetruth.store.engine import TableLike, check_select, out_of_memory
from clonetruth.store.parquet import ROW_GROUP_ROWS, ParquetSink, parquet_file
from clonetruth.store.spark_session import APPLICATION, is_local

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_MASTER = re.compile(r"local(\[(\*|[1-9]\d*)\])?|spark://[^\s:/]+:\d+")
_GLOB = re.compile(r"[*?\[\]{}\\]")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])i?B?", re.IGNORECASE)
_MEGABYTES = {"K": 1 / 1024, "M": 1.0, "G": 1024.0, "T": 1024.0**2}

_SETTINGS = {
    "spark.app.name": "clonetruth",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # The caller asks for a result as a whole; Spark's own limit of 1 GB would be a surprise.
    "spark.driver.maxResultSize": "0",
    # As in DuckDB: an overflow or a cast that fails is an error, `"left"` is a column and not a text, times are
    # UTC. An unguarded division by zero, which DuckDB makes infinite, is an error too: better than a silent NULL.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
}


class SparkEngine:
    """Spark, on this machine or on a standalone cluster. The first query starts it, which takes seconds.

    A process has one Spark application: engines with the same arguments share it, and one with others ends it.

    Args:
        master: "local[*]" (all cores of this machine), "local[2]", or "spark://host:port".
        memory_limit: as DuckDB takes it ("4GB"): of the process that does all the work where the master is local,
            of the executor on each worker otherwise. A local one keeps what the first engine of a process asked for.
        threads: tasks that run at once; unless told, as many as the master has cores.
        temp_directory: where a local one spills; the system's temporary folder unless told.
        settings: further settings of Spark by name; they win.

    Raises:
        InputError: the master or the memory limit cannot be read.
    """

    def __init__(
        self,
        master: str = "local[*]",
        memory_limit: str | None = None,
        threads: int | None = None,
        temp_directory: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        if not _MASTER.fullmatch(master):
            raise InputError(
                f"'{master}' is no Spark master.", hint="Use local, local[2], local[*] or spark://host:port."
            )
        self.settings = {**_SETTINGS, "spark.master": master}
        if threads is not None:
            threads_setting = (
                {"spark.master": f"local[{threads}]"} if is_local(master) else {"spark.cores.max": threads}
            )
            self.settings |= {name: str(value) for name, value in threads_setting.items()}
        if memory_limit is not None:
            process = "driver" if is_local(master) else "executor"
            self.settings[f"spark.{process}.memory"] = _java_size(memory_limit)
        self.settings |= settings or {}
        self.temp_directory = temp_directory

    def sql(self, text: str, tables: Mapping[str, TableLike]) -> pa.Table:
        """See `Engine.sql`."""
        with self._frame(text, tables) as frame:
            return _nullable(frame.toArrow())

    def write(
        self,
        text: str,
        tables: Mapping[str, TableLike],
        path: Path,
        *,
        schema: pa.Schema | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> int:
        """See `Engine.write`. The workers write parts beside the file, which are then put together in order."""
        with new_file(path) as temporary, scratch_folder(path.parent) as scratch:
            with self._frame(text, tables) as frame:
                schema = schema or _nullable(frame.limit(0).toArrow()).schema
                frame.write.parquet(str((scratch / "rows").absolute()), compression="lz4")
            parts = sorted((scratch / "rows").glob("part-*.parquet"), key=_part_number)
            with ParquetSink(temporary, schema, metadata) as sink:
                for part in parts:
                    with parquet_file(part) as file:
                        for batch in file.iter_batches(ROW_GROUP_ROWS):
                            sink.write(batch)
        return sink.rows

    @contextlib.contextmanager
    def _frame(self, text: str, tables: Mapping[str, TableLike]) -> Iterator[DataFrame]:
        """The query, not yet run. What it reads stays in place until the block ends."""
        check_select(text)
        session = APPLICATION.session(self.settings, self.temp_directory)
        with contextlib.ExitStack() as links, _plain_errors():
            for name, table in tables.items():
                _read(session, table, links).createOrReplaceTempView(f"`{name.replace('`', '``')}`")
            # In a text of standard SQL a backslash means itself; Spark would take it as an escape.
            yield session.sql(text.replace("\\", r"\\"))


def _read(session: SparkSession, table: TableLike, links: contextlib.ExitStack) -> DataFrame:
    if isinstance(table, pa.Table):
        return session.createDataFrame(table)
    paths = [table] if isinstance(table, Path) else list(table)
    schemas = []
    for path in paths:
        # Spark's own error on a file that is missing or damaged names neither plainly.
        with parquet_file(path) as file:
            schemas.append(file.schema_arrow)
    visible = [str(_visible(path.absolute(), links)) for path in paths]
    # Without its schema a table costs a job on the cluster before the query.
    reader = session.read.schema(session.createDataFrame(schemas[0].empty_table()).schema)
    if not any(_GLOB.search(path) for path in visible):
        return reader.parquet(*visible)
    # Signs of a path are not a glob. With that switched off, several files at a time would be read several times.
    frames = [reader.option("__globPaths__", "false").parquet(path) for path in visible]
    return functools.reduce(lambda one, other: one.unionAll(other), frames)


def _visible(path: Path, links: contextlib.ExitStack) -> Path:
    """The path, or a link to it for as long as `links` lasts: Spark does not see files whose name begins so."""
    if not path.name.startswith((".", "_")):
        return path
    link = links.enter_context(scratch_folder(path.parent)) / "rows.parquet"
    link.symlink_to(path)
    return link


def _part_number(part: Path) -> int:
    """The number of a part in the order of the query: part-00012-<identity>-c000.lz4.parquet."""
    return int(part.name.split("-")[1])


def _nullable(table: pa.Table) -> pa.Table:
    """The table as DuckDB would give it: every column may be null, and carries no notes of Spark's."""
    return table.cast(pa.schema([pa.field(field.name, field.type) for field in table.schema]))


def _java_size(size: str) -> str:
    """A memory limit as Java reads it.

    Raises:
        InputError: it is no size.
    """
    match = _SIZE.fullmatch(size.strip())
    megabytes = int(float(match[1]) * _MEGABYTES[match[2].upper()]) if match else 0
    if not megabytes:
        raise InputError(f"'{size}' is no memory limit.", hint="Write it as 4GB or 500MB.")
    return f"{megabytes}m"


@contextlib.contextmanager
def _plain_errors() -> Iterator[None]:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        if "OutOfMemory" in str(error):
            raise out_of_memory(error) from error
        # What follows is Spark's number for it, its plan, or Java's stack.
        message = re.split(r"\s+(?:SQLSTATE:|at org\.)", str(error))[0]
        raise InputError(f"The SQL cannot be run: {message}") from error
