"""The files of the Oreo authors' validation tool: blocks of two locations and their texts.

A line of 40 ``$`` starts a block. Its parts end with lines of 40 ``-``: the two locations (``folder,file,first,last``,
one per line), the first text, the second text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from clonetruth.formats.streams import read_lines

BLOCK = b"$" * 40
PART = b"-" * 40


class JudgedPair(NamedTuple):
    """A block: both locations as written, both texts, and the block's first line."""

    left: str
    right: str
    left_text: str
    right_text: str
    line: int


def read_blocks(path: Path, on_bad_block: Callable[[int, str], None]) -> Iterator[JudgedPair]:
    """The blocks of a file.

    Args:
        path: the file, plain or compressed.
        on_bad_block: called with the first line of each unusable block, and the reason.

    Raises:
        InputError: the file cannot be read.
    """
    start, parts, part = 0, [], []  # type: tuple[int, list[list[str]], list[str]]
    for number, line in read_lines(path):
        if line.rstrip() == BLOCK:
            yield from _block(start, parts, part, on_bad_block)
            start, parts, part = number, [], []
        elif line.rstrip() == PART:
            parts.append(part)
            part = []
        else:
            part.append(line.decode("utf-8", errors="replace"))
    yield from _block(start, parts, part, on_bad_block)


def _block(
    start: int, parts: list[list[str]], rest: list[str], on_bad_block: Callable[[int, str], None]
) -> Iterator[JudgedPair]:
    locations = [line.strip() for line in parts[0] if line.strip()] if parts else []
    if start and len(parts) == 3 and len(locations) == 2 and not "".join(rest).strip():
        left, right = ("".join(f"{line}\n" for line in part) for part in parts[1:])
        yield JudgedPair(locations[0], locations[1], left, right, start)
    elif parts or "".join(rest).strip():
        on_bad_block(start or 1, "the block does not hold two locations and two texts")
