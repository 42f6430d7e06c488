"""A study on a real port: within the test, or as the process that a user starts."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from clonetruth.studies.web.connections import LIMITS, ConnectionLimits
from clonetruth.studies.web.server import server_config
from tests.cli.running import hear_ctrl_c
from tests.studies.web.visitors import ServedStudy, serve_study


@contextmanager
def running_server(
    folder: Path, limits: ConnectionLimits = LIMITS, proxies: Sequence[str] = ()
) -> Iterator[tuple[ServedStudy, str]]:
    """The study of a folder on a port of this machine, and its address."""
    with serve_study(folder) as served:
        server = uvicorn.Server(server_config(served.app, proxies, limits))
        listener = socket.create_server(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            while not server.started:
                assert thread.is_alive(), "the server did not start"
            yield served, f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


class ServerProcess:
    """`clonetruth study serve` as a user runs it.

    Args:
        folder: the study.
        port: where; 0 for any free port.
    """

    def __init__(self, folder: Path, port: int = 0, *options: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "clonetruth", "study", "serve", str(folder), "--port", str(port), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "NO_COLOR": "1"},
            preexec_fn=hear_ctrl_c,
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._out, self._err = self._process.stdout, self._process.stderr
        first = self._out.readline()
        self.address = first.strip().rpartition(" ")[2]

    @property
    def port(self) -> int:
        """The port that it listens at."""
        return int(self.address.rpartition(":")[2])

    def kill(self) -> None:
        """End it without a warning, as a crash does."""
        self._process.kill()
        self._process.communicate()

    def interrupt(self) -> tuple[int, str, str]:
        """Press Ctrl-C; what it leaves: exit code, the rest of standard output, standard error."""
        self._process.send_signal(signal.SIGINT)
        # Not by `communicate`, which does not know what was read ahead with the first line.
        out, err = self._out.read(), self._err.read()
        return self._process.wait(), out, err
