"""Progress callbacks of long-running work."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with the name of the task, the amount done since the last call, and the total amount."""


def no_progress(what: str, done: int, total: int) -> None:
    """A progress callback that does nothing."""
