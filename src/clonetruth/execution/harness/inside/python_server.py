"""Runs inside the sandbox: runs one fragment after the other, each in a process that knows nothing of the others.

A job is a line of JSON on standard input, its answer a line on standard output that starts with the nonce of the job.
The fragment's process has neither of the two: what it finds out it writes into a pipe, and this process passes that on
unread. Comparing is up to the host.
"""

from __future__ import annotations

import base64
import ctypes
import gc
import io
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clonetruth.execution.harness.inside import (
    python_calls,
    python_entry,
    python_files,
    python_fragment,
    python_values,
)
from clonetruth.execution.harness.inside.enclosure import require_box

MAX_ANSWER = 8 << 20
MAX_OUTPUT = 100_000
SECONDS_TO_PREPARE = 4.0
SECONDS_TO_WRITE = 2.0
"""For turning what a call returned into its form."""
PLAIN = (int, str, bool, float, type(None))
MAX_LATE = 2
"""Calls that may take too long; after them the rest is not tried."""
FOLDERS = tuple(map(Path, ("/box", "/tmp", "/dev/shm")))

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 4, 22, 38, 2


class Filter(ctypes.Structure):
    """A program for the kernel: its length and where it is."""

    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))


class OutOfTime(BaseException):
    """A call took too long."""


class Output(io.TextIOBase):
    """Standard output of a call, up to a limit."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        text = str(text)
        if self.length < MAX_OUTPUT:
            self.pieces.append(text[: MAX_OUTPUT - self.length])
        self.length += len(text)
        return len(text)

    def text(self) -> str:
        return "".join(self.pieces).encode("utf-8", "backslashreplace").decode()


def serve() -> None:
    """Read jobs until there are none."""
    require_box()
    # Nobody can look into this process, which runs as the same user as the fragments.
    LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    # Collecting garbage in a new process would copy all the memory that it shares with this one.
    gc.collect()
    gc.freeze()
    for line in sys.stdin.buffer:
        job = json.loads(line)
        answer, ending = run_job(job)
        clean()
        said = base64.b64encode(answer).decode()
        sys.stdout.write(json.dumps({"nonce": job["nonce"], "ending": ending, "answer": said}) + "\n")
        sys.stdout.flush()


def run_job(job: Mapping[str, Any]) -> tuple[bytes, str]:
    """Run a job in a process; what it wrote, and how it ended. What does not execute the fragment happens here."""
    try:
        with_time_limit(SECONDS_TO_PREPARE)
        prepared = python_calls.prepared_for(job)
    except python_fragment.UndecidedError as error:
        return line(undecided=error.reason, detail=str(error)), "exited"
    except OutOfTime:
        return line(undecided=python_fragment.TIME, detail=""), "exited"
    except Exception as error:
        return line(undecided=python_fragment.PARSE, detail=type(error).__name__), "exited"
    finally:
        without_time_limit()
    if not job["calls"] or prepared.is_program:
        return line(**prepared.said()), "exited"
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        try:
            enclose(job, writing)
            work(job, prepared, writing)
        finally:
            os._exit(0)
    os.close(writing)
    deadline, length, ending = time.monotonic() + job["seconds"], 0, "exited"
    pieces: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        ready = select.select([reading], [], [], left)[0] if left > 0 else []
        if not ready:
            ending = "timed out"
            break
        piece = os.read(reading, 1 << 16)
        if not piece:
            break
        pieces.append(piece)
        length += len(piece)
        if length > MAX_ANSWER:
            ending = "too much output"
            break
    os.close(reading)
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    if ending == "exited" and os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL:
        ending = "signal " + str(os.WTERMSIG(status))
    return b"".join(pieces), ending


def clean() -> None:
    """Remove what a fragment left."""
    for folder in FOLDERS:
        for path in folder.iterdir():
            python_files.remove(path)


def enclose(job: Mapping[str, Any], writing: int) -> None:
    """In the fragment's process: only the pipe is left, and no further process can be started."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    os.closerange(3, writing)
    os.closerange(writing + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    seconds = int(job["seconds"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    program = base64.b64decode(job["filter"])
    buffer = ctypes.create_string_buffer(program, len(program))
    filtered = Filter(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filtered), 0, 0) != 0:
        os._exit(1)


def line(**said: Any) -> bytes:
    return (json.dumps(said) + "\n").encode()


def work(job: Mapping[str, Any], prepared: python_entry.Prepared, writing: int) -> None:
    """Load the fragment, call it, and write what happened, a line for each call."""

    def say(**said: Any) -> None:
        data = line(**said)
        while data:
            data = data[os.write(writing, data) :]

    try:
        with_time_limit(max(job["seconds_per_call"], SECONDS_TO_WRITE))
        fragment = python_calls.Fragment(job, prepared)
    except OutOfTime:
        without_time_limit()
        say(undecided=python_fragment.TIME, detail="")
        return
    except BaseException as error:
        without_time_limit()
        reason, detail = python_calls.why_not_loaded(error)
        say(undecided=reason, detail=detail)
        return
    without_time_limit()
    say(**prepared.said())
    late = 0
    for number, call in enumerate(job["calls"]):
        # Only the first call that takes too long uses all of its time.
        said = called(fragment, call, number, job["seconds_when_late"] if late else job["seconds_per_call"])
        is_late = said.get("ended") == "timed out"
        if is_late and late:
            said["ended"] = "too slow"
        say(**said)
        late += is_late
        if late >= MAX_LATE:
            break


def with_time_limit(seconds: float) -> None:
    """Interrupt again and again, because a fragment may catch everything: after half of the time on the processor, so
    that a busy machine is not taken for slow code, or after several times that by the clock."""
    for kind, number, limit in (
        (signal.ITIMER_PROF, signal.SIGPROF, seconds / 2),
        (signal.ITIMER_REAL, signal.SIGALRM, max(seconds * 4, SECONDS_TO_WRITE)),
    ):
        if signal.getsignal(number) is not stop:
            signal.signal(number, stop)
        signal.setitimer(kind, limit, 0.05)


def without_time_limit() -> None:
    """Interrupt no more."""
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)


def stop(number: int, frame: object) -> None:
    """What happens when the time is over."""
    raise OutOfTime


def called(fragment: python_calls.Fragment, call: Mapping[str, Any], number: int, seconds: float) -> dict[str, Any]:
    """What one call did."""
    output = Output()
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(call["stdin"]), output, Output()
    found: dict[str, Any] = {}
    written = ""
    try:
        if fragment.folder is not None:
            fragment.folder.reset()
        ready = fragment.ready(call["arguments"], number)
        with_time_limit(seconds)
        returned = ready.call()
        if type(returned) not in PLAIN:
            # Drawing from an iterator runs the fragment's code, too.
            with_time_limit(max(seconds, min(SECONDS_TO_WRITE, 4 * seconds)))
        found["returned"] = python_values.to_form(returned)
        found["changed"] = ready.changed()
        if fragment.folder is not None:
            written = fragment.folder.changes()
    except OutOfTime:
        found = {"ended": "timed out"}
    except RecursionError:
        found["raised"] = "RecursionError"
    except MemoryError:
        found = {"ended": "out of memory"}
    except SystemExit:
        found["raised"] = "SystemExit"
    except BaseException as error:
        found["raised"] = type.__getattribute__(type(error), "__name__")[:200]
        if isinstance(error, NameError):
            found["missing"] = str(getattr(error, "name", "") or "")[:200]
    finally:
        without_time_limit()
    found["output"] = output.text() + written.encode("utf-8", "backslashreplace").decode()
    found["reached"] = fragment.newly_reached()
    return found


if __name__ == "__main__":
    serve()
