"""The command line as a user runs it: a process of its own."""

from __future__ import annotations

import atexit
import contextlib
import functools
import io
import json
import os
import signal
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from clonetruth.cli.interruption import Interruption
from tests.cli.preloaded import PreloadedServer, read_at_start

BUGS = {10}
"""The exit code of what nobody foresaw."""


@dataclass(frozen=True)
class Ran:
    """What a command left: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output read as JSON."""
        return json.loads(self.out)


@functools.cache
def _preloaded() -> PreloadedServer:
    server = PreloadedServer()
    atexit.register(server.close)
    return server


def run(*arguments: object, cwd: Path | None = None, env: dict[str, str] | None = None) -> Ran:
    """Run `clonetruth` with arguments, in a process of its own."""
    words = [str(one) for one in arguments]
    environment = {**os.environ, "COLUMNS": "120", **(env or {})}
    if read_at_start(environment) == _preloaded().environment:
        done = _preloaded().run(words, str(cwd or Path.cwd()), environment, timeout=120)
    else:
        done = subprocess.run(
            [sys.executable, "-m", "clonetruth", *words],
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert "Traceback" not in done.stderr, done.stderr
    assert "leaked" not in done.stderr, done.stderr
    assert done.returncode not in BUGS, done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


def hear_ctrl_c() -> None:
    """Before a process begins: it hears Ctrl-C even if the tests run in the background, where that is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def call(*arguments: object, bugs: bool = False) -> Ran:
    """Run `clonetruth` with arguments in this process, which is quicker; Ctrl-C is not handled."""
    from clonetruth import cli

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    calm = SimpleNamespace(heard=False)
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr(sys, "argv", ["clonetruth", *map(str, arguments)])
        patch.setenv("COLUMNS", "120")
        with warnings.catch_warnings():
            code = cli._run(cast(Interruption, calm))
    texts = []
    for stream in (out, err):
        stream.seek(0)
        texts.append(stream.buffer.read().decode("utf-8"))
    assert bugs or code not in BUGS, texts[1]
    return Ran(code, *texts)
