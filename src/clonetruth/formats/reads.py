"""Which files were read, so that an import can account for every file that it was given.

The readers of this package report the files whose content they read. Looking at names and first bytes does not count.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class ReadRecord:
    """The files whose content was read.

    Attributes:
        files: the absolute paths of plain files.
        trees: for each folder or archive, one flag for each of its members, in the order in which they are listed.
    """

    files: set[str] = field(default_factory=set)
    trees: dict[str, bytearray] = field(default_factory=dict)

    def has_read(self, path: Path) -> bool:
        """Whether a plain file, or any member of a folder or archive, was read."""
        return key(path) in self.files or any(self.trees.get(key(path), b""))


_RECORD: ContextVar[ReadRecord | None] = ContextVar("read_record", default=None)


@contextmanager
def record_reads() -> Iterator[ReadRecord]:
    """Record the files that are read within the block."""
    record = ReadRecord()
    token = _RECORD.set(record)
    try:
        yield record
    finally:
        _RECORD.reset(token)


@contextmanager
def looking() -> Iterator[None]:
    """Reads within the block only look at a file, to find out what it is; they are not recorded."""
    token = _RECORD.set(None)
    try:
        yield
    finally:
        _RECORD.reset(token)


def report_read(path: str | os.PathLike[str]) -> None:
    """Report that the content of a file is read."""
    if (record := _RECORD.get()) is not None:
        record.files.add(key(path))


def reported_member(tree: Path, number: int, read: Callable[[], bytes]) -> Callable[[], bytes]:
    """A member's function `read`, which also reports that it is read."""
    record = _RECORD.get()
    if record is None:
        return read
    flags = record.trees.setdefault(key(tree), bytearray())

    def reported() -> bytes:
        if len(flags) <= number:
            flags.extend(bytes(number + 1 - len(flags)))
        flags[number] = 1
        return read()

    return reported


def key(path: str | os.PathLike[str]) -> str:
    """The absolute path by which a file is known."""
    return str(Path(path).absolute())
