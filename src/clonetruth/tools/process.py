"""Running a program of others: with an end to its time and its memory, and nothing left running."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clonetruth.detectors.finder import FindOptions
from clonetruth.errors import InputError, ToolError

_PROCESSES = Path("/proc")
_LOOK_EVERY = 0.1
"""Seconds between two looks at the memory."""
_GRACE = 2.0
"""Seconds between asking a program to end and making it."""
_TAIL = 2_000
"""Characters of a program's last words that are worth showing."""


@dataclass(frozen=True)
class ProcessLimits:
    """What a program may use.

    Attributes:
        timeout: seconds for one run; None: no end.
        memory: bytes of resident memory, of the program and all that it starts, together; None: no end.

    Raises:
        InputError: a limit that is not positive, or one on memory where it cannot be watched.
    """

    timeout: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("timeout", self.timeout), ("memory", self.memory)):
            if value is not None and not value > 0:
                raise InputError(f"A {name} of {value:g} leaves no room.", where=name, hint="Give more than 0.")
        if self.memory is not None and not _PROCESSES.is_dir():
            raise InputError("Memory cannot be limited on this system: it has no /proc.", where="memory")


def run_process(command: Sequence[str], folder: Path, output: Path, errors: Path, limits: ProcessLimits) -> int:
    """Run a program to its end, and return its exit code.

    Args:
        command: the program and its arguments.
        folder: where it runs.
        output: the file that gets what it prints.
        errors: the file that gets its standard error.
        limits: what it may use.

    Raises:
        ToolError: it cannot be started, or went over a limit; all that it started has been ended.
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
            # Also on an interrupt, and for what the program left behind.
            _end_group(process)


def last_words(*logs: Path) -> str:
    """The end of the first of the files that has one."""
    for log in logs:
        with log.open("rb") as file:
            file.seek(max(log.stat().st_size - _TAIL, 0))
            if text := file.read().decode("utf-8", errors="replace").strip():
                return text
    return "(it said nothing)"


def _wait(process: subprocess.Popen[bytes], program: str, limits: ProcessLimits) -> int:
    end = time.monotonic() + limits.timeout if limits.timeout is not None else None
    while True:
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            raise ToolError(
                f"The program did not end within {limits.timeout:g} seconds, and was stopped.",
                where=program,
                hint="Give it more time (--timeout), or fewer files at once (--max-files).",
            )
        pause = left if limits.memory is None else min(_LOOK_EVERY, left or _LOOK_EVERY)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(pause)
        if limits.memory is not None and (used := _resident(process.pid)) > limits.memory:
            raise ToolError(
                f"The program used {used / 2**20:,.0f} MB of memory, more than {limits.memory / 2**20:,.0f} MB, "
                "and was stopped.",
                where=program,
                hint="Give it more memory (--memory), or fewer files at once (--max-files).",
            )


def _resident(group: int) -> int:
    """Bytes of memory that the processes of a group hold; pages that they share count for each."""
    return sum(pages for number, pages in _members() if number == group) * os.sysconf("SC_PAGE_SIZE")


def _members() -> Iterator[tuple[int, int]]:
    """The group and the resident pages of every process."""
    for status in _PROCESSES.glob("[0-9]*/stat"):
        # A process may end while it is looked at.
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name, in parentheses, may hold blanks and parentheses.
            fields = status.read_bytes().rpartition(b")")[2].split()
            yield int(fields[2]), int(fields[21])


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it started, kindly at first. No process of it is left, nor a zombie."""
    for ask in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, ask)
        except (ProcessLookupError, PermissionError):
            break
        if process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
    process.wait()


# What a user asks of an external tool.


@dataclass(frozen=True)
class ToolOptions(FindOptions):
    """Which clones are reported, and how the tool is run. Options that a tool has no use for are told in its run.

    Attributes:
        by_folder: run it once for each folder that stands directly in the source, and compare nothing across them.
        max_files: the most files of one run. More are divided into blocks of half the number, and every two blocks run
            together: no pair of files is lost.
        limits: the time and the memory of one run.

    Raises:
        InputError: a value out of its range.
    """

    by_folder: bool = False
    max_files: int | None = None
    limits: ProcessLimits = field(default_factory=ProcessLimits)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_files is not None and self.max_files < 2:
            raise InputError(
                f"With {self.max_files} files at a time, no two are compared.",
                where="max_files",
                hint="Give 2 or more.",
            )
