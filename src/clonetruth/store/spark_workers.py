"""Python on Spark's workers: pure functions over batches, with a watch on progress.

Unlike SQL, this needs the same clonetruth on every worker; each call checks that.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from clonetruth.code.remote_workers import program_digest
from clonetruth.errors import CloneTruthError, InputError, OutOfMemoryError, UnexpectedError

if TYPE_CHECKING:
    from pyspark import SparkContext

A = TypeVar("A")
B = TypeVar("B")
S = TypeVar("S")

STALL_SECONDS = 300.0
"""Time without a finished task after which a cluster counts as stalled. A task takes seconds."""

_POLL_SECONDS = 0.2


def map_on_workers(
    context: SparkContext,
    function: Callable[[S, A], pa.Table],
    shared: S,
    batches: Sequence[A],
    folder: Path,
    report: Callable[[int, int], None],
) -> list[pa.Table]:
    """See `RemoteWorkers.map_batches`.

    Args:
        context: the Spark application.
        function: the function.
        shared: the argument that all calls share.
        batches: the work.
        folder: a new folder that all workers see, for the results. They are mapped into memory, so that the folder may
            be removed before they are read, but nothing in it may be overwritten.
        report: called as the work goes on.
    """
    if not batches:
        return []
    call = _call(program_digest(), pickle.dumps((function, shared)), str(folder))
    work = [(number, pickle.dumps(batch)) for number, batch in enumerate(batches)]
    results = context.parallelize(work, len(work)).mapPartitions(call)
    with _plain_errors():
        names = dict(watched(context, results.collect, len(work), report))
    return [_mapped(folder / names[number]) for number in range(len(work))]


def use_own_python(context: SparkContext) -> None:
    """Let workers on this machine run this Python with this clonetruth."""
    if "PYSPARK_PYTHON" not in os.environ:
        context.pythonExec = sys.executable
    context.environment["PYTHONPATH"] = str(Path(__file__).parents[2])


def watched(context: SparkContext, action: Callable[[], B], total: int, report: Callable[[int, int], None]) -> B:
    """Run a job of one stage. Ctrl-C cancels it, and so does a time of `STALL_SECONDS` in which no task ends.

    Args:
        context: the Spark application.
        action: runs the job.
        total: the number of its tasks.
        report: called with the number of tasks done since the last time, and the number of all.

    Raises:
        InputError: the cluster makes no progress.
    """
    group = f"clonetruth-{secrets.token_hex(8)}"
    outcome: Future[B] = Future()

    def run() -> None:
        try:
            context.setJobGroup(group, "clonetruth", interruptOnCancel=True)
            outcome.set_result(action())
        except BaseException as error:
            outcome.set_exception(error)

    # Only this thread waits for Spark, so that Ctrl-C and the watch do not.
    threading.Thread(target=run, daemon=True).start()
    done, since = 0, time.monotonic()
    try:
        while not wait([outcome], timeout=_POLL_SECONDS).done:
            now = _ended_tasks(context, group)
            if now > done:
                report(now - done, total)
                done, since = now, time.monotonic()
            elif time.monotonic() - since > STALL_SECONDS:
                raise InputError(
                    f"The Spark cluster makes no progress: no task ended within {STALL_SECONDS:.0f} seconds "
                    f"({done:,} of {total:,} are done).",
                    where=context.master,
                    hint="Look at the logs of its workers: are they overloaded, out of memory, or gone?",
                )
        report(total - done, total)
        return outcome.result()
    except BaseException:
        with contextlib.suppress(Exception):
            context.cancelJobGroup(group)
        raise


def _ended_tasks(context: SparkContext, group: str) -> int:
    tracker = context.statusTracker()
    ended = 0
    for job in tracker.getJobIdsForGroup(group):
        info = tracker.getJobInfo(job)
        for stage in info.stageIds if info else ():
            tasks = tracker.getStageInfo(stage)
            ended += tasks.numCompletedTasks if tasks else 0
    return ended


def _call(program: str, task: bytes, folder: str) -> Callable[[Iterable[tuple[int, bytes]]], Iterator[tuple[int, str]]]:
    """The function for Spark. It is sent by value, since a worker may lack clonetruth: then it says so."""

    def call(batches: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, str]]:
        try:
            from clonetruth.code.remote_workers import run_remotely
        except ImportError as error:
            import sys

            raise RuntimeError(f"RemoteError: {sys.executable} on a worker has no such clonetruth: {error}.") from error
        for number, batch in batches:
            yield run_remotely(program, task, number, batch, folder)

    return call


def _mapped(path: Path) -> pa.Table:
    try:
        with pa.memory_map(str(path)) as file:
            return pa.ipc.open_file(file).read_all()
    except OSError as error:
        raise InputError(
            "A result of a Spark worker is not here.",
            where=path,
            hint="The temporary folder (TMPDIR) must be on storage that this machine and all workers see.",
        ) from error


_SETUP = (
    "Every worker needs the same Python, clonetruth and grammars as this machine (PYSPARK_PYTHON names it), and "
    "the sources and the temporary folder (TMPDIR) under the same path."
)


@contextlib.contextmanager
def _plain_errors() -> Iterator[None]:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise _explained(str(error)) from error


def _explained(text: str) -> CloneTruthError:
    """The error in plain words: Spark's text has the stacks of two languages."""
    fixable: Any = re.search(r"RemoteError: (.*)", text)
    if fixable is None:
        fixable = re.search(r"\[(?:PYTHON_VERSION_MISMATCH)\] (.*)|(Cannot run program .*)", text)
    if fixable is not None:
        return InputError(f"A Spark worker cannot be used: {fixable[fixable.lastindex]}", hint=_SETUP)
    if re.search(r"MemoryError|OutOfMemory|Python worker exited unexpectedly|No space left", text):
        return OutOfMemoryError("A Spark worker died, as it does where memory runs out.", hint=text.splitlines()[0])
    raised = re.findall(r"^\s*([\w.]+(?:Error|Exception): .*)$", text, re.MULTILINE)
    return UnexpectedError(f"A Spark worker failed: {raised[0] if raised else text.splitlines()[0]}")
