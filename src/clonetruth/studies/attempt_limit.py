"""How often somebody may try: a bucket of attempts for each address, which fills again with time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable


class RateLimiter:
    """Counts attempts by address. Many threads may ask.

    Args:
        burst: attempts that are free.
        per_minute: how many are given back each minute.
        addresses: how many addresses are remembered; those that tried longest ago are forgotten first.
        clock: seconds, from any beginning.
    """

    def __init__(
        self,
        burst: int = 20,
        per_minute: float = 10.0,
        addresses: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._burst = burst
        self._seconds = 60 / per_minute
        self._addresses = addresses
        self._clock = clock
        self._lock = threading.Lock()
        # When each address will have all its attempts again; the one that tried last stands last.
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def wait(self, address: str) -> float:
        """Seconds until the address may try again; 0 where it may now."""
        with self._lock:
            owed = self._full_at.get(address, 0.0) - self._clock()
        return max(0.0, owed - (self._burst - 1) * self._seconds)

    def count(self, address: str) -> None:
        """Count an attempt."""
        with self._lock:
            now = self._clock()
            self._full_at[address] = max(self._full_at.pop(address, now), now) + self._seconds
            if len(self._full_at) > self._addresses:
                self._full_at.popitem(last=False)
