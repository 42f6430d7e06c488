"""Files as streams of bytes and lines, plain or compressed, with errors that name the file."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from clonetruth.budgets import budget
from clonetruth.errors import InputError
from clonetruth.formats.reads import report_read

_OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    ".gz": cast(Callable[[Path], IO[bytes]], gzip.open),
    ".xz": cast(Callable[[Path], IO[bytes]], lzma.open),
    ".bz2": cast(Callable[[Path], IO[bytes]], bz2.open),
}

COMPRESSED = tuple(_OPENERS)
"""File endings that mark a compressed file."""

_NOT_TEXT = {
    b"\x1f\x8b": ("compressed by gzip", "Add the ending .gz to its name."),
    b"\xfd7zXZ\x00": ("compressed by xz", "Add the ending .xz to its name."),
    b"BZh91AY&SY": ("compressed by bzip2", "Add the ending .bz2 to its name."),
    b"PK\x03\x04": ("a zip archive or an office document", "Unpack it, or export it as text."),
    b"\xff\xfe": ("in UTF-16", "Save it in UTF-8."),
    b"\xfe\xff": ("in UTF-16", "Save it in UTF-8."),
}
"""How files begin that are not lines of UTF-8, what they are, and what to do."""

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
        InputError: the file cannot be read, turns out to be damaged, or expands beyond the budget.
    """
    path = Path(path)
    report_read(path)
    opener = _OPENERS.get(path.suffix.lower())
    try:
        if opener is None:
            with path.open("rb") as stream:
                yield stream
        else:
            with opener(path) as packed:
                yield io.BufferedReader(_Metered(packed, path), 256 * 1024)
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"The compressed file is damaged or truncated: {error}", where=path) from error
    except OSError as error:
        raise InputError(f"Cannot read the file: {error.strerror or error}.", where=path) from error


@contextmanager
def open_text(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file of lines for reading, as `open_stream` does.

    Raises:
        InputError: as for `open_stream`, or the file begins like something else than text in UTF-8.
    """
    with open_stream(path) as stream:
        start = cast(io.BufferedReader, stream).peek(16)[:16]
        for mark, (what, hint) in _NOT_TEXT.items():
            if start.startswith(mark):
                raise InputError(f"The file is {what}.", where=path, hint=hint)
        yield stream


class _Metered(io.RawIOBase):
    """A decompressed stream that ends with an error where it exceeds the budget."""

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        self._stream, self._path, self._read = stream, path, 0
        self._budget = budget()
        self._packed = path.stat().st_size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        data = self._stream.read(len(view))
        view[: len(data)] = data
        self._read += len(data)
        self._budget.check_unpacked(self._read, self._packed, self._path)
        return len(data)


def read_whole(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file that is not read in pieces.

    Raises:
        InputError: the file cannot be read, or is larger than the budget for documents.
    """
    limits = budget()
    with open_stream(path) as stream:
        data = stream.read(limits.document + 1)
    if len(data) > limits.document:
        raise limits.exceeded("document", "The file", path)
    return data


def read_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """The lines of a file without line breaks, numbered from 1. A byte-order mark is dropped.

    Raises:
        InputError: the file cannot be read or is not text, or a line is longer than the budget.
    """
    path, limits = Path(path), budget()
    with open_text(path) as stream:
        number = 0
        while line := stream.readline(limits.line + 1):
            number += 1
            if len(line) > limits.line:
                raise limits.exceeded("line", "The line", f"{path}:{number}")
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            yield number, line.rstrip(b"\r\n")


def read_line_blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    """The file in blocks of whole lines, each with the number of its first line, from 1. A byte-order mark is dropped.

    Use it for files of millions of rows that Arrow parses block by block.

    Raises:
        InputError: the file cannot be read or is not text, or a line is longer than the budget.
    """
    limits = budget()
    with open_text(path) as stream:
        number = 1
        rest = stream.read(3).removeprefix(b"\xef\xbb\xbf")
        while chunk := stream.read(BLOCK_BYTES):
            rest += chunk
            cut = rest.rfind(b"\n") + 1
            if cut:
                yield number, rest[:cut]
                number += rest.count(b"\n", 0, cut)
                rest = rest[cut:]
            elif len(rest) > limits.line:
                raise limits.exceeded("line", "The line", f"{path}:{number}")
        if rest:
            yield number, rest
