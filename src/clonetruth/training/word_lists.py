"""The words that a learned detector reads of a fragment, after the code was abstracted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from clonetruth.code import (
    LANGUAGES,
    FunctionNames,
    Language,
    Parsed,
    TokenKind,
    abstract,
    collect_functions,
    map_parallel,
    name_tokens,
    parse,
    token_stream,
)
from clonetruth.code import language as language_named
from clonetruth.code.abstraction import Level
from clonetruth.progress import Progress, no_progress

_FRAGMENTS = 64
"""Fragments read at a time: hides the cost of sending them to another process."""

WordsOf = Callable[[str, Language], frozenset[str]]
"""The words of a text."""


def tree_words(text: str, language: Language) -> frozenset[str]:
    """The words of the syntax tree: the kinds of its nodes, in brackets, and its tokens, punctuation left out.

    >>> sorted(tree_words("x = 1", language_named("python")))
    ['(assignment)', '(expression_statement)', '(identifier)', '(integer)', '(module)', '1', '=', 'x']
    """
    parsed = parse(text, language, lone=True)
    stream = token_stream(parsed)
    tokens = {text for text, kind in zip(stream.texts, stream.kinds, strict=True) if kind != TokenKind.PUNCTUATION}
    if not tokens:
        return frozenset()
    return frozenset({f"({kind})" for kind in _node_kinds(parsed)} | {_text(token) for token in tokens})


def names(text: str, language: Language) -> frozenset[str]:
    """The names of variables, functions and types in a text."""
    return frozenset(map(_text, name_tokens(text, language)))


def _text(token: bytes) -> str:
    return token.decode("utf-8", errors="replace")


def _node_kinds(parsed: Parsed) -> set[str]:
    """The kinds of the nodes inside the text; what was put around it to parse it is left out."""
    nodes = parsed.captures("(_) @node").get("node", ())
    return {node.type for node in nodes}


@dataclass(frozen=True)
class WordReader:
    """Reads the words of fragments, and remembers them.

    Attributes:
        words_of: what the words of a text are; a function of a module, since it travels to other processes.
        level: how far a text is abstracted before.
        functions: the numbering of function names that level 3 needs. Names that it does not know stay.
    """

    words_of: WordsOf
    level: int
    functions: Mapping[str, str] = field(default_factory=dict)
    _known: dict[bytes, frozenset[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def prepared(cls, words_of: WordsOf, level: int, fragments: pa.Table) -> WordReader:
        """A reader that numbers the functions of these fragments, where the level asks for it."""
        if level < Level.FUNCTIONS:
            return cls(words_of, level)
        texts = [(text, language_named(name)) for name, text in _rows(fragments) if name in LANGUAGES]
        return cls(words_of, level, collect_functions(texts).new_names)

    def read(
        self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> Sequence[frozenset[str]]:
        """The words of each fragment; none in a language that we cannot read."""
        rows = _rows(fragments)
        digests = [hashlib.sha256(f"{name}\0{text}".encode(errors="replace")).digest() for name, text in rows]
        new = {digest: row for digest, row in zip(digests, rows, strict=True) if digest not in self._known}
        found = self._read(list(new.values()), processes, progress or no_progress)
        self._known.update(zip(new, found, strict=True))
        return [self._known[digest] for digest in digests]

    def _read(self, rows: list[tuple[str, str]], processes: int, report: Progress) -> Iterator[frozenset[str]]:
        batches = (rows[start : start + _FRAGMENTS] for start in range(0, len(rows), _FRAGMENTS))
        shared = self.words_of, self.level, FunctionNames(self.functions)
        for found in map_parallel(_words_of_batch, shared, batches, processes if len(rows) > _FRAGMENTS else 1):
            report("Reading words", len(found), len(rows))
            yield from found


def _rows(fragments: pa.Table) -> list[tuple[str, str]]:
    return list(zip(fragments["language"].to_pylist(), fragments["text"].to_pylist(), strict=True))


def _words_of_batch(shared: tuple[WordsOf, int, FunctionNames], rows: list[tuple[str, str]]) -> list[frozenset[str]]:
    words_of, level, functions = shared
    found = []
    for name, text in rows:
        if name not in LANGUAGES:
            found.append(frozenset[str]())
            continue
        language = language_named(name)
        found.append(words_of(abstract(text, language, level, functions), language))
    return found
