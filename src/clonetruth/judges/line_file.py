"""A file of JSON lines that one process at a time appends to, and that survives being killed at any moment.

A line is on disk when `append` returns. A killed process can leave an incomplete last line; the next one removes it.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from clonetruth.budgets import read_bytes
from clonetruth.errors import InputError
from clonetruth.parsing import parse_json
from clonetruth.store.atomic import sync

if sys.platform != "win32":
    import fcntl


class LineFile:
    """The file, open for appending as a context manager.

    Args:
        path: the file; its folder is created if necessary.
        header: the first line of a new file; an existing one must begin with it.
        noun: its name in messages ("the journal").

    Raises:
        InputError: another process has it open, it is damaged or has another header, or it cannot be written.
    """

    def __init__(self, path: Path, header: Mapping[str, Any], noun: str) -> None:
        self.path = path
        self._header = dict(header)
        self._noun = noun
        self._descriptor = -1

    def __enter__(self) -> Self:
        with self._disk_errors():
            self.path.parent.mkdir(exist_ok=True)
            # A benchmark can be a stranger's: a link could make this append to any file.
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            self._descriptor = os.open(self.path, flags, 0o666)
        try:
            self._lock()
            with self._disk_errors():
                self._recover()
        except BaseException:
            os.close(self._descriptor)
            raise
        return self

    def __exit__(self, *unused: object) -> None:
        os.close(self._descriptor)

    def records(self) -> Iterator[tuple[int, Any]]:
        """The lines after the header, with their numbers.

        Raises:
            InputError: a line is not JSON.
        """
        for number, line in enumerate(read_bytes(self.path, "member").split(b"\n")[1:-1], start=2):
            try:
                yield number, parse_json(line)
            except ValueError as error:
                raise self.damaged(number) from error

    def append(self, record: Mapping[str, Any]) -> None:
        """Append a line; it is on disk when this returns.

        Raises:
            InputError: it cannot be written.
        """
        with self._disk_errors():
            self._write(record)

    def damaged(self, number: int) -> InputError:
        """The error for a line that cannot be read."""
        return InputError(
            f"{self._noun.capitalize()} is damaged.",
            where=f"{self.path}, line {number}",
            hint="Remove the file to run again what it holds.",
        )

    def _write(self, record: Mapping[str, Any]) -> None:
        remaining = (json.dumps(record, ensure_ascii=True) + "\n").encode()
        while remaining:
            remaining = remaining[os.write(self._descriptor, remaining) :]
        os.fsync(self._descriptor)

    def _recover(self) -> None:
        content = read_bytes(self.path, "member")
        whole = content.rfind(b"\n") + 1
        os.ftruncate(self._descriptor, whole)
        if not whole:
            self._write(self._header)
            sync(self.path.parent)
            sync(self.path.parent.parent)
            return
        try:
            found = parse_json(content[: content.index(b"\n")])
        except ValueError as error:
            raise self.damaged(1) from error
        if found != self._header:
            raise InputError(
                f"{self._noun.capitalize()} belongs to something else, or to another version.",
                where=self.path,
                hint="Move the file away to start a new one.",
            )

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(
                f"Another process is writing {self._noun}.", where=self.path, hint="Wait for it to finish."
            ) from error

    @contextlib.contextmanager
    def _disk_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(
                f"{self._noun.capitalize()} cannot be written ({error.strerror or error}).",
                where=self.path,
                hint="Check the free disk space and the permissions. What it holds is not run again.",
            ) from error
