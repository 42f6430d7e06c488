"""Compression distance: how much of a text is told by another one."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from clonetruth.code import Language
from clonetruth.code.overlap import Integers, needed
from clonetruth.code.similarity import Floats
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.pair_batches import Matches
from clonetruth.detectors.tokenized import Items
from clonetruth.errors import InputError
from clonetruth.progress import Progress

_MOST_CANDIDATES = 5_000_000
"""Candidates above which no answer would come in minutes."""


@dataclass(frozen=True)
class CompressionDistance(ClassicalDetector):
    """Normalised compression distance (Cilibrasi and Vitányi, 2005), with zlib; runs of white space are one blank.

    A baseline that knows nothing of code: any language, also across languages. zlib looks back 32 KB: what is larger
    looks less alike than it is.
    """

    name: str = "ncd"
    description: str = field(
        default="One less the normalised compression distance: what one text tells about the other.", repr=False
    )
    default_threshold: float = 0.6
    across_languages: bool = field(default=True, repr=False)

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `Reader.read`."""
        bare = b" ".join(text.encode("utf-8", errors="replace").split())
        return (bare,) if bare else None

    def compare(self, readings: Iterable[Items]) -> _Texts:
        """See `ClassicalDetector.compare`."""
        return _Texts([text for (text,) in readings])


class _Texts:
    """Texts with their compressed sizes.

        NCD(x, y) = (C(xy) − min(C(x), C(y))) ÷ max(C(x), C(y))

    zlib is not quite symmetric or monotone; C(xy) is taken of the order that is smaller, and as no smaller than
    C(x) and C(y). So the score is at most min ÷ max of the sizes, and only texts of about one size are compared.
    """

    def __init__(self, texts: list[bytes]) -> None:
        self._texts = texts
        self._sizes = np.array([_size(text) for text in texts], dtype=np.int64)

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `Comparison.scores`."""
        texts = self._texts
        pairs = ((texts[a], texts[b]) for a, b in zip(left.tolist(), right.tolist(), strict=True))
        joint = np.array([min(_size(a + b" " + b), _size(b + b" " + a)) for a, b in pairs], dtype=np.int64)
        least = np.minimum(self._sizes[left], self._sizes[right])
        most = np.maximum(self._sizes[left], self._sizes[right])
        # One less the distance, as one fraction: rounded once, it compares with a threshold as it is written.
        scores: Floats = np.maximum(most + least - np.maximum(joint, most), 0) / most
        return scores

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `Comparison.matches`.

        Raises:
            InputError: too many texts are of about one size.
        """
        order = np.argsort(self._sizes, kind="stable")
        sizes = self._sizes[order]
        places = np.arange(len(order))
        first = np.searchsorted(sizes, needed(sizes, threshold))  # no smaller text can match
        if (number := int((places - first).sum())) > _MOST_CANDIDATES:
            raise InputError(
                f"{number:,} pairs of texts are of about one size: compressing them all takes too long.",
                where="ncd",
                hint=f"At most {_MOST_CANDIDATES:,} are compared; raise the threshold, or use 'tokens' or 'nearmiss'.",
            )
        for place, begin in zip(places.tolist(), first.tolist(), strict=True):
            left = order[begin:place]
            right = np.full(len(left), order[place])
            yield Matches(left, right, self.scores(left, right)).at_least(threshold)
            report("Comparing fragments", 1, len(order))


def _size(text: bytes) -> int:
    return len(zlib.compress(text, 9))


NCD = CompressionDistance()
