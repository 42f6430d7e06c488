"""A worker pool for pure functions over batches."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")
S = TypeVar("S")


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
    """
    if processes <= 1:
        for batch in batches:
            yield function(shared, batch)
        return
    # A forked child would inherit the threads of DuckDB and Arrow in an unknown state.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _start_worker, (function, shared)) as pool:
        pending: deque[Future[B]] = deque()
        try:
            for batch in batches:
                pending.append(pool.submit(_call, batch))
                if len(pending) > 2 * processes:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


_task: tuple[Callable[..., Any], Any] | None = None


def _start_worker(function: Callable[[S, A], B], shared: S) -> None:
    global _task
    _task = (function, shared)


def _call(batch: Any) -> Any:
    assert _task is not None
    function, shared = _task
    return function(shared, batch)
