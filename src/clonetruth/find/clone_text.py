"""What is read of the text of a clone: its forms and its statements, from one look at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import NamedTuple, TypeVar

from clonetruth.code import Form, FragmentForms, Language, TokenKind, language, map_parallel, parse
from clonetruth.code.forms import forms_of, rewritten
from clonetruth.code.pretty import Printed, pretty

# What makes two texts the same clone, wherever they are: digests of their normal forms.

T = TypeVar("T")

PARALLEL_FROM = 500
"""Texts below which starting processes costs more than it brings."""

_BATCH = 32
"""Texts or classes sent to a process at a time."""


@dataclass(frozen=True)
class Identity:
    """What is equal for texts that are clones of Type-1 and of Type-2.

    Attributes:
        exact: a digest of the Type-1 form.
        blind: a digest of the form without names and values.
    """

    exact: str
    blind: str


def identities(snippets: Sequence[Snippet], processes: int = 1) -> list[Identity]:
    """The identities of texts, in order."""
    workers = processes if len(snippets) >= PARALLEL_FROM else 1
    return [one for batch in map_parallel(_identify, None, batched(snippets), workers) for one in batch]


def class_key(members: Iterable[Identity]) -> str:
    """The key of a clone class: a digest of the different blind forms of its members, in no order."""
    return _digest("\n".join(sorted({member.blind for member in members})).encode())


def batched(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """The items in portions for other processes."""
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]


def _identify(_: None, snippets: Sequence[Snippet]) -> list[Identity]:
    return [identity(snippet) for snippet in snippets]


def identity(snippet: Snippet) -> Identity:
    """The identity of a text."""
    # The same tokens in two languages are two things.
    name, forms = snippet[0].encode(), read_text(snippet).forms
    return Identity(_digest(b"\0".join((name, forms.type1))), _digest(b"\0".join((name, *forms.tokens))))


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


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
