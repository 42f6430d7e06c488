"""Clone classes as pairs: a class of n locations gives n (n - 1) / 2 pairs, in batches of bounded size.

Readers collect the locations of a class as `RawLocation`s; `clone_class` keeps the valid ones and logs the others;
`class_pairs` makes the batches. The left location of a pair comes before the right one in the report.
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

from clonetruth.budgets import budget
from clonetruth.formats.reports.report import REPORTED, ReadingLog

LAST_LINE = 2**31 - 1
"""The last line of a location that is a whole file, whose length the report does not state."""

BATCH_PAIRS = 131_072

_SMALL_CLASS = 64
"""Up to this size, the pairs of a class are enumerated in Python; larger classes are enumerated by numpy."""

_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,10}\s*", re.ASCII)
_INT32 = range(-(2**31), 2**31)

_Indexes = npt.NDArray[np.int64]


class ReportedLocation(NamedTuple):
    """A range of lines in a file, 1-based and inclusive."""

    path: str
    first_line: int
    last_line: int


class RawLocation(NamedTuple):
    """A location as a report states it, not yet checked, and the report's line."""

    path: object
    first_line: object
    last_line: object
    at: int | None = None


class ReportedClass(NamedTuple):
    """Locations that a tool reports as clones of one another."""

    locations: Sequence[ReportedLocation]
    score: float | None = None


@dataclass
class ClassReport:
    """A report format of clone classes, in which each file is a complete report.

    Args:
        name: the name in the registry.
        description: one sentence on the files.
        matches: whether a file has the format, from its first bytes.
        classes: reads the clone classes of a file.
    """

    name: str
    description: str
    matches: Callable[[Path], bool]
    classes: Callable[[Path, ReadingLog], Iterator[ReportedClass]]

    def recognise(self, paths: Sequence[Path]) -> bool:
        """See `ReportFormat.recognise`."""
        return len(paths) == 1 and self.matches(paths[0])

    def read(self, paths: Sequence[Path], log: ReadingLog) -> Iterator[pa.RecordBatch]:
        """See `ReportFormat.read`."""
        for path in paths:
            yield from class_pairs(self.classes(path, log), log)


def parse_location(location: RawLocation) -> ReportedLocation:
    """Check a location.

    Raises:
        ValueError: it is invalid; the message gives the reason.
    """
    path = location.path
    if not isinstance(path, str) or not path.strip():
        raise ValueError("the path of a file is missing")
    if not path.isascii():
        # JSON can hold lone surrogates, Arrow cannot.
        path = path.encode("utf-8", errors="replace").decode("utf-8")
    return ReportedLocation(path, _line(location.first_line, "first"), _line(location.last_line, "last"))


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
    raise ValueError(f"the {which} line is not a line number: {str(value)[:40]!r}")


def parse_score(value: object) -> float | None:
    """A tool's score; None if it is not a finite number."""
    try:
        score = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return score if math.isfinite(score) else None


def clone_class(
    locations: Iterable[RawLocation], path: Path, line: int | None, log: ReadingLog, *, score: float | None = None
) -> Iterator[ReportedClass]:
    """The class of the valid locations, if there are at least two. Problems are logged.

    Args:
        locations: the locations as the report states them.
        path: the report.
        line: the first line of the class in the report.
        log: records invalid locations, and classes with fewer than two.
        score: the tool's score of the class.

    Raises:
        InputError: the class has more pairs than the budget.
    """
    valid: list[ReportedLocation] = []
    all_valid = True
    for location in locations:
        try:
            valid.append(parse_location(location))
        except ValueError as error:
            all_valid = False
            log.skip(path, location.at if location.at is not None else line, str(error))
    limits = budget()
    if math.comb(len(valid), 2) > limits.class_pairs:
        where = path if line is None else f"{path}:{line}"
        raise limits.exceeded("class_pairs", f"A clone class of {len(valid):,} locations", where)
    if len(valid) > 1:
        yield ReportedClass(valid, score)
    elif all_valid:
        log.skip(path, line, f"a clone needs two locations, and the report names {len(valid) or 'none'}")


def class_pairs(classes: Iterable[ReportedClass], log: ReadingLog) -> Iterator[pa.RecordBatch]:
    """The pairs of clone classes, in batches with the columns of `REPORTED`; the log counts them."""
    pending = _Pending()
    for one in classes:
        if len(one.locations) <= _SMALL_CLASS:
            pending.add(one)
            if len(pending.left) >= BATCH_PAIRS:
                yield pending.batch(log)
                pending = _Pending()
        else:
            if pending.left:
                yield pending.batch(log)
                pending = _Pending()
            for left, right in _chunks(len(one.locations)):
                yield _batch(one.locations, left, right, np.full(len(left), one.score, dtype=np.float64), log)
    if pending.left:
        yield pending.batch(log)


@dataclass
class _Pending:
    """Small classes that are collected into one batch."""

    locations: list[ReportedLocation] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    scores: list[float | None] = field(default_factory=list)

    def add(self, one: ReportedClass) -> None:
        start = len(self.locations)
        self.locations.extend(one.locations)
        for left, right in combinations(range(start, len(self.locations)), 2):
            self.left.append(left)
            self.right.append(right)
            self.scores.append(one.score)

    def batch(self, log: ReadingLog) -> pa.RecordBatch:
        scores = np.array(self.scores, dtype=np.float64)
        return _batch(self.locations, np.array(self.left), np.array(self.right), scores, log)


def _chunks(size: int) -> Iterator[tuple[_Indexes, _Indexes]]:
    """The pairs of a class as indexes of locations, row by row of the triangle."""
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
    locations: Sequence[ReportedLocation],
    left: _Indexes,
    right: _Indexes,
    scores: npt.NDArray[np.float64],
    log: ReadingLog,
) -> pa.RecordBatch:
    paths = pa.array([location.path for location in locations], pa.string())
    first = np.array([location.first_line for location in locations], dtype=np.int32)
    last = np.array([location.last_line for location in locations], dtype=np.int32)
    log.pairs += len(left)
    columns = [
        column
        for side in (left, right)
        for column in (paths.take(pa.array(side)), pa.array(first[side]), pa.array(last[side]))
    ]
    # numpy has no null, so a missing score is NaN until here.
    return pa.RecordBatch.from_arrays([*columns, pa.array(scores, from_pandas=True)], schema=REPORTED)
