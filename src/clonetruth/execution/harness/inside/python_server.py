"""Runs inside the sandbox: runs one fragment after the other, each in a process that knows nothing of the others.

A job is a line of JSON on standard input and a line with its calls, which only the fragment's process reads. The answer
is a line on standard output with the nonce of the job and the length of what follows. The fragment's process does not
have that output, even if it finds the nonce in its memory: what it observes it writes into memory that it shares with
this process, which passes that on unread. Comparing is up to the host. A fragment keeps its process from one run to the
next only where the host permits it and its calls leave nothing behind.
"""

from __future__ import annotations

import base64
import gc
import importlib
import json
import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from clonetruth.execution.harness.inside import (
    python_calls,
    python_entry,
    python_files,
    python_fragment,
    python_project,
)
from clonetruth.execution.harness.inside.enclosure import require_box
from clonetruth.execution.harness.inside.python_process import Child, hide, line
from clonetruth.execution.harness.inside.python_runs import work
from clonetruth.execution.harness.inside.python_time import OutOfTime, with_time_limit, without_time_limit

SECONDS_TO_PREPARE = 4.0
PRELOADED = ("bisect", "copy", "datetime", "heapq", "math", "operator", "string", "typing")
"""What fragments often import: once here, instead of in each of their processes."""
GARBAGE = 10_000
"""Objects between two collections of garbage."""
FOLDERS = ("/box", "/tmp", "/dev/shm")


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
            self.child = Child(job, calls, partial(work, prepared, project))
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
    # Fragments run as the same user as this process.
    hide()
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


if __name__ == "__main__":
    serve()
