"""Fingerprints of files and blocks: MOSS, and in its manner Dolos and JPlag."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from clonetruth.code import Language, form_lines, words
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.containment import ContainmentComparison, piece_key
from clonetruth.detectors.equal_forms import RENAMINGS
from clonetruth.detectors.tokenized import Items


@dataclass(frozen=True)
class Winnowing(ClassicalDetector):
    """Winnowing (Schleimer, Wilkerson and Aiken, SIGMOD 2003) over tokens.

    Every run of `gram` tokens has a hash; of each `window` hashes in a row the smallest is a fingerprint. A run of
    `gram + window - 1` tokens that two fragments share gives them a fingerprint in common, and a shorter one than
    `gram` tokens never does.

    Attributes:
        renaming: `blind` (names and values do not count) or `none`. In a language that we cannot read words count.
        gram: tokens of a hash.
        window: hashes of which one is kept.
    """

    name: str = "winnowing"
    description: str = field(
        default="Fingerprints of runs of tokens that both fragments have ÷ fingerprints of the one with fewer.",
        repr=False,
    )
    default_threshold: float = 0.6
    renaming: str = "blind"
    gram: int = 12
    window: int = 6
    parameters: ClassVar[dict[str, tuple[str, ...]]] = {"renaming": ("blind", "none")}

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `Reader.read`. A text of fewer tokens than a hash takes has one fingerprint: that of all of it."""
        if language is None:
            tokens = words(text, None)
        else:
            tokens = b" ".join(form_lines(text, language, RENAMINGS[self.renaming])).split()
        return tuple(sorted(fingerprints(tokens, self.gram, self.window))) or None

    def compare(self, readings: Iterable[Items]) -> ContainmentComparison:
        """See `ClassicalDetector.compare`."""
        return ContainmentComparison(readings)


def fingerprints(tokens: list[bytes], gram: int, window: int) -> set[bytes]:
    """The fingerprints of a sequence of tokens."""
    if not tokens:
        return set()
    starts = range(max(len(tokens) - gram + 1, 1))
    hashes = [piece_key(b" ".join(tokens[start : start + gram])) for start in starts]
    return {min(hashes[start : start + window]) for start in range(max(len(hashes) - window + 1, 1))}


WINNOWING = Winnowing()
