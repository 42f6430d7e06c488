"""Clones with large gaps: windows of lines that match apart from a few lines, as in CCAligner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from clonetruth.code import Form, Language, form_lines
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.containment import ContainmentComparison, piece_key
from clonetruth.detectors.tokenized import Items


@dataclass(frozen=True)
class LargeGap(ClassicalDetector):
    """CCAligner (Wang et al., ICSE 2018): code inserted between matching windows costs little.

    Two windows of `window` lines match if they have `window - mismatches` lines in common, in the same order.

    Attributes:
        window: the number of lines in a window.
        mismatches: the number of lines in a window that need not match.
    """

    name: str = "largegap"
    description: str = field(
        default="Windows of lines, names ignored, that match a window of the other side ÷ windows; the better side.",
        repr=False,
    )
    default_threshold: float = 0.6
    window: int = 6
    mismatches: int = 1

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `FragmentReader.read`. A fragment shorter than a window is one window that must match as a whole."""
        lines = form_lines(text, language, Form.BLIND) if language else []
        if len(lines) < self.window:
            return (piece_key(b"\n".join(lines)),) if lines else None
        return tuple(self._keys(lines[start : start + self.window]) for start in range(len(lines) - self.window + 1))

    def _keys(self, window: list[bytes]) -> bytes:
        subsets = combinations(window, self.window - self.mismatches)
        return b"".join(sorted({piece_key(b"\n".join(lines)) for lines in subsets}))

    def compare(self, distinct: Iterable[Items]) -> ContainmentComparison:
        """See `ClassicalDetector.compare`."""
        return ContainmentComparison(distinct)


LARGEGAP = LargeGap()
