"""The words of a fragment: its tokens without comments, punctuation and operators.

Token-bag methods (such as SourcererCC) compare fragments by these. They come from the lexer alone, without
a tree, so that hundreds of thousands of fragments are read in seconds; words inside string literals count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress

import numpy as np
import numpy.typing as npt

from clonetruth.code.language import Language, TokenKind
from clonetruth.code.text_hashes import PADDING, Hashes, hashes_at

_WORD = re.compile(rb"[\w$\x80-\xff]+")
_SUBWORD = re.compile(r"[A-Z]?[a-z]{1,8}|[A-Z]{1,3}|\d{1,2}|[^\sA-Za-z\d]{1,2}")
QUOTED_KINDS = (int(TokenKind.STRING), int(TokenKind.CHARACTER))
"""Tokens that have the words inside them."""
WORDLESS_KINDS = tuple(
    int(kind) for kind in (TokenKind.TRIVIA, TokenKind.OPERATOR, TokenKind.PUNCTUATION, TokenKind.OTHER)
)
_IN_WORD = np.array([_WORD.match(bytes([byte])) is not None for byte in range(256)])
_WORD_OR_SYMBOL = re.compile(rb"[\w$\x80-\xff]+|[^\w\s]")
_SYMBOLS = (int(TokenKind.OPERATOR), int(TokenKind.PUNCTUATION), int(TokenKind.OTHER))
_IS_SYMBOL = bytes(kind in _SYMBOLS for kind in range(256))
_NAMES = (int(TokenKind.IDENTIFIER), int(TokenKind.TYPE))


def words(text: str, language: Language | None) -> list[bytes]:
    """Return the words of a text in order; for an unknown language, every run of letters and digits.

    >>> from clonetruth.code import language
    >>> words('int f(int a) { return a + 1; } // next', language("java"))
    [b'int', b'f', b'int', b'a', b'return', b'a', b'1']
    """
    data = text.encode("utf-8", errors="replace")
    if language is None:
        return _WORD.findall(data)
    text_words: list[bytes] = []
    kind_of = language.kind_of
    for token in language.token_pattern.findall(data):
        kind = kind_of[token]
        if kind not in WORDLESS_KINDS:
            text_words += token_words(token, kind)
    return text_words


def token_words(token: bytes, kind: int) -> list[bytes]:
    """Return the words of one token: those inside a string or character, none of a symbol, else the token itself."""
    if kind in QUOTED_KINDS:
        return _WORD.findall(token)
    return [] if kind in WORDLESS_KINDS else [token]


def quoted_words(tokens: Sequence[bytes]) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """Return the hashes of the words inside each of several strings, concatenated, and the number of words of each."""
    data = b" ".join([b"", *tokens, PADDING])
    inside = _IN_WORD[np.frombuffer(data, np.uint8)]
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    token_starts = np.cumsum([1, *(len(token) + 1 for token in tokens)])
    counts = np.diff(np.searchsorted(starts, token_starts))
    return hashes_at(data, starts, ends - starts), counts


def lexed_tokens(text: str, language: Language | None) -> list[bytes]:
    """Return the tokens of a text in order, without comments; for an unknown language, words and other characters.

    >>> from clonetruth.code import language
    >>> lexed_tokens('f(a) // next', language("java"))
    [b'f', b'(', b'a', b')']
    """
    data = text.encode("utf-8", errors="replace")
    if language is None:
        return _WORD_OR_SYMBOL.findall(data)
    tokens = language.token_pattern.findall(data)
    return list(compress(tokens, language.kind_of.kinds(tokens)))  # TRIVIA is 0


def symbol_tokens(text: str, language: Language) -> list[bytes]:
    """Return the operators and punctuation marks of a text in order.

    >>> from clonetruth.code import language
    >>> symbol_tokens('f(a + 1) // next', language("java"))
    [b'(', b'+', b')']
    """
    tokens = language.token_pattern.findall(text.encode("utf-8", errors="replace"))
    return list(compress(tokens, language.kind_of.kinds(tokens).translate(_IS_SYMBOL)))


def name_tokens(text: str, language: Language | None) -> list[bytes]:
    """Return the names (of variables, functions and types) of a text in order, without keywords and literals."""
    data = text.encode("utf-8", errors="replace")
    if language is None:
        return [word for word in _WORD.findall(data) if not word.isdigit()]
    kind_of = language.kind_of
    return [token for token in language.token_pattern.findall(data) if kind_of[token] in _NAMES]


_LETTERS = re.compile(r"[^\W\d_]+")
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def subword_estimate(text: str) -> int:
    """Estimate the number of subwords that a byte-pair tokeniser such as RoBERTa's or CodeBERT's makes of a text.

    A subword is taken as up to nine letters of a part of a name, three capitals, two digits or two symbols; white
    space does not count. `bench/bench_subwords.py` compares the estimate with a real tokeniser.

    >>> subword_estimate("int copyURLToFile = 2024;")
    9
    """
    return sum(1 for _ in _SUBWORD.finditer(text))


def subwords(name: str) -> list[str]:
    """Return the words of a name, in lower case.

    >>> subwords("copyURLToFile_2")
    ['copy', 'url', 'to', 'file']
    """
    return [part.lower() for run in _LETTERS.findall(name) for part in _HUMPS.split(run)]
