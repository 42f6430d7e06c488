"""Files are checked in another process before this one reads them; each version of a file once."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from clonetruth.budgets import budget
from clonetruth.errors import InputError
from clonetruth.user_cache import FileMarks

_SECONDS, _BYTES_A_SECOND = 60, 1_000_000
"""The seconds that a check may take, and the bytes that give it another second."""
_SECONDS_TO_END = 5.0
"""How long the checking process may take to end by itself."""
_LEAST_MEMORY = 4 * 1024**3


@functools.cache
def _marks(sql: bool) -> FileMarks:
    readers = ("pyarrow", "duckdb") if sql else ("pyarrow",)
    return FileMarks(" ".join(f"{reader} {version(reader)}" for reader in readers))


def check_files(paths: Sequence[Path], *, ipc: bool = False, sql: bool = False) -> None:
    """Check that Parquet or Arrow files can be read to the end, unless they are known to.

    Args:
        paths: the files.
        ipc: whether they are Arrow files, and not Parquet.
        sql: whether DuckDB will read them too.

    Raises:
        InputError: names the file that is damaged.
        OSError: there is no such file.
    """
    for path in paths:
        if _marks(True).known([path]) or (not sql and _marks(False).known([path])):
            continue
        problem = _CHECKER.problem_of(path, ipc=ipc, sql=sql)
        if problem is not None:
            raise InputError(f"The file is damaged: {problem}", where=path)
        _marks(sql).remember([path])


def remember_files(paths: Sequence[Path], *, lasting: bool = True) -> None:
    """Remember files that this process wrote itself: they need no check. See `FileMarks.remember`."""
    for path in paths:
        _marks(True).remember([path], lasting=lasting)


class _Checker:
    """The checking process: started when it is first needed, and again after a file has crashed it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._owner = 0

    def problem_of(self, path: Path, *, ipc: bool, sql: bool) -> str | None:
        size, limits = path.stat().st_size, budget()
        request = {
            "path": str(path.absolute()),
            "ipc": ipc,
            "sql": sql,
            "rows": limits.rows,
            "bytes": limits.unpacked,
            "memory": _memory(),
        }
        with self._lock:
            try:
                process = self._running()
            except OSError:
                # Where no process can be started, a check that may crash is better than none.
                from clonetruth.arrow_files.checker import problem_of

                return problem_of(request)
            return _ask(process, request, _SECONDS + size / _BYTES_A_SECOND)

    def _running(self) -> subprocess.Popen[str]:
        # A forked process must not talk to its parent's.
        if self._process is None or self._process.poll() is not None or self._owner != os.getpid():
            # -P: modules are not searched for in the current folder, which may be a stranger's.
            command = [sys.executable, "-P", str(Path(__file__).with_name("checker.py"))]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
            self._owner = os.getpid()
        return self._process

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None and self._owner == os.getpid():
            with contextlib.suppress(OSError):
                try:
                    self._process.communicate(timeout=_SECONDS_TO_END)
                except subprocess.TimeoutExpired:  # on a busy machine it may still be loading its libraries
                    self._process.kill()
                    self._process.communicate()


def _ask(process: subprocess.Popen[str], request: dict[str, Any], seconds: float) -> str | None:
    assert process.stdin is not None
    assert process.stdout is not None
    timer = threading.Timer(seconds, process.kill)
    timer.daemon = True
    timer.start()
    try:
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
    except OSError:
        answer = ""
    finally:
        timer.cancel()
    if answer:
        problem: str | None = json.loads(answer)
        return problem
    code = process.wait()
    process.stdin.close()
    process.stdout.close()
    if code == -signal.SIGKILL:
        return "reading it takes too much time or memory"
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return f"the process that tried to read it crashed ({name})"


def _memory() -> int:
    """Half of the machine's memory."""
    try:
        return max(_LEAST_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
    except (AttributeError, ValueError, OSError):
        return _LEAST_MEMORY


_CHECKER = _Checker()
atexit.register(_CHECKER.stop)
