"""How long work reports its progress."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it was done since the last call, and how much there is in all."""


def no_progress(what: str, done: int, total: int) -> None:
    """A progress callback that does nothing."""
