"""Tasks in processes of their own: one that dies takes its task with it, and no other."""

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
    """What is left of a task whose process died; `exit_code` is negative for a signal."""

    exit_code: int | None

    def __str__(self) -> str:
        if self.exit_code is not None and self.exit_code < 0:
            return f"The process was ended by signal {-self.exit_code}; perhaps memory ran out."
        return f"The process ended by itself with code {self.exit_code}."


@dataclass(frozen=True)
class FinishedTask(Generic[A, B]):
    """A finished task: what came of it, and how many seconds it took."""

    task: A
    answer: B | LostWorker
    seconds: float


def run_apart(work: Callable[[A], B], tasks: Sequence[A], processes: int) -> Generator[FinishedTask[A, B], None, None]:
    """Do tasks in other processes, as many at a time as there are processes, and give each back when it is finished.

    Args:
        work: what is done with a task; a function of a module, or a `partial` of one (it travels by name), that raises
            nothing.
        tasks: the tasks; they are begun in their order.
        processes: how many processes.
    """
    waiting = list(reversed(tasks))
    crew: list[_Worker[A, B]] = []
    try:
        while waiting or crew:
            while waiting and len(crew) < processes:
                crew.append(_Worker(work))
                crew[-1].begin(waiting.pop())
            ready = wait([worker.ear for worker in crew])
            for worker in [one for one in crew if one.ear in ready]:
                done = worker.hear()
                if isinstance(done.answer, LostWorker) or not waiting:
                    crew.remove(worker)
                    worker.dismiss()
                else:
                    worker.begin(waiting.pop())
                yield done
    finally:
        for worker in crew:
            worker.dismiss(at_once=True)


class _Worker(Generic[A, B]):
    """A process that does one task after the other."""

    def __init__(self, work: Callable[[A], B]) -> None:
        # A forked child would inherit the threads of DuckDB and Arrow in an unknown state.
        context = multiprocessing.get_context("spawn")
        self.ear, mouth = context.Pipe()
        self._process: SpawnProcess = context.Process(target=_serve, args=(work, mouth), daemon=True)
        self._process.start()
        # Only the child may hold its end: then its death closes the pipe, which is how it is noticed.
        mouth.close()

    def begin(self, task: A) -> None:
        self._task, self._since = task, time.monotonic()
        # Who died before it heard the task says so when it is listened to.
        with contextlib.suppress(ConnectionError):
            self.ear.send(task)

    def hear(self) -> FinishedTask[A, B]:
        try:
            answer: B | LostWorker = self.ear.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            answer = LostWorker(self._process.exitcode)
        return FinishedTask(self._task, answer, time.monotonic() - self._since)

    def dismiss(self, *, at_once: bool = False) -> None:
        if at_once:
            self._process.terminate()
        self.ear.close()
        self._process.join()


def _serve(work: Callable[[Any], Any], mouth: Connection) -> None:
    # Ctrl-C reaches every process of the terminal; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_the_parent, daemon=True).start()
    while True:
        try:
            task = mouth.recv()
        except EOFError:
            return
        mouth.send(work(task))


def _die_with_the_parent() -> None:
    """A worker whose parent was killed must not go on beside the run that continues the work."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
