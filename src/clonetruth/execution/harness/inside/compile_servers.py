"""Runs inside the sandbox: compilers that stay, ready to compile, and fork for every program.

`fork_server.c` stops a compiler, an assembler and a linker where each opens the file of a program. Those processes
never see a program; a child of each does, and ends. The code that comes out is the same, and what goes wrong here,
whatever it is, only means that the plain command compiles. Programs that run later have the same user: they can end or
stop these processes, but cannot look into them, change them or their limits.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import hashlib
import json
import os
import select
import shlex
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.execution.harness.inside.box_folders import Files, fill
from clonetruth.execution.harness.inside.box_processes import SPAWNING, STAYING, become, end_all, run
from clonetruth.execution.harness.inside.enclosure import WORK

NATIVE = ("fork_server", "spawn")
SHELL, ASSEMBLY, OBJECT = "ct_shell.c", "main.s", "main.o"
HEADER = "ct_headers.hpp"
"""What is parsed in advance, once for each compiler that stays."""
SECONDS = 5
"""Of CPU time, for a child; what takes longer is left to the plain command."""
MAX_FAILED = 5
"""Starts that may fail before no more are tried."""


class GoneError(Exception):
    """A compiler that stays did not start, or did not answer."""


class Staying:
    """A process that waits until it may compile: a child of it, or itself."""

    def __init__(self, argv: Sequence[str], variables: Mapping[str, str], limits: Mapping[str, Any]) -> None:
        asking, self.asking = os.pipe()
        self.answers, answering = os.pipe()
        nothing = os.open("/dev/null", os.O_RDWR)
        self.process = os.fork()
        if self.process == 0:
            try:
                descriptors = [asking, answering, nothing]
                become(argv, descriptors, limits, {"filter": None, "variables": variables})
            finally:
                os._exit(127)
        for one in (asking, answering, nothing):
            os.close(one)
        STAYING.add(self.process)
        if self.answer() != b"R":
            raise GoneError

    def compile(self) -> bool:
        """Let it go on; whether that ended well."""
        try:
            # A program may have stopped it.
            os.kill(self.process, signal.SIGCONT)
            os.write(self.asking, b"C")
        except OSError as error:
            raise GoneError from error
        return self.answer() == b"0"

    def answer(self) -> bytes:
        ready, _, _ = select.select([self.answers], [], [], 3 * SECONDS)
        said = os.read(self.answers, 1) if ready else b""
        if not said:
            raise GoneError
        return said

    def close(self) -> None:
        for one in (self.asking, self.answers):
            with contextlib.suppress(OSError):
                os.close(one)


class CompileServers:
    """Compilers that stay, by what they are ready for."""

    def __init__(self) -> None:
        self.servers: dict[str, Staying] = {}
        self.shim: bytes | None = None
        # The folder of this file is emptied before the first program is compiled.
        self.texts = {name: Path(__file__).with_name(f"{name}.c").read_bytes() for name in NATIVE}
        self.failed = 0

    def compile(self, job: Mapping[str, Any], given: Files) -> Files | None:
        """The files after compiling; None if the plain command must do it."""
        wanted = job["staying"]
        if self.failed >= MAX_FAILED:
            return None
        kept = {name: file for name, file in given.items() if name not in wanted["dropped"]}
        try:
            # All are ready before the first of them gets a program.
            compiling = [*wanted["compile"], "-S", "-o", ASSEMBLY, SHELL]
            shell = f'{wanted["prelude"]}#include "{wanted["source"]}"\n'.encode()
            read = {name: given[name] for name in wanted["read"] if name in given}
            if "header" in wanted:
                # g++ reads all of a text before it parses any of it: only what was parsed in advance is ready.
                shell = f'#include "{HEADER}"\n'.encode() + shell
                read |= {HEADER: (wanted["header"].encode(), False)}
            servers = [
                self.server(job, compiling, wanted["source"], {**read, SHELL: (shell, False)}),
                self.server(job, [*wanted["assemble"], "-c", "-o", OBJECT, ASSEMBLY], ASSEMBLY, {}),
            ]
            if "link" in wanted:
                servers.append(self.server(job, wanted["link"], OBJECT, read))
                fill({**kept, wanted["source"]: given[wanted["source"]]})
            else:
                fill(given)
            if not all(one.compile() for one in servers) or not self.linked(job):
                return None
            made = WORK / wanted["made"]
            if made.is_symlink() or not made.is_file():
                return None
            return {**kept, wanted["made"]: (made.read_bytes(), True)}
        except (GoneError, OSError):
            self.end()
            return None

    def linked(self, job: Mapping[str, Any]) -> bool:
        """Whether a linker that does not stay, if there is one, ended well."""
        command = job["staying"].get("command")
        if command is None:
            return True
        outcome = run(command, b"", job["compile_limits"], dict(job, filter=None))
        return bool(outcome["ending"] == "exited" and outcome["code"] == 0)

    def end(self) -> None:
        """End all of them."""
        end_all()
        for one in self.servers.values():
            one.close()
        self.servers.clear()

    def server(self, job: Mapping[str, Any], command: Sequence[str], wait_at: str, read: Files) -> Staying:
        """The process that is ready for a command, started if there is none; `read` is what it reads before."""
        digest = hashlib.sha256(b"".join(content for content, _ in read.values())).hexdigest()
        key = json.dumps([command, digest])
        server = self.servers.get(key)
        if server is not None and server.process in STAYING:
            return server
        if server is not None:
            server.close()
        self.failed += 1
        shim = self.compiled_shim(job)
        argv = command if wait_at == OBJECT else self.inner(job, command)
        filtered = base64.b64decode(job["filter"])
        fill({**read, "fork_server.so": (shim, True), "ct_filter": (filtered, False)})
        if HEADER in read:
            self.said(job, [*job["staying"]["compile"], "-x", "c++-header", "-o", f"{HEADER}.gch", HEADER])
        variables = {"LD_PRELOAD": str(WORK / "fork_server.so"), "CT_WAIT_AT": wait_at, "CT_FILTER": "ct_filter"}
        # Children inherit the limits, but for that of the timer.
        limits = dict(job["compile_limits"], resources={**job["compile_limits"]["resources"], "CPU": SECONDS})
        server = self.servers[key] = Staying(argv, variables, limits)
        self.failed -= 1
        return server

    def inner(self, job: Mapping[str, Any], command: Sequence[str]) -> list[str]:
        """The command that a compiler driver would start."""
        said = self.said(job, [command[0], "-###", *command[1:]])
        lines = [line for line in said.decode(errors="replace").splitlines() if line.startswith(" ")]
        if not lines:
            raise GoneError
        argv = shlex.split(lines[-1])
        return [argv[0] if argv[0].startswith("/") else f"/usr/bin/{argv[0]}", *argv[1:]]

    def compiled_shim(self, job: Mapping[str, Any]) -> bytes:
        """What is preloaded into compilers. What starts programs is compiled with it, and loaded here."""
        if self.shim is None:
            made = {}
            for name, text in self.texts.items():
                fill({f"{name}.c": (text, False)})
                options = ["-w", "-O1", "-shared", "-fPIC", "-o", f"{name}.so", "-xc"]
                self.said(job, [job["staying"]["assemble"][0], *options, f"{name}.c", "-ldl"])
                made[name] = (WORK / f"{name}.so").read_bytes()
            SPAWNING.append(ctypes.CDLL(str(WORK / "spawn.so")))
            self.shim = made["fork_server"]
        return self.shim

    def said(self, job: Mapping[str, Any], command: Sequence[str]) -> bytes:
        """What a compiler driver says that ends well."""
        outcome = run(command, b"", job["compile_limits"], dict(job, filter=None))
        if outcome["ending"] != "exited" or outcome["code"] != 0:
            raise GoneError
        said: bytes = outcome["stderr"]
        return said
