"""A standalone Spark cluster on this machine: a master and workers, each in a separate process, on loopback only."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyspark

START_SECONDS = 180.0
_HOST = "127.0.0.1"


@dataclass(frozen=True)
class Cluster:
    """A running cluster.

    Attributes:
        master: its URL, spark://host:port.
        processes: the process ids of the master and the workers.
        folder: the folder of the logs and of the workers' files.
    """

    master: str
    processes: tuple[int, ...]
    folder: Path


@contextlib.contextmanager
def spark_cluster(workers: int = 2, *, cores: int = 1, memory: str = "1g") -> Iterator[Cluster]:
    """Start a master and workers; all are stopped at the end of the block, also after an error.

    Args:
        workers: the number of workers.
        cores: the number of cores per worker.
        memory: the memory per worker, in Java's notation.

    Raises:
        RuntimeError: the cluster did not start in time; the message shows the end of the logs.
    """
    port = _free_port()
    master = f"spark://{_HOST}:{port}"
    with tempfile.TemporaryDirectory(prefix="spark-cluster-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)

        def start(kind: str, log: str, *arguments: str) -> int:
            process = _start(kind, folder / log, *arguments)
            stack.callback(_stop, process)
            return process.pid

        common = ("--host", _HOST, "--webui-port", "0")
        pids = [start("master.Master", "master.log", *common, "--port", str(port))]
        for number in range(workers):
            limits = ("--cores", str(cores), "--memory", memory, "--work-dir", str(folder / f"work-{number}"))
            pids.append(start("worker.Worker", f"worker-{number}.log", *common, *limits, master))
        _await_workers(folder, workers)
        yield Cluster(master, tuple(pids), folder)


def _start(kind: str, log: Path, *arguments: str) -> subprocess.Popen[bytes]:
    home = Path(pyspark.__file__).parent
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": _HOST,
        "SPARK_NO_DAEMONIZE": "1",
        "SPARK_DAEMON_MEMORY": "256m",
        # These daemons do little work: a quick start matters more than peak speed.
        "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    with log.open("wb") as out:
        return subprocess.Popen(
            [home / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}", *arguments],
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Stop a process; a worker stops its executors itself."""
    process.terminate()
    try:
        process.wait(timeout=15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _await_workers(folder: Path, workers: int) -> None:
    """Wait until the master has started and all workers have registered."""
    deadline = time.monotonic() + START_SECONDS
    while not _complete((folder / "master.log").read_text(errors="replace"), workers):
        if time.monotonic() > deadline:
            ends = "\n".join(path.read_text(errors="replace")[-1500:] for path in sorted(folder.glob("*.log")))
            raise RuntimeError(f"The Spark cluster did not start within {START_SECONDS:.0f} s:\n{ends}")
        time.sleep(0.2)


def _complete(log: str, workers: int) -> bool:
    return "elected leader" in log and log.count("Registering worker") >= workers


def _free_port() -> int:
    with socket.create_server((_HOST, 0)) as probe:
        port: int = probe.getsockname()[1]
    return port
