"""Type-1 and Type-2: fragments that are equal in a normal form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

import numpy as np

from clonetruth.code import Form, Language, form_digest, lexed_tokens, sign_tokens
from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.pair_batches import Matches
from clonetruth.detectors.tokenized import Items
from clonetruth.progress import Progress

RENAMINGS = {"none": Form.TYPE1, "consistent": Form.CONSISTENT, "blind": Form.BLIND}
"""What a renaming leaves of a fragment."""


class EqualFormsDetector:
    """Different forms are not alike, however close they are."""

    def __init__(self, readings: Iterable[Items]) -> None:
        for _ in readings:  # only which fragments have equal forms is of interest
            pass

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `Comparison.scores`."""
        return np.zeros(len(left))

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `Comparison.matches`."""
        return iter(())


@dataclass(frozen=True)
class ExactForm(ClassicalDetector):
    """Type-1: equal but for comments and layout."""

    name: str = "exact"
    description: str = field(default="1 where the fragments are equal but for comments and layout, else 0.", repr=False)
    default_threshold: float = 1.0

    @property
    def form(self) -> Form:
        """What must be equal."""
        return Form.TYPE1

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `Reader.read`."""
        return _form(text, language, self.form)

    def sieve(self, text: str, language: Language | None) -> bytes | None:
        """See `Reader.sieve`. Equal forms have equal characters, but for what the pretty-printer drops or puts."""
        return _without_marks(lexed_tokens(text, language)) if language and lexer_suffices(language) else None

    def compare(self, readings: Iterable[Items]) -> EqualFormsDetector:
        """See `ClassicalDetector.compare`."""
        return EqualFormsDetector(readings)


@dataclass(frozen=True)
class RenamedForm(ClassicalDetector):
    """Type-2: equal under a renaming.

    Attributes:
        renaming: `consistent` (one to one, literals of one kind) or `blind` (any name for any, any literal for any).
    """

    name: str = "renamed"
    description: str = field(default="1 where the fragments are equal but for names and values, else 0.", repr=False)
    default_threshold: float = 1.0
    renaming: str = "blind"
    parameters: ClassVar[dict[str, tuple[str, ...]]] = {"renaming": ("blind", "consistent")}

    @property
    def form(self) -> Form:
        """What must be equal."""
        return RENAMINGS[self.renaming]

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `Reader.read`."""
        return _form(text, language, self.form)

    def sieve(self, text: str, language: Language | None) -> bytes | None:
        """See `Reader.sieve`. A renaming changes words and literals, and keeps all signs."""
        return _without_marks(sign_tokens(text, language)) if language and lexer_suffices(language) else None

    def compare(self, readings: Iterable[Items]) -> EqualFormsDetector:
        """See `ClassicalDetector.compare`."""
        return EqualFormsDetector(readings)


def _form(text: str, language: Language | None, form: Form) -> Items | None:
    digest = form_digest(text, language, form) if language else None
    return (digest,) if digest else None


@cache
def lexer_suffices(language: Language) -> bool:
    """Whether the lexer sees all tokens, and nothing that counts vanishes in the form.

    Not where only the grammar knows how far a literal goes, and not where docstrings go (Python).
    """
    return not language.indent_blocks and not re.search(r"@opaque\.(?!keyword)", language.structure)


DROPPED_OR_PUT = (b";", b",")
"""The signs that the pretty-printer drops where they say nothing, or puts."""


def _without_marks(tokens: list[bytes]) -> bytes | None:
    """Tokens as one text, without the signs that say nothing."""
    return b"".join(tokens).translate(None, b"".join(DROPPED_OR_PUT)) or None


EXACT = ExactForm()
RENAMED = RenamedForm()
