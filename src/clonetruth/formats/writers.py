"""The field's formats of pairs, written: CodeXGLUE, BigCloneEval and plain CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

PARTS = ("train", "valid", "test")

PAIR_COLUMNS = (
    "left",
    "right",
    "label",
    "part",
    "functionality",
    "claimed_type",
    "claimed_similarity_line",
    "claimed_similarity_token",
)
FRAGMENT_COLUMNS = ("id", "language", "text", "kind", "name", "project", "path", "first_line", "last_line")


def write_codexglue(
    folder: Path, fragments: Iterable[tuple[str, str]], pairs: Iterable[tuple[str, str, int, str]]
) -> None:
    """Write ``data.jsonl`` (func, idx) and ``train.txt``, ``valid.txt``, ``test.txt`` (id, id, 0 or 1).

    Args:
        folder: where to.
        fragments: ids, free of white space, and texts.
        pairs: left, right, label and part.
    """
    with _new(folder / "data.jsonl") as file:
        for name, text in fragments:
            file.write(json.dumps({"func": text, "idx": name}, ensure_ascii=False) + "\n")
    with ExitStack() as stack:
        lists = {part: stack.enter_context(_new(folder / f"{part}.txt")) for part in PARTS}
        for left, right, label, part in pairs:
            lists[part].write(f"{left}\t{right}\t{label}\n")


def write_csv(path: Path, columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a table with a header; missing values are empty cells."""
    with _new(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([row[column] for column in columns])


def bigcloneeval_place(path: str | None, first_line: int | None, last_line: int | None) -> str | None:
    """A fragment as ``folder,file,first,last``; None where it has no place, or a name that the format cannot hold."""
    if not path or first_line is None or last_line is None or any(sign in path for sign in ',"\n\r'):
        return None
    place = PurePosixPath(path)
    return f"{place.parent},{place.name},{first_line},{last_line}"


def write_bigcloneeval(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Write clones by their places, one pair on a line, as BigCloneEval imports them."""
    with _new(path) as file:
        for left, right in pairs:
            file.write(f"{left},{right}\n")


def _new(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", newline="")
