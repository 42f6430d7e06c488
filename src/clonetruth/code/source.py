"""From bytes on disk to text: any encoding, any line ending, never an exception for odd content."""

from __future__ import annotations

import codecs
import os
from dataclasses import dataclass
from pathlib import Path

from clonetruth.budgets import read_bytes
from clonetruth.errors import InputError

_BOMS = (
    # The UTF-32 marks begin with the UTF-16 ones, so they are tried first.
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class SourceText:
    """A text with the encoding of its file."""

    text: str
    encoding: str


def decode(data: bytes) -> SourceText:
    """Decode source bytes: by byte-order mark, else UTF-8, else Latin-1 (which never fails).

    Line endings become ``\\n``, so that line numbers do not depend on the platform.
    """
    text, encoding = _decode(data)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return SourceText(text, encoding)


def _decode(data: bytes) -> tuple[str, str]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace"), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def read_source(path: str | os.PathLike[str]) -> SourceText:
    """Read and decode a file.

    Raises:
        InputError: the file is missing, unreadable, or binary.
    """
    return decode(read_data(path))


def read_data(path: str | os.PathLike[str]) -> bytes:
    """Read the bytes of a source file.

    Raises:
        InputError: the file is missing, unreadable, or binary.
    """
    path = Path(path)
    try:
        data = read_bytes(path)
    except OSError as error:
        raise InputError(f"Cannot read the file: {error.strerror or error}.", where=path) from error
    if is_binary(data):
        raise InputError("This is a binary file, not source text.", where=path)
    return data


def is_binary(data: bytes) -> bool:
    """Whether the bytes are binary: a NUL near the start without a wide-character byte-order mark."""
    return b"\0" in data[:8192] and not data.startswith(tuple(mark for mark, _ in _BOMS))
