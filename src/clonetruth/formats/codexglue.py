"""CodeXGLUE's lists of labelled pairs: answers, predictions and parts of a split, ``id1 TAB id2 TAB 0/1`` on a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from clonetruth.formats.streams import read_lines


class Labelled(NamedTuple):
    """A row: two ids, whether they are a clone, and the line it stands on."""

    left: str
    right: str
    clone: bool
    line: int


def read_labels(path: Path, tell: Callable[[int, str], None]) -> Iterator[Labelled]:
    """The rows of a list, plain or compressed; the last line may end without a line break.

    Args:
        path: the file.
        tell: told of the line of every row that cannot be used, and why.

    Raises:
        InputError: the file cannot be read.
    """
    for number, line in read_lines(path):
        words = line.decode("utf-8", errors="replace").split("\t")
        if len(words) == 1:
            # The evaluator splits at any white space, so that lists with blanks are about too.
            words = words[0].split()
        left, right, label = (word.strip() for word in words) if len(words) == 3 else ("", "", "")
        if left and right and label in ("0", "1"):
            yield Labelled(left, right, label == "1", number)
        elif line.strip():
            tell(number, "the row is not a pair with the label 0 or 1")
