"""Parts of a text by their places."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from clonetruth.code.tokens import Span


class Spans:
    """Parts of a text; a place is in them or not."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def __contains__(self, place: object) -> bool:
        assert isinstance(place, int)
        at = bisect_right(self._starts, place) - 1
        return at >= 0 and place < self._ends[at]
