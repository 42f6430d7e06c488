"""The text of a clone: its normal forms, its statements and its identity, from a single parse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import NamedTuple, TypeVar

from clonetruth.code import Form, FragmentForms, Language, TokenKind, language, map_parallel, parse
from clonetruth.code.forms import forms_of, rewritten
from clonetruth.code.pretty import Printed, pretty

T = TypeVar("T")

PARALLEL_FROM = 2_000
"""Texts from which worker processes pay off: a process takes half a second to start, a text a millisecond."""

_BATCH = 32
"""Texts or classes sent to a process at a time."""


@dataclass(frozen=True)
class Identity:
    """Digests that are equal for clones of Type-1 and of Type-2, wherever they are.

    Attributes:
        exact: a digest of the Type-1 form.
        blind: a digest of the form without names and values.
    """

    exact: str
    blind: str


def identities(snippets: Sequence[Snippet], processes: int = 1) -> list[Identity]:
    """Return the identities of texts, in order."""
    workers = processes if len(snippets) >= PARALLEL_FROM else 1
    return [one for batch in map_parallel(_identify, None, batched(snippets), workers) for one in batch]


def class_key(members: Iterable[Identity]) -> str:
    """Return the key of a clone class: a digest of the set of blind forms of its members."""
    return _digest("\n".join(sorted({member.blind for member in members})).encode())


def batched(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Split items into batches for worker processes."""
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]


def _identify(_: None, snippets: Sequence[Snippet]) -> list[Identity]:
    return [identity(snippet) for snippet in snippets]


def identity(snippet: Snippet) -> Identity:
    """Return the identity of a text."""
    # The same tokens in two languages are different code.
    name, forms = snippet[0].encode(), read_text(snippet).forms
    return Identity(_digest(b"\0".join((name, forms.type1))), _digest(b"\0".join((name, *forms.tokens))))


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


Snippet = tuple[str, str]
"""The name of a language, and a text in it."""


class CloneStatement(NamedTuple):
    """A line of a pretty-printed text: its tokens, their classes, the line, and the line without names and values."""

    tokens: tuple[bytes, ...]
    kinds: bytes
    text: bytes
    blind: bytes


@dataclass(frozen=True)
class CloneText:
    """A parsed text.

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
        statements = []
        for first, last, _ in printed.lines:
            # Marks for the begin and end of a block are not part of the statement next to them.
            own = [at for at in range(first, last) if printed.kinds[at] != TokenKind.LAYOUT]
            # A lone bracket belongs to the statement before it.
            if any(printed.kinds[at] != TokenKind.PUNCTUATION for at in own):
                tokens = tuple(printed.texts[at] for at in own)
                kinds = bytes(printed.kinds[at] for at in own)
                statements.append(CloneStatement(tokens, kinds, b" ".join(tokens), b" ".join(blind[at] for at in own)))
        return tuple(statements)


@lru_cache(maxsize=256)
def read_text(snippet: Snippet) -> CloneText:
    """Parse a text. Cached, since a representative is compared with every member, and copies are many."""
    name, text = snippet
    parsed = parse(text, language(name), lone=True)
    printed = pretty(parsed)
    return CloneText(parsed.language, printed, forms_of(parsed, printed))
