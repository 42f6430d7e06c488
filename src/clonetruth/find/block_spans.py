"""From equal runs of statements to blocks that a person can read: whole statements, with what is nested in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from clonetruth.code.overlap import Integers
from clonetruth.code.statements import CLOSING, CONTINUED, Rows
from clonetruth.find.block_runs import StatementList


class Span(NamedTuple):
    """Some statements in a row: the number of the first, and of the one after the last."""

    first: int
    end: int

    def holds(self, other: Span) -> bool:
        """Whether another span is inside of this one."""
        return self.first <= other.first and other.end <= self.end


@dataclass(frozen=True, eq=False)
class LocatedStatements:
    """The statements of all files of one language, with where they are.

    Attributes:
        language: the language.
        rows: the statements, those that are only brackets included.
        row_file: the number of the file of each.
    """

    language: str
    rows: Rows
    row_file: Integers

    @cached_property
    def row_of(self) -> Integers:
        """The row of each statement that is compared (no imports, no lone brackets): these are numbered from 0 on."""
        return np.flatnonzero(self.rows["role"] <= CONTINUED)

    @cached_property
    def file(self) -> Integers:
        """The file of each statement."""
        return self.row_file[self.row_of]

    @cached_property
    def depth(self) -> Integers:
        """The blocks around each statement."""
        return self.rows["depth"][self.row_of].astype(np.int64)

    @cached_property
    def tokens(self) -> Integers:
        """The number of tokens of each statement."""
        return self.rows["tokens"][self.row_of].astype(np.int64)

    @cached_property
    def continued(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which statements cannot stand without the one before them."""
        return np.asarray(self.rows["role"][self.row_of] == CONTINUED)

    @cached_property
    def token_total(self) -> Integers:
        """The tokens before each row, and in all."""
        return np.append(0, np.cumsum(self.rows["tokens"].astype(np.int64)))

    def form(self, name: str) -> StatementList:
        """The statements in one of their forms: `exact` or `renamed`."""
        return StatementList(self.rows[name][self.row_of], self.tokens, self.depth, self.file)

    def depth_after(self, end: int) -> int:
        """The depth of the statement at a place, -1 at the end of a file."""
        if end >= len(self.file) or (end and self.file[end] != self.file[end - 1]):
            return -1
        return int(self.depth[end])

    def last_row(self, span: Span) -> int:
        """The row after a span, with the brackets that close what it opens."""
        row = int(self.row_of[span.end - 1]) + 1
        depth, file = self.depth[span.first], self.file[span.first]
        rows, row_file = self.rows, self.row_file
        while row < len(rows) and row_file[row] == file and rows["role"][row] == CLOSING and rows["depth"][row] > depth:
            row += 1
        return row

    def size(self, span: Span) -> int:
        """The number of tokens of a span, closing brackets included."""
        return int(self.token_total[self.last_row(span)] - self.token_total[self.row_of[span.first]])

    def digest(self, span: Span, form: str) -> bytes:
        """A digest of the statements of a span in one of their forms, imports included, and of how they are nested."""
        return self._digest(int(self.row_of[span.first]), int(self.row_of[span.end - 1]) + 1, form)

    def file_digest(self, file: int, form: str) -> bytes:
        """The same for all statements of a file, imports included."""
        low, high = np.searchsorted(self.row_file, (file, file + 1)).tolist()
        return self._digest(low, high, form)

    def _digest(self, low: int, high: int, form: str) -> bytes:
        rows = self.rows[low:high][self.rows["role"][low:high] != CLOSING]
        steps = np.diff(rows["depth"].astype(np.int64))
        return blake2b(rows[form].tobytes() + b"\0" + steps.tobytes(), digest_size=16).digest()

    def pieces(self, span: Span, after: int) -> Iterator[Span]:
        """Split a span into maximal sequences of whole statements, each with everything that is nested in it.

        Args:
            span: the span.
            after: the depth of what follows it.
        """
        depths = self.depth[span.first : span.end]
        pending = [(0, len(depths), after)]
        while pending:
            begin, end, after = pending.pop()
            if begin >= end:
                continue
            least = depths[begin:end].min()
            tops = begin + np.flatnonzero(depths[begin:end] == least)
            # What comes before the outermost statements is nested in something that is not part of the span.
            pending.append((begin, int(tops[0]), int(least)))
            last = end
            if after > least:  # the last of the outermost statements is cut off
                last = int(tops[-1])
                pending.append((last + 1, end, after))
            tops = tops[(tops < last) & ~self.continued[span.first + tops]]
            if len(tops):
                yield Span(span.first + int(tops[0]), span.first + last)

    def is_whole(self, span: Span) -> bool:
        """Whether a span consists of whole statements."""
        depths = self.depth[span.first : span.end]
        return bool(depths.min() >= depths[0]) and self.depth_after(span.end) <= depths[0]


def without_overlaps(spans: Sequence[Span]) -> list[Span]:
    """Return the spans that do not overlap an earlier one, in order."""
    kept: list[Span] = []
    for span in sorted(spans):
        if not kept or span.first >= kept[-1].end:
            kept.append(span)
    return kept
