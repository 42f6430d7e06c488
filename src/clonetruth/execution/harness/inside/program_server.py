"""Runs inside the sandbox: compiles programs and runs each with many standard inputs.

A job is a line of JSON on standard input, its answer a line on standard output with the nonce of the job. What was
compiled stays in the memory of this process, where no other process can read or change it, and is written to empty
folders before every run. Programs get neither of the two streams, cannot start processes, and are killed with
everything that they left behind before the next one starts.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import json
import os
import resource
import selectors
import signal
import stat
import sys
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.execution.harness.inside.enclosure import WORK, require_box

FOLDERS = (WORK, Path("/tmp"), Path("/dev/shm"))
MAX_KEPT = 96 << 20
MAX_COMPILED = 48 << 20
MAX_FILES = 2000
MAX_ANSWER = 12 << 20
MAX_ERRORS = 1 << 16
LATER = 0.25
"""The share of the CPU time that a run gets after one that took too long."""
FEW = 4
"""Programs for which compiling their headers in advance does not pay."""
MAX_LATE = 3
"""Runs that may take too long before a job ends: a program that waits for ever does so with most inputs."""
CHANNEL = 3
"""The descriptor on which a program may say more than it prints."""

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 4, 22, 38, 2

Files = dict[str, tuple[bytes, bool]]
"""Contents by path, and whether they can be executed."""


class Filter(ctypes.Structure):
    """A program for the kernel: its length and where it is."""

    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))


class Compiled:
    """What compilers made, by key, the latest last."""

    def __init__(self) -> None:
        self.kept: OrderedDict[str, tuple[bool, bytes, Files]] = OrderedDict()
        self.headers: dict[str, Files] = {}
        self.programs = 0

    def get(self, key: str) -> tuple[bool, bytes, Files] | None:
        if key in self.kept:
            self.kept.move_to_end(key)
        return self.kept.get(key)

    def put(self, key: str, made: tuple[bool, bytes, Files]) -> None:
        self.kept[key] = made
        while len(self.kept) > 1 and self.size() > MAX_KEPT:
            self.kept.popitem(last=False)

    def size(self) -> int:
        return sum(len(content) for *_, files in self.kept.values() for content, _ in files.values())


def serve() -> None:
    """Read jobs until there are none."""
    require_box()
    # Nobody can look into this process, which runs as the same user as the programs, or interrupt it.
    LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    compiled = Compiled()
    for line in sys.stdin.buffer:
        job = json.loads(line)
        answer = run_job(job, compiled)
        sys.stdout.write(json.dumps({"nonce": job["nonce"], **answer}) + "\n")
        sys.stdout.flush()


def run_job(job: Mapping[str, Any], compiled: Compiled) -> dict[str, Any]:
    """Compile, unless that has been done, and run with each standard input, as far as time and space permit."""
    require_box()
    made = compiled.get(job["key"])
    if made is None and job["files"] is None:
        return {"unknown": True}
    if made is None:
        made = compile_files(job, compiled)
        compiled.put(job["key"], made)
    succeeded, said, files = made
    outcomes: list[dict[str, Any]] = []
    deadline, size, late = time.monotonic() + job["seconds"], 0, 0
    for stdin in job["stdins"] if succeeded else ():
        left = deadline - time.monotonic()
        if left <= 0 or size > MAX_ANSWER or late >= MAX_LATE:
            break
        fill(files)
        share = LATER if late else 1.0
        limits = dict(job["run_limits"], cpu=job["run_limits"]["cpu"] * share)
        limits["seconds"] = min(left, limits["seconds"])
        outcome = run(job["run"], stdin.encode("utf-8", "surrogateescape"), limits, job)
        if outcome["ending"] == "timed out" and limits["seconds"] < job["run_limits"]["seconds"]:
            break
        late += outcome["ending"] == "timed out"
        size += sum(len(outcome[name]) for name in ("stdout", "stderr", "channel"))
        outcomes.append({key: text(value) for key, value in outcome.items()})
    clean()
    return {"compiled": succeeded, "said": text(said), "outcomes": outcomes}


def text(value: Any) -> Any:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def precompiled(job: Mapping[str, Any], compiled: Compiled) -> Files:
    """A header and what the compiler made of it, which it made before it saw any program; empty if it failed."""
    fast = job["fast"]
    compiled.programs += 1
    if compiled.programs < FEW:
        return {}
    key = "header " + json.dumps(fast, sort_keys=True)
    if key not in compiled.headers:
        fill({fast["header"]: (fast["text"].encode(), False)})
        outcome = run(fast["compile"], b"", job["compile_limits"], dict(job, filter=None))
        done = outcome["ending"] == "exited" and outcome["code"] == 0
        compiled.headers[key] = collected() if done else {}
    return compiled.headers[key]


def compile_files(job: Mapping[str, Any], compiled: Compiled) -> tuple[bool, bytes, Files]:
    """Whether the files compile, what the compiler says, and all files afterwards."""
    given = {name: (base64.b64decode(content), False) for name, content in job["files"].items()}
    if job["compile"] is None:
        return True, b"", given
    fast = job["fast"] and job["compile"][:1] + job["fast"]["options"] + job["compile"][1:]
    header = fast and precompiled(job, compiled)
    if fast and header:
        # What is only faster must not refuse anything: the plain command has the last word.
        fill({**given, **header})
        outcome = run(fast, b"", job["compile_limits"], dict(job, filter=None))
        if outcome["ending"] == "exited" and outcome["code"] == 0:
            for name in header:
                (WORK / name).unlink(missing_ok=True)
            return True, outcome["stdout"] + outcome["stderr"], collected()
    fill(given)
    outcome = run(job["compile"], b"", job["compile_limits"], dict(job, filter=None))
    said: bytes = outcome["stdout"] + outcome["stderr"]
    if outcome["ending"] != "exited" or outcome["code"] != 0:
        ended = "" if outcome["ending"] == "exited" else "the compiler ended: " + outcome["ending"] + "\n"
        return False, ended.encode() + said, {}
    try:
        return True, said, collected()
    except OSError as error:
        return False, ("what was compiled cannot be read: " + str(error)).encode(), {}


# Folders.


def clean() -> None:
    """Remove what was left."""
    for folder in FOLDERS:
        folder.chmod(stat.S_IRWXU)
        for path in folder.iterdir():
            remove(path)


def remove(path: Path) -> None:
    """Remove a file or a folder, whatever its permissions are."""
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    path.chmod(stat.S_IRWXU)
    for one in path.iterdir():
        remove(one)
    path.rmdir()


def fill(files: Files) -> None:
    """Make the folders empty, but for these files."""
    clean()
    for name, (content, executable) in files.items():
        path = WORK / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if executable:
            path.chmod(0o755)


def collected() -> Files:
    """The regular files of the working folder.

    Raises:
        OSError: there are too many.
    """
    found: Files = {}
    size = 0
    for path in WORK.rglob("*"):
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            continue
        size += status.st_size
        if size > MAX_COMPILED or len(found) > MAX_FILES:
            raise OSError("too large")
        found[str(path.relative_to(WORK))] = (path.read_bytes(), bool(status.st_mode & stat.S_IXUSR))
    return found


# Processes.


def run(argv: Sequence[str], stdin: bytes, limits: Mapping[str, Any], job: Mapping[str, Any]) -> dict[str, Any]:
    """Run a program to its end; nothing of it is left afterwards."""
    given = os.open("/tmp", os.O_TMPFILE | os.O_RDWR, 0o600)
    with open(given, "wb", closefd=False) as file:
        file.write(stdin)
    os.lseek(given, 0, os.SEEK_SET)
    pipes = [os.pipe() for _ in range(3)]
    started = time.monotonic()
    process = os.fork()
    if process == 0:
        try:
            become(argv, [given, *(writing for _, writing in pipes)], limits, job)
        except BaseException as error:
            os.write(2, str(error).encode()[:1000])
        finally:
            os._exit(127)
    for descriptor in (given, *(writing for _, writing in pipes)):
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
    end_all()
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


def end_all() -> None:
    """End every other process of the sandbox: compilers start some, and those may leave their group."""
    require_box()
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
    variables = {"PATH": "/usr/bin", "HOME": str(WORK), "TMPDIR": "/tmp", "LANG": "C.UTF-8", **job["variables"]}
    os.execve(argv[0], list(argv), variables)


def fcntl_above(descriptor: int) -> int:
    """The same open file with a number beyond the standard ones."""
    copy = os.dup(descriptor)
    return copy if copy > CHANNEL else fcntl_above(copy)


if __name__ == "__main__":
    serve()
