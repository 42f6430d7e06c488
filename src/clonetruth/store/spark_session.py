"""The one Spark application of a process: started when first asked for, quiet, and stopped at the end."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import socket
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from clonetruth.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MASTER_SECONDS = 5.0
"""How long a master may take to answer."""

WORKER_SECONDS = 60.0
"""How long a master may take to find a worker."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class SparkApplication:
    """The Spark application of this process. Spark permits one: other settings end the one before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._settings: Mapping[str, str] = {}
        self._session: SparkSession | None = None
        self._scratch: Path | None = None

    def session(self, settings: Mapping[str, str], temp_directory: Path | None = None) -> SparkSession:
        """A session of its own on the application with these settings, which is started where it is not running.

        Args:
            settings: Spark's settings by name, `spark.master` among them.
            temp_directory: where a local application spills; the system's temporary folder unless told.

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
        """End the application, if it runs, and remove its files."""
        with self._lock:
            self._end()
            if self._scratch is not None:
                shutil.rmtree(self._scratch, ignore_errors=True)
                self._scratch = None

    def _start(self, settings: Mapping[str, str], temp_directory: Path | None) -> None:
        _check_installed()
        _check_master(settings["spark.master"])
        # Java's side outlives an application, and goes on using the folder that it was given first.
        self._scratch = self._scratch or Path(tempfile.mkdtemp(prefix="clonetruth-spark-", dir=temp_directory))
        everything = {**_places(settings["spark.master"], self._scratch), **settings}
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
            hint="Install it (on Debian: openjdk-17-jre-headless), or set JAVA_HOME to where it is.",
        )


def is_local(master: str) -> bool:
    """Whether a master's URL means this process's own machine, without a cluster."""
    return master.startswith("local")


def _check_master(master: str) -> None:
    """Spark itself would try for minutes, and then speak of something else."""
    if is_local(master):
        return
    address = urlsplit(master)
    try:
        socket.create_connection((address.hostname or "", address.port or 7077), timeout=MASTER_SECONDS).close()
    except OSError as error:
        raise InputError("No Spark master answers.", where=master, hint=f"Is the cluster started? ({error})") from error


def _places(master: str, scratch: Path) -> dict[str, str]:
    """Where the application listens and keeps its files: on this machine alone, unless the master is another."""
    places = {"spark.sql.warehouse.dir": str(scratch / "warehouse")}
    if is_local(master):
        places["spark.local.dir"] = str(scratch)
    if is_local(master) or urlsplit(master).hostname in LOOPBACK:
        places |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return places


def _launch(settings: Mapping[str, str]) -> SparkSession:
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    # It prints the stack of every error that is told in plain words here.
    logging.getLogger("SQLQueryContextLogger").disabled = True
    # Nothing here passes through pandas.
    warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)
    configuration = SparkConf().setAll(list(settings.items()))
    launch: Callable[..., Any] = launch_gateway
    with tempfile.TemporaryFile() as log:
        try:
            # A virtual machine that runs already, from an application before, is used again.
            gateway = SparkContext._gateway or launch(configuration, popen_kwargs={"stderr": log})
            return SparkSession(SparkContext(conf=configuration, gateway=gateway))
        except (PySparkException, Py4JError, ValueError) as error:
            raise InputError(f"Spark cannot start: {str(error).splitlines()[0]}", hint=_last_words(log)) from error


def _last_words(log: IO[bytes]) -> str | None:
    log.seek(0)
    lines = [line.strip() for line in log.read().decode(errors="replace").splitlines()]
    telling = [line for line in lines if "error" in line.lower() or "invalid" in line.lower()]
    return f"It said: {telling[-1][:300]}" if telling else None


def _await_workers(session: SparkSession, master: str) -> None:
    """A cluster without a free worker would keep a query waiting for ever, without a word."""
    if is_local(master):
        return
    context = session.sparkContext
    deadline = time.monotonic() + WORKER_SECONDS
    # The driver is in the list too.
    while context._jsc.sc().getExecutorMemoryStatus().size() < 2:
        if time.monotonic() > deadline:
            raise InputError(
                "The Spark master gives no worker.",
                where=master,
                hint="Start workers, or ask for less memory (--memory-limit) than the largest worker offers.",
            )
        time.sleep(0.1)
