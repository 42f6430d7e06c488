"""The source texts of a tree whose layout is known."""

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
    """A text of a tree: what its name told, its name from there on, the text, and its place for messages."""

    match: re.Match[str]
    text: str
    place: Path

    @property
    def name(self) -> str:
        """The part of the name that the layout describes, without folders above it."""
        return self.match[0].lstrip("/")


def tree_texts(path: Path, member: re.Pattern[str], log: ImportLog) -> Iterator[TreeText]:
    """The texts of a folder or an archive whose names match; others are counted as of another kind."""
    for one in read_tree(path):
        match = member.search(str(one.name))
        if match is None:
            log.read("files of another kind")
            continue
        place = path / str(one.name)
        data = one.read()
        if not is_text(data):
            log.skip(place, None, "a binary file, not source text")
            continue
        yield TreeText(match, decode(data).text, place)


def is_text(data: bytes) -> bool:
    """Whether bytes are a text; submissions with stray NUL characters exist, and are texts if they are UTF-8."""
    if not is_binary(data):
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
