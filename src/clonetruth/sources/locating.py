"""Which of the files that a user points at belong to a dataset: by name, first bytes, and the names in a tree."""

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
    """How a dataset's files are told from others.

    Args:
        table: whether a file is one of its tables or lists; asked of plain files only.
        member: what the names of its files in a tree look like; None for a dataset without trees.
    """

    table: Callable[[Path], bool] = lambda path: False
    member: re.Pattern[str] | None = None


@dataclass(frozen=True)
class LocatedFiles:
    """The dataset's files among those given; `foreign` are those named by the user that are not its own."""

    tables: tuple[Path, ...]
    trees: tuple[Path, ...]
    foreign: tuple[Path, ...]

    def __bool__(self) -> bool:
        return bool(self.tables or self.trees)


def find(paths: Sequence[Path], layout: Layout) -> LocatedFiles:
    """The tables and trees of a dataset at some paths: files, archives, folders that are or hold either.

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
                # Archives inside a tree are part of it: submissions may be archives.
                if not whole and _has_member(file, layout.member):
                    trees.append(file)
            elif layout.table(file):
                tables.append(file)
        if len(tables) + len(trees) == before:
            foreign.append(path)
    return LocatedFiles(tuple(tables), tuple(trees), tuple(foreign))


def locate(paths: Sequence[Path], layout: Layout, card: SourceCard, log: ImportLog) -> LocatedFiles:
    """The same for `Source.read`: files that are not the dataset's are reported.

    Raises:
        InputError: also where there is nothing of the dataset.
    """
    found = find(paths, layout)
    if not found:
        where = ", ".join(map(str, paths)) or None
        raise InputError(f"There is nothing of '{card.card.name}' here.", where=where, hint=f"Give {card.accepts}.")
    for path in found.foreign:
        log.skip(path, None, "the file is not of this dataset")
    return found


def seen(paths: Sequence[Path], layout: Layout) -> LocatedFiles | None:
    """The same for `Source.recognise`: None where nothing is found, or where something cannot be read."""
    try:
        return find(paths, layout) or None
    except InputError:
        return None


def plain_name(path: Path) -> str:
    """The name without the ending of a compression, in lower case: ``train.txt`` of ``train.txt.gz``."""
    name = path.name.lower()
    return name.removesuffix(path.suffix.lower()) if path.suffix.lower() in COMPRESSED else name


def stem(path: Path) -> str:
    """The name without any ending, in lower case: ``train`` of ``train.txt.gz``."""
    return plain_name(path).partition(".")[0]


def part_of(path: Path) -> str | None:
    """The part of a split that a list's name tells: train, valid or test."""
    match = _PART.search(stem(path))
    return _PARTS[match[1]] if match else None


def is_pair_list(path: Path) -> bool:
    """Whether a file is a list ``left right label`` for a part of a split, by its name and first line."""
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
