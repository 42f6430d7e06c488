"""Clone classes as pairs: a class of n places is n (n - 1) / 2 pairs, given in batches however large it is.

Readers gather what a tool says of a class as `Mention`s; `clone_class` keeps those that make sense and tells the
others; `pairs_of` makes the batches. The left place of a pair stands before the right one in the report.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.formats.reports.report import REPORTED, ReadingLog

LAST_LINE = 2**31 - 1
"""The last line of a place that is a whole file: the report does not say how long the file is."""

BATCH_PAIRS = 131_072

_SMALL_CLASS = 64
"""Up to this size the pairs of a class are counted out one by one; larger classes are counted out by numpy."""

_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,10}\s*", re.ASCII)
_INT32 = range(-(2**31), 2**31)

_Indexes = npt.NDArray[np.int64]


class ReportedLocation(NamedTuple):
    """A piece of a file: inclusive lines from 1."""

    path: str
    first_line: int
    last_line: int


class Mention(NamedTuple):
    """A place as a report writes it, which may have no sense, and the report's line."""

    path: object
    first_line: object
    last_line: object
    at: int | None = None


class ReportedClass(NamedTuple):
    """Places that a tool calls clones of one another."""

    places: Sequence[ReportedLocation]
    score: float | None = None


@dataclass
class ClassReport:
    """A report format of clone classes, each file of which is a report by itself.

    Args:
        name: how it is asked for.
        description: what the files are.
        sees: whether a file is of the format, from its first bytes.
        classes: the clone classes of a file.
    """

    name: str
    description: str
    sees: Callable[[Path], bool]
    classes: Callable[[Path, ReadingLog], Iterator[ReportedClass]]

    def recognise(self, paths: Sequence[Path]) -> bool:
        """See `ReportFormat.recognise`."""
        return len(paths) == 1 and self.sees(paths[0])

    def read(self, paths: Sequence[Path], log: ReadingLog) -> Iterator[pa.RecordBatch]:
        """See `ReportFormat.read`."""
        for path in paths:
            yield from pairs_of(self.classes(path, log), log)


def place_of(mention: Mention) -> ReportedLocation:
    """The place that is meant.

    Raises:
        ValueError: there is none; the message says why.
    """
    path = mention.path
    if not isinstance(path, str) or not path.strip():
        raise ValueError("the path of a file is missing")
    if not path.isascii():
        # JSON can hold halves of characters, Arrow cannot.
        path = path.encode("utf-8", errors="replace").decode("utf-8")
    return ReportedLocation(path, _line(mention.first_line, "first"), _line(mention.last_line, "last"))


def _line(value: object, which: str) -> int:
    if isinstance(value, str):
        if value.isdecimal() and value.isascii() and len(value) < 10:
            return int(value)
        if _WHOLE.fullmatch(value):
            value = int(value)
    if value is None or value == "":
        raise ValueError(f"the {which} line is missing")
    if isinstance(value, int) and not isinstance(value, bool) and value in _INT32:
        return value
    raise ValueError(f"the {which} line is no line number: {str(value)[:40]!r}")


def score_of(value: object) -> float | None:
    """A tool's score; None where it is none."""
    try:
        score = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return score if math.isfinite(score) else None


def clone_class(
    mentions: Iterable[Mention], path: Path, line: int | None, log: ReadingLog, *, score: float | None = None
) -> Iterator[ReportedClass]:
    """The class of the mentions that make sense, if there are two; what is wrong is told.

    Args:
        mentions: what the report says.
        path: the report.
        line: where the class begins in it.
        log: told of mentions without sense, and of a class of fewer than two.
        score: the tool's score of the class.
    """
    places: list[ReportedLocation] = []
    sound = True
    for mention in mentions:
        try:
            places.append(place_of(mention))
        except ValueError as error:
            sound = False
            log.skip(path, mention.at if mention.at is not None else line, str(error))
    if len(places) > 1:
        yield ReportedClass(places, score)
    elif sound:
        log.skip(path, line, f"a clone needs two places, and {len(places) or 'none'} is named")


def pairs_of(classes: Iterable[ReportedClass], log: ReadingLog) -> Iterator[pa.RecordBatch]:
    """The pairs of clone classes in batches with the columns of `REPORTED`, counted in the log."""
    pending = _Pending()
    for found in classes:
        if len(found.places) <= _SMALL_CLASS:
            pending.add(found)
            if len(pending.left) >= BATCH_PAIRS:
                yield pending.batch(log)
                pending = _Pending()
        else:
            if pending.left:
                yield pending.batch(log)
                pending = _Pending()
            for left, right in _chunks(len(found.places)):
                yield _batch(found.places, left, right, np.full(len(left), found.score, dtype=np.float64), log)
    if pending.left:
        yield pending.batch(log)


@dataclass
class _Pending:
    """Small classes on their way into one batch."""

    places: list[ReportedLocation] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    scores: list[float | None] = field(default_factory=list)

    def add(self, found: ReportedClass) -> None:
        start = len(self.places)
        self.places.extend(found.places)
        for left, right in combinations(range(start, len(self.places)), 2):
            self.left.append(left)
            self.right.append(right)
            self.scores.append(found.score)

    def batch(self, log: ReadingLog) -> pa.RecordBatch:
        scores = np.array(self.scores, dtype=np.float64)
        return _batch(self.places, np.array(self.left), np.array(self.right), scores, log)


def _chunks(size: int) -> Iterator[tuple[_Indexes, _Indexes]]:
    """The pairs of a class by the indexes of their places, row by row of the triangle."""
    rows = np.arange(size - 1)
    partners = size - 1 - rows
    ends = np.cumsum(partners)
    start = 0
    while start < size - 1:
        done = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + BATCH_PAIRS, side="right")))
        left = np.repeat(rows[start:stop], partners[start:stop])
        offsets = np.arange(len(left)) - np.repeat(ends[start:stop] - partners[start:stop] - done, partners[start:stop])
        yield left, left + 1 + offsets
        start = stop


def _batch(
    places: Sequence[ReportedLocation],
    left: _Indexes,
    right: _Indexes,
    scores: npt.NDArray[np.float64],
    log: ReadingLog,
) -> pa.RecordBatch:
    paths = pa.array([place.path for place in places], pa.string())
    first = np.array([place.first_line for place in places], dtype=np.int32)
    last = np.array([place.last_line for place in places], dtype=np.int32)
    log.pairs += len(left)
    columns = [
        column
        for side in (left, right)
        for column in (paths.take(pa.array(side)), pa.array(first[side]), pa.array(last[side]))
    ]
    # numpy has no null: a missing score is NaN on the way.
    return pa.RecordBatch.from_arrays([*columns, pa.array(scores, from_pandas=True)], schema=REPORTED)
