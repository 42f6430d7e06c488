"""Datasets that are lists of pairs of BigCloneBench's function ids, with or without texts.

A list is read twice: for the ids, whose fragments come first, and for the pairs. In between, labels are kept as small
integers.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.formats.sniffing import expand_folders
from clonetruth.model import Card, Dataset, Fragment, PairValue
from clonetruth.sources.bcb_functions import FunctionTexts, is_text_source
from clonetruth.sources.source import ImportLog, SourceCard

_BATCH_ROWS = 65_536
_VALUES = tuple(PairValue)


class ListedPair(NamedTuple):
    """A usable row of a list."""

    left: str
    right: str
    value: PairValue
    line: int
    claimed_type: str | None = None
    similarity_line: float | None = None
    similarity_token: float | None = None
    part: str | None = None


@dataclass(frozen=True)
class Files:
    """The lists and the sources of texts among the given files."""

    lists: tuple[Path, ...]
    texts: tuple[Path, ...]


def recognise_lists(paths: Sequence[Path], is_list: Callable[[Path], bool]) -> list[Path]:
    """The lists at the paths, for `Source.recognise`; none if a folder cannot be read."""
    try:
        return [path for path in expand_folders(paths) if path.is_file() and is_list(path)]
    except InputError:
        return []


def find_files(paths: Sequence[Path], is_list: Callable[[Path], bool], card: SourceCard) -> Files:
    """The lists and the sources of texts, for `Source.read`.

    Other files are not read; the import lists them.

    Raises:
        InputError: there is no list.
    """
    lists: dict[Path, None] = {}
    texts: dict[Path, None] = {}
    for path in paths:
        inside = expand_folders([path]) if path.is_dir() else [path]
        found = [file for file in inside if file.is_file() and is_list(file)]
        lists |= dict.fromkeys(found)
        if path.is_dir() and is_text_source(path):
            further = [path]
        else:
            further = [file for file in inside if file not in found and is_text_source(file)]
        texts |= dict.fromkeys(further)
    if not lists:
        where = ", ".join(map(str, paths)) or None
        raise InputError(f"No list of '{card.card.name}' was found.", where=where, hint=f"Accepted: {card.accepts}.")
    return Files(tuple(lists), tuple(texts))


def rows_of_files(
    paths: Sequence[Path], rows: Callable[[Path, ImportLog], Iterator[ListedPair]]
) -> Callable[[ImportLog], Iterator[ListedPair]]:
    """A reader for `IdPairs`, from a function that reads one list."""

    def read(log: ImportLog) -> Iterator[ListedPair]:
        for path in paths:
            yield from rows(path, log)

    return read


@dataclass
class IdPairs:
    """A dataset that consists of lists of ids.

    Args:
        card: the source's card; labels are claims of its judge.
        rows: reads the lists from the start, and logs unusable rows; called twice.
        texts: the functions' texts.
        log: counts what was read.
        cut_rule: the rule that divided the lists' types by similarity.
    """

    card: SourceCard
    rows: Callable[[ImportLog], Iterator[ListedPair]]
    texts: FunctionTexts
    log: ImportLog
    cut_rule: str | None = None

    def __post_init__(self) -> None:
        self._labels = array("b")
        self._lines = array("q")

    def dataset(self, card: Card | None = None) -> Dataset:
        """The tables, which must be read in order."""
        return Dataset(
            card=card or self.card.card,
            fragments=self._fragments(),
            pairs=self._pairs(),
            judges=(self.card.claimed_by,),
            judgements=self._judgements((card or self.card.card).criterion),
        )

    def _fragments(self) -> Iterator[Fragment]:
        ids: dict[str, None] = {}
        for row in self.rows(self.log):
            self.log.read("pairs")
            ids[row.left] = ids[row.right] = None
        if not ids:
            raise self.log.nothing_usable("No row could be used as a pair.", f"Accepted: {self.card.accepts}.")
        yield from self.texts.fragments(ids, self.log)

    def _pairs(self) -> Iterator[pa.RecordBatch]:
        for rows in _groups(self.rows(ImportLog())):
            left, right, values, lines, types, line_similarities, token_similarities, parts = zip(*rows, strict=True)
            self._labels.extend(_VALUES.index(value) for value in values)
            self._lines.extend(lines)
            rules = [self.cut_rule if name is not None else None for name in types]
            texts = {
                "left": left,
                "right": right,
                "claimed_type": types,
                "claimed_part": parts,
                "claimed_cut_rule": rules,
            }
            numbers = {"claimed_similarity_line": line_similarities, "claimed_similarity_token": token_similarities}
            yield pa.RecordBatch.from_pydict(
                {name: pa.array(column, pa.string()) for name, column in texts.items()}
                | {name: pa.array(column, pa.float64()) for name, column in numbers.items()}
            )

    def _judgements(self, criterion: str) -> Iterator[pa.RecordBatch]:
        values = pa.array(_VALUES, pa.string())
        for first in range(0, len(self._labels), _BATCH_ROWS):
            labels = pa.array(self._labels[first : first + _BATCH_ROWS], pa.int8())
            count = len(labels)
            yield pa.RecordBatch.from_pydict(
                {
                    "judge": pa.repeat(self.card.claimed_by.id, count),
                    "criterion": pa.repeat(criterion, count),
                    "value": values.take(labels),
                    "pair": pa.array(range(first, first + count), pa.int64()),
                    "source_row": pa.array(self._lines[first : first + count], pa.int64()),
                }
            )


def _groups(rows: Iterable[ListedPair]) -> Iterator[list[ListedPair]]:
    iterator = iter(rows)
    while group := list(islice(iterator, _BATCH_ROWS)):
        yield group


def whole_number(value: object) -> str | None:
    """A function id as text, from an integer or a string of digits; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    text = str(value).strip()
    return text if text.isdecimal() and text.isascii() else None
