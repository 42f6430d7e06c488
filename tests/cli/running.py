"""The command line as a user runs it: a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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


def run(*arguments: object, cwd: Path | None = None, env: dict[str, str] | None = None) -> Ran:
    """Run `clonetruth` with arguments."""
    done = subprocess.run(
        [sys.executable, "-m", "clonetruth", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "120", **(env or {})},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


def hear_ctrl_c() -> None:
    """Before a process begins: it hears Ctrl-C even if the tests run in the background, where that is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
