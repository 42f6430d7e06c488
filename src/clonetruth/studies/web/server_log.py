"""The log of a served study: one line for each event that an operator needs, and nothing about what judges do.

The log names people by their pseudonyms, and contains no links, votes or texts. Anybody on the network can cause
warnings and errors, so each kind is written at most once a minute.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOG = logging.getLogger("clonetruth.studies.web")
"""The logger of the study pages. A program with its own logging configuration receives the events there."""

_SERVERS_OWN = logging.getLogger("uvicorn.error")
_MAX_CHARACTERS = 300
_FRAMES = 3


class OneLine(logging.Formatter):
    """Formats an event as one short line; an exception becomes its class and the innermost lines of code."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """Format an event."""
        text = record.getMessage().strip()
        if record.exc_info and record.exc_info[0] is not None:
            # Not the exception's message: it can repeat what a visitor sent.
            frames = traceback.extract_tb(record.exc_info[2])[-_FRAMES:]
            places = " > ".join(f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in frames)
            text += f": {record.exc_info[0].__name__} in {places}"
        if len(text) > _MAX_CHARACTERS:
            text = text[:_MAX_CHARACTERS] + "…"
        return f"{self.formatTime(record, self.datefmt)} {text}"


class LineHandler(logging.Handler):
    """Hands each event to a function, as a line.

    Args:
        write: takes a line. It may contain characters that a visitor sent.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        super().__init__()
        self._write = write
        self.setFormatter(OneLine())
        self.addFilter(OncePerMinute())

    def emit(self, record: logging.LogRecord) -> None:
        """Hand on an event."""
        self._write(self.format(record))


class OncePerMinute(logging.Filter):
    """Passes each kind of warning and error once a minute, with the number of those left out since the last one.

    Args:
        clock: a clock in seconds, with any starting point.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        # By the text of the event without its arguments, so that a visitor cannot make up kinds.
        self._last: dict[str, float] = {}
        self._left_out: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to pass an event."""
        if record.levelno < logging.WARNING:
            return True
        kind, now = str(record.msg), self._clock()
        if now - self._last.get(kind, -60.0) < 60.0 and kind in self._last:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        self._last[kind] = now
        if left_out := self._left_out.pop(kind, 0):
            record.msg = f"{record.getMessage().strip()} ({left_out:,} more like this)"
            record.args = ()
        return True


@contextmanager
def logging_to(write: Callable[[str], None] | None) -> Iterator[None]:
    """Hand the lines of the log to a function; None leaves the events to the program's own configuration of logging."""
    if write is None:
        yield
        return
    handler = LineHandler(write)
    before = [(logger, logger.level, logger.propagate) for logger in (LOG, _SERVERS_OWN)]
    for logger, level in ((LOG, logging.INFO), (_SERVERS_OWN, logging.WARNING)):
        logger.addHandler(handler)
        logger.setLevel(level)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, number, propagate in before:
            logger.removeHandler(handler)
            logger.setLevel(number)
            logger.propagate = propagate
