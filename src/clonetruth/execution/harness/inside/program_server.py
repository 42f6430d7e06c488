"""Runs inside the sandbox: compiles programs and runs each with many standard inputs.

A job is a line of JSON on standard input, its answer a line on standard output with the nonce of the job. What was
compiled stays in the memory of this process, where no other process can read or change it, and is written to empty
folders before every run. Programs get neither of the two streams, cannot start processes, and are killed with
everything that they left behind before the next one starts.
"""

from __future__ import annotations

import base64
import json
import signal
import sys
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from clonetruth.execution.harness.inside.box_folders import Files, clean, collected, fill
from clonetruth.execution.harness.inside.box_processes import LIBC, MAX_ANSWER, PR_SET_DUMPABLE, run
from clonetruth.execution.harness.inside.compile_servers import CompileServers
from clonetruth.execution.harness.inside.enclosure import WORK, require_box
from clonetruth.execution.harness.inside.loaded_compilers import LoadedCompilers

MAX_KEPT = 96 << 20
LATER = 0.25
"""The share of the CPU time that a run gets after one that took too long."""
FEW = 4
"""Programs for which getting a compiler ready in advance does not pay."""
MAX_LATE = 3
"""Runs that may take too long before a job ends: a program that waits for ever does so with most inputs."""


class Compiled:
    """What compilers made, by key, the latest last."""

    def __init__(self) -> None:
        self.kept: OrderedDict[str, tuple[bool, bytes, Files]] = OrderedDict()
        self.headers: dict[str, Files] = {}
        self.servers = CompileServers()
        self.loaded = LoadedCompilers()
        self.stayed = False
        self.programs = self.functions = 0

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
    stayed, compiled.stayed = compiled.stayed, False
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
    return {"compiled": succeeded, "said": text(said), "outcomes": outcomes, "stayed": stayed}


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
    compiled.functions += bool(job["staying"])
    if job["staying"] and compiled.functions >= FEW:
        made = (compiled.loaded if "load" in job["staying"] else compiled.servers).compile(job, given)
        if made is not None:
            compiled.stayed = True
            return True, b"", made
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


if __name__ == "__main__":
    serve()
