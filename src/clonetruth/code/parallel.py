"""Pure functions over batches, on all cores."""

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
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_parallel(function: Callable[[S, A], B], shared: S, batches: Iterable[A], processes: int) -> Iterator[B]:
    """The results of ``function(shared, batch)`` in order, spread over processes.

    Args:
        function: a function of a module (it travels by name).
        shared: what every call needs; sent to each process once.
        batches: the work. Only a few wait at a time, so that all of it may be larger than memory.
        processes: how many; with one, everything runs here.
    """
    if processes <= 1:
        for batch in batches:
            yield function(shared, batch)
        return
    # A forked child would inherit the threads of DuckDB and Arrow in an unknown state.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _receive, (function, shared)) as pool:
        waiting: deque[Future[B]] = deque()
        try:
            for batch in batches:
                waiting.append(pool.submit(_call, batch))
                if len(waiting) > 2 * processes:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


_received: tuple[Callable[..., Any], Any] | None = None


def _receive(function: Callable[[S, A], B], shared: S) -> None:
    global _received
    _received = (function, shared)


def _call(batch: Any) -> Any:
    assert _received is not None
    function, shared = _received
    return function(shared, batch)
