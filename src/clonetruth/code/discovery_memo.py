"""What an earlier walk through a source tree learned: files that did not change since need not be opened."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

_SETTLED = 2_000_000_000
"""Nanoseconds without a change after which the modification time is reliable: file system clocks are coarse."""


class FileState(NamedTuple):
    """What a file system says about a file: while all of it is the same, so are the contents.

    The time of the last change of the inode (`changed`) cannot be set back, unlike that of the contents (`modified`).
    """

    size: int
    modified: int
    changed: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileState | None:
        """Return the state of a file, given its status from just now; None if it may change within a tick of a clock.

        Call this before the file is read.
        """
        if status.st_mtime_ns >= time.time_ns() - _SETTLED:
            return None
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class HeadRemark(IntEnum):
    """What the first bytes of a file say."""

    SOURCE = 0
    BINARY = 1
    MARKED = 2
    GENERATED = 3


class KnownHead(NamedTuple):
    """What a walk learned about a file.

    Attributes:
        state: its state.
        languages: the languages that its name may stand for.
        given: whether it was given by name, so that being generated does not matter.
        remark: what its first bytes say.
        language: the language in which it is read; empty if it was left out.
    """

    state: FileState
    languages: tuple[str, ...]
    given: bool
    remark: HeadRemark
    language: str = ""


@dataclass
class DiscoveryMemo:
    """What an earlier walk with the same paths and options learned, so that unchanged files need not be opened.

    Attributes:
        known: the files of the earlier walk, by path.
        seen: the files of this walk, filled by `discover`.
    """

    known: dict[str, KnownHead] = field(default_factory=dict)
    seen: dict[str, KnownHead] = field(default_factory=dict)
