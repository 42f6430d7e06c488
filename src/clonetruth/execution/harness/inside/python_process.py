"""Runs inside the sandbox: the process of one fragment, and what it and the server say to each other.

The process has neither the server's standard input nor its standard output: calls come through a pipe, and what it
finds out it writes into memory that it shares with the server.
"""

from __future__ import annotations

import base64
import ctypes
import json
import mmap
import os
import resource
import select
import signal
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

MAX_ANSWER = 8 << 20
ASKED = ("seconds_per_call", "seconds_when_late", "skips")
"""What a process needs to know of a further job with the same fragment."""
LENGTH = struct.Struct("=q")
GOES_ON = b"+"
MEMORY = 256 << 20
"""Bytes of address space of a fragment's process that imports no installed packages, which reserve more than they use:
filling that takes about as long as a call may."""
PIPES = (46, 47)
"""Numbers of the two pipes of a fragment's process: a function that opens what it is given, and is given a small
number, finds nothing there, instead of waiting for what nobody writes or closing them."""

ENCODER = json.JSONEncoder(check_circular=False)

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 4, 22, 38, 2


class Filter(ctypes.Structure):
    """A program for the kernel: its length and where it is."""

    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))
    buffer: ctypes.Array[ctypes.c_char]


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
        self, job: Mapping[str, Any], calls_text: bytes, work: Callable[[dict[str, Any], Channel], None]
    ) -> None:
        """Start it.

        Args:
            job: what to run, without its calls.
            calls_text: its calls, as JSON.
            work: what it does, with the job and its calls, until there are no more.
        """
        self.memory = mmap.mmap(-1, LENGTH.size + MAX_ANSWER)
        filtered = filter_of(job["filter"])
        calls, self.asking = os.pipe()
        self.listening, done = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            try:
                enclose(job, filtered, (calls, done))
                work({**job, "calls": json.loads(calls_text)}, Channel(self.memory, *PIPES))
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


def hide() -> None:
    """Nobody can look into this process any more, not even another process of the same user."""
    LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


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
