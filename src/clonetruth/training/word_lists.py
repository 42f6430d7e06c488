"""The words that a learned detector reads from a fragment, after abstraction."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from clonetruth.code import Language, Parsed, TokenKind, name_tokens, parse, token_stream
from clonetruth.training.level_reader import LevelReader

WordExtractor = Callable[[str, Language], frozenset[str]]
"""Extracts the words of a text."""


def tree_words(text: str, language: Language) -> frozenset[str]:
    """The words of the syntax tree: its node types, in parentheses, and its tokens without punctuation.

    >>> from clonetruth.code import language
    >>> sorted(tree_words("x = 1", language("python")))
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


class WordReader(LevelReader[frozenset[str]]):
    """Reads the words of fragments; an unsupported language has none."""

    @classmethod
    def of(cls, words_of: WordExtractor, level: int, functions: Mapping[str, str]) -> WordReader:
        """A reader of words, with the replacement of each function name at level 3."""
        return cls(words_of, frozenset(), level, functions)
