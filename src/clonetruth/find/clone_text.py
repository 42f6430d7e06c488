"""What is read of the text of a clone: its forms and its statements, from one look at it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from clonetruth.code import Form, FragmentForms, Language, TokenKind, language, parse
from clonetruth.code.forms import forms_of, rewritten
from clonetruth.code.pretty import Printed, pretty

Snippet = tuple[str, str]
"""The name of a language, and a text in it."""


class CloneStatement(NamedTuple):
    """A line of a pretty-printed text: its tokens as they are, their classes, and the line without names and values."""

    tokens: tuple[bytes, ...]
    kinds: bytes
    text: bytes
    blind: bytes


@dataclass(frozen=True)
class CloneText:
    """What is read of a text.

    Attributes:
        language: its language.
        printed: the text, pretty-printed.
        forms: its normal forms.
    """

    language: Language
    printed: Printed
    forms: FragmentForms

    @cached_property
    def statements(self) -> tuple[CloneStatement, ...]:
        """Its statements, in order."""
        printed, blind = self.printed, rewritten(self.printed, self.language, Form.BLIND)
        found = []
        for first, last, _ in printed.lines:
            # Where a block begins and ends says nothing of the statement that happens to stand there.
            own = [at for at in range(first, last) if printed.kinds[at] != TokenKind.LAYOUT]
            # A bracket by itself comes and goes with its statement.
            if any(printed.kinds[at] != TokenKind.PUNCTUATION for at in own):
                tokens = tuple(printed.texts[at] for at in own)
                kinds = bytes(printed.kinds[at] for at in own)
                found.append(CloneStatement(tokens, kinds, b" ".join(tokens), b" ".join(blind[at] for at in own)))
        return tuple(found)


@lru_cache(maxsize=256)
def read_text(snippet: Snippet) -> CloneText:
    """Read a text. Remembered, since a representative is compared with every member, and copies are many."""
    name, text = snippet
    found = language(name)
    parsed = parse(text, found, lone=True)
    printed = pretty(parsed)
    return CloneText(found, printed, forms_of(parsed, printed))
