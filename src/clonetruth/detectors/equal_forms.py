"""Type-1 and Type-2: fragments whose normal forms are equal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

import numpy as np

from clonetruth.code import Form, Language, form_digest, lexed_tokens, symbol_tokens
from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.pair_batches import Matches
from clonetruth.detectors.tokenized import Items
from clonetruth.progress import Progress

RENAMINGS = {"none": Form.TYPE1, "consistent": Form.CONSISTENT, "blind": Form.BLIND}
"""The normal form that each renaming compares."""


class EqualityComparison:
    """Different forms score 0, however close they are."""

    def __init__(self, distinct: Iterable[Items]) -> None:
        for _ in distinct:  # only equality matters: exhaust the iterator, keep nothing
            pass

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `PairComparison.scores`."""
        return np.zeros(len(left))

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `PairComparison.matches`."""
        return iter(())


@dataclass(frozen=True)
class ExactForm(ClassicalDetector):
    """Type-1: equal apart from comments and layout."""

    name: str = "exact"
    description: str = field(default="1 if the fragments are equal apart from comments and layout, else 0.", repr=False)
    default_threshold: float = 1.0

    @property
    def form(self) -> Form:
        """The normal form that must be equal."""
        return Form.TYPE1

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `FragmentReader.read`."""
        return _form(text, language, self.form)

    def prefilter_key(self, text: str, language: Language | None) -> bytes | None:
        """See `FragmentReader.prefilter_key`. Equal forms have equal tokens, apart from optional separators."""
        return _without_separators(lexed_tokens(text, language)) if language and lexer_suffices(language) else None

    def compare(self, distinct: Iterable[Items]) -> EqualityComparison:
        """See `ClassicalDetector.compare`."""
        return EqualityComparison(distinct)


@dataclass(frozen=True)
class RenamedForm(ClassicalDetector):
    """Type-2: equal after renaming.

    Attributes:
        renaming: `consistent` (names map one to one, literals keep their kind) or `blind` (any name or literal matches
            any other).
    """

    name: str = "renamed"
    description: str = field(default="1 if the fragments are equal apart from names and values, else 0.", repr=False)
    default_threshold: float = 1.0
    renaming: str = "blind"
    parameters: ClassVar[dict[str, tuple[str, ...]]] = {"renaming": ("blind", "consistent")}

    @property
    def form(self) -> Form:
        """The normal form that must be equal."""
        return RENAMINGS[self.renaming]

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `FragmentReader.read`."""
        return _form(text, language, self.form)

    def prefilter_key(self, text: str, language: Language | None) -> bytes | None:
        """See `FragmentReader.prefilter_key`. A renaming changes words and literals, never punctuation or operators."""
        return _without_separators(symbol_tokens(text, language)) if language and lexer_suffices(language) else None

    def compare(self, distinct: Iterable[Items]) -> EqualityComparison:
        """See `ClassicalDetector.compare`."""
        return EqualityComparison(distinct)


def _form(text: str, language: Language | None, form: Form) -> Items | None:
    digest = form_digest(text, language, form) if language else None
    return (digest,) if digest else None


@cache
def lexer_suffices(language: Language) -> bool:
    """Whether the lexer alone sees every token that the normal form keeps.

    False where only the grammar knows how far a literal extends, and where the form drops docstrings (Python).
    """
    return not language.indent_blocks and not re.search(r"@opaque\.(?!keyword)", language.structure)


OPTIONAL_SEPARATORS = (b";", b",")
"""The separators that the pretty-printer may drop or add without a change of meaning."""


def _without_separators(tokens: list[bytes]) -> bytes | None:
    """The tokens as one text, without optional separators."""
    return b"".join(tokens).translate(None, b"".join(OPTIONAL_SEPARATORS)) or None


EXACT = ExactForm()
RENAMED = RenamedForm()
