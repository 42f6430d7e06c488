"""Lists of pairs, one per line: lists of file names, and lists of ids as Arrow batches with their labels as claims."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
import pyarrow as pa

from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix, read_lines
from clonetruth.model import Judge, PairValue
from clonetruth.sources.bcb_lists import ListedPair
from clonetruth.sources.layout import part_of, stem
from clonetruth.sources.source import ImportLog

# Lists of pairs of file names, ``path path label`` with the label 1 or -1, as in FA-AST and TBCCD.

_NAME = re.compile(
    r"(?:record)?(?P<part>train|valid|dev|test)(?:all|data)?(?:abs)?(?:bcb|bigclonebench)?(?P<selection>\w*)"
)
_PARTS = {"train": "train", "valid": "valid", "dev": "valid", "test": "test"}
_ROW = re.compile(rb"\S+[\\/]\S+\.(txt|java)\s+\S+[\\/]\S+\.(txt|java)\s+(-1|0|1)\s*(\n|\r|\Z)")
_LABELS = {"1": PairValue.CLONE, "-1": PairValue.NOT_CLONE, "0": PairValue.NOT_CLONE}


def is_path_list(path: Path) -> bool:
    """Whether a file is a list of file names, by its name (`traindata11.txt`, `recorddevdataBCB.txt`) and first row."""
    return path_part(path) is not None and inner_suffix(path) == ".txt" and _ROW.match(head(path)) is not None


def path_part(path: Path) -> str | None:
    """The part of the split in the name of a list; None if there is none."""
    found = _NAME.fullmatch(stem(path))
    return _PARTS[found["part"]] if found else None


def is_variant(path: Path) -> bool:
    """Whether a list is a smaller or balanced selection of another (`train11`, `trainsmall`, `…30w`)."""
    found = _NAME.fullmatch(stem(path))
    return found is not None and bool(found["selection"])


def chosen_lists(lists: Sequence[Path], named: Sequence[Path]) -> list[Path]:
    """The lists to read: those that the user named, and the full ones of a folder.

    A folder holds the full training list and selections of it; reading all of them would repeat rows.
    """
    chosen = []
    for path in lists:
        full = [one for one in lists if path_part(one) == path_part(path) and not is_variant(one)]
        if path in named or not is_variant(path) or not full:
            chosen.append(path)
    return chosen


def identity_of(name: str) -> str:
    """The id of a file in a list: the number of a BigCloneBench function, or else the last folder and the file name."""
    path = PurePosixPath(name.replace("\\", "/"))
    in_folder = len(path.parts) > 2 and path.parts[-2].isdecimal()
    if path.stem.isdecimal() and not in_folder:
        return path.stem
    return "/".join(path.parts[-2:])


def path_list_reader(lists: Sequence[Path]) -> Callable[[ImportLog], Iterator[ListedPair]]:
    """A reader of the lists; see `IdPairs.rows`."""

    def rows(log: ImportLog) -> Iterator[ListedPair]:
        for path in lists:
            part = path_part(path)
            for number, line in read_lines(path):
                words = line.decode("utf-8", errors="replace").split()
                if len(words) == 3 and words[2] in _LABELS:
                    left, right = identity_of(words[0]), identity_of(words[1])
                    yield ListedPair(left, right, _LABELS[words[2]], number, part=part)
                elif words:
                    log.skip(path, number, "the row does not hold two files and the label 1 or -1")

    return rows


# Lists of ids.

_BATCH_ROWS = 65_536
_VALUES = (PairValue.NOT_CLONE, PairValue.CLONE)

Listed = tuple[str, str, PairValue]
"""A row: left, right, label."""


def labelled(words: Sequence[str]) -> Listed | None:
    """A row ``left right label`` with the label 1, or 0 or -1; None for anything else."""
    if len(words) != 3 or words[2] not in ("0", "1", "-1"):
        return None
    return words[0], words[1], PairValue.CLONE if words[2] == "1" else PairValue.NOT_CLONE


def positive(words: Sequence[str]) -> Listed | None:
    """A row ``left right`` of a list that names clones only; None for anything else."""
    return (words[0], words[1], PairValue.CLONE) if len(words) == 2 else None


def words_of_lines(path: Path) -> Iterator[tuple[int, Sequence[str]]]:
    """The words of each line of a file, with the line number."""
    for number, line in read_lines(path):
        if words := line.decode("utf-8", errors="replace").split():
            yield number, words


@dataclass
class PairLists:
    """The lists of a dataset, read once: the pairs are streamed, the labels kept for the judgements.

    Args:
        files: the lists, in reading order.
        judge: the judge to whom the labels are attributed.
        criterion: the criterion of the labels.
        known: the ids of the fragments.
        log: counts rows, and records unusable ones.
        parse: converts the words of a row to a pair and a label.
        read: reads the rows of a list as words, with their numbers.
    """

    files: Sequence[Path]
    judge: Judge
    criterion: str
    known: Container[str]
    log: ImportLog
    parse: Callable[[Sequence[str]], Listed | None] = labelled
    read: Callable[[Path], Iterator[tuple[int, Sequence[str]]]] = words_of_lines

    def __post_init__(self) -> None:
        self._labels: list[np.ndarray] = []
        self._lines: list[np.ndarray] = []

    def pairs(self) -> Iterator[pa.RecordBatch]:
        """The rows of the lists. Read the fragments first."""
        for file in self.files:
            yield from self._file(file)

    def judgements(self) -> Iterator[pa.RecordBatch]:
        """The label of each row. Read the pairs first."""
        first = 0
        for labels, lines in zip(self._labels, self._lines, strict=True):
            rows = len(labels)
            values = pa.DictionaryArray.from_arrays(pa.array(labels), pa.array(_VALUES, pa.string()))
            columns = {
                "judge": pa.array([self.judge.id] * rows, pa.string()),
                "criterion": pa.array([self.criterion] * rows, pa.string()),
                "value": values.dictionary_decode(),
                "pair": pa.array(np.arange(first, first + rows)),
                "source_row": pa.array(lines),
            }
            yield pa.RecordBatch.from_pydict(columns)
            first += rows

    def _file(self, file: Path) -> Iterator[pa.RecordBatch]:
        part = part_of(file)
        what = f"pairs ({part})" if part else "pairs"
        rows: list[tuple[str, str, bool, int]] = []
        for number, words in self.read(file):
            row = self.parse(words)
            if row is None:
                self.log.skip(file, number, "the row is not a pair with a label")
                continue
            left, right, value = row
            if left not in self.known or right not in self.known:
                self.log.skip(file, number, "the row names an unknown fragment")
                continue
            rows.append((left, right, value is PairValue.CLONE, number))
            if len(rows) >= _BATCH_ROWS:
                yield self._batch(rows, part, what)
                rows = []
        if rows:
            yield self._batch(rows, part, what)

    def _batch(self, rows: list[tuple[str, str, bool, int]], part: str | None, what: str) -> pa.RecordBatch:
        self.log.read(what, len(rows))
        left, right, labels, lines = zip(*rows, strict=True)
        self._labels.append(np.array(labels, dtype=np.int8))
        self._lines.append(np.array(lines, dtype=np.int64))
        columns = {"left": left, "right": right, "claimed_part": [part] * len(rows)}
        return pa.RecordBatch.from_pydict({name: pa.array(column, pa.string()) for name, column in columns.items()})
