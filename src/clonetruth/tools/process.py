"""Run an external program within limits on time and memory, and leave no process behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError, ToolError

_PROCESSES = Path("/proc")
_POLL_SECONDS = 0.1
"""Seconds between two checks of the memory."""
_GRACE = 2.0
"""Seconds between SIGTERM and SIGKILL."""
_TAIL = 2_000
"""Bytes at the end of a program's output that messages show."""


@dataclass(frozen=True)
class ProcessLimits:
    """The resources that a program may use.

    Attributes:
        timeout: the seconds of one run; None sets no limit.
        memory: the bytes of resident memory of the program and all processes that it starts; None sets no limit.

    Raises:
        InputError: a limit is not positive, or memory cannot be measured on this system.
    """

    timeout: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("timeout", self.timeout), ("memory", self.memory)):
            if value is not None and not value > 0:
                raise InputError(f"The {name} limit {value:g} is not positive.", where=name, hint="Use more than 0.")
        if self.memory is not None and not _PROCESSES.is_dir():
            raise InputError("Memory cannot be limited on this system: it has no /proc.", where="memory")


def run_process(command: Sequence[str], folder: Path, output: Path, errors: Path, limits: ProcessLimits) -> int:
    """Run a program and return its exit code.

    Args:
        command: the program and its arguments.
        folder: the folder in which it runs.
        output: the file for its standard output.
        errors: the file for its standard error.
        limits: the resources that it may use.

    Raises:
        ToolError: it cannot be started, or exceeds a limit; all processes that it started have been stopped.
    """
    with output.open("wb") as out, errors.open("wb") as err:
        try:
            process = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
            )
        except OSError as error:
            raise ToolError(f"The program cannot be started: {error.strerror}.", where=command[0]) from error
        try:
            return _wait(process, command[0], limits)
        finally:
            # Also after an interrupt, and for processes that the program left behind.
            _stop_group(process)


def output_tail(*logs: Path) -> str:
    """The end of the first log that is not empty."""
    for log in logs:
        with log.open("rb") as file:
            file.seek(max(log.stat().st_size - _TAIL, 0))
            if text := file.read().decode("utf-8", errors="replace").strip():
                return text
    return "(no output)"


def _wait(process: subprocess.Popen[bytes], program: str, limits: ProcessLimits) -> int:
    end = time.monotonic() + limits.timeout if limits.timeout is not None else None
    while True:
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            raise ToolError(
                f"The program did not finish within {limits.timeout:g} seconds and was stopped.",
                where=program,
                hint="Allow more time (--timeout), or fewer files per run (--max-files).",
            )
        pause = left if limits.memory is None else min(_POLL_SECONDS, left or _POLL_SECONDS)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(pause)
        if limits.memory is not None and (used := _resident(process.pid)) > limits.memory:
            raise ToolError(
                f"The program used {used / 2**20:,.0f} MB of memory, more than {limits.memory / 2**20:,.0f} MB, "
                "and was stopped.",
                where=program,
                hint="Allow more memory (--memory), or fewer files per run (--max-files).",
            )


def _resident(group: int) -> int:
    """Resident bytes of a process group; shared pages count for each process."""
    return sum(pages for number, pages in _members() if number == group) * os.sysconf("SC_PAGE_SIZE")


def _members() -> Iterator[tuple[int, int]]:
    """The process group and the resident pages of every process."""
    for status in _PROCESSES.glob("[0-9]*/stat"):
        # A process may end while it is being read.
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The process name, in parentheses, may contain spaces and parentheses.
            fields = status.read_bytes().rpartition(b")")[2].split()
            yield int(fields[2]), int(fields[21])


def _stop_group(process: subprocess.Popen[bytes]) -> None:
    """Stop a program and all that it started: SIGTERM first, then SIGKILL. No process or zombie remains."""
    for signal_number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, signal_number)
        except (ProcessLookupError, PermissionError):
            break
        if process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
    process.wait()
