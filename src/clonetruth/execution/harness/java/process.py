"""Processes of Java in the sandbox: the servers of `inside/java`, compiled once, and lines that go to and fro.

A compiling process sees texts and never runs them; a running process sees classes. Each is alone in its sandbox, so no
fragment can reach another process, and what it writes into its own channel changes only what is said of itself.
"""

from __future__ import annotations

import base64
import io
import json
import secrets
import select
import struct
import time
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from clonetruth.errors import MissingExtraError
from clonetruth.execution.sandbox import Limits, Sandbox, SandboxProcess, run, start
from clonetruth.execution.sandbox.process import MEGABYTE
from clonetruth.execution.toolchains import JAVA_MEMORY
from clonetruth.parsing import parse_json
from clonetruth.user_cache import cache_folder

_PACKAGE = "clonetruth.execution.harness.inside"
_POINTS = "clonetruth_points/"
_BUILD = """\
import base64, json, pathlib, subprocess, sys
done = subprocess.run([sys.argv[1], "-J-Xmx256m", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-proc:none",
    "--add-exports", "jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED",
    "-nowarn", "-XDstringConcat=inline", "-encoding", "UTF-8", "-d", "/tmp/out", *sys.argv[2:]], capture_output=True)
sys.stderr.write(done.stderr.decode())
files = pathlib.Path("/tmp/out").rglob("*.class") if done.returncode == 0 else []
print(json.dumps({str(one.relative_to("/tmp/out")): base64.b64encode(one.read_bytes()).decode() for one in files}))
"""
_LENGTHS = struct.Struct(">II")
_MAX_LINE = 24 << 20
_BUILDING = Limits(
    seconds=60,
    cpu_seconds=60,
    memory=4096 * MEGABYTE,
    forks=True,
    open_files=512,
    processes=256,
    output=8 * MEGABYTE,
)
_SERVING = Limits(
    cpu_seconds=100_000,
    memory=4096 * MEGABYTE,
    total_memory=1024 * MEGABYTE,
    disk=4 * MEGABYTE,
    open_files=512,
    processes=256,
)
_COMPILING = ("--add-exports", "jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED")
"""The compiler's own way to use what it knows of the classes of the JDK again."""
_FLAGS = (
    *JAVA_MEMORY,
    "-XX:TieredStopAtLevel=1",
    "-XX:CompileThresholdScaling=3",
    "-XX:-UsePerfData",
    "-Xshare:auto",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:ArchiveRelocationMode=0",
    "-XX:-StackTraceInThrowable",
    "-Dsun.reflect.inflationThreshold=2147483647",
)
"""Most processes make a few hundred calls and end: machine code is made later than usual, none for calls by reflection,
and the archive of the JDK's classes stays at its address, since moving it touches all of it. A JVM that does not know
an option goes on without."""


@cache
def _sources() -> dict[str, bytes]:
    folder = resources.files(_PACKAGE).joinpath("java")
    found = {}
    for package in ("clonetruth_points", "server"):
        for one in folder.joinpath(package).iterdir():
            if one.name.endswith(".java"):
                found[f"{package}/{one.name}"] = one.read_bytes()
    return dict(sorted(found.items()))


def server_classes(sandbox: Sandbox) -> dict[str, bytes]:
    """The classes of the servers by path: from the cache, or compiled in the sandbox.

    Raises:
        MissingExtraError: the sandbox or the toolchain is not complete.
    """
    compiler, python = sandbox.find("javac"), sandbox.find("python3")
    if compiler is None or python is None:
        missing = "javac" if compiler is None else "python3"
        raise MissingExtraError(
            f"Not installed: {missing}.", hint="apt-get install default-jdk-headless python3-minimal"
        )
    digest = sha256(repr((compiler, sorted(_sources().items()))).encode()).hexdigest()[:24]
    folder = cache_folder()
    path = None if folder is None else folder / "java" / f"{digest}.json"
    known = _read_classes(path)
    if known is None:
        outcome = run(sandbox, [python, "-I", "-c", _BUILD, compiler, *_sources()], _sources(), limits=_BUILDING)
        try:
            known = {name: base64.b64decode(one) for name, one in parse_json(outcome.stdout).items()}
        except (ValueError, AttributeError):
            known = {}
        if not known:
            said = outcome.stderr.decode(errors="replace").strip()[:300]
            raise MissingExtraError(
                f"The Java harness cannot be compiled: {said or outcome.ending}.",
                hint="It needs Java 17 or later: apt-get install default-jdk-headless",
            )
        _write_classes(path, known)
    return known


def _read_classes(path: Path | None) -> dict[str, bytes] | None:
    try:
        return None if path is None else {
            str(name): base64.b64decode(one) for name, one in parse_json(path.read_bytes()).items()
        }  # fmt: skip
    except (OSError, ValueError, AttributeError):
        return None


def _write_classes(path: Path | None, classes: Mapping[str, bytes]) -> None:
    """Keep classes for other processes; without a cache each compiles them once."""
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{secrets.token_hex(4)}")
        temporary.write_text(json.dumps({name: base64.b64encode(one).decode() for name, one in classes.items()}))
        temporary.replace(path)
    except OSError:
        return


def _archive(classes: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in sorted(classes.items()):
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


@dataclass
class JavaServer:
    """A process of Java that answers jobs with lines.

    Attributes:
        process: what runs it.
        loaded: fragments that it has, the latest last.
        started: fragments that ran in it.
    """

    process: SandboxProcess
    loaded: list[str] = field(default_factory=list)
    started: set[str] = field(default_factory=set)
    _rest: bytes = b""

    @classmethod
    def start(cls, sandbox: Sandbox, classes: Mapping[str, bytes], main: str) -> JavaServer:
        """Start one of the servers.

        Raises:
            MissingExtraError: the sandbox or the toolchain is not complete.
        """
        program = sandbox.find("java")
        if program is None:
            raise MissingExtraError("Java is not installed.", hint="apt-get install default-jdk-headless")
        points = {name: one for name, one in classes.items() if name.startswith(_POINTS)}
        server = {name: one for name, one in classes.items() if not name.startswith(_POINTS)}
        files = {"server.jar": _archive(server)}
        if main == "CompileServer":
            files["points.jar"] = _archive(points)
        flags = _COMPILING if main == "CompileServer" else ()
        command = [program, *_FLAGS, *flags, "-cp", "server.jar", f"server.{main}"]
        return cls(start(sandbox, command, files, _SERVING))

    def kill(self) -> None:
        """End it."""
        self.process.kill()

    def send(self, job: Mapping[str, Any], attached: bytes = b"") -> str:
        """Send a job and what belongs to it; the nonce with which its lines begin.

        Raises:
            BrokenPipeError: the process has ended.
        """
        nonce = secrets.token_hex(16)
        said = json.dumps({"nonce": nonce, **job}).encode()
        waiting = memoryview(_LENGTHS.pack(len(said), len(attached)) + said + attached)
        while waiting:
            waiting = waiting[self.process.stdin.write(waiting) or 0 :]
        return nonce

    def text(self, nonce: str, seconds: float) -> str | None:
        """The next line of a job without its nonce; None if none came in time or the process ended. Other lines are
        ignored.

        Raises:
            ValueError: it is not what the server writes.
        """
        deadline = time.monotonic() + seconds
        for line in self._lines(deadline):
            if line.startswith(nonce.encode() + b" "):
                return line.partition(b" ")[2].decode("ascii")
        return None

    def line(self, nonce: str, seconds: float) -> dict[str, Any] | None:
        """The same as JSON.

        Raises:
            ValueError: it is not what the server writes.
        """
        text = self.text(nonce, seconds)
        said = None if text is None else parse_json(text)
        if said is not None and not isinstance(said, dict):
            raise ValueError("not an answer")
        return said

    def _lines(self, deadline: float) -> Iterator[bytes]:
        length = len(self._rest)
        pieces = [self._rest]
        while True:
            if b"\n" in pieces[-1]:
                line, _, self._rest = b"".join(pieces).partition(b"\n")
                yield line
                pieces, length = [self._rest], len(self._rest)
                continue
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                break
            piece = self.process.stdout.read(1 << 16)
            length += len(piece)
            if not piece or length > _MAX_LINE:
                break
            pieces.append(piece)
        self._rest = b"".join(pieces)

    def code(self) -> int | None:
        """How it ended by itself: its exit code; None if it runs."""
        try:
            return self.process.popen.wait(0.2)
        except Exception:  # the type is of a module that only the sandbox may import
            return None
