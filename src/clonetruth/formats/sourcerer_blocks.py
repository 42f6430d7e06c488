"""SourcererCC's input: blocks of code as bags of tokens, one block per line.

project,block,tokens,distinct,hash@#@token@@::@@count,token@@::@@count,…
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.formats.streams import inner_suffix, read_lines

_MOST_TOKENS = 10_000_000
"""Blocks with more tokens are refused: no block of code has that many."""


@dataclass(frozen=True)
class SourcererBlock:
    """A block of code as SourcererCC sees it.

    Attributes:
        block: the block's number, as written.
        counts: the number of occurrences of each token.
    """

    block: str
    counts: dict[bytes, int]


def is_block_file(path: Path) -> bool:
    """Whether a file has the name of SourcererCC's input: ``blocks.file``, plain or compressed."""
    return inner_suffix(path) == ".file"


def read_blocks(path: Path) -> Iterator[SourcererBlock]:
    """The blocks of a file, in order.

    Raises:
        InputError: a line is not a block, or its number of tokens differs from the number it states.
    """
    for number, line in read_lines(path):
        if line.strip():
            try:
                yield _block(line)
            except ValueError as error:
                raise InputError(
                    f"The line is not a SourcererCC block: {error}.",
                    where=f"{path}:{number}",
                    hint="Expected: project,block,tokens,distinct,hash@#@token@@::@@count,…",
                ) from error


def _block(line: bytes) -> SourcererBlock:
    head, mark, body = line.partition(b"@#@")
    cells = head.split(b",")
    if not mark or len(cells) < 4:
        raise ValueError("the head with four numbers and '@#@' is missing")
    counts: dict[bytes, int] = {}
    for item in body.split(b","):
        token, mark, count = item.rpartition(b"@@::@@")
        if not mark:
            raise ValueError("a token has no count")
        counts[token] = counts.get(token, 0) + _number(count)
    stated, actual = _number(cells[2]), sum(counts.values())
    if stated != actual:
        raise ValueError(f"it states {stated:,} tokens and has {actual:,}")
    if actual > _MOST_TOKENS:
        raise ValueError(f"it has {actual:,} tokens")
    return SourcererBlock(str(_number(cells[1])), counts)


def _number(cell: bytes) -> int:
    if not cell.strip().isdigit():
        raise ValueError(f"'{cell[:20].decode(errors='replace')}' is not a number")
    return int(cell)
