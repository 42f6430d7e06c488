"""The blocks that the Oreo authors' validation tool reads and writes: two places, then their texts.

A line of 40 ``$`` begins a block. Its parts end with lines of 40 ``-``: the two places (``folder,file,first,last``, one
on a line), the first text, the second text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from clonetruth.formats.streams import read_lines

BLOCK = b"$" * 40
PART = b"-" * 40


class JudgedPair(NamedTuple):
    """A block: both places as written, both texts, and the line it begins at."""

    left: str
    right: str
    left_text: str
    right_text: str
    line: int


def read_blocks(path: Path, tell: Callable[[int, str], None]) -> Iterator[JudgedPair]:
    """The blocks of a file.

    Args:
        path: the file, plain or compressed.
        tell: told of the line of every block that cannot be used, and why.

    Raises:
        InputError: the file cannot be read.
    """
    begun, parts, part = 0, [], []  # type: tuple[int, list[list[str]], list[str]]
    for number, line in read_lines(path):
        if line.rstrip() == BLOCK:
            yield from _block(begun, parts, part, tell)
            begun, parts, part = number, [], []
        elif line.rstrip() == PART:
            parts.append(part)
            part = []
        else:
            part.append(line.decode("utf-8", errors="replace"))
    yield from _block(begun, parts, part, tell)


def _block(
    begun: int, parts: list[list[str]], rest: list[str], tell: Callable[[int, str], None]
) -> Iterator[JudgedPair]:
    places = [place.strip() for place in parts[0] if place.strip()] if parts else []
    if begun and len(parts) == 3 and len(places) == 2 and not "".join(rest).strip():
        left, right = ("".join(f"{line}\n" for line in part) for part in parts[1:])
        yield JudgedPair(places[0], places[1], left, right, begun)
    elif parts or "".join(rest).strip():
        tell(begun or 1, "the block is not two places and two texts")
