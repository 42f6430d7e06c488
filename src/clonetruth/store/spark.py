"""Spark: the same SQL beyond one machine. The application starts on first use, and stops at exit.

The workers read and write the files: on a cluster, the benchmark folder, the results and the temporary folder
(`TMPDIR`) must be on storage that every worker sees under the same path. SQL needs no Python on the workers;
`map_batches` does (`spark_workers.py`).
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import logging
import os
import re
import shutil
import socket
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import pyarrow as pa

from clonetruth.arrow_files import remember_files
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.store.atomic import new_file, scratch_folder
from clonetruth.store.engine import TableLike, check_select, out_of_memory
from clonetruth.store.parquet import ROW_GROUP_ROWS, ParquetSink, parquet_file
from clonetruth.store.spark_workers import map_on_workers, use_own_python

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

A = TypeVar("A")
S = TypeVar("S")

MASTER_SECONDS = 5.0
"""Timeout for a master to answer."""

WORKER_SECONDS = 60.0
"""Timeout for a master to provide a worker."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class SparkApplication:
    """The Spark application of this process. Spark permits only one: other settings end the previous one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._settings: Mapping[str, str] = {}
        self._session: SparkSession | None = None
        self._scratch: Path | None = None

    def session(self, settings: Mapping[str, str], temp_directory: Path | None = None) -> SparkSession:
        """A new session on the application with these settings, which is started if necessary.

        Args:
            settings: Spark settings by name, including `spark.master`.
            temp_directory: where a local application spills (default: the system's temporary folder).

        Raises:
            MissingExtraError: PySpark or Java is not installed.
            InputError: the master does not answer or has no worker, or Spark refuses the settings.
        """
        with self._lock:
            if self._session is None or self._settings != settings:
                self._end()
                self._start(settings, temp_directory)
            assert self._session is not None
            return self._session.newSession()

    def stop(self) -> None:
        """End the application if it is running, and remove its files."""
        with self._lock:
            self._end()
            if self._scratch is not None:
                shutil.rmtree(self._scratch, ignore_errors=True)
                self._scratch = None

    def _start(self, settings: Mapping[str, str], temp_directory: Path | None) -> None:
        _check_installed()
        _check_master(settings["spark.master"])
        # The Java process outlives an application, and keeps using the folder that it was given first.
        self._scratch = self._scratch or Path(tempfile.mkdtemp(prefix="clonetruth-spark-", dir=temp_directory))
        everything = {**_locations(settings["spark.master"], self._scratch), **settings}
        try:
            self._session = _launch(everything)
            self._settings = dict(settings)
            _await_workers(self._session, settings["spark.master"])
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        if self._session is not None:
            self._session.stop()
            self._session = None


APPLICATION = SparkApplication()
atexit.register(APPLICATION.stop)


def _check_installed() -> None:
    try:
        import pyspark  # noqa: F401
    except ImportError as error:
        raise MissingExtraError.extra("The engine 'spark'", "spark") from error
    home = os.environ.get("JAVA_HOME")
    if shutil.which(str(Path(home, "bin", "java")) if home else "java") is None:
        raise MissingExtraError(
            "The engine 'spark' needs Java 17 or later.",
            where=f"JAVA_HOME={home}" if home else None,
            hint="Install it (on Debian: openjdk-17-jre-headless), or set JAVA_HOME.",
        )


def is_local(master: str) -> bool:
    """Whether a master URL means this machine, without a cluster."""
    return master.startswith("local")


def _on_this_machine(master: str) -> bool:
    return is_local(master) or urlsplit(master).hostname in LOOPBACK


def _check_master(master: str) -> None:
    """Fail early: Spark itself would retry for minutes, and then report something else."""
    if is_local(master):
        return
    address = urlsplit(master)
    try:
        socket.create_connection((address.hostname or "", address.port or 7077), timeout=MASTER_SECONDS).close()
    except OSError as error:
        raise InputError("No Spark master answers.", where=master, hint=f"Is the cluster running? ({error})") from error


def _locations(master: str, scratch: Path) -> dict[str, str]:
    """Where the application listens and keeps its files: on this machine only, unless the master is remote."""
    settings = {"spark.sql.warehouse.dir": str(scratch / "warehouse")}
    if is_local(master):
        settings["spark.local.dir"] = str(scratch)
    if _on_this_machine(master):
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return settings


def _launch(settings: Mapping[str, str]) -> SparkSession:
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    # It prints the stack of every error that is reported in plain words here.
    logging.getLogger("SQLQueryContextLogger").disabled = True
    # Pandas is not used here.
    warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)
    configuration = SparkConf().setAll(list(settings.items()))
    launch: Callable[..., Any] = launch_gateway
    with tempfile.TemporaryFile() as log:
        try:
            # Reuse the virtual machine of an earlier application.
            gateway = SparkContext._gateway or launch(configuration, popen_kwargs={"stderr": log})
            return SparkSession(SparkContext(conf=configuration, gateway=gateway))
        except (PySparkException, Py4JError, ValueError) as error:
            raise InputError(f"Spark cannot start: {str(error).splitlines()[0]}", hint=_last_error(log)) from error


def _last_error(log: IO[bytes]) -> str | None:
    log.seek(0)
    lines = [line.strip() for line in log.read().decode(errors="replace").splitlines()]
    errors = [line for line in lines if "error" in line.lower() or "invalid" in line.lower()]
    return f"Its log says: {errors[-1][:300]}" if errors else None


def _await_workers(session: SparkSession, master: str) -> None:
    """Fail instead of waiting forever if a cluster has no free worker."""
    if is_local(master):
        return
    context = session.sparkContext
    deadline = time.monotonic() + WORKER_SECONDS
    # The list includes the driver.
    while context._jsc.sc().getExecutorMemoryStatus().size() < 2:
        if time.monotonic() > deadline:
            raise InputError(
                "The Spark master provides no worker.",
                where=master,
                hint="Start workers, or ask for less memory (--memory-limit) than the largest worker offers.",
            )
        time.sleep(0.1)


_MASTER = re.compile(r"local(\[(\*|[1-9]\d*)\])?|spark://[^\s:/]+:\d+")
_GLOB = re.compile(r"[*?\[\]{}\\]")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])i?B?", re.IGNORECASE)
_MEGABYTES = {"K": 1 / 1024, "M": 1.0, "G": 1024.0, "T": 1024.0**2}

_SETTINGS = {
    "spark.app.name": "clonetruth",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Results are fetched as a whole; Spark's default limit of 1 GB would be a surprise.
    "spark.driver.maxResultSize": "0",
    # As in DuckDB: an overflow or a failed cast is an error, `"left"` is a column and not a text, times are UTC. An
    # unguarded division by zero, infinite in DuckDB, is an error too: better than a silent NULL.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
}


class SparkEngine:
    """Spark, on this machine or on a standalone cluster. The first query starts it, which takes seconds.

    A process has one Spark application: engines with the same arguments share it, other arguments restart it.

    Args:
        master: "local[*]" (all cores of this machine), "local[2]", or "spark://host:port".
        memory_limit: maximum memory in DuckDB's notation ("4GB"): of this process for a local master, otherwise of the
            executor on each worker. A local master keeps the limit of the first engine in the process.
        threads: number of concurrent tasks (default: all cores of the master).
        temp_directory: where a local master spills (default: the system's temporary folder).
        settings: further Spark settings by name; they take precedence.

    Raises:
        InputError: the master or the memory limit is invalid.
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
                f"'{master}' is not a Spark master.", hint="Use local, local[2], local[*] or spark://host:port."
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
        """See `Engine.write`. The workers write parts next to the file, which are then concatenated in order."""
        with new_file(path) as temporary, scratch_folder(path.parent) as scratch:
            with self._frame(text, tables) as frame:
                schema = schema or _nullable(frame.limit(0).toArrow()).schema
                frame.write.parquet(str((scratch / "rows").absolute()), compression="lz4")
            parts = sorted((scratch / "rows").glob("part-*.parquet"), key=_part_number)
            remember_files(parts, lasting=False)
            with ParquetSink(temporary, schema, metadata) as sink:
                for part in parts:
                    with parquet_file(part) as file:
                        for batch in file.iter_batches(ROW_GROUP_ROWS):
                            sink.write(batch)
        return sink.rows

    def map_batches(
        self,
        function: Callable[[S, A], pa.Table],
        shared: S,
        batches: Sequence[A],
        report: Callable[[int, int], None],
    ) -> list[pa.Table]:
        """See `RemoteWorkers.map_batches`."""
        context = APPLICATION.session(self.settings, self.temp_directory).sparkContext
        if _on_this_machine(self.settings["spark.master"]):
            use_own_python(context)
        with tempfile.TemporaryDirectory(prefix="clonetruth-results-", dir=self.temp_directory) as folder:
            return map_on_workers(context, function, shared, batches, Path(folder).absolute(), report)

    @contextlib.contextmanager
    def _frame(self, text: str, tables: Mapping[str, TableLike]) -> Iterator[DataFrame]:
        """The query, not yet run. Its inputs stay in place until the block ends."""
        check_select(text)
        session = APPLICATION.session(self.settings, self.temp_directory)
        with contextlib.ExitStack() as links, _plain_errors():
            for name, table in tables.items():
                _read(session, table, links).createOrReplaceTempView(f"`{name.replace('`', '``')}`")
            # In standard SQL a backslash is literal; Spark would take it as an escape.
            yield session.sql(text.replace("\\", r"\\"))


def _read(session: SparkSession, table: TableLike, links: contextlib.ExitStack) -> DataFrame:
    if isinstance(table, pa.Table):
        return session.createDataFrame(table)
    paths = [table] if isinstance(table, Path) else list(table)
    schemas = []
    for path in paths:
        # Spark's own error on a missing or damaged file does not name it plainly.
        with parquet_file(path) as file:
            schemas.append(file.schema_arrow)
    visible = [str(_visible(path.absolute(), links)) for path in paths]
    # Inferring a table's schema would cost a job on the cluster.
    reader = session.read.schema(session.createDataFrame(schemas[0].empty_table()).schema)
    if not any(_GLOB.search(path) for path in visible):
        return reader.parquet(*visible)
    # Paths are not globs. With globbing switched off, reading several files at once would read them several times.
    frames = [reader.option("__globPaths__", "false").parquet(path) for path in visible]
    return functools.reduce(lambda one, other: one.unionAll(other), frames)


def _visible(path: Path, links: contextlib.ExitStack) -> Path:
    """The path, or a link to it while `links` is open: Spark ignores names that start with a dot or underscore."""
    if not path.name.startswith((".", "_")):
        return path
    link = links.enter_context(scratch_folder(path.parent)) / "rows.parquet"
    link.symlink_to(path)
    return link


def _part_number(part: Path) -> int:
    """The position of a part in the order of the query: part-00012-<identity>-c000.lz4.parquet."""
    return int(part.name.split("-")[1])


def _nullable(table: pa.Table) -> pa.Table:
    """The table as DuckDB would return it: every column nullable, without Spark's metadata."""
    return table.cast(pa.schema([pa.field(field.name, field.type) for field in table.schema]))


def _java_size(size: str) -> str:
    """A memory limit in Java's notation.

    Raises:
        InputError: it is not a size.
    """
    match = _SIZE.fullmatch(size.strip())
    megabytes = int(float(match[1]) * _MEGABYTES[match[2].upper()]) if match else 0
    if not megabytes:
        raise InputError(f"'{size}' is not a memory limit.", hint="Write it as 4GB or 500MB.")
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
        # Cut off Spark's error number, its query plan and the Java stack.
        message = re.split(r"\s+(?:SQLSTATE:|at org\.)", str(error))[0]
        raise InputError(f"The SQL cannot be run: {message}") from error
