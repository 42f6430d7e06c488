"""Trivial detectors: the scores that are possible without reading the code."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.detectors.detector import score_array, side_rows
from clonetruth.progress import Progress


@dataclass(frozen=True)
class AlwaysYes:
    """Scores every pair 1: its precision is the share of clones."""

    name: str = "always-yes"
    description: str = "1 for every pair."
    default_threshold: float | None = 0.5

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`."""
        side_rows(fragments, pairs)
        return pa.array(np.ones(pairs.num_rows))


@dataclass(frozen=True)
class Length:
    """Scores a pair by the ratio of its text lengths."""

    name: str = "length"
    description: str = "Characters of the shorter text ÷ characters of the longer one, ignoring white space."
    default_threshold: float | None = 0.8

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null if a text is empty."""
        left, right = side_rows(fragments, pairs)
        bare = pc.replace_substring_regex(fragments["text"], r"\s+", "")
        lengths = pc.utf8_length(bare).to_numpy().astype(np.float64)
        a, b = lengths[left], lengths[right]
        known = (a > 0) & (b > 0)
        ratio = np.divide(np.minimum(a, b), np.maximum(a, b), out=np.zeros(len(a)), where=known)
        return score_array(ratio, known)


ALWAYS_YES = AlwaysYes()
LENGTH = Length()
