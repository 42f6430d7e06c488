"""CodeXGLUE's clone detection format: ``data.jsonl`` with the functions, and lists of labelled pairs.

A list holds the pairs of one part of a split, a detector's predictions or the answers: ``id1 TAB id2 TAB 0/1`` on each
line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from clonetruth.formats.streams import read_lines

PARTS = ("train", "valid", "test")


class LabelledPair(NamedTuple):
    """A row of a list: two ids, whether they are a clone, and the row's line number."""

    left: str
    right: str
    clone: bool
    line: int


def read_labels(path: str | os.PathLike[str], on_bad_row: Callable[[int, str], None]) -> Iterator[LabelledPair]:
    """Read the rows of a list, plain or compressed. The last line may lack a line break.

    Args:
        path: the file.
        on_bad_row: called with the line number of each unusable row, and the reason.

    Raises:
        InputError: the file cannot be read.
    """
    path = Path(path)
    for number, line in read_lines(path):
        cells = line.decode("utf-8", errors="replace").split("\t")
        if len(cells) == 1:
            # CodeXGLUE's evaluator splits at any white space, so lists separated by blanks are in circulation too.
            cells = cells[0].split()
        left, right, label = (cell.strip() for cell in cells) if len(cells) == 3 else ("", "", "")
        if left and right and label in ("0", "1"):
            yield LabelledPair(left, right, label == "1", number)
        elif line.strip():
            on_bad_row(number, "the row is not a pair with the label 0 or 1")


def write_codexglue(
    folder: str | os.PathLike[str], fragments: Iterable[tuple[str, str]], pairs: Iterable[tuple[str, str, int, str]]
) -> None:
    """Write ``data.jsonl`` (func, idx) and ``train.txt``, ``valid.txt``, ``test.txt`` (id, id, 0 or 1).

    Args:
        folder: the output folder.
        fragments: ids without white space, and texts.
        pairs: left, right, label and part.
    """
    folder = Path(folder)
    with (folder / "data.jsonl").open("w", encoding="utf-8", newline="") as file:
        for name, text in fragments:
            file.write(json.dumps({"func": text, "idx": name}, ensure_ascii=False) + "\n")
    with ExitStack() as stack:
        lists = {
            part: stack.enter_context((folder / f"{part}.txt").open("w", encoding="utf-8", newline=""))
            for part in PARTS
        }
        for left, right, label, part in pairs:
            lists[part].write(f"{left}\t{right}\t{label}\n")
