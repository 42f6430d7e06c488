"""Files as streams of bytes and lines, plain or compressed, with errors that name the file."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from clonetruth.errors import InputError
from clonetruth.formats.reads import report_read

_OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    ".gz": cast(Callable[[Path], IO[bytes]], gzip.open),
    ".xz": cast(Callable[[Path], IO[bytes]], lzma.open),
    ".bz2": cast(Callable[[Path], IO[bytes]], bz2.open),
}

COMPRESSED = tuple(_OPENERS)
"""File endings that mark a compressed file."""

LONGEST_LINE = 64 * 1024 * 1024
"""Longer lines are refused before they fill the memory: no dataset has them."""

BLOCK_BYTES = 8 * 1024 * 1024
"""The number of bytes that `read_line_blocks` reads at once."""


def inner_suffix(path: Path) -> str:
    """The ending that determines the format, in lower case: ``.csv`` for ``pairs.csv.gz``."""
    name = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return name.suffix.lower()


@contextmanager
def open_stream(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for reading; its ending selects the decompression.

    Raises:
        InputError: the file cannot be read, or turns out to be damaged.
    """
    path = Path(path)
    report_read(path)
    opener = _OPENERS.get(path.suffix.lower())
    try:
        with path.open("rb") if opener is None else opener(path) as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"The compressed file is damaged or truncated: {error}", where=path) from error
    except OSError as error:
        raise InputError(f"Cannot read the file: {error.strerror or error}.", where=path) from error


def read_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """The lines of a file without line breaks, numbered from 1. A byte-order mark is dropped.

    Raises:
        InputError: the file cannot be read, or a line is longer than `LONGEST_LINE`.
    """
    path = Path(path)
    with open_stream(path) as stream:
        number = 0
        while line := stream.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise InputError(
                    f"The line is longer than {LONGEST_LINE:,} bytes: this is not a text file with rows.",
                    where=f"{path}:{number}",
                )
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            yield number, line.rstrip(b"\r\n")


def read_line_blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    """The file in blocks of whole lines, each with the number of its first line, from 1. A byte-order mark is dropped.

    Use it for files of millions of rows that Arrow parses block by block.

    Raises:
        InputError: the file cannot be read, or a line is longer than `LONGEST_LINE`.
    """
    with open_stream(path) as stream:
        number = 1
        rest = stream.read(3).removeprefix(b"\xef\xbb\xbf")
        while chunk := stream.read(BLOCK_BYTES):
            rest += chunk
            cut = rest.rfind(b"\n") + 1
            if cut:
                yield number, rest[:cut]
                number += rest.count(b"\n", 0, cut)
                rest = rest[cut:]
            elif len(rest) > LONGEST_LINE:
                raise InputError(
                    f"The line is longer than {LONGEST_LINE:,} bytes: this is not a text file with rows.",
                    where=f"{path}:{number}",
                )
        if rest:
            yield number, rest
