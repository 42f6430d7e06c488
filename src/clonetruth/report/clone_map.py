"""The map of a code base: which of its folders share code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import PurePosixPath

from clonetruth.find import CloneClass
from clonetruth.html.blocks import Figure
from clonetruth.html.plots import Labels, share_map
from clonetruth.html.tables import Column, Table

_FOLDERS = 14
"""Folders on the map."""
_OTHERS = "all other folders"

Folder = tuple[str, ...]


def clone_map(classes: Sequence[CloneClass]) -> Figure:
    """A picture of the lines that each two folders share, and those that a folder repeats within itself."""
    shared = shared_lines(classes)
    names = sorted({name for names in shared for name in names}, key=lambda name: (name == _OTHERS, name))
    amounts = {(names.index(first), names.index(second)): lines for (first, second), lines in shared.items()}
    labels = Labels("Lines that folders share", x="lines")
    rows = [(*folders, lines) for folders, lines in sorted(shared.items(), key=lambda item: -item[1])]
    return Figure(
        share_map(names, amounts, labels),
        "The larger a square, the more lines the folder of its row shares with that of its column; on the diagonal, "
        "what a folder repeats within itself.",
        Table((Column("folder", "code"), Column("and", "code"), Column("lines", "count")), rows, "Shared lines"),
    )


def shared_lines(classes: Sequence[CloneClass]) -> dict[tuple[str, str], int]:
    """The lines that two folders share, and those that a folder repeats within itself; each two in one order.

    Between folders, a class counts as often as the folder with fewer copies has one.
    """
    folder_of = folders([member.path for one in classes for member in one.members])
    lines: Counter[tuple[str, str]] = Counter()
    for one in classes:
        copies = Counter(folder_of[member.path] for member in one.members)
        for folder, number in copies.items():
            lines[folder, folder] += one.representative.lines * (number - 1)
        for first, second in combinations(sorted(copies, key=lambda name: (name == _OTHERS, name)), 2):
            lines[first, second] += one.representative.lines * min(copies[first], copies[second])
    return {names: amount for names, amount in lines.items() if amount}


def folders(paths: Iterable[str]) -> dict[str, str]:
    """The folder under which each file is shown, without what all have in common.

    The folders with the most files are divided into those in them, while the map has room. Where already the first
    division would be too much, the largest of its folders are shown, and the others are one.
    """
    files = Counter(paths)
    groups: dict[Folder, Counter[str]] = {}
    waiting: dict[Folder, Counter[str]] = {(): files}
    while waiting:
        largest = max(waiting, key=lambda folder: (waiting[folder].total(), folder))
        held = waiting.pop(largest)
        parts = _divided(largest, held)
        if len(groups) + len(waiting) + len(parts) <= _FOLDERS:
            groups |= {folder: files for folder, files in parts.items() if folder == largest}
            waiting |= {folder: files for folder, files in parts.items() if folder != largest}
        elif groups or waiting:
            groups[largest] = held
        else:
            groups = dict(sorted(parts.items(), key=lambda part: (-part[1].total(), part[0]))[: _FOLDERS - 1])
    common = _common(list(groups)) if len(groups) > 1 else 0
    names = {path: "/".join(folder[common:]) or "." for folder, held in groups.items() for path in held}
    return {path: names.get(path, _OTHERS) for path in files}


def _divided(folder: Folder, files: Counter[str]) -> dict[Folder, Counter[str]]:
    """The files by the folder of the next level; those right in the folder stay with it."""
    parts: dict[Folder, Counter[str]] = {}
    for path, number in files.items():
        parts.setdefault(_parents(path)[: len(folder) + 1], Counter())[path] = number
    return parts


def _parents(path: str) -> Folder:
    return PurePosixPath(path).parent.parts


def _common(groups: Sequence[Folder]) -> int:
    """How many levels all have in common."""
    first, last = min(groups), max(groups)
    return next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
