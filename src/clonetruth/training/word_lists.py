"""The words that a learned detector reads from a fragment, after abstraction."""

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
"""Fragments per batch: large enough to hide the cost of sending them to another process."""

WordExtractor = Callable[[str, Language], frozenset[str]]
"""Extracts the words of a text."""


def tree_words(text: str, language: Language) -> frozenset[str]:
    """The words of the syntax tree: its node types, in parentheses, and its tokens without punctuation.

    >>> sorted(tree_words("x = 1", language_named("python")))
    ['(assignment)', '(expression_statement)', '(identifier)', '(integer)', '(module)', '1', '=', 'x']
    """
    parsed = parse(text, language, lone=True)
    stream = token_stream(parsed)
    tokens = {text for text, kind in zip(stream.texts, stream.kinds, strict=True) if kind != TokenKind.PUNCTUATION}
    if not tokens:
        return frozenset()
    return frozenset({f"({node_type})" for node_type in _node_types(parsed)} | {_text(token) for token in tokens})


def identifier_words(text: str, language: Language) -> frozenset[str]:
    """The names of variables, functions and types in a text."""
    return frozenset(map(_text, name_tokens(text, language)))


def _text(token: bytes) -> str:
    return token.decode("utf-8", errors="replace")


def _node_types(parsed: Parsed) -> set[str]:
    """The types of the nodes inside the text, without the wrapper that it was parsed in."""
    nodes = parsed.captures("(_) @node").get("node", ())
    return {node.type for node in nodes}


@dataclass(frozen=True)
class WordReader:
    """Reads the words of fragments, with a cache.

    Attributes:
        words_of: extracts the words of a text; a module-level function, since it is pickled for worker processes.
        level: the abstraction level.
        functions: the replacement of each function name at level 3. Unknown names are kept.
    """

    words_of: WordExtractor
    level: int
    functions: Mapping[str, str] = field(default_factory=dict)
    _cache: dict[bytes, frozenset[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def for_fragments(cls, words_of: WordExtractor, level: int, fragments: pa.Table) -> WordReader:
        """A reader that numbers the functions of these fragments, if the level requires it."""
        if level < Level.FUNCTIONS:
            return cls(words_of, level)
        texts = [(text, language_named(name)) for name, text in _rows(fragments) if name in LANGUAGES]
        return cls(words_of, level, collect_functions(texts).new_names)

    def read(
        self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> Sequence[frozenset[str]]:
        """The words of each fragment; none for an unsupported language."""
        rows = _rows(fragments)
        digests = [hashlib.sha256(f"{name}\0{text}".encode(errors="replace")).digest() for name, text in rows]
        new = {digest: row for digest, row in zip(digests, rows, strict=True) if digest not in self._cache}
        words = self._read(list(new.values()), processes, progress or no_progress)
        self._cache.update(zip(new, words, strict=True))
        return [self._cache[digest] for digest in digests]

    def _read(self, rows: list[tuple[str, str]], processes: int, report: Progress) -> Iterator[frozenset[str]]:
        batches = (rows[start : start + _FRAGMENTS] for start in range(0, len(rows), _FRAGMENTS))
        shared = self.words_of, self.level, FunctionNames(self.functions)
        for words in map_parallel(_words_of_batch, shared, batches, processes if len(rows) > _FRAGMENTS else 1):
            report("Reading words", len(words), len(rows))
            yield from words


def _rows(fragments: pa.Table) -> list[tuple[str, str]]:
    return list(zip(fragments["language"].to_pylist(), fragments["text"].to_pylist(), strict=True))


def _words_of_batch(
    shared: tuple[WordExtractor, int, FunctionNames], rows: list[tuple[str, str]]
) -> list[frozenset[str]]:
    words_of, level, functions = shared
    words = []
    for name, text in rows:
        if name not in LANGUAGES:
            words.append(frozenset[str]())
            continue
        language = language_named(name)
        words.append(words_of(abstract(text, language, level, functions), language))
    return words
