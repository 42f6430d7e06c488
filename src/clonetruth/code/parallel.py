"""Worker processes for pure functions over batches. Ctrl-C ends all of them at once, at whatever moment it comes."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from clonetruth.errors import OutOfMemoryError, UnexpectedError

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext

_CRASHES = tuple(-getattr(signal, name) for name in ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE") if hasattr(signal, name))
"""Exit codes of a process that died of a bug in a library, not for lack of memory."""

A = TypeVar("A")
B = TypeVar("B")
S = TypeVar("S")

_SAFE_PATH = "PYTHONSAFEPATH"

_THREADED = ("duckdb", "pyspark", "torch")
"""Libraries with threads that a fork leaves in an unknown state. Arrow and numpy prepare theirs for it."""


class _Forking:
    """Whether this process may fork its workers; see `allow_forking`."""

    allowed = False


def allow_forking() -> None:
    """Let workers be forked from this process where that is safe: they start at once, and share its memory.

    Only for a process that belongs to clonetruth: in another program, any library may have started threads.
    """
    _Forking.allowed = sys.platform == "linux"


def workers_fork() -> bool:
    """Whether workers that are started now are forked. Otherwise they are new processes, which import everything."""
    alone = threading.current_thread() is threading.main_thread()
    return _Forking.allowed and alone and not any(name in sys.modules for name in _THREADED)


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_parallel(function: Callable[[S, A], B], shared: S, batches: Iterable[A], processes: int) -> Iterator[B]:
    """Yield the results of ``function(shared, batch)`` in order, computed by a pool of processes.

    Args:
        function: a module-level function (it is pickled by name).
        shared: the argument that all calls share; sent to each process once.
        batches: the work. Only a few are read ahead, so that all of it may be larger than memory.
        processes: number of worker processes; with one, everything runs in this process.

    Raises:
        OutOfMemoryError: a process died, as it does where memory runs out.
        UnexpectedError: a process crashed.
    """
    if processes <= 1:
        for batch in batches:
            yield function(shared, batch)
        return
    workers: list[WorkerProcess] = []
    idle: SimpleQueue[WorkerProcess] = SimpleQueue()
    # A forked worker inherits the task.
    forks = workers_fork()
    serve = partial(_serve, (function, shared) if forks else None)
    first = None if forks else pickle.dumps((function, shared))

    def compute(batch: A) -> B:
        worker = idle.get()
        try:
            result: B = worker.call(batch, first)
        finally:
            idle.put(worker)
        return result

    # A thread waits for each process.
    pool = ThreadPoolExecutor(processes)
    pending: deque[Future[B]] = deque()
    remaining = iter(batches)
    try:
        # All workers start before the first thread: a fork copies only the thread that calls it.
        ahead = list(islice(remaining, processes))
        for _ in ahead:
            workers.append(WorkerProcess(serve))
            idle.put(workers[-1])
        for batch in chain(ahead, remaining):
            pending.append(pool.submit(compute, batch))
            if len(pending) > 2 * processes:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for worker in workers:
            worker.kill()
        pool.shutdown(cancel_futures=True)


@contextmanager
def in_background(function: Callable[[S, A], B], shared: S, batch: A) -> Iterator[Callable[[], B]]:
    """Let a process compute ``function(shared, batch)`` during the block; the yielded function waits for the result.

    Raises:
        OutOfMemoryError: the process died, as it does where memory runs out.
        UnexpectedError: the process crashed.
    """
    forks = workers_fork()
    worker = WorkerProcess(partial(_serve, (function, shared) if forks else None))
    try:
        worker.send(batch, None if forks else pickle.dumps((function, shared)))
        yield worker.receive
    finally:
        worker.kill()


class WorkerProcess:
    """A process that waits for messages. It never hears Ctrl-C, and ends when its parent ends.

    Args:
        serve: the function that it runs, given its end of the connection: a module's function, or a `partial` of one.

    Attributes:
        connection: this process's end.
    """

    def __init__(self, serve: Callable[[Connection], None]) -> None:
        context: ForkContext | SpawnContext
        context = multiprocessing.get_context("fork") if workers_fork() else multiprocessing.get_context("spawn")
        self._ready = False
        with _without_working_folder(), _without_main_module(), _without_interrupts():
            self.connection, other_end = context.Pipe()
            self._process = context.Process(target=_run, args=(serve, other_end), daemon=True)
            self._process.start()
            # Only the child may hold its end: then its death closes the connection, which is how it is noticed.
            other_end.close()

    def call(self, message: object, first: bytes | None) -> Any:
        """Send a message and return the answer; see `send` and `receive`."""
        self.send(message, first)
        return self.receive()

    def send(self, message: object, first: bytes | None) -> None:
        """Send a message to a process that runs `_serve`. If it died, `receive` says so.

        Args:
            message: what to send.
            first: a pickled message that precedes all others; None if there is none.
        """
        with suppress(OSError):
            if first is not None and not self._ready:
                self.connection.send_bytes(first)
                self._ready = True
            self.connection.send(message)

    def receive(self) -> Any:
        """Return the answer to a message.

        Raises:
            OutOfMemoryError: the process died, as it does where memory runs out.
            UnexpectedError: it crashed.
        """
        try:
            failure, result = self.connection.recv()
        except (EOFError, OSError) as error:
            code = self.exit_code()
            died = UnexpectedError if code in _CRASHES else OutOfMemoryError
            raise died(
                f"A worker process died. {described_exit(code)}", hint="Use fewer processes: --processes 1"
            ) from error
        if failure is not None:
            raise failure
        return result

    def exit_code(self) -> int | None:
        """Wait for the end of the process, and return its exit code, which is negative for a signal."""
        self._process.join()
        return self._process.exitcode

    def stop(self) -> None:
        """Let the process end after its current message."""
        self.connection.close()
        self._process.join()

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.join()
        self.connection.close()


def described_exit(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        return f"The process was ended by signal {-code}; perhaps memory ran out."
    return f"The process exited with code {code}."


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C waits until the end of the block, and processes started in it never hear it.

    A process inherits which signals are blocked. Without that, Ctrl-C in a terminal, which reaches all processes,
    would stop a child with a traceback before its first line could prevent it; and if it came while this process
    starts a child, the child would be left without its instructions.
    """
    heard: list[int] = []
    previous = None
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is not None:
        previous = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    if not workers_fork():
        # Blocks the signal for its own child, then unblocks it: that must not happen later.
        resource_tracker.ensure_running()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        if previous is not None:
            signal.signal(signal.SIGINT, previous)
        if heard:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def _without_main_module() -> Iterator[None]:
    """Processes that are started in the block do not import the program that starts them.

    `multiprocessing` would run a script again in each of them: one without a main guard would start processes without
    end, and one from standard input has no file to run. What they run is a function of a module.
    """
    main = vars(sys.modules["__main__"])
    before: dict[str, Any] = {name: main.pop(name) for name in ("__file__", "__spec__") if name in main}
    main["__spec__"] = None
    try:
        yield
    finally:
        main.pop("__spec__")
        main.update(before)


@contextmanager
def _without_working_folder() -> Iterator[None]:
    """Python processes that are started in the block do not import modules from the working folder.

    `multiprocessing` starts them with `python -c`, which would: a file `multiprocessing.py` of the source tree
    that is searched would be run. They get the import path of this process with their first message.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_SAFE_PATH, None)
        else:
            os.environ[_SAFE_PATH] = before


def _run(serve: Callable[[Connection], None], connection: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where signals cannot be blocked
    signal.set_wakeup_fd(-1)  # a forked process shares that of its parent
    os.environ.pop(_SAFE_PATH, None)  # programs that this process starts are not meant
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    # The parent may end, or no longer want an answer, at any time.
    with suppress(EOFError, ConnectionError):
        try:
            serve(connection)
        except MemoryError:
            # The parent says so; a traceback would only stand in between.
            os._exit(1)


def _exit_with_parent() -> None:
    """Exit if the parent was killed: a worker must not go on next to the run that continues the work."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _serve(task: tuple[Callable[[Any, Any], Any], Any] | None, connection: Connection) -> None:
    function, shared = task or connection.recv()
    while True:
        batch = connection.recv()
        try:
            answer = pickle.dumps((None, function(shared, batch)))
        except Exception as error:  # for the parent to raise
            error.add_note(f"In a worker process:\n{traceback.format_exc()}")
            answer = pickle.dumps((_sendable(error), None))
        connection.send_bytes(answer)


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(repr(error))
    return error
