"""Cheap inspection of paths: names and first bytes. Anything that cannot be read counts as absent."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path, PurePosixPath

from clonetruth.errors import InputError
from clonetruth.formats.reads import looking
from clonetruth.formats.streams import COMPRESSED, inner_suffix, open_stream
from clonetruth.formats.trees import is_tree, read_tree

MOST_NAMES = 500
"""The number of names read from a tree: enough to recognise a layout, few enough for folders of millions of files."""


_DATA = (".csv", ".json", ".jsonl", ".log", ".parquet", ".tsv", ".txt")


def member_names(path: Path, most: int = MOST_NAMES) -> list[PurePosixPath]:
    """The first names in a folder or archive; none for other or damaged files."""
    if not is_tree(path):
        return []
    try:
        return [member.name for member in islice(read_tree(path), most)]
    except InputError:
        return []


def head(path: Path, size: int = 4096) -> bytes:
    """The first bytes of a file, decompressed; none if it is not a file, or damaged."""
    if not path.is_file():
        return b""
    try:
        with looking(), open_stream(path) as stream:
            return stream.read(size)
    except InputError:
        return b""


def first_line(path: Path, size: int = 65_536) -> str:
    """The first line of a file that is not blank, without a byte-order mark; at most `size` bytes are read."""
    start = head(path, size).removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.partition(b"\n")[0].rstrip().decode("utf-8", errors="replace")


def expand_folders(paths: Sequence[Path]) -> list[Path]:
    """The paths, where a folder that directly holds archives or data files is replaced by its content.

    A user can thus name the folder that a dataset was downloaded to, or its files one by one.
    """
    expanded: list[Path] = []
    for path in paths:
        try:
            entries = sorted(path.iterdir()) if path.is_dir() else []
        except OSError as error:
            raise InputError(f"Cannot read the folder: {error.strerror or error}.", where=path) from error
        if any(entry.is_file() and (is_tree(entry) or _is_data(entry)) for entry in entries):
            expanded += [entry for entry in entries if entry.is_file() or is_tree(entry)]
        else:
            expanded.append(path)
    # A user may name both a file and the folder that holds it.
    return list(dict.fromkeys(expanded))


def _is_data(path: Path) -> bool:
    return path.suffix.lower() in COMPRESSED or inner_suffix(path) in _DATA
