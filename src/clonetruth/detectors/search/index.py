"""The persistent index: what earlier searches learned about files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Index:
    """What earlier searches learned, in a folder.

    Attributes:
        folder: where it is kept; None: the user's cache folder.
        limit_bytes: how large it may grow.
    """

    folder: Path | None = None
    limit_bytes: int = 2 * 1024**3
