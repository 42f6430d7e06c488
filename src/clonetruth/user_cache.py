"""The user's cache: what can be computed again, and which files are known to be unchanged.

A file counts as unchanged while its size, its times of modification and of change, its inode and its device stay the
same. The time of change cannot be set by a program, so restoring a time of modification does not hide an edit.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

CACHE_VARIABLE = "CLONETRUTH_CACHE"
"""The environment variable that names another folder for the cache."""

Stamp = tuple[int, int, int, int, int]
"""Size, times of modification and of change in nanoseconds, inode and device of a file."""

_MOST_MARKS, _DAYS = 4096, 90


def cache_folder() -> Path | None:
    """The user's folder for what can be computed again; None if there is no home."""
    given = os.environ.get(CACHE_VARIABLE)
    if given:
        return Path(given)
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "clonetruth" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library/Caches/clonetruth"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clonetruth"
    except RuntimeError:
        return None


def file_stamp(path: Path) -> Stamp:
    """The stamp of a file.

    Raises:
        OSError: there is no such file.
    """
    found = path.stat()
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev


class FileMarks:
    """Remembers which files passed a check, until they change: in this process, and in the user's cache.

    A mark is an empty file whose name is the digest of the files' stamps.

    Args:
        check: the name of the check and the versions that its outcome depends on.
    """

    def __init__(self, check: str) -> None:
        self._check = check
        self._known: set[str] = set()

    def known(self, paths: Sequence[Path]) -> bool:
        """Whether the files, as they are now, passed the check together."""
        mark = self._mark(paths)
        if mark not in self._known:
            folder = self._folder
            with contextlib.suppress(OSError):
                if folder is not None and (folder / mark).exists():
                    self._known.add(mark)
        return mark in self._known

    def remember(self, paths: Sequence[Path], *, lasting: bool = True) -> None:
        """Remember that the files passed the check.

        Args:
            paths: the files.
            lasting: also for other processes; not worth it for temporary files.
        """
        mark = self._mark(paths)
        self._known.add(mark)
        folder = self._folder
        if folder is None or not lasting:
            return
        # Without a cache that can be written, each process checks once.
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / mark).touch()
            _tidy(folder)

    @property
    def _folder(self) -> Path | None:
        cache = cache_folder()
        return cache and cache / "checked"

    def _mark(self, paths: Sequence[Path]) -> str:
        stamps = [file_stamp(path) for path in paths]
        return sha256(repr((self._check, stamps)).encode()).hexdigest()[:40]


def _tidy(folder: Path) -> None:
    """Delete old marks where there are many."""
    marks = list(os.scandir(folder))
    if len(marks) > _MOST_MARKS:
        for mark in marks:
            if time.time() - mark.stat().st_mtime > _DAYS * 86_400:
                Path(mark).unlink(missing_ok=True)
