"""Runs inside the sandbox, in a fragment's process: asynchronous code does not wait for time to go by.

Where every task of a loop waits for a timer, the loop's clock is set to the first of them, as timers of JavaScript fire
in order without waiting. Where threads work for the loop, it waits for them as usual.
"""

from __future__ import annotations

import sys
from typing import Any


def skip_waiting() -> None:
    """Let loops that are made from now on skip waiting, if the fragment has any: `asyncio` takes long to load."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is None or hasattr(asyncio.get_event_loop_policy(), "skips_waiting"):
        return

    class Loop(asyncio.SelectorEventLoop):  # type: ignore[name-defined, misc]
        """A loop with a separate clock."""

        now, has_threads = 0.0, False

        def time(self) -> float:
            return float(super().time()) if self.has_threads else self.now

        def run_in_executor(self, *given: Any) -> Any:
            self.has_threads = True
            return super().run_in_executor(*given)

        def _run_once(self) -> None:
            if not self._ready and self._scheduled and not self.has_threads:
                self.now = max(self.now, self._scheduled[0].when())
            super()._run_once()

    class Policy(asyncio.DefaultEventLoopPolicy):  # type: ignore[name-defined, misc]
        """Makes such loops."""

        skips_waiting = True
        _loop_factory = Loop

    asyncio.set_event_loop_policy(Policy())
