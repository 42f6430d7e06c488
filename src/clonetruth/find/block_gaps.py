"""Equal runs of statements, extended over small gaps: blocks with a changed, an inserted or a deleted statement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy.typing as npt

from clonetruth.find.block_runs import StatementList
from clonetruth.find.block_spans import LocatedStatements, Span

_GAP = 3
"""Number of statements that a gap may have on either side."""
_ANCHOR = 10
"""Number of tokens that must be equal after a gap: less is an accident."""


class GappedPair(NamedTuple):
    """Two blocks that are equal but for gaps.

    Attributes:
        left: the first block.
        right: the other one, later.
        similarity: the tokens of the equal statements ÷ the tokens of the longer block.
    """

    left: Span
    right: Span
    similarity: float


class _Segment(NamedTuple):
    """Statements that are equal on both sides: the first on the left, the first on the right, and their number."""

    left: int
    right: int
    length: int


class GapExtension:
    """Extends pairs of equal runs.

    Args:
        located: the statements.
        statements: the same, in the form that is compared.
        threshold: the minimum similarity.
        min_tokens: the minimum number of tokens of a block.
    """

    def __init__(
        self, located: LocatedStatements, statements: StatementList, threshold: float, min_tokens: int
    ) -> None:
        self._located = located
        self._threshold = threshold
        self._min_tokens = min_tokens
        # Views that give plain numbers one by one, faster than arrays do.
        self._form = _plain(statements.form)
        self._links = _plain(statements.links)
        self._tokens = _plain(statements.tokens)
        self._depth = _plain(statements.depth)
        self._file = _plain(statements.file)

    def pairs(self, left: int, right: int, length: int) -> Iterator[GappedPair]:
        """Iterate over the blocks with gaps around a pair of equal runs; none if nothing is found beyond a gap.

        Args:
            left: the first statement of the first run.
            right: the first statement of the other run, later and without overlap.
            length: the number of statements.
        """
        segments = [_Segment(left, right, length)]
        self._forward(segments)
        self._backward(segments)
        if len(segments) == 1:
            return
        first, last = segments[0], segments[-1]
        whole = Span(first.left, last.left + last.length)
        for piece in self._located.pieces(whole, self._located.depth_after(whole.end)):
            pair = self._trimmed(piece, segments)
            if pair is not None:
                yield pair

    def _forward(self, segments: list[_Segment]) -> None:
        origin = segments[0]
        matched = sum(self._tokens[origin.left : origin.left + origin.length])
        sizes = [matched, matched]
        while True:
            last = segments[-1]
            i, j = last.left + last.length, last.right + last.length
            limits = self._limit(i, origin.left, origin.right), self._limit(j, origin.right, len(self._form))
            found = None
            for x, y in _OFFSETS:
                if i + x >= limits[0] or j + y >= limits[1] or self._form[i + x] != self._form[j + y]:
                    continue
                if self._depth[i + x] - self._depth[origin.left] != self._depth[j + y] - self._depth[origin.right]:
                    continue
                size, tokens = 1, self._tokens[i + x]
                while (
                    i + x + size < limits[0]
                    and j + y + size < limits[1]
                    and self._links[i + x + size] == self._links[j + y + size]
                ):
                    tokens += self._tokens[i + x + size]
                    size += 1
                if tokens >= _ANCHOR:
                    found = _Segment(i + x, j + y, size), tokens, x, y
                    break
            if found is None:
                return
            segment, tokens, x, y = found
            sizes[0] += tokens + sum(self._tokens[i : i + x])
            sizes[1] += tokens + sum(self._tokens[j : j + y])
            matched += tokens
            if matched < self._threshold * max(sizes):
                return
            segments.append(segment)

    def _limit(self, at: int, inside: int, bound: int) -> int:
        """The end of the file of a statement, or a bound before it."""
        file = self._file[inside]
        end = at
        most = min(len(self._file), at + _REACH)
        while end < most and self._file[end] == file:
            end += 1
        return min(end, bound) if bound > inside else end

    def _backward(self, segments: list[_Segment]) -> None:
        origin = segments[0]
        matched = sum(sum(self._tokens[one.left : one.left + one.length]) for one in segments)
        last = segments[-1]
        sizes = [
            sum(self._tokens[origin.left : last.left + last.length]),
            sum(self._tokens[origin.right : last.right + last.length]),
        ]
        end_left = last.left + last.length
        while True:
            first = segments[0]
            i, j = first.left - 1, first.right - 1
            found = None
            for x, y in _OFFSETS:
                if not self._inside(i - x, origin.left) or not self._inside(j - y, origin.right):
                    continue
                if self._file[i] == self._file[j] and j - y < end_left:
                    continue
                if self._form[i - x] != self._form[j - y]:
                    continue
                if self._depth[i - x] - self._depth[origin.left] != self._depth[j - y] - self._depth[origin.right]:
                    continue
                size, tokens = 1, self._tokens[i - x]
                while (
                    size < _REACH
                    and self._inside(i - x - size, origin.left)
                    and self._inside(j - y - size, origin.right)
                    and (self._file[i] != self._file[j] or j - y - size >= end_left)
                    and self._form[i - x - size] == self._form[j - y - size]
                    and self._links[i - x - size + 1] == self._links[j - y - size + 1]
                ):
                    tokens += self._tokens[i - x - size]
                    size += 1
                if tokens >= _ANCHOR:
                    found = _Segment(i - x - size + 1, j - y - size + 1, size), tokens, x, y
                    break
            if found is None:
                return
            segment, tokens, x, y = found
            sizes[0] += tokens + sum(self._tokens[i - x + 1 : i + 1])
            sizes[1] += tokens + sum(self._tokens[j - y + 1 : j + 1])
            matched += tokens
            if matched < self._threshold * max(sizes):
                return
            segments.insert(0, segment)

    def _inside(self, at: int, origin: int) -> bool:
        return at >= 0 and self._file[at] == self._file[origin]

    def _trimmed(self, piece: Span, segments: list[_Segment]) -> GappedPair | None:
        """The part of a pair that begins and ends with equal statements, whole on both sides."""
        depth = self._depth[piece.first]
        matched = [
            (segment.left + step, segment.right + step)
            for segment in segments
            for step in range(segment.length)
            if piece.first <= segment.left + step < piece.end
        ]
        continued = self._located.continued
        start = next((one for one in matched if self._depth[one[0]] == depth and not continued[one[0]]), None)
        if start is None:
            return None
        left, right = (self._closed(Span(start[side], matched[-1][side] + 1)) for side in (0, 1))
        if not self._located.is_whole(left) or not self._located.is_whole(right):
            return None
        if left.end > right.first and self._file[left.first] == self._file[right.first]:
            return None
        equal = sum(self._tokens[i] for i, _ in matched if i >= start[0])
        longer = max(sum(self._tokens[side.first : side.end]) for side in (left, right))
        if equal < self._threshold * longer or equal == longer:
            return None
        if min(self._located.size(left), self._located.size(right)) < self._min_tokens:
            return None
        return GappedPair(left, right, equal / longer)

    def _closed(self, span: Span) -> Span:
        """A span with the rest of its last statement, if that is short."""
        end = span.end
        while end < span.end + _GAP and self._located.depth_after(end) > self._depth[span.first]:
            end += 1
        return Span(span.first, end)


def _plain(numbers: npt.NDArray[Any]) -> memoryview:
    return memoryview(numbers.data)


_OFFSETS = sorted(
    ((x, y) for x in range(_GAP + 1) for y in range(_GAP + 1) if x or y), key=lambda gap: (sum(gap), max(gap), gap)
)
_REACH = 2_000
"""Number of statements that one step of an extension looks at."""
