"""A worker pool: tasks run in separate processes, and a process that dies fails only its own task."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class LostWorker:
    """The outcome of a task whose process died; `exit_code` is negative for a signal."""

    exit_code: int | None

    def __str__(self) -> str:
        if self.exit_code is not None and self.exit_code < 0:
            return f"The process was ended by signal {-self.exit_code}; perhaps memory ran out."
        return f"The process exited with code {self.exit_code}."


@dataclass(frozen=True)
class FinishedTask(Generic[A, B]):
    """A finished task, its outcome, and how many seconds it took."""

    task: A
    outcome: B | LostWorker
    seconds: float


def run_in_processes(
    work: Callable[[A], B], tasks: Sequence[A], processes: int
) -> Generator[FinishedTask[A, B], None, None]:
    """Run tasks in worker processes, and yield each task when it is finished.

    Args:
        work: the function to run, which must not raise; a function of a module, or a `partial` of one, since it is
            pickled by name.
        tasks: the tasks; they are started in their order.
        processes: number of worker processes.
    """
    waiting = list(reversed(tasks))
    workers: list[_Worker[A, B]] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < processes:
                workers.append(_Worker(work))
                workers[-1].start(waiting.pop())
            ready = wait([worker.connection for worker in workers])
            for worker in [one for one in workers if one.connection in ready]:
                finished = worker.receive()
                if isinstance(finished.outcome, LostWorker) or not waiting:
                    workers.remove(worker)
                    worker.stop()
                else:
                    worker.start(waiting.pop())
                yield finished
    finally:
        for worker in workers:
            worker.stop(at_once=True)


class _Worker(Generic[A, B]):
    """A process that runs one task after the other."""

    def __init__(self, work: Callable[[A], B]) -> None:
        # A forked child would inherit the threads of DuckDB and Arrow in an unknown state.
        context = multiprocessing.get_context("spawn")
        self.connection, child_end = context.Pipe()
        self._process: SpawnProcess = context.Process(target=_serve, args=(work, child_end), daemon=True)
        self._process.start()
        # Only the child may hold its end: then its death closes the pipe, which is how it is noticed.
        child_end.close()

    def start(self, task: A) -> None:
        self._task, self._since = task, time.monotonic()
        # A worker that died before it received the task is noticed in `receive`.
        with contextlib.suppress(ConnectionError):
            self.connection.send(task)

    def receive(self) -> FinishedTask[A, B]:
        try:
            outcome: B | LostWorker = self.connection.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            outcome = LostWorker(self._process.exitcode)
        return FinishedTask(self._task, outcome, time.monotonic() - self._since)

    def stop(self, *, at_once: bool = False) -> None:
        if at_once:
            self._process.terminate()
        self.connection.close()
        self._process.join()


def _serve(work: Callable[[Any], Any], connection: Connection) -> None:
    # Ctrl-C reaches every process of the terminal; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        connection.send(work(task))


def _exit_with_parent() -> None:
    """Exit if the parent was killed: a worker must not go on next to the run that continues the work."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
