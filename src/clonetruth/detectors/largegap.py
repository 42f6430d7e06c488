"""Clones with large gaps: windows of lines that match but for a few. CCAligner's idea."""

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
    """CCAligner (Wang et al., ICSE 2018): what was inserted between matching windows costs little.

    Two windows of `window` lines match where `window - mismatches` lines of one are, in order, so many of the other.

    Attributes:
        window: lines of a window.
        mismatches: lines of a window that need no match.
    """

    name: str = "largegap"
    description: str = field(
        default="Windows of lines, names ignored, that match one of the other fragment ÷ windows; of the better side.",
        repr=False,
    )
    default_threshold: float = 0.6
    window: int = 6
    mismatches: int = 1

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `Reader.read`. A fragment of fewer lines than a window is one window, which has to match in whole."""
        lines = form_lines(text, language, Form.BLIND) if language else []
        if len(lines) < self.window:
            return (piece_key(b"\n".join(lines)),) if lines else None
        return tuple(self._keys(lines[start : start + self.window]) for start in range(len(lines) - self.window + 1))

    def _keys(self, window: list[bytes]) -> bytes:
        chosen = combinations(window, self.window - self.mismatches)
        return b"".join(sorted({piece_key(b"\n".join(lines)) for lines in chosen}))

    def compare(self, readings: Iterable[Items]) -> ContainmentComparison:
        """See `ClassicalDetector.compare`."""
        return ContainmentComparison(readings)


LARGEGAP = LargeGap()
