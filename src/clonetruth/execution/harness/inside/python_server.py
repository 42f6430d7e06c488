"""Runs inside the sandbox: runs one fragment after the other, each in a process that knows nothing of the others.

A job is a line of JSON on standard input and a line with its calls, which only the fragment's process reads. The answer
is a line on standard output with the nonce of the job and the length of what follows. The fragment's process has
neither of the two: what it finds out it writes into memory that it shares with this process, which passes that on
unread. Comparing is up to the host. A fragment keeps its process from one run to the next only where the host permits
it and its calls leave nothing behind.
"""

from __future__ import annotations

import base64
import ctypes
import gc
import importlib
import io
import json
import mmap
import os
import resource
import select
import signal
import struct
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from clonetruth.execution.harness.inside import (
    python_calls,
    python_entry,
    python_files,
    python_fragment,
    python_project,
    python_values,
)
from clonetruth.execution.harness.inside.enclosure import require_box
from clonetruth.execution.harness.inside.python_time import (
    SECONDS_TO_WRITE,
    OutOfTime,
    with_time_limit,
    without_time_limit,
)

MAX_ANSWER = 8 << 20
MAX_OUTPUT = 100_000
UNENDED = 1_000
SECONDS_TO_PREPARE = 4.0
PLAIN = (int, str, bool, float, type(None))
ASKED = ("seconds_per_call", "seconds_when_late", "skips")
"""What a process needs to know of a further job with the same fragment."""
LENGTH = struct.Struct("=q")
GOES_ON = b"+"
PRELOADED = ("bisect", "copy", "datetime", "heapq", "math", "operator", "string", "typing")
"""What fragments often import: once here, instead of in each of their processes."""
MEMORY = 256 << 20
"""Bytes of address space of a fragment's process that imports no installed packages, which reserve more than they use:
filling that takes about as long as a call may."""
GARBAGE = 10_000
"""Objects between two collections of garbage."""
MAX_LATE = 2
"""Calls that may take too long; after them the rest is not tried."""
MAX_FULL = 8
"""Calls that may fill the stack; after them the others get little time, as after an endless loop."""
PIPES = (46, 47)
"""Numbers of the two pipes of a fragment's process: a function that opens what it is given, and is given a small
number, finds nothing there, instead of waiting for what nobody writes or closing them."""
FOLDERS = ("/box", "/tmp", "/dev/shm")

ENCODER = json.JSONEncoder(check_circular=False)

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 4, 22, 38, 2


class Filter(ctypes.Structure):
    """A program for the kernel: its length and where it is."""

    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))
    buffer: ctypes.Array[ctypes.c_char]


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
        return sendable("".join(self.pieces))


class Child:
    """A process with a fragment.

    What it finds out it writes into memory that it shares with this process, a text for each call behind its length.

    Attributes:
        process: its number.
        asking: where its next calls go.
        listening: where it says that it is done with them: whether it can take more.
        memory: what it wrote: the length of everything, then lines.
    """

    def __init__(
        self,
        job: Mapping[str, Any],
        calls_text: bytes,
        prepared: python_entry.Prepared | bytes,
        project: python_project.Project | None,
    ) -> None:
        self.memory = mmap.mmap(-1, LENGTH.size + MAX_ANSWER)
        filtered = filter_of(job["filter"])
        calls, self.asking = os.pipe()
        self.listening, done = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            try:
                enclose(job, filtered, (calls, done))
                asked = {**job, "calls": json.loads(calls_text)}
                if isinstance(prepared, bytes):
                    prepared = python_entry.unpacked(prepared)
                work(asked, (prepared, project), Channel(self.memory, *PIPES))
            finally:
                os._exit(0)
        os.close(calls)
        os.close(done)

    def ask(self, job: Mapping[str, Any], calls_text: bytes) -> None:
        """Give it more calls."""
        request = memoryview(json.dumps({name: job[name] for name in ASKED}).encode() + b"\n" + calls_text)
        try:
            while request:
                request = request[os.write(self.asking, request) :]
        except BrokenPipeError:
            return

    def answer(self, seconds: float) -> tuple[bytes, str, bool]:
        """What it wrote about its calls, how it ended, and whether it can take more."""
        ready = select.select([self.listening], [], [], seconds)[0]
        said = os.read(self.listening, 1) if ready else b""
        (length,) = LENGTH.unpack(self.memory[: LENGTH.size])
        written = self.memory[LENGTH.size : LENGTH.size + min(length, MAX_ANSWER)]
        if not ready:
            return written, "timed out", False
        if said:
            return written, "exited" if length <= MAX_ANSWER else "too much output", said == GOES_ON
        _, status = os.waitpid(self.process, 0)
        self.process = 0
        is_signal = os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL
        return written, "signal " + str(os.WTERMSIG(status)) if is_signal else "exited", False

    def end(self) -> None:
        """End it; nothing of it is left but files."""
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.asking)
        os.close(self.listening)
        self.memory.close()


class Channel:
    """The other end, in the fragment's process."""

    def __init__(self, memory: mmap.mmap, calls: int, done: int) -> None:
        self.memory, self.calls, self.done = memory, calls, done
        self.length = 0

    def say(self, **said: Any) -> None:
        data = line(**said)
        end = self.length + len(data)
        if end > MAX_ANSWER:
            self.memory[: LENGTH.size] = LENGTH.pack(MAX_ANSWER + 1)
            self.finish(b"-")
            os._exit(0)
        self.memory[LENGTH.size + self.length : LENGTH.size + end] = data
        LENGTH.pack_into(self.memory, 0, end)
        self.length = end

    def finish(self, how: bytes) -> None:
        """Say that the calls are done."""
        os.write(self.done, how)

    def next(self) -> dict[str, Any]:
        """More calls; the process ends if there are none."""
        pieces: list[bytes] = []
        lines = 0
        while lines < 2:
            piece = os.read(self.calls, 1 << 16)
            if not piece:
                os._exit(0)
            pieces.append(piece)
            lines += piece.count(b"\n")
        self.length = 0
        self.memory[: LENGTH.size] = LENGTH.pack(0)
        asked, calls, _ = b"".join(pieces).split(b"\n")
        return {**json.loads(asked), "calls": json.loads(calls)}


class Server:
    """Runs jobs. At most one fragment has a process at any time."""

    def __init__(self) -> None:
        self.child: Child | None = None
        self.keeps_child = False
        self.key = ""
        self.files = python_project.FileStore()

    def run(self, job: Mapping[str, Any], calls: bytes = b"[]\n") -> tuple[bytes, str]:
        """Run a job in a process; what it wrote, and how it ended. What does not execute the fragment happens here.

        Args:
            job: what to run; its `calls` say how many there are.
            calls: a line with the calls.
        """
        project = self.files.take(job)
        prepared: python_entry.Prepared | bytes
        if job.get("packed") is not None:
            prepared, leaves_nothing = base64.b64decode(job["packed"]), job["leaves_nothing"]
        else:
            found = self.prepared(job, project)
            if isinstance(found, bytes):
                return found, "exited"
            prepared, leaves_nothing = found, found.leaves_nothing
        key = repr([job[name] for name in ("source", "entry", "path", "seed", "coverage")])
        is_plain = job["again"] and project is None and leaves_nothing
        if self.child is not None and is_plain and key == self.key:
            self.child.ask(job, calls)
        else:
            self.end()
            if project is not None and isinstance(prepared, python_entry.Prepared):
                compile_imports(project, job, prepared)
            self.child = Child(job, calls, prepared, project)
        answer, ending, goes_on = self.child.answer(job["seconds"])
        self.key = key
        self.keeps_child = is_plain and goes_on
        return answer, ending

    def settle(self) -> None:
        """Leave nothing of a job for the next one, but a fragment's process that may go on."""
        if not self.keeps_child:
            self.end()
        clean()

    def prepared(self, job: Mapping[str, Any], project: python_project.Project | None) -> python_entry.Prepared | bytes:
        """What can run of a job's fragment; an answer if there is nothing, or nothing to run."""
        try:
            with_time_limit(SECONDS_TO_PREPARE)
            found = python_calls.prepared_for(job, project)
        except python_fragment.UndecidedError as error:
            return line(undecided=error.reason, detail=str(error))
        except OutOfTime:
            return line(undecided=python_fragment.TIME, detail="")
        except Exception as error:
            return line(undecided=python_fragment.PARSE, detail=type(error).__name__)
        finally:
            without_time_limit()
        if job["calls"] and not found.is_program:
            return found
        packed = found.packed()
        if packed is None:
            return line(**found.said())
        return line(**found.said(), packed=base64.b64encode(packed).decode(), leaves_nothing=found.leaves_nothing)

    def end(self) -> None:
        """End the fragment's process."""
        if self.child is not None:
            self.child.end()
            self.child = None


def compile_imports(project: python_project.Project, job: Mapping[str, Any], prepared: python_entry.Prepared) -> None:
    """Compile what a fragment may import, as far as time permits; its process does the rest."""
    try:
        with_time_limit(SECONDS_TO_PREPARE)
        project.compile(prepared.tree, python_calls.path_of(job))
    except OutOfTime:
        return
    finally:
        without_time_limit()


def serve() -> None:
    """Read jobs until there are none."""
    require_box()
    for name in PRELOADED:
        importlib.import_module(name)
    # Nobody can look into this process, which runs as the same user as the fragments.
    LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    # Collecting garbage in a new process would copy all the memory that it shares with this one.
    gc.collect()
    gc.freeze()
    # Reading inputs makes more objects than that in every process, and no garbage.
    gc.set_threshold(GARBAGE)
    # The first fragment does not see this program either.
    clean()
    server = Server()
    for request in sys.stdin.buffer:
        job = json.loads(request)
        answer, ending = server.run(job, sys.stdin.buffer.readline())
        head = json.dumps({"nonce": job["nonce"], "ending": ending, "length": len(answer)}) + "\n"
        sys.stdout.buffer.write(head.encode() + answer)
        sys.stdout.buffer.flush()
        # While the host reads.
        server.settle()


def clean() -> None:
    """Remove what a fragment left."""
    for folder in FOLDERS:
        # Mostly there is nothing, which this finds with the fewest pages of memory.
        for one in list(os.scandir(folder)):
            python_files.remove(Path(one.path))


@cache
def filter_of(encoded: str) -> Filter:
    """A filter of system calls: made once here, where it costs no copies of memory."""
    program = base64.b64decode(encoded)
    buffer = ctypes.create_string_buffer(program, len(program))
    made = Filter(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    # It refers to the buffer without keeping it.
    made.buffer = buffer
    return made


def enclose(job: Mapping[str, Any], filtered: Filter, pipes: Sequence[int]) -> None:
    """In the fragment's process: only its own pipes are left, and no further process can be started."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    # This process has few files open: the pipes do not have these numbers yet.
    for descriptor, number in zip(pipes, PIPES, strict=True):
        os.dup2(descriptor, number)
    os.closerange(3, PIPES[0])
    os.closerange(PIPES[1] + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    # By the clock, each run of it has its own limit.
    seconds = int(job["seconds"]) * 4 + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    if not job["packages"]:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filtered), 0, 0) != 0:
        os._exit(1)


def line(**said: Any) -> bytes:
    return (ENCODER.encode(said) + "\n").encode()


def sendable(text: str) -> str:
    """A text without halves of pairs of surrogates."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def work(
    job: Mapping[str, Any],
    loaded: tuple[python_entry.Prepared, python_project.Project | None],
    channel: Channel,
) -> None:
    """Load the fragment, call it, and write what happened, a line for each call; again, as long as there are calls."""
    prepared, project = loaded
    try:
        with_time_limit(max(job["seconds_per_call"], SECONDS_TO_WRITE))
        fragment = python_calls.Fragment(job, prepared, project)
    except OutOfTime:
        without_time_limit()
        channel.say(undecided=python_fragment.TIME, detail="")
        return
    except BaseException as error:
        without_time_limit()
        reason, detail = python_calls.why_not_loaded(error)
        channel.say(undecided=reason, detail=detail)
        return
    without_time_limit()
    while True:
        channel.say(**prepared.said())
        channel.finish(GOES_ON if run_calls(fragment, job, channel) else b"-")
        job = channel.next()
        # As in a new process, which has seen nothing yet.
        fragment.seen.clear()


def run_calls(fragment: python_calls.Fragment, job: Mapping[str, Any], channel: Channel) -> bool:
    """Make calls; whether each came to an end, by itself or interrupted, so that the process can make more."""
    late = patient = full = 0
    skips = job["skips"]
    went = True
    for number, call in enumerate(job["calls"]):
        # Only the first call that takes too long uses all of its time, and none that the other side did not end either.
        is_others = call.get("short", False)
        if is_others and skips:
            # Neither side comes to an end with such inputs, so there is nothing to compare.
            channel.say(ended="too slow")
            continue
        is_short = patient > 0 or full >= MAX_FULL or is_others
        said = called(fragment, call, number, job["seconds_when_late" if is_short else "seconds_per_call"])
        went = went and said.get("ended", "timed out") == "timed out"
        is_late = said.get("ended") == "timed out"
        if is_late and is_short:
            said["ended"] = "too slow"
        channel.say(**said)
        late += is_late
        patient += is_late and not is_short
        full += said.get("raised") == "RecursionError"
        skips = skips or (is_late and is_others)
        if late >= MAX_LATE:
            break
    without_time_limit()
    return went


def called(fragment: python_calls.Fragment, call: Mapping[str, Any], number: int, seconds: float) -> dict[str, Any]:
    """What one call did."""
    output = Output()
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(call["stdin"]), output, Output()
    found: dict[str, Any] = {}
    written = ""
    is_harmless = fragment.prepared.leaves_nothing
    try:
        if fragment.folder is not None:
            fragment.folder.reset()
        ready = fragment.ready(call["arguments"], number)
        with_time_limit(seconds, leaves_alarm=is_harmless)
        returned = ready.call()
        if type(returned) not in PLAIN:
            # Drawing from an iterator runs the fragment's code, too.
            with_time_limit(max(seconds, min(SECONDS_TO_WRITE, 4 * seconds)), leaves_alarm=is_harmless)
        found["returned"] = python_values.to_form(returned)
        changed = ready.changed()
        if changed is not None:
            found["changed"] = changed
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
        if isinstance(error, (NameError, ImportError)):
            found["missing"] = str(getattr(error, "name", "") or "")[:200]
    finally:
        without_time_limit(leaves_alarm=is_harmless)
    printed = output.text() + sendable(written)
    if printed:
        # What a call printed that did not come to an end, or raised, is not compared.
        found["output"] = printed[:UNENDED] if "ended" in found or "raised" in found else printed
    reached = fragment.newly_reached()
    if reached:
        found["reached"] = reached
    return found


if __name__ == "__main__":
    serve()
