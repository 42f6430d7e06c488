"""Compression distance: how much of one text another one predicts."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from clonetruth.code import Language
from clonetruth.code.overlap import Integers, required_overlap
from clonetruth.code.similarity import Floats
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.pair_batches import Matches
from clonetruth.detectors.tokenized import Items
from clonetruth.errors import InputError
from clonetruth.progress import Progress

_MAX_CANDIDATES = 5_000_000
"""More candidates than this would take longer than a few minutes."""


@dataclass(frozen=True)
class CompressionDistance(ClassicalDetector):
    """Normalised compression distance (Cilibrasi and Vitányi, 2005), with zlib; white space is collapsed.

    A baseline that knows nothing about code: it takes any language, also across languages. zlib looks back 32 KB only,
    so that larger texts look less similar than they are.
    """

    name: str = "ncd"
    description: str = field(
        default="1 − the normalised compression distance: how much of one text the other predicts.", repr=False
    )
    default_threshold: float = 0.6
    across_languages: bool = field(default=True, repr=False)

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `FragmentReader.read`."""
        collapsed = b" ".join(text.encode("utf-8", errors="replace").split())
        return (collapsed,) if collapsed else None

    def compare(self, distinct: Iterable[Items]) -> _TextComparison:
        """See `ClassicalDetector.compare`."""
        return _TextComparison([text for (text,) in distinct])


class _TextComparison:
    """Texts with their compressed sizes.

        NCD(x, y) = (C(xy) − min(C(x), C(y))) ÷ max(C(x), C(y))

    zlib is neither quite symmetric nor monotone: C(xy) is the smaller of both orders, but at least C(x) and C(y). So
    the score is at most min ÷ max of the sizes, and only texts of similar size need to be compared.
    """

    def __init__(self, texts: list[bytes]) -> None:
        self._texts = texts
        self._sizes = np.array([_size(text) for text in texts], dtype=np.int64)

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `PairComparison.scores`."""
        texts = self._texts
        pairs = ((texts[a], texts[b]) for a, b in zip(left.tolist(), right.tolist(), strict=True))
        joint = np.array([min(_size(a + b" " + b), _size(b + b" " + a)) for a, b in pairs], dtype=np.int64)
        smaller = np.minimum(self._sizes[left], self._sizes[right])
        larger = np.maximum(self._sizes[left], self._sizes[right])
        # 1 − NCD as a single fraction: rounded once, it compares correctly with a threshold as written.
        scores: Floats = np.maximum(larger + smaller - np.maximum(joint, larger), 0) / larger
        return scores

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `PairComparison.matches`.

        Raises:
            InputError: too many texts have similar sizes.
        """
        order = np.argsort(self._sizes, kind="stable")
        sizes = self._sizes[order]
        positions = np.arange(len(order))
        first = np.searchsorted(sizes, required_overlap(sizes, threshold))  # smaller texts cannot match
        if (candidates := int((positions - first).sum())) > _MAX_CANDIDATES:
            raise InputError(
                f"{candidates:,} pairs of texts have similar sizes: compressing them all takes too long.",
                where="ncd",
                hint=f"The limit is {_MAX_CANDIDATES:,}. Raise the threshold, or use 'tokens' or 'nearmiss'.",
            )
        for position, begin in zip(positions.tolist(), first.tolist(), strict=True):
            left = order[begin:position]
            right = np.full(len(left), order[position])
            yield Matches(left, right, self.scores(left, right)).at_least(threshold)
            report("Comparing fragments", 1, len(order))


def _size(text: bytes) -> int:
    return len(zlib.compress(text, 9))


NCD = CompressionDistance()
