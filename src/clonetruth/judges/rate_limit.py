"""How fast requests may follow each other: a rate, and a common pause when the server asks for one."""

from __future__ import annotations

import asyncio
import time


class RateLimit:
    """Hands out turns, evenly spaced, and none during a pause.

    Args:
        per_minute: turns in a minute; None for no limit.
    """

    def __init__(self, per_minute: float | None = None) -> None:
        self._interval = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._queue = asyncio.Lock()

    async def turn(self) -> None:
        """Wait for one's turn. Turns are given in the order of asking."""
        async with self._queue:
            # A pause may begin while we wait for the end of another.
            while (wait := self._next - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            self._next = time.monotonic() + self._interval

    def pause(self, seconds: float) -> None:
        """Give no turns for so long: the server's word to one is meant for all."""
        self._next = max(self._next, time.monotonic() + seconds)
