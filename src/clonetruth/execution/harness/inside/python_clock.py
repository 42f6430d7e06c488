"""Runs inside the sandbox, in a fragment's process: stops the clock for code that asks for the time.

Two versions of "three days ago" would differ by when they ran. With a clock that stands still they differ only by what
they do. The moment is an ordinary one: no first or last day of a month, no leap day, not midnight. Clocks that only
measure how long something took stand still, too; `time.monotonic` goes on, because waiting needs it.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from datetime import date as running_date
from datetime import datetime as running_datetime
from typing import Any

MOMENT = datetime.datetime(2024, 3, 15, 12, 30, 45, 678901, datetime.UTC)
"""The same as in `javascript_server.js`. The time zone of the sandbox is UTC."""


class _SameClass(type):
    """Classes that stand for a class of the library: same objects, other clock."""

    _of: type

    def __instancecheck__(cls, one: object) -> bool:
        return isinstance(one, cls._of) if "_of" in cls.__dict__ else super().__instancecheck__(one)

    def __subclasscheck__(cls, one: type) -> bool:
        return issubclass(one, cls._of) if "_of" in cls.__dict__ else super().__subclasscheck__(one)

    def __eq__(cls, other: object) -> bool:
        return cls is other or ("_of" in cls.__dict__ and other is cls._of)

    def __hash__(cls) -> int:
        return hash(cls._of) if "_of" in cls.__dict__ else super().__hash__()


class _StoppedDate(running_date, metaclass=_SameClass):
    _of = running_date

    def __new__(cls, *given: Any, **named: Any) -> Any:
        # Objects are those of the library, so that nothing else can tell the difference.
        return running_date(*given, **named) if cls is _StoppedDate else super().__new__(cls, *given, **named)

    @classmethod
    def today(cls) -> Any:
        return cls(MOMENT.year, MOMENT.month, MOMENT.day)


class _StoppedDatetime(running_datetime, metaclass=_SameClass):
    _of = running_datetime

    def __new__(cls, *given: Any, **named: Any) -> Any:
        return running_datetime(*given, **named) if cls is _StoppedDatetime else super().__new__(cls, *given, **named)

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return cls.fromtimestamp(MOMENT.timestamp(), tz)

    @classmethod
    def today(cls) -> Any:
        return cls.now()

    @classmethod
    def utcnow(cls) -> Any:
        return cls.now()


def stop_clock() -> None:
    """Stop all clocks of this process for what is imported later or asks modules."""
    for stopped in (_StoppedDate, _StoppedDatetime):
        name = stopped._of.__name__
        stopped.__name__ = stopped.__qualname__ = name
        stopped.__module__ = "datetime"
        setattr(datetime, name, stopped)
    seconds = MOMENT.timestamp()
    localtime, gmtime, strftime, asctime = time.localtime, time.gmtime, time.strftime, time.asctime
    functions: dict[str, Callable[..., Any]] = {
        "localtime": lambda given=None: localtime(seconds if given is None else given),
        "gmtime": lambda given=None: gmtime(seconds if given is None else given),
        "ctime": lambda given=None: asctime(localtime(seconds if given is None else given)),
        "asctime": lambda given=None: asctime(localtime(seconds) if given is None else given),
        "strftime": lambda form, given=None: strftime(form, localtime(seconds) if given is None else given),
    }
    for name in ("time", "perf_counter", "process_time", "thread_time"):
        functions[name] = lambda: seconds
        functions[f"{name}_ns"] = lambda: int(seconds * 1_000_000) * 1_000
    for name, function in functions.items():
        setattr(time, name, function)
