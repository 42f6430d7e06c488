"""Runs inside the sandbox: interrupts what takes too long."""

from __future__ import annotations

import importlib
import signal
from typing import Any

SECONDS_TO_WRITE = 2.0
"""For turning what a call returned into its form."""

HANDLER: Any = importlib.import_module("_signal").getsignal
"""Without the names of `signal.getsignal`, which take longer than the call of many a fragment."""


class OutOfTime(BaseException):
    """A call took too long."""


def with_time_limit(seconds: float) -> None:
    """Interrupt again and again, because a fragment may catch everything: after half of the time on the processor, so
    that a busy machine is not taken for slow code, or after several times that by the clock."""
    for kind, number, limit in (
        (signal.ITIMER_PROF, signal.SIGPROF, seconds / 2),
        (signal.ITIMER_REAL, signal.SIGALRM, max(seconds * 4, SECONDS_TO_WRITE)),
    ):
        if HANDLER(number) is not stop:
            signal.signal(number, stop)
        signal.setitimer(kind, limit, 0.05)


def without_time_limit() -> None:
    """Interrupt no more."""
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)


def stop(number: int, frame: object) -> None:
    """What happens when the time is over."""
    raise OutOfTime
