"""Runs inside the sandbox: starts programs with limits, and ends them with everything that they left behind."""

from __future__ import annotations

import base64
import contextlib
import ctypes
import os
import resource
import selectors
import signal
import time
from collections.abc import Mapping, Sequence
from typing import Any

from clonetruth.execution.harness.inside.enclosure import WORK, require_box

MAX_ANSWER = 12 << 20
MAX_ERRORS = 1 << 16
CHANNEL = 3
"""The descriptor on which a program may say more than it prints."""

LIBC = ctypes.CDLL(None, use_errno=True)
SPAWNING: list[ctypes.CDLL] = []
"""`spawn.c`, where it was compiled."""
STAYING: set[int] = set()
"""Processes that are not ended with the others: compilers that wait."""

PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 4, 22, 38, 2


class Filter(ctypes.Structure):
    """A program for the kernel: its length and where it is."""

    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))


def run(argv: Sequence[str], stdin: bytes, limits: Mapping[str, Any], job: Mapping[str, Any]) -> dict[str, Any]:
    """Run a program to its end; nothing of it is left afterwards."""
    given = os.open("/tmp", os.O_TMPFILE | os.O_RDWR, 0o600)
    with open(given, "wb", closefd=False) as file:
        file.write(stdin)
    os.lseek(given, 0, os.SEEK_SET)
    pipes = [os.pipe() for _ in range(3)]
    started = time.monotonic()
    descriptors = [given, *(writing for _, writing in pipes)]
    process = spawn(argv, descriptors, limits, job) if SPAWNING and job["filter"] is not None else os.fork()
    if process == 0:
        try:
            become(argv, descriptors, limits, job)
        except BaseException as error:
            os.write(2, str(error).encode()[:1000])
        finally:
            os._exit(127)
    for descriptor in descriptors:
        os.close(descriptor)
    caps = (limits["output"], MAX_ERRORS, MAX_ANSWER)
    streams, ending = read_all([reading for reading, _ in pipes], caps, started + limits["seconds"])
    status = wait(process, ending, started + limits["seconds"])
    code: int | None = None
    if status is None:
        ending = ending or "timed out"
    elif ending is None:
        ending = "signalled" if os.WIFSIGNALED(status) else "exited"
        code = os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        if ending == "signalled" and code == signal.SIGPROF:
            ending, code = "timed out", None
    end_others()
    stdout, stderr, channel = streams
    return {"ending": ending, "code": code, "stdout": stdout, "stderr": stderr, "channel": channel}


def read_all(descriptors: Sequence[int], caps: Sequence[int], deadline: float) -> tuple[list[bytes], str | None]:
    """What is written to the pipes until all are closed; why not, if not. Of standard error only the start is kept."""
    found = [bytearray() for _ in descriptors]
    ending: str | None = None
    with selectors.DefaultSelector() as selector:
        for at, descriptor in enumerate(descriptors):
            selector.register(descriptor, selectors.EVENT_READ, at)
        while selector.get_map() and ending is None:
            left = deadline - time.monotonic()
            ready = selector.select(left) if left > 0 else []
            if not ready:
                ending = "timed out"
            for key, _ in ready:
                piece = os.read(key.fd, 1 << 16)
                at = key.data
                if not piece:
                    selector.unregister(key.fd)
                elif len(found[at]) + len(piece) <= caps[at]:
                    found[at] += piece
                else:
                    found[at] += piece[: caps[at] - len(found[at])]
                    if at != 1:
                        ending = "too much output"
    for descriptor in descriptors:
        os.close(descriptor)
    return [bytes(one) for one in found], ending


def wait(process: int, ending: str | None, deadline: float) -> int | None:
    """How a process ended by itself; None if it had to be killed."""
    while ending is None:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return status
        if time.monotonic() > deadline:
            break
        time.sleep(0.0005)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return None


def end_others() -> None:
    """End what a program left behind: compilers start processes, and those may leave their group.

    A program that may start none leaves none. Whatever else is there is ended with everything.
    """
    others = {int(one.name) for one in os.scandir("/proc") if one.name.isdigit()} - STAYING - {os.getpid()}
    if others:
        end_all()


def end_all() -> None:
    """End every other process of the sandbox."""
    require_box()
    STAYING.clear()
    while True:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def become(argv: Sequence[str], descriptors: Sequence[int], limits: Mapping[str, Any], job: Mapping[str, Any]) -> None:
    """In the new process: only these descriptors, the limits, the filter, and then the program."""
    os.setsid()
    # The lowest numbers are in use by the server, so no target is one of the sources.
    high = [fcntl_above(one) for one in descriptors]
    for target, one in enumerate(high):
        os.dup2(one, target)
    os.closerange(len(high), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    for number in (signal.SIGPIPE, signal.SIGINT, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    os.chdir(WORK)
    for name, value in limits["resources"].items():
        kind = getattr(resource, "RLIMIT_" + name)
        resource.setrlimit(kind, (value, value))
    # A timer outlives the start of a program. One that stops it still has the clock of the server against it.
    signal.setitimer(signal.ITIMER_PROF, limits["cpu"])
    if job["filter"] is not None:
        program = base64.b64decode(job["filter"])
        buffer = ctypes.create_string_buffer(program, len(program))
        filtered = Filter(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
        LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filtered), 0, 0) != 0:
            raise OSError("the filter was refused")
    os.execve(argv[0], list(argv), environment(job))


def environment(job: Mapping[str, Any]) -> dict[str, str]:
    """The variables of a program."""
    return {"PATH": "/usr/bin", "HOME": str(WORK), "TMPDIR": "/tmp", "LANG": "C.UTF-8", **job["variables"]}


class Start(ctypes.Structure):
    """What `spawn.c` starts."""

    _fields_ = (
        ("path", ctypes.c_char_p),
        ("folder", ctypes.c_char_p),
        ("arguments", ctypes.c_void_p),
        ("variables", ctypes.c_void_p),
        ("descriptors", ctypes.c_void_p),
        ("descriptor_count", ctypes.c_int),
        ("resources", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("resource_count", ctypes.c_int),
        ("microseconds", ctypes.c_longlong),
        ("filter", ctypes.c_char_p),
        ("filter_length", ctypes.c_int),
    )


def spawn(argv: Sequence[str], descriptors: Sequence[int], limits: Mapping[str, Any], job: Mapping[str, Any]) -> int:
    """The same as a fork and `become`, which costs more: a copy of this interpreter for every start."""
    words = [os.fsencode(one) for one in argv]
    variables = [os.fsencode(f"{name}={value}") for name, value in environment(job).items()]
    kinds = [getattr(resource, "RLIMIT_" + name) for name in limits["resources"]]
    program = base64.b64decode(job["filter"])
    arrays = (
        (ctypes.c_char_p * (len(words) + 1))(*words, None),
        (ctypes.c_char_p * (len(variables) + 1))(*variables, None),
        (ctypes.c_int * len(descriptors))(*descriptors),
        (ctypes.c_int * len(kinds))(*kinds),
        (ctypes.c_ulonglong * len(kinds))(*limits["resources"].values()),
    )
    at = [ctypes.cast(one, ctypes.c_void_p) for one in arrays]
    start = Start(
        words[0],
        os.fsencode(WORK),
        at[0],
        at[1],
        at[2],
        len(descriptors),
        at[3],
        at[4],
        len(kinds),
        int(limits["cpu"] * 1_000_000),
        program,
        len(program),
    )
    process: int = SPAWNING[0].ct_spawn(ctypes.byref(start))
    if process <= 0:
        raise OSError("no process could be started")
    return process


def fcntl_above(descriptor: int) -> int:
    """The same open file with a number beyond the standard ones."""
    copy = os.dup(descriptor)
    return copy if copy > CHANNEL else fcntl_above(copy)
