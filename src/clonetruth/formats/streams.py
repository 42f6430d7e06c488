"""Files as streams of bytes and lines, plain or compressed, with errors that name the file."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from clonetruth.errors import InputError

_OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    ".gz": cast(Callable[[Path], IO[bytes]], gzip.open),
    ".xz": cast(Callable[[Path], IO[bytes]], lzma.open),
    ".bz2": cast(Callable[[Path], IO[bytes]], bz2.open),
}

COMPRESSED = tuple(_OPENERS)
"""The endings of compressed files."""

LONGEST_LINE = 64 * 1024 * 1024
"""A longer line is no line of a dataset: it is refused before it fills the memory."""

BLOCK_BYTES = 8 * 1024 * 1024
"""How much of a file `read_line_blocks` reads at once."""


def inner_suffix(path: Path) -> str:
    """The ending that tells the format: ``.csv`` of ``pairs.csv.gz``; lower case."""
    name = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return name.suffix.lower()


@contextmanager
def open_stream(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, decompressing it by its ending.

    Raises:
        InputError: it cannot be read, or turns out to be damaged while being read.
    """
    opener = _OPENERS.get(path.suffix.lower())
    try:
        with path.open("rb") if opener is None else opener(path) as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"The compressed file is damaged or cut off: {error}", where=path) from error
    except OSError as error:
        raise InputError(f"Cannot read the file: {error.strerror or error}.", where=path) from error


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file without their ends, numbered from 1. A byte-order mark is dropped.

    Raises:
        InputError: also for a line of absurd length.
    """
    with open_stream(path) as stream:
        number = 0
        while line := stream.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise InputError(
                    f"The line is longer than {LONGEST_LINE:,} bytes: this is not a text file of rows.",
                    where=f"{path}:{number}",
                )
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            yield number, line.rstrip(b"\r\n")


def read_line_blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    """The file in blocks of whole lines, each with the number of its first line, from 1. A byte-order mark is dropped.

    For files of millions of rows, which something faster than Python shall read.

    Raises:
        InputError: also for a line of absurd length.
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
                    f"The line is longer than {LONGEST_LINE:,} bytes: this is not a text file of rows.",
                    where=f"{path}:{number}",
                )
        if rest:
            yield number, rest
