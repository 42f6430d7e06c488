"""Lists of pairs, one on a line, as Arrow batches: the rows in their order, and their labels as claims."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.formats.streams import read_lines
from clonetruth.model import Judge, PairValue
from clonetruth.sources.locating import part_of
from clonetruth.sources.source import ImportLog

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
    """The words of each line of a text, with its number."""
    for number, line in read_lines(path):
        if words := line.decode("utf-8", errors="replace").split():
            yield number, words


@dataclass
class PairLists:
    """The lists of a dataset, read once for the pairs; the labels are kept for the judgements.

    Args:
        files: the lists, in the order in which they are read.
        judge: in whose name the labels are written.
        criterion: under which criterion.
        known: the ids of the fragments.
        log: told of rows read, and of rows that cannot be used.
        parse: what the words of a row mean.
        read: the rows of a list as words, with their numbers.
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
        """The rows of the lists; the fragments must have been read."""
        for file in self.files:
            yield from self._file(file)

    def judgements(self) -> Iterator[pa.RecordBatch]:
        """The label of each row; the pairs must have been read."""
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
                self.log.skip(file, number, "the row names a fragment that is not there")
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
