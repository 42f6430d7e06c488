"""Processes of the command line that start quickly: forked from one that has loaded the modules already.

A test that runs a command pays more for the start of Python and for the imports than for the command. The server here
loads them once and forks a process for each command: it has its own folder, environment, output and exit code, and ends
as any process does. Only what depends on the start of Python itself needs a new one (`PYTHON…` variables, Ctrl-C while
modules are loaded).
"""

from __future__ import annotations

import json
import os
import runpy
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_READ_AT_START = ("PYTHON", "LC_", "LANG", "OMP_", "OPENBLAS_")
"""Variables that Python or a library reads while it starts."""

_PRELOADED = (
    "clonetruth.cli",
    "clonetruth.build",
    "clonetruth.evaluate",
    "clonetruth.find",
    "clonetruth.report",
    "clonetruth.studies",
    "pyarrow.compute",
    "pyarrow.dataset",
    "pyarrow.parquet",
    "rich.progress",
    "rich.table",
)


class PreloadedServer:
    """A process that has loaded the modules, and forks one for each command."""

    def __init__(self) -> None:
        self.environment = read_at_start(os.environ)
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from tests.cli.preloaded import serve; serve()"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(
        self, arguments: Sequence[str], cwd: str, environment: Mapping[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """Run `clonetruth` with arguments, as `subprocess.run` would.

        Raises:
            subprocess.TimeoutExpired: it takes too long, and was killed.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
            request = {
                "arguments": list(arguments),
                "cwd": cwd,
                "environment": dict(environment),
                "out": out.name,
                "err": err.name,
            }
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            pid = int(self._process.stdout.readline())
            if not select.select([self._process.stdout], [], [], timeout)[0]:
                os.kill(pid, signal.SIGKILL)
                self._process.stdout.readline()
                raise subprocess.TimeoutExpired(["clonetruth", *arguments], timeout)
            code = int(self._process.stdout.readline())
            texts = [Path(file.name).read_text(encoding="utf-8") for file in (out, err)]
        return subprocess.CompletedProcess(["clonetruth", *arguments], code, *texts)

    def close(self) -> None:
        """End the server."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)


def read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that only a new process reads."""
    return {key: value for key, value in environment.items() if key.startswith(_READ_AT_START)}


def serve() -> None:
    """Fork a process for each line of standard input; answer with its number, and with its exit code when it ends."""
    for name in _PRELOADED:
        __import__(name)
    answers = os.dup(1)
    requests = os.fdopen(os.dup(0), "rb")
    for line in requests:
        request = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os.close(answers)
            os.close(requests.fileno())
            _become(request)
            return
        os.write(answers, b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        os.write(answers, b"%d\n" % os.waitstatus_to_exitcode(status))


def _become(request: dict[str, Any]) -> None:
    """The command itself, in the forked process; returns or raises as the main module does."""
    for number, (name, mode) in enumerate(
        ((os.devnull, os.O_RDONLY), (request["out"], os.O_WRONLY), (request["err"], os.O_WRONLY))
    ):
        opened = os.open(name, mode)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["clonetruth", *request["arguments"]]
    sys.path[0] = request["cwd"]
    runpy.run_module("clonetruth", run_name="__main__", alter_sys=True)
