"""The source texts of a tree with a known layout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clonetruth.code.source import decode, is_binary
from clonetruth.formats.trees import read_tree
from clonetruth.sources.source import ImportLog


@dataclass(frozen=True)
class TreeText:
    """A text of a tree: the match of its name, the text, and its path for messages."""

    match: re.Match[str]
    text: str
    place: Path

    @property
    def name(self) -> str:
        """The part of the name that the layout matches, without the folders above it."""
        return self.match[0].lstrip("/")


def tree_texts(path: Path, member: re.Pattern[str], log: ImportLog) -> Iterator[TreeText]:
    """The texts of a folder or archive whose names match; other files are only counted."""
    for one in read_tree(path):
        match = member.search(str(one.name))
        if match is None:
            log.read("files of another kind")
            continue
        place = path / str(one.name)
        data = one.read()
        if not is_text(data):
            log.skip(place, None, "the file is binary, not source text")
            continue
        yield TreeText(match, decode(data).text, place)


def is_text(data: bytes) -> bool:
    """Whether bytes are text. Some submissions contain stray NUL characters; they are text if they are UTF-8."""
    if not is_binary(data):
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
