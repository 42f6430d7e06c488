"""A worker pool: tasks run in separate processes, and a process that dies fails only its own task."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from clonetruth.code.parallel import WorkerProcess, described_exit

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class LostWorker:
    """The outcome of a task whose process died; `exit_code` is negative for a signal."""

    exit_code: int | None

    def __str__(self) -> str:
        return described_exit(self.exit_code)


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
        self._process = WorkerProcess(partial(_serve, work))
        self.connection = self._process.connection

    def start(self, task: A) -> None:
        self._task, self._since = task, time.monotonic()
        # A worker that died before it received the task is noticed in `receive`.
        with contextlib.suppress(ConnectionError):
            self.connection.send(task)

    def receive(self) -> FinishedTask[A, B]:
        try:
            outcome: B | LostWorker = self.connection.recv()
        except (EOFError, ConnectionError):
            outcome = LostWorker(self._process.exit_code())
        return FinishedTask(self._task, outcome, time.monotonic() - self._since)

    def stop(self, *, at_once: bool = False) -> None:
        if at_once:
            self._process.kill()
        else:
            self._process.stop()


def _serve(work: Callable[[Any], Any], connection: Connection) -> None:
    while True:
        connection.send(work(connection.recv()))
