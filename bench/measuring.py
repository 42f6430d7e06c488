"""What the comparisons share: CPU time of a call with its children, peak memory, the machine's name."""

from __future__ import annotations

import platform
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar

from clonetruth.code import available_cores

T = TypeVar("T")


@dataclass(frozen=True)
class Measured(Generic[T]):
    """A result, and what it took."""

    result: T
    wall: float
    cpu: float


def measure(function: Callable[[], T]) -> Measured[T]:
    """Run a function; CPU seconds include finished child processes."""
    wall, cpu = time.perf_counter(), _cpu()
    result = function()
    return Measured(result, time.perf_counter() - wall, _cpu() - cpu)


def _cpu() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def peak_memory() -> float:
    """Peak memory of this process and of its largest child, together, in GB."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_maxrss for usage in usages) / 1024**2


def machine() -> str:
    """The day and the machine, for the head of a table."""
    return f"{datetime.now(UTC):%Y-%m-%d}, {available_cores()} cores, Python {platform.python_version()}"
