"""Finds a dataset's files among the given paths, by their names, first bytes and the names in a tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.formats.sniffing import MOST_NAMES, head
from clonetruth.formats.streams import COMPRESSED
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.sources.source import ImportLog, SourceCard

_PARTS = {"train": "train", "valid": "valid", "val": "valid", "dev": "valid", "test": "test"}
_PART = re.compile(r"(?:^|[^a-z])(train|valid|val|dev|test)")


@dataclass(frozen=True)
class Layout:
    """How to recognise a dataset's files.

    Args:
        table: whether a file is one of its tables or lists; called only for plain files.
        member: the pattern of its file names in a tree; None for a dataset without trees.
    """

    table: Callable[[Path], bool] = lambda path: False
    member: re.Pattern[str] | None = None


@dataclass(frozen=True)
class LocatedFiles:
    """The dataset's files among the given paths; `foreign` are the paths that do not belong to it."""

    tables: tuple[Path, ...]
    trees: tuple[Path, ...]
    foreign: tuple[Path, ...]

    def __bool__(self) -> bool:
        return bool(self.tables or self.trees)


def match_files(paths: Sequence[Path], layout: Layout) -> LocatedFiles:
    """The tables and trees of a dataset at the given paths: files, archives, and folders that are or hold either.

    Raises:
        InputError: a file cannot be read, or an archive is damaged or hostile.
    """
    tables: list[Path] = []
    trees: list[Path] = []
    foreign: list[Path] = []
    for path in paths:
        before = len(tables) + len(trees)
        whole = path.is_dir() and _has_member(path, layout.member)
        if whole:
            trees.append(path)
        for file in _children(path) if path.is_dir() else [path]:
            if is_tree(file):
                # Archives inside a tree belong to it: submissions may be archives.
                if not whole and _has_member(file, layout.member):
                    trees.append(file)
            elif layout.table(file):
                tables.append(file)
        if len(tables) + len(trees) == before:
            foreign.append(path)
    return LocatedFiles(tuple(tables), tuple(trees), tuple(foreign))


def require_files(paths: Sequence[Path], layout: Layout, card: SourceCard, log: ImportLog) -> LocatedFiles:
    """The dataset's files, for `Source.read`. Other files are logged.

    Raises:
        InputError: there are none, or a file cannot be read.
    """
    found = match_files(paths, layout)
    if not found:
        where = ", ".join(map(str, paths)) or None
        raise InputError(f"No files of '{card.card.name}' were found.", where=where, hint=f"Accepted: {card.accepts}.")
    for path in found.foreign:
        log.leave_out(path, "the file does not belong to this dataset")
    return found


def recognise_files(paths: Sequence[Path], layout: Layout) -> LocatedFiles | None:
    """The dataset's files, for `Source.recognise`; None if there are none, or if a file cannot be read."""
    try:
        return match_files(paths, layout) or None
    except InputError:
        return None


def plain_name(path: Path) -> str:
    """The file name without a compression ending, in lower case: ``train.txt`` for ``train.txt.gz``."""
    name = path.name.lower()
    return name.removesuffix(path.suffix.lower()) if path.suffix.lower() in COMPRESSED else name


def stem(path: Path) -> str:
    """The file name without any ending, in lower case: ``train`` for ``train.txt.gz``."""
    return plain_name(path).partition(".")[0]


def part_of(path: Path) -> str | None:
    """The part of a split in a list's name: train, valid or test; None if there is none."""
    match = _PART.search(stem(path))
    return _PARTS[match[1]] if match else None


def is_pair_list(path: Path) -> bool:
    """Whether a file is a list ``left right label`` of a part of a split, by its name and first line."""
    if part_of(path) is None or not plain_name(path).endswith(".txt"):
        return False
    words = head(path).partition(b"\n")[0].split()
    return len(words) == 3 and words[2] in (b"0", b"1", b"-1")


def _children(path: Path) -> list[Path]:
    """The files directly in a folder."""
    try:
        return sorted(child for child in path.iterdir() if child.is_file()) if path.is_dir() else []
    except OSError as error:
        raise InputError(f"Cannot read the folder: {error.strerror or error}.", where=path) from error


def _has_member(path: Path, member: re.Pattern[str] | None) -> bool:
    names = islice(read_tree(path), MOST_NAMES) if member else ()
    return member is not None and any(member.search(str(one.name)) for one in names)
