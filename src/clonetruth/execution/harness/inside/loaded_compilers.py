"""Runs inside the sandbox: a compiler that is loaded once and compiles one program after the other.

That is for compilers which cannot fork where they are ready, as those of `compile_servers.py` do, because they have
threads. It reads programs and runs none of them. What goes wrong here, whatever it is, only means that the plain
command compiles, which also says what is wrong with a program. Programs that run later have the same user: they can end
or stop the process, but cannot look into it, change it or its limits, and none runs while it compiles.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from clonetruth.execution.harness.inside.box_folders import Files, fill
from clonetruth.execution.harness.inside.box_processes import STAYING, end_all, run
from clonetruth.execution.harness.inside.compile_servers import MAX_FAILED, GoneError, Staying
from clonetruth.execution.harness.inside.enclosure import WORK

SECONDS = 200
"""Of CPU time, for all that a process compiles."""
MOST = 400
"""Programs that a process compiles before another one takes its place."""


class LoadedCompilers:
    """Compilers that are loaded, by their command."""

    def __init__(self) -> None:
        self.loaded: dict[str, Staying] = {}
        self.used: dict[str, int] = {}
        self.programs: dict[str, bytes] = {}
        self.failed = 0

    def compile(self, job: Mapping[str, Any], given: Files) -> Files | None:
        """The files after compiling; None if the plain command must do it."""
        if self.failed >= MAX_FAILED:
            return None
        try:
            compiler = self.compiler(job)
            fill(given)
            if not compiler.compile():
                return None
            made = WORK / job["staying"]["made"]
            if made.is_symlink() or not made.is_file():
                return None
            return {**given, made.name: (made.read_bytes(), True)}
        except (GoneError, OSError):
            self.end()
            return None

    def compiler(self, job: Mapping[str, Any]) -> Staying:
        """The process for a command, started if there is none."""
        key = json.dumps(job["compile"])
        self.used[key] = self.used.get(key, 0) + 1
        found = self.loaded.get(key)
        if found is not None and found.process in STAYING and self.used[key] <= MOST:
            return found
        if found is not None:
            self.end()
        self.failed += 1
        wanted = job["staying"]
        server = self.program(job)
        fill({wanted["server"]: (server, False)})
        argv = [*wanted["load"], wanted["server"], *job["compile"][1:]]
        limits = dict(job["compile_limits"], cpu=SECONDS)
        limits["resources"] = {**limits["resources"], "CPU": SECONDS}
        self.loaded[key], self.used[key] = Staying(argv, {}, limits), 1
        self.failed -= 1
        return self.loaded[key]

    def program(self, job: Mapping[str, Any]) -> bytes:
        """What loads the compiler, compiled by it."""
        wanted = job["staying"]
        name = wanted["server"]
        if name not in self.programs:
            fill({wanted["source"]: (wanted["text"].encode(), False)})
            command = [job["compile"][0], f"-out:{name}", wanted["source"]]
            outcome = run(command, b"", job["compile_limits"], dict(job, filter=None))
            if outcome["ending"] != "exited" or outcome["code"] != 0:
                raise GoneError
            self.programs[name] = (WORK / name).read_bytes()
        return self.programs[name]

    def end(self) -> None:
        """End all of them."""
        end_all()
        for one in self.loaded.values():
            one.close()
        self.loaded.clear()
