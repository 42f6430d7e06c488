"""Converts a table of labelled pairs to the tables of a dataset. The rows are read twice, and not kept in memory."""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.code import LANGUAGES, language
from clonetruth.formats.tables import Row
from clonetruth.model import Dataset, Fragment, Functionality, Judgement, Pair, PairValue
from clonetruth.sources.columns import Columns, Meaning
from clonetruth.sources.source import ImportLog

PARTS = {
    "train": "train",
    "training": "train",
    "valid": "valid",
    "validation": "valid",
    "val": "valid",
    "dev": "valid",
    "test": "test",
    "testing": "test",
}
"""The names that datasets use for the parts of a split."""

_VALUES = tuple(PairValue)
_NO_LABEL = -1


@dataclass(frozen=True)
class PairLocation:
    """A row with its file, and the part of the split that the file stands for."""

    path: Path
    row: Row
    part: str | None = None


@dataclass(frozen=True)
class _Side:
    """One side of a row; `text` is None if another table holds it."""

    id: str
    text: str | None
    language: str


class _UnusableError(Exception):
    """The row is unusable; the message gives the reason."""


@dataclass
class LabelledPairs:
    """A table of pairs.

    Args:
        rows: reads the rows from the start; called twice.
        columns: the roles of the columns.
        meaning: the meaning of the labels.
        log: counts rows, and records unusable ones.
        texts: all fragments, if the rows do not hold the texts.
    """

    rows: Callable[[], Iterable[PairLocation]]
    columns: Columns
    meaning: Meaning
    log: ImportLog
    texts: Iterable[Fragment] | None = None
    _known: dict[str, bytes] = field(default_factory=dict)
    _labels: array[int] = field(default_factory=lambda: array("b"))
    _lines: array[int] = field(default_factory=lambda: array("q"))
    _functionalities: dict[str, None] = field(default_factory=dict)

    def dataset(self) -> Dataset:
        """The tables, which must be read in order."""
        return Dataset(
            card=self.meaning.card,
            fragments=self._fragments(),
            functionalities=self._named(),
            pairs=self._pairs(),
            judges=(self.meaning.judge,),
            judgements=self._judgements(),
        )

    def _fragments(self) -> Iterator[Fragment]:
        if self.texts is not None:
            for fragment in self.texts:
                self._known[fragment.id] = b""
                yield fragment
        for location in self.rows():
            try:
                sides = self._sides(location.row.values)
                functionality = self._functionality(location.row.values)
            except _UnusableError:
                continue  # the second pass logs the reason
            if functionality is not None:
                self._functionalities[functionality] = None
            for side in sides:
                if side.text is not None and side.id not in self._known:
                    self._known[side.id] = _digest(side.text)
                    yield Fragment(side.id, side.language, side.text)

    def _named(self) -> Iterator[Functionality]:
        for name in self._functionalities:
            yield Functionality(name, name)

    def _pairs(self) -> Iterator[Pair]:
        for location in self.rows():
            self.log.read("rows")
            try:
                pair = self._pair(location)
                label = self._label(location.row.values)
            except _UnusableError as why:
                self.log.skip(location.path, location.row.line, str(why))
                continue
            self._labels.append(label)
            self._lines.append(location.row.line)
            yield pair
        if not self._labels:
            raise self.log.nothing_usable(
                "No row could be used as a pair.", "Check the columns and the values of the label."
            )

    def _judgements(self) -> Iterator[Judgement]:
        judge, criterion = self.meaning.judge.id, self.meaning.criterion
        for pair, (label, line) in enumerate(zip(self._labels, self._lines, strict=True)):
            if label != _NO_LABEL:
                yield Judgement(judge, criterion, _VALUES[label], pair, source_row=line)

    def _pair(self, location: PairLocation) -> Pair:
        values = location.row.values
        left, right = self._sides(values)
        for side in (left, right):
            if side.id not in self._known:
                raise _UnusableError("the text of a fragment is missing")
            if side.text is not None and self._known[side.id] not in (b"", _digest(side.text)):
                raise _UnusableError("an id has a different text than before")
        name = _cell(values, self.columns.part)
        part = PARTS.get(name.lower()) if name else location.part
        if name and part is None:
            raise _UnusableError("the part is not train, valid or test")
        return Pair(
            left.id,
            right.id,
            self._functionality(values),
            _cell(values, self.columns.type) or None,
            _number(values, self.columns.similarity_line),
            _number(values, self.columns.similarity_token),
            self.meaning.cut_rule,
            part,
        )

    def _sides(self, values: Mapping[str, Any]) -> tuple[_Side, _Side]:
        columns = self.columns
        return (
            self._side(values, columns.left, columns.left_text, columns.left_language),
            self._side(values, columns.right, columns.right_text, columns.right_language),
        )

    def _side(self, values: Mapping[str, Any], id_: str | None, text: str | None, language_column: str | None) -> _Side:
        name = self.meaning.language or _cell(values, language_column)
        content = None
        if text is not None and self.texts is None:
            content = _text(values.get(text))
            if not content.strip():
                raise _UnusableError("a text is empty")
            if not name or name.lower() not in LANGUAGES:
                raise _UnusableError("the language is unknown")
        key = _cell(values, id_) if id_ else f"text-{_digest(content or '').hex()}"
        if not key:
            raise _UnusableError("an id is empty")
        return _Side(key, content, language(name).name if content is not None else "")

    def _functionality(self, values: Mapping[str, Any]) -> str | None:
        return _cell(values, self.columns.functionality) or None

    def _label(self, values: Mapping[str, Any]) -> int:
        if self.columns.label is None:
            return _NO_LABEL
        word = _cell(values, self.columns.label).lower()
        if word in ("", "unknown", "undecided"):
            return _NO_LABEL
        if word not in self.meaning.values:
            raise _UnusableError("the label is neither a true nor a false value")
        return _VALUES.index(self.meaning.values[word])


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8")).digest()[:12]


def _text(value: object) -> str:
    """A text that can be stored: JSON may escape a lone surrogate, which no encoding can write."""
    return value.encode("utf-8", errors="replace").decode("utf-8") if isinstance(value, str) else ""


def _cell(values: Mapping[str, Any], column: str | None) -> str:
    """A cell as text; empty if there is none, or if it is a list or an object."""
    value = values.get(column) if column is not None else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return _text(str(value)).strip() if isinstance(value, str | int | float) else ""


def _number(values: Mapping[str, Any], column: str | None) -> float | None:
    word = _cell(values, column)
    if not word:
        return None
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _UnusableError("a similarity is not a number")
    return number
