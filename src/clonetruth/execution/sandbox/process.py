"""One program in a sandbox: start it, feed it, bound it, and say how it ended.

Everything that decides is on this side: the clock, the caps on output, and the kill of the whole group.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Protocol

MEGABYTE = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a program may use.

    Attributes:
        seconds: by the clock on the wall.
        cpu_seconds: of all its threads together.
        memory: bytes of address space of a process; None for runtimes that reserve more than they use.
        data: bytes of private writable memory of a process; for those runtimes.
        total_memory: bytes of all its processes together, where the machine can count them.
        output: bytes that are read from each of its outputs; the first byte beyond ends it.
        disk: bytes of each of its file systems, which are in memory.
        open_files: number of open files of a process.
        processes: number of processes and threads.
        forks: whether it may start processes at all; compilers must.
    """

    seconds: float = 10.0
    cpu_seconds: int = 10
    memory: int | None = 1024 * MEGABYTE
    data: int | None = None
    total_memory: int = 2048 * MEGABYTE
    output: int = MEGABYTE
    disk: int = 64 * MEGABYTE
    open_files: int = 64
    processes: int = 64
    forks: bool = False


class Ending(StrEnum):
    """How a program ended."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    TIMED_OUT = "timed out"
    TOO_MUCH_OUTPUT = "too much output"


@dataclass(frozen=True)
class Outcome:
    """What a program did.

    Attributes:
        ending: how it ended.
        code: its exit code, or the number of the signal; None if it was stopped from outside.
        stdout: what it wrote to standard output, at most `Limits.output` bytes.
        stderr: the same for standard error.
        seconds: how long it ran, including the start of the sandbox.
    """

    ending: Ending
    code: int | None
    stdout: bytes
    stderr: bytes
    seconds: float

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself with exit code 0."""
        return self.ending is Ending.EXITED and self.code == 0


@dataclass(frozen=True)
class Launch:
    """A command that starts a program inside a sandbox.

    Attributes:
        argv: the command on the host.
        descriptors: files that the command inherits and this process closes once it has started.
        user: the user that it runs as; None: the present one.
        cleanup: what to do when it has ended.
    """

    argv: Sequence[str]
    descriptors: Sequence[int] = ()
    user: int | None = None
    cleanup: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)


@dataclass(frozen=True)
class Layer:
    """One of the walls of a sandbox.

    Attributes:
        name: what it is.
        missing: what is wrong with it; None if it is there.
        install: how to get it.
        needed: whether nothing runs without it.
    """

    name: str
    missing: str | None
    install: str = ""
    needed: bool = True


class Sandbox(Protocol):
    """Encloses programs.

    Attributes:
        verified: whether the attack suite has run in this kind of sandbox.
    """

    verified: ClassVar[bool]

    @property
    def packages(self) -> tuple[str, ...]:
        """Folders of Python packages that code may import."""
        ...

    def layers(self) -> tuple[Layer, ...]:
        """The walls, and which of them are missing on this machine."""
        ...

    def find(self, program: str) -> str | None:
        """How to start a program by name inside; None if it cannot be seen there."""
        ...

    def launch(self, argv: Sequence[str], files: Mapping[str, bytes], limits: Limits) -> Launch:
        """The command that starts `argv` with these files in its working folder.

        Raises:
            MissingExtraError: something that encloses it is missing on this machine.
        """
        ...


class SandboxProcess:
    """A running program in a sandbox. Use it as a context manager: it is killed at the end."""

    def __init__(self, launch: Launch, limits: Limits) -> None:
        self.limits = limits
        self.started = time.monotonic()
        self._launch = launch
        try:
            user = launch.user
            self.popen = subprocess.Popen(
                launch.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=launch.descriptors,
                cwd="/",
                env={},
                start_new_session=True,
                user=user,
                group=user,
                extra_groups=None if user is None else [],
                bufsize=0,
            )
        except BaseException:
            launch.cleanup.close()
            raise
        finally:
            for descriptor in launch.descriptors:
                os.close(descriptor)

        pipes = (self.popen.stdin, self.popen.stdout, self.popen.stderr)
        self.stdin, self.stdout, self.stderr = (one for one in pipes if one is not None)

    def __enter__(self) -> SandboxProcess:
        return self

    def __exit__(self, *unused: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End the program and everything that it started."""
        if self.popen.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()
        for pipe in (self.stdin, self.stdout, self.stderr):
            pipe.close()
        self._launch.cleanup.close()

    def finish(self, stdin: bytes = b"") -> Outcome:
        """Send all of `stdin`, read until the program ends or breaks a limit, and say what it did."""
        deadline = self.started + self.limits.seconds
        ending: Ending | None = None
        collected = {"stdout": bytearray(), "stderr": bytearray()}
        with self:
            for name, data in self._communicate(stdin, deadline):
                if data is None:
                    ending = Ending.TIMED_OUT
                    break
                collected[name] += data
                if len(collected[name]) > self.limits.output:
                    ending = Ending.TOO_MUCH_OUTPUT
                    del collected[name][self.limits.output :]
                    break
            if ending is None:
                try:
                    self.popen.wait(max(deadline - time.monotonic(), 0.01))
                except subprocess.TimeoutExpired:
                    ending = Ending.TIMED_OUT
        code: int | None = None
        if ending is None:
            code, ending = self._code()
        return Outcome(
            ending, code, bytes(collected["stdout"]), bytes(collected["stderr"]), time.monotonic() - self.started
        )

    def _communicate(self, stdin: bytes, deadline: float) -> Iterator[tuple[str, bytes | None]]:
        """Pieces of output by name; None for when the time is over."""
        waiting = memoryview(stdin)
        with selectors.DefaultSelector() as selector:
            selector.register(self.stdout, selectors.EVENT_READ, "stdout")
            selector.register(self.stderr, selectors.EVENT_READ, "stderr")
            if waiting:
                os.set_blocking(self.stdin.fileno(), False)
                selector.register(self.stdin, selectors.EVENT_WRITE, "stdin")
            else:
                self.stdin.close()
            while any(key.data != "stdin" for key in selector.get_map().values()):
                left = deadline - time.monotonic()
                ready = selector.select(left) if left > 0 else []
                if not ready:
                    yield "stdout", None
                    return
                for key, _ in ready:
                    if key.data == "stdin":
                        try:
                            waiting = waiting[os.write(key.fd, waiting[:65536]) :]
                        except BrokenPipeError:
                            waiting = waiting[:0]
                        if not waiting:
                            selector.unregister(self.stdin)
                            self.stdin.close()
                        continue
                    data = os.read(key.fd, 65536)
                    if data:
                        yield key.data, data
                    else:
                        selector.unregister(key.fileobj)

    def _code(self) -> tuple[int, Ending]:
        """The exit code; what encloses the program passes a signal on as 128 plus its number."""
        code = self.popen.returncode
        if code < 0:
            return -code, Ending.SIGNALLED
        return (code - 128, Ending.SIGNALLED) if code > 128 else (code, Ending.EXITED)


def start(
    sandbox: Sandbox, argv: Sequence[str], files: Mapping[str, bytes] | None = None, limits: Limits | None = None
) -> SandboxProcess:
    """Start a program that stays, such as a server that runs one fragment after the other.

    Args:
        sandbox: what encloses it.
        argv: the command inside the sandbox.
        files: files of its working folder by name.
        limits: what it may use; the time limit is the caller's to enforce.

    Raises:
        MissingExtraError: something that encloses it is missing on this machine.
    """
    limits = limits or Limits()
    return SandboxProcess(sandbox.launch(argv, files or {}, limits), limits)


def run(
    sandbox: Sandbox,
    argv: Sequence[str],
    files: Mapping[str, bytes] | None = None,
    stdin: bytes = b"",
    limits: Limits | None = None,
) -> Outcome:
    """Run a program to its end.

    Args:
        sandbox: what encloses it.
        argv: the command inside the sandbox.
        files: files of its working folder by name.
        stdin: what it reads.
        limits: what it may use.

    Raises:
        MissingExtraError: something that encloses it is missing on this machine.
    """
    return start(sandbox, argv, files, limits).finish(stdin)
