"""Fingerprints of files and blocks, as in MOSS and Dolos."""

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

    Every run of `gram` tokens has a hash; the smallest of every `window` consecutive hashes is a fingerprint. Two
    fragments that share a run of `gram + window - 1` tokens share a fingerprint; a shared run of fewer than `gram`
    tokens never yields one.

    Attributes:
        renaming: `blind` (ignores names and values) or `none`. In an unsupported language, words are compared.
        gram: the number of tokens in a hash.
        window: the number of consecutive hashes of which one is kept.
    """

    name: str = "winnowing"
    description: str = field(
        default="Token fingerprints that both fragments share ÷ fingerprints of the fragment with fewer.",
        repr=False,
    )
    default_threshold: float = 0.6
    renaming: str = "blind"
    gram: int = 12
    window: int = 6
    parameters: ClassVar[dict[str, tuple[str, ...]]] = {"renaming": ("blind", "none")}

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `FragmentReader.read`. A text of fewer than `gram` tokens has a single fingerprint."""
        if language is None:
            tokens = words(text, None)
        else:
            tokens = b" ".join(form_lines(text, language, RENAMINGS[self.renaming])).split()
        return tuple(sorted(fingerprints(tokens, self.gram, self.window))) or None

    def compare(self, distinct: Iterable[Items]) -> ContainmentComparison:
        """See `ClassicalDetector.compare`."""
        return ContainmentComparison(distinct)


def fingerprints(tokens: list[bytes], gram: int, window: int) -> set[bytes]:
    """The fingerprints of a sequence of tokens."""
    if not tokens:
        return set()
    starts = range(max(len(tokens) - gram + 1, 1))
    hashes = [piece_key(b" ".join(tokens[start : start + gram])) for start in starts]
    return {min(hashes[start : start + window]) for start in range(max(len(hashes) - window + 1, 1))}


WINNOWING = Winnowing()
