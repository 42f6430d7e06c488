"""The text of a clone: its normal forms, its statements and its identity, from a single parse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from itertools import compress
from typing import NamedTuple, TypeVar

from clonetruth.code import Form, FragmentForms, Language, TokenKind, fragment_forms, language, map_parallel
from clonetruth.code.forms import LITERAL, joined_literals, printed_text, rewritten, token_digest
from clonetruth.code.parallel import workers_fork
from clonetruth.code.pretty import ContinuedLine, Printed

T = TypeVar("T")

_PER_PROCESS, _PER_FORK = 1_000, 100
"""Texts that justify starting or forking a worker process: a new one takes half a second, a text a millisecond."""

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
    workers = processes_worth(len(snippets), processes)
    return [one for batch in map_parallel(_identify, None, batched(snippets), workers) for one in batch]


def processes_worth(texts: int, processes: int) -> int:
    """Return the number of worker processes that explaining texts justifies."""
    return processes if texts >= 2 * (_PER_FORK if workers_fork() else _PER_PROCESS) else 1


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
    name, text = snippet[0].encode(), read_text(snippet)
    blind = b"\0".join((name, *text.blind))
    if _LITERAL_AND_DOT in blind:
        blind = b"\0".join((name, *joined_literals(text.blind)))
    return Identity(_digest(b"\0".join((name, text.type1))), _digest(blind))


_LITERAL_AND_DOT = b"\0%s\0." % LITERAL


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


Snippet = tuple[str, str]
"""The name of a language, and a text in it."""


class CloneStatement(NamedTuple):
    """A line of a pretty-printed text: its tokens, their classes, the line, and the line without names and values."""

    tokens: Sequence[bytes]
    kinds: Sequence[int]
    text: bytes
    blind: bytes


_NOT_LAYOUT = bytes(kind != TokenKind.LAYOUT for kind in range(256))
_LAYOUT = bytes([TokenKind.LAYOUT])
_NO_STATEMENT = bytes([TokenKind.LAYOUT, TokenKind.PUNCTUATION])


@dataclass(frozen=True)
class CloneText:
    """A text and what is compared of it.

    Attributes:
        text: the text.
        language: its language.
        printed: the text, pretty-printed.
    """

    text: str
    language: Language
    printed: Printed

    @property
    def type1(self) -> bytes:
        """See `FragmentForms.type1`."""
        return token_digest(self.printed.texts)

    @cached_property
    def letters(self) -> str:
        """The tokens of `FragmentForms.tokens` as letters: equal tokens have equal letters, in all texts."""
        return "".join(map(_LETTERS.__getitem__, self.blind)).replace(_LITERAL_DOT, _JOINED)

    @cached_property
    def forms(self) -> FragmentForms:
        """All normal forms."""
        return fragment_forms(self.text, self.language)

    @cached_property
    def blind(self) -> list[bytes]:
        """The printed tokens without names and values."""
        return rewritten(self.printed, self.language, Form.BLIND)

    @cached_property
    def statements(self) -> tuple[CloneStatement, ...]:
        """Its statements, in order."""
        texts, kinds, blind = self.printed.texts, bytes(self.printed.kinds), self.blind
        marks = _LAYOUT in kinds
        rows: list[tuple[Sequence[bytes], bytes, bytes, bytes]] = []
        for first, last, _ in _statement_lines(self.printed.lines):
            own = kinds[first:last]
            # A lone bracket belongs to the statement before it.
            if not own.translate(None, _NO_STATEMENT):
                continue
            # Marks for the begin and end of a block are not part of the statement next to them, most often after it.
            if marks and own[-1] == _LAYOUT[0]:
                own = own.rstrip(_LAYOUT)
                last = first + len(own)
            tokens, forms = texts[first:last], blind[first:last]
            if marks and _LAYOUT in own:
                kept = own.translate(_NOT_LAYOUT)
                own = own.translate(None, _LAYOUT)
                tokens, forms = [*compress(tokens, kept)], [*compress(forms, kept)]
            rows.append((tokens, own, b" ".join(tokens), b" ".join(forms)))
        return tuple(map(_new_statement, rows))


_new_statement: Callable[[tuple[Sequence[bytes], bytes, bytes, bytes]], CloneStatement] = partial(
    tuple.__new__, CloneStatement
)


def _statement_lines(lines: Sequence[tuple[int, int, int]]) -> Sequence[tuple[int, int, int]]:
    """The lines, each with those into which it was wrapped: a statement each."""
    if ContinuedLine not in map(type, lines):
        return lines
    statements: list[tuple[int, int, int]] = []
    for line in lines:
        if isinstance(line, ContinuedLine):
            first, _, depth = statements[-1]
            statements[-1] = first, line.last, depth
        else:
            statements.append(line)
    return statements


class _Letters(dict[bytes, str]):
    """A letter for each token of a blind form. There are few: those that are neither names nor values."""

    def __missing__(self, token: bytes) -> str:
        letter = self[token] = chr(len(self))
        return letter


_LETTERS = _Letters()
_LITERAL_DOT, _JOINED = _LETTERS[LITERAL] + _LETTERS[b"."], _LETTERS[LITERAL + b"."]


@lru_cache(maxsize=256)
def read_text(snippet: Snippet) -> CloneText:
    """Read a text. Cached, since a representative is compared with every member, and copies are many."""
    name, text = snippet
    return CloneText(text, language(name), printed_text(text, language(name)))
