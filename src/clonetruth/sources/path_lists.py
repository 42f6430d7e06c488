"""Lists of pairs of file names, ``path path label`` with the label 1 or -1, as FA-AST and TBCCD write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix, read_lines
from clonetruth.model import PairValue
from clonetruth.sources.bcb_lists import ListedPair
from clonetruth.sources.locating import stem
from clonetruth.sources.source import ImportLog

_NAME = re.compile(
    r"(?:record)?(?P<part>train|valid|dev|test)(?:all|data)?(?:abs)?(?:bcb|bigclonebench)?(?P<selection>\w*)"
)
_PARTS = {"train": "train", "valid": "valid", "dev": "valid", "test": "test"}
_ROW = re.compile(rb"\S+[\\/]\S+\.(txt|java)\s+\S+[\\/]\S+\.(txt|java)\s+(-1|0|1)\s*(\n|\r|\Z)")
_LABELS = {"1": PairValue.CLONE, "-1": PairValue.NOT_CLONE, "0": PairValue.NOT_CLONE}


def is_path_list(path: Path) -> bool:
    """Whether a file is such a list: by its name (`traindata11.txt`, `recorddevdataBCB.txt`) and its first row."""
    return path_part(path) is not None and inner_suffix(path) == ".txt" and _ROW.match(head(path)) is not None


def path_part(path: Path) -> str | None:
    """The part of the split that a list's name tells."""
    found = _NAME.fullmatch(stem(path))
    return _PARTS[found["part"]] if found else None


def is_variant(path: Path) -> bool:
    """Whether a list is a smaller or balanced selection of another (`train11`, `trainsmall`, `…30w`)."""
    found = _NAME.fullmatch(stem(path))
    return found is not None and bool(found["selection"])


def chosen_lists(lists: Sequence[Path], named: Sequence[Path]) -> list[Path]:
    """The lists to read: those that the user named, and of a folder the full ones.

    A folder holds the full training list beside selections of it; reading all would repeat its rows.
    """
    chosen = []
    for path in lists:
        full = [one for one in lists if path_part(one) == path_part(path) and not is_variant(one)]
        if path in named or not is_variant(path) or not full:
            chosen.append(path)
    return chosen


def identity_of(name: str) -> str:
    """The id of a file in a list: the number of a BigCloneBench function, else the last folder and the file."""
    path = PurePosixPath(name.replace("\\", "/"))
    in_folder = len(path.parts) > 2 and path.parts[-2].isdecimal()
    if path.stem.isdecimal() and not in_folder:
        return path.stem
    return "/".join(path.parts[-2:])


def path_list_reader(lists: Sequence[Path]) -> Callable[[ImportLog], Iterator[ListedPair]]:
    """Reads the lists; see `IdPairs.rows`."""

    def rows(log: ImportLog) -> Iterator[ListedPair]:
        for path in lists:
            part = path_part(path)
            for number, line in read_lines(path):
                words = line.decode("utf-8", errors="replace").split()
                if len(words) == 3 and words[2] in _LABELS:
                    left, right = identity_of(words[0]), identity_of(words[1])
                    yield ListedPair(left, right, _LABELS[words[2]], number, part=part)
                elif words:
                    log.skip(path, number, "the row is not two files with the label 1 or -1")

    return rows
