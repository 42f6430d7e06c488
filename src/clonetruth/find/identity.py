"""What makes two texts the same clone, wherever they are: digests of their normal forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

from clonetruth.code import map_parallel
from clonetruth.find.clone_text import Snippet, read_text

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
