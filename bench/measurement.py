"""Measurements that the comparisons share: CPU time including child processes, peak memory, and the machine."""

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
    """A result with its wall-clock and CPU seconds."""

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


def own_cpu() -> float:
    """CPU seconds of this process alone."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def peak_memory() -> float:
    """The sum of the peak memory of this process and of its largest child, in GB."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_maxrss for usage in usages) / 1024**2


def machine() -> str:
    """The date and the machine, for the heading of a table."""
    return f"{datetime.now(UTC):%Y-%m-%d}, {available_cores()} cores, Python {platform.python_version()}"
