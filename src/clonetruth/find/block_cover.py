"""Which blocks are news: not inside functions, files or larger blocks that are already reported as clones."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from clonetruth.code.overlap import Integers
from clonetruth.find.block_spans import LocatedStatements, Span


@dataclass(frozen=True)
class BlockLimits:
    """Which blocks are reported.

    Attributes:
        min_tokens: the minimum number of tokens.
        min_lines: the minimum number of lines.
        threshold: the minimum similarity of blocks with gaps.
    """

    min_tokens: int = 50
    min_lines: int = 1
    threshold: float = 0.7


class BlockClass(NamedTuple):
    """Blocks that are clones of each other.

    Attributes:
        spans: the blocks, in order.
        size: the number of tokens of the first.
        similarity: how similar they are; 1 if they are equal but for names and values.
    """

    spans: tuple[Span, ...]
    size: int
    similarity: float = 1.0


class FunctionCover:
    """Knows which blocks are in functions that are clones of each other.

    Args:
        located: the statements.
        functions: the file, first byte and end of each function.
        classes: the clone classes of each function that is in one.
    """

    def __init__(
        self,
        located: LocatedStatements,
        functions: tuple[Integers, Integers, Integers],
        classes: Mapping[int, Collection[int]],
    ) -> None:
        self._classes = classes
        self._tokens = np.append(0, np.cumsum(located.tokens))
        self.function_of = np.full(len(located.file), -1)
        file, start, end = functions
        starts = located.rows["start"][located.row_of].astype(np.int64)
        keys = located.file << 32 | starts
        first = np.searchsorted(keys, file << 32 | start).tolist()
        after = np.searchsorted(keys, file << 32 | end).tolist()
        for number, (low, high) in enumerate(zip(first, after, strict=True)):
            # In order of their starts: what is nested comes later, and is what counts.
            self.function_of[low:high] = number

    def covers(self, spans: Sequence[Span]) -> bool:
        """Whether each block is, for the most part, in functions that are clones of those of the first."""
        first, *others = spans
        return all(self._covers(first, other) for other in others)

    def _covers(self, left: Span, right: Span) -> bool:
        of = self.function_of
        f, g = of[left.first], of[right.first]
        if f >= 0 and g >= 0 and f == of[left.end - 1] and g == of[right.end - 1]:
            return self._alike(int(f), int(g))
        return self._share(left, right) >= 0.5 and self._share(right, left) >= 0.5

    def _alike(self, f: int, g: int) -> bool:
        return f != g and not set(self._classes.get(f, ())).isdisjoint(self._classes.get(g, ()))

    def _share(self, span: Span, other: Span) -> float:
        """The share of a block's tokens in functions that have a clone among those of the other block."""
        of = self.function_of
        others = np.unique(of[other.first : other.end]).tolist()
        bounds = np.append(np.flatnonzero(np.diff(of[span.first : span.end], prepend=-2)), span.end - span.first)
        covered = 0
        for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            function = int(of[span.first + begin])
            if function >= 0 and any(self._alike(function, one) for one in others if one >= 0):
                covered += int(self._tokens[span.first + end] - self._tokens[span.first + begin])
        return covered / int(self._tokens[span.end] - self._tokens[span.first])


def selected(
    candidates: Iterable[BlockClass], located: LocatedStatements, known: Iterable[Sequence[Span]] = ()
) -> list[BlockClass]:
    """Return the classes that are not inside others: the largest blocks first, then those with most members.

    A class is inside another one if each of its blocks is in a different block of it, for the most part.

    Args:
        candidates: the classes.
        located: the statements.
        known: spans that are reported as clones of each other already.
    """
    reported = _Reported(located)
    for spans in known:
        reported.add(spans)
    kept: list[BlockClass] = []
    for one in sorted(set(candidates), key=lambda one: (-one.size, -len(one.spans), -one.similarity, one.spans)):
        if not reported.covers(one.spans):
            reported.add(one.spans)
            kept.append(one)
    return kept


_MOSTLY = 0.7
"""Share of a block that must be in another one to be no news."""


class _Reported:
    def __init__(self, located: LocatedStatements) -> None:
        self._file = located.file
        self._tokens = np.append(0, np.cumsum(located.tokens))
        self._by_file: defaultdict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
        self._longest: defaultdict[int, int] = defaultdict(int)
        self._classes = 0

    def add(self, spans: Sequence[Span]) -> None:
        for number, span in enumerate(spans):
            file = int(self._file[span.first])
            entries = self._by_file[file]
            entry = (span.first, span.end, self._classes, number)
            entries.insert(bisect_left(entries, entry), entry)
            self._longest[file] = max(self._longest[file], span.end - span.first)
        self._classes += 1

    def covers(self, spans: Sequence[Span]) -> bool:
        """Whether each span is, for the most part, in a different member of one class."""
        common: dict[int, set[int]] | None = None
        for span in spans:
            here: dict[int, set[int]] = {}
            file = int(self._file[span.first])
            entries = self._by_file.get(file, [])
            at = bisect_left(entries, (span.first - self._longest[file],))
            own = int(self._tokens[span.end] - self._tokens[span.first])
            while at < len(entries) and entries[at][0] < span.end:
                first, end, number, member = entries[at]
                low, high = max(first, span.first), min(end, span.end)
                if low < high and self._tokens[high] - self._tokens[low] >= _MOSTLY * own:
                    here.setdefault(number, set()).add(member)
                at += 1
            if common is None:
                common = here
            else:
                # Each block needs a member of its own.
                common = {
                    number: taken | (here[number] - taken)
                    for number, taken in common.items()
                    if number in here and here[number] - taken
                }
            if not common:
                return False
        return True
