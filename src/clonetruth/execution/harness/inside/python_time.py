"""Runs inside the sandbox: interrupts what takes too long.

An alarm rings by the clock, which the kernel keeps to the microsecond, and looks at how long the process has been on
the processor: the kernel's own alarm for that comes up to two ticks late, which doubles a short limit. A call that
follows another leaves the alarm of that one as it is, and moves it only when it rings.
"""

from __future__ import annotations

import importlib
import signal
from time import monotonic, process_time
from typing import Any

SECONDS_TO_WRITE = 2.0
"""For turning what a call returned into its form."""
AGAIN = 0.05
"""Seconds between interruptions of what does not stop."""
LEAST = 0.0005

HANDLER: Any = importlib.import_module("_signal").getsignal
"""Without the names of `signal.getsignal`, which take longer than the call of many a fragment."""


class OutOfTime(BaseException):
    """A call took too long."""


class Limit:
    """What there is only one of in a process.

    Attributes:
        is_on: whether something has a limit now.
        processor: the time on the processor at which it is over.
        clock: the time by the clock at which it is over.
        alarm: when the alarm rings, by the clock; 0 if it does not.
    """

    is_on = False
    processor = 0.0
    clock = 0.0
    alarm = 0.0


def with_time_limit(seconds: float, *, leaves_alarm: bool = False) -> None:
    """Interrupt again and again, because a fragment may catch everything: after half of the time on the processor, so
    that a busy machine is not taken for slow code, or after several times that by the clock.

    Args:
        seconds: how long.
        leaves_alarm: whether what ran since the last limit surely left the alarm alone.
    """
    now = monotonic()
    Limit.processor = process_time() + seconds / 2
    Limit.clock = now + max(seconds * 4, SECONDS_TO_WRITE)
    Limit.is_on = True
    if HANDLER(signal.SIGALRM) is not stop:
        signal.signal(signal.SIGALRM, stop)
    elif leaves_alarm and now < Limit.alarm <= now + seconds / 2:
        return
    Limit.alarm = now + seconds / 2
    signal.setitimer(signal.ITIMER_REAL, seconds / 2, AGAIN)


def without_time_limit(*, leaves_alarm: bool = False) -> None:
    """Interrupt no more; an alarm that is left finds nothing to interrupt."""
    Limit.is_on = False
    if not leaves_alarm:
        Limit.alarm = 0.0
        signal.setitimer(signal.ITIMER_REAL, 0)


def stop(number: int, frame: object) -> None:
    """What happens when the alarm rings."""
    if not Limit.is_on:
        without_time_limit()
        return
    now, used = monotonic(), process_time()
    left = min(Limit.processor - used, Limit.clock - now)
    if left > 0:
        left = max(left, LEAST)
        Limit.alarm = now + left
        signal.setitimer(signal.ITIMER_REAL, left, AGAIN)
        return
    # What stops needs some time on the processor, of which a busy machine gives little.
    Limit.processor, Limit.clock, Limit.alarm = used + AGAIN, max(Limit.clock, now + AGAIN), now + AGAIN
    raise OutOfTime
