"""SourcererCC's input: blocks of code as bags of tokens, a block a line.

project,block,tokens,distinct,hash@#@token@@::@@count,token@@::@@count,…
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.formats.streams import inner_suffix, read_lines

_MOST_TOKENS = 10_000_000
"""A block of more tokens is no block of code."""


@dataclass(frozen=True)
class SourcererBlock:
    """A block of code as SourcererCC sees it.

    Attributes:
        block: its number, as it is written.
        counts: its tokens, and how often each occurs.
    """

    block: str
    counts: dict[bytes, int]


def is_block_file(path: Path) -> bool:
    """Whether a file is named as SourcererCC names its input: ``blocks.file``, perhaps compressed."""
    return inner_suffix(path) == ".file"


def read_blocks(path: Path) -> Iterator[SourcererBlock]:
    """The blocks of a file, in order.

    Raises:
        InputError: a line is no block, or does not hold as many tokens as it says.
    """
    for number, line in read_lines(path):
        if line.strip():
            try:
                yield _block(line)
            except ValueError as error:
                raise InputError(
                    f"This is no block of SourcererCC: {error}.",
                    where=f"{path}:{number}",
                    hint="A line is project,block,tokens,distinct,hash@#@token@@::@@count,…",
                ) from error


def _block(line: bytes) -> SourcererBlock:
    head, mark, body = line.partition(b"@#@")
    cells = head.split(b",")
    if not mark or len(cells) < 4:
        raise ValueError("it has no head with four numbers and '@#@'")
    counts: dict[bytes, int] = {}
    for item in body.split(b","):
        token, mark, count = item.rpartition(b"@@::@@")
        if not mark:
            raise ValueError("a token has no count")
        counts[token] = counts.get(token, 0) + _number(count)
    said, held = _number(cells[2]), sum(counts.values())
    if said != held:
        raise ValueError(f"it says that it has {said:,} tokens, and has {held:,}")
    if held > _MOST_TOKENS:
        raise ValueError(f"it has {held:,} tokens")
    return SourcererBlock(str(_number(cells[1])), counts)


def _number(cell: bytes) -> int:
    if not cell.strip().isdigit():
        raise ValueError(f"'{cell[:20].decode(errors='replace')}' is no number")
    return int(cell)
