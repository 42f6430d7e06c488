"""Numbers for tokens: each distinct token is analysed once, and its properties are then read from arrays.

Every match of the lexer, with the white space after it, is looked up in a dictionary; the rest is arithmetic on
the numbers of millions of tokens. Outside of a vocabulary a token is identified by a 64-bit hash of its text, which is
the same in every process and run.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress, count, islice
from typing import cast

import numpy as np
import numpy.typing as npt

from clonetruth.code.language import LITERALS, Language, TokenKind
from clonetruth.code.overlap import Integers
from clonetruth.code.prefix_join import ranges
from clonetruth.code.text_hashes import Hashes, lasting_hashes, text_hashes
from clonetruth.code.words import QUOTED_KINDS, WORDLESS_KINDS, quoted_words

Numbers = npt.NDArray[np.int32]
Marks = npt.NDArray[np.uint8]

_NAMES = [TokenKind.IDENTIFIER, TokenKind.TYPE]
_ANY_NAME, _ANY_LITERAL = np.uint8(1), np.uint8(2)
_LIMIT = 500_000
"""Matches to cache: bounds memory. Beyond it, the cache starts anew."""


@dataclass(frozen=True, eq=False)
class Lexed:
    """The tokens of several texts, concatenated, without comments.

    Args:
        vocabulary: defines their numbers, until it lexes again.
        tokens: their numbers.
        starts: the bytes at which they start, counted through all texts.
        ends: the bytes after them.
        breaks: the line breaks before them, counted through all texts.
        rows: the same, counting only breaks that are outside of tokens, comments and continuations, and those between
            two tokens once.
        bounds: the first token of each text, followed by the number of all tokens.
        text_starts: the same in bytes.
        text_breaks: the same in line breaks.
    """

    vocabulary: Vocabulary
    tokens: Numbers
    starts: Integers
    ends: Integers
    breaks: Integers
    rows: Integers
    bounds: Integers
    text_starts: Integers
    text_breaks: Integers

    def text_of(self, positions: Integers) -> Integers:
        """The text of each of some tokens."""
        return np.searchsorted(self.bounds, positions, side="right") - 1


class Vocabulary:
    """The tokens of a language, numbered in order of appearance. 0 stands for comments and white space.

    Args:
        language: the language.
        marks: a number from 1 to 255 for each token that matters to an outline.
        name_mark: the number of all other names.
    """

    def __init__(self, language: Language, marks: Mapping[bytes, int] | None = None, name_mark: int = 0) -> None:
        self.language = language
        self._marks = marks or {}
        self._name_mark = name_mark
        self._reset()

    def _reset(self) -> None:
        # The k-th distinct match, or token, has the number k.
        self._matches: defaultdict[bytes, int] = defaultdict(count().__next__)
        self._numbers: defaultdict[bytes, int] = defaultdict(count(1).__next__, {b"": 0})
        self._token, self._length, self._bare, self._breaks, self._rows = (array("i") for _ in range(5))
        self._texts = [b""]
        self._kind, self._mark, self._inside, self._blind, self._strict = (array("B", [0]) for _ in range(5))
        self._whole, self._words, self._first_word = array("Q", [0]), array("Q", [0]), array("q", [0, 1])
        self._lasting = np.zeros(0, np.uint64)

    def lex(self, texts: Sequence[bytes]) -> Lexed:
        """Lex texts. This can invalidate the numbers that earlier calls returned."""
        if len(self._token) > _LIMIT:
            self._reset()
        counts: list[int] = []
        known = len(self._matches)
        matches = np.fromiter(map(self._matches.__getitem__, self._found(texts, counts)), np.int32)
        self._analyse(_last(self._matches, len(self._matches) - known))
        # The view of a growing array must not outlive the expression that uses it.
        columns = (self._token, self._length, self._bare, self._breaks, self._rows)
        token, length, bare, breaks, rows = (np.frombuffer(c, np.int32)[matches] if c else matches for c in columns)
        ends, lines = np.cumsum(length, dtype=np.int64), np.cumsum(breaks, dtype=np.int64)
        last = np.cumsum([0, *counts])
        kept = np.flatnonzero(token)
        starts = (ends - length)[kept]
        return Lexed(
            vocabulary=self,
            tokens=token[kept],
            starts=starts,
            ends=starts + bare[kept],
            breaks=(lines - breaks)[kept],
            rows=(np.cumsum(rows, dtype=np.int64) - rows)[kept],
            bounds=np.searchsorted(kept, last),
            text_starts=np.append(0, ends)[last],
            text_breaks=np.append(0, lines)[last],
        )

    def _found(self, texts: Sequence[bytes], counts: list[int]) -> Iterator[bytes]:
        """The matches of the lexer in texts, whose numbers of matches are appended to `counts`."""

        def lists() -> Iterator[list[bytes]]:
            for text in texts:
                found = self.language.match_pattern.findall(text)
                counts.append(len(found))
                yield found

        return chain.from_iterable(lists())

    def _analyse(self, matches: list[bytes]) -> None:
        """Analyse new matches, each a token with the white space after it."""
        ends_of_comments = [*map(re.compile(self.language.lexicon.comment, re.DOTALL).match, matches)]
        comments = np.flatnonzero(np.fromiter(map(bool, ends_of_comments), bool, len(matches)))
        tokens = [*map(bytes.rstrip, matches)]
        bare = np.fromiter(map(len, tokens), np.int32, len(tokens))
        visible = bare.copy()
        for number in comments.tolist():
            tokens[number] = b""
            visible[number] = cast("re.Match[bytes]", ends_of_comments[number]).end()
        numbers = self._numbered(tokens)
        length = np.fromiter(map(len, matches), np.int32, len(matches))
        ends = np.cumsum(length, dtype=np.int64)
        breaks = np.flatnonzero(np.frombuffer(b"".join(matches), np.uint8) == ord("\n"))
        match = np.searchsorted(ends, breaks, side="right")
        last_break = np.full(len(matches), -1)
        last_break[match] = breaks
        self._token.frombytes(numbers.tobytes())
        self._length.frombytes(length.tobytes())
        self._bare.frombytes(bare.tobytes())
        self._breaks.frombytes(np.bincount(match, minlength=len(matches)).astype(np.int32).tobytes())
        self._rows.frombytes((last_break >= ends - length + visible).astype(np.int32).tobytes())
        # Comments hardly ever repeat: caching them would keep most of the text in memory.
        for number in np.flatnonzero(numbers == 0).tolist():
            del self._matches[matches[number]]

    def _numbered(self, tokens: list[bytes]) -> Numbers:
        """The numbers of tokens; new ones are described."""
        known = len(self._texts)
        numbers = np.fromiter(map(self._numbers.__getitem__, tokens), np.int32, len(tokens))
        new = _last(self._numbers, len(self._numbers) - known)
        self._texts += new
        kinds = np.frombuffer(self.language.kind_of.new_kinds(new), np.uint8)
        self._describe(new, kinds, known)
        trivia = np.flatnonzero(kinds == TokenKind.TRIVIA)
        self._numbers.update((new[number], 0) for number in trivia.tolist())
        numbers[np.isin(numbers, trivia + known)] = 0
        return numbers

    def _describe(self, tokens: list[bytes], kinds: Marks, first: int) -> None:
        """Describe new tokens, which are numbered from `first` on."""
        names, literals = np.isin(kinds, _NAMES), np.isin(kinds, list(LITERALS))
        marks = names * np.uint8(self._name_mark)
        for token, mark in self._marks.items():
            if (number := self._numbers.get(token, 0)) >= first:
                marks[number - first] = mark
        for token in self.language.own_names:
            if (number := self._numbers.get(token, 0)) >= first:
                names[number - first] = True
        self._mark.frombytes(marks.tobytes())
        lexicon = self.language.lexicon
        prefixed, inside = (_matching(tokens, one) for one in (lexicon.word_like_literal, lexicon.code_inside))
        self._kind.frombytes(np.where(prefixed, np.uint8(TokenKind.STRING), kinds).tobytes())
        self._inside.frombytes(inside.tobytes())
        self._blind.frombytes(np.select([names, literals], [_ANY_NAME, _ANY_LITERAL], np.uint8(0)).tobytes())
        self._strict.frombytes(np.select([names, literals], [_ANY_NAME, _ANY_LITERAL + kinds], np.uint8(0)).tobytes())
        whole = text_hashes(tokens)
        self._whole.frombytes(whole.tobytes())
        words, counts = self._words_of(tokens, kinds, whole)
        self._words.frombytes(words.tobytes())
        self._first_word.frombytes((self._first_word[-1] + np.cumsum(counts)).tobytes())

    @staticmethod
    def _words_of(tokens: list[bytes], kinds: Marks, whole: Hashes) -> tuple[Hashes, Integers]:
        """The hashes of the words of tokens (see `token_words`), concatenated, and the number of words of each."""
        quoted = np.isin(kinds, QUOTED_KINDS)
        words, inside = quoted_words([*compress(tokens, quoted.tolist())])
        counts = np.where(np.isin(kinds, WORDLESS_KINDS), 0, 1)
        counts[quoted] = inside
        starts = np.cumsum(counts) - counts
        hashes = np.empty(int(counts.sum()), np.uint64)
        single = ~quoted & (counts > 0)
        hashes[starts[single]] = whole[single]
        hashes[ranges(starts[quoted], inside)] = words
        return hashes, counts

    @cached_property
    def _contextual(self) -> frozenset[bytes]:
        """The words that the grammar treats as keywords in some contexts, although the lexer sees names."""
        grammar = self.language.tree_sitter
        kinds = (grammar.node_kind_for_id(number) for number in range(grammar.node_kind_count))
        return frozenset(kind.encode() for kind in kinds if kind)

    def text(self, number: int) -> bytes:
        """The text of a token."""
        return self._texts[number]

    def marks(self, tokens: Numbers) -> Marks:
        """The marks of tokens, for an outline."""
        return np.frombuffer(self._mark, np.uint8)[tokens]

    def kinds(self, tokens: Numbers) -> Marks:
        """The `TokenKind` of tokens, from their texts alone; a string with a prefix is one token."""
        return np.frombuffer(self._kind, np.uint8)[tokens]

    def hold_code(self, tokens: Numbers) -> npt.NDArray[np.bool_]:
        """Which tokens only the grammar can read with those around them; see `Lexicon.code_inside`."""
        return np.frombuffer(self._inside, np.bool_)[tokens]

    @property
    def numbers(self) -> Numbers:
        """The numbers of all tokens."""
        return np.arange(len(self._texts), dtype=np.int32)

    def among(self, tokens: Numbers, texts: Sequence[bytes]) -> npt.NDArray[np.bool_]:
        """Which tokens have one of some texts."""
        return self.coded(tokens, dict.fromkeys(texts, 1)) > 0

    def coded(self, tokens: Numbers, codes: Mapping[bytes, int]) -> Marks:
        """A number from 1 to 255 for each token with one of some texts, and 0 for the others."""
        table = np.zeros(len(self._texts), dtype=np.uint8)
        for text, code in codes.items():
            if text in self._numbers:
                table[self._numbers[text]] = code
        return table[tokens]

    def whole(self, tokens: Numbers) -> Hashes:
        """The hashes of tokens."""
        return np.frombuffer(self._whole, np.uint64)[tokens]

    def lasting(self, tokens: Numbers) -> Hashes:
        """The hashes of tokens that no version of clonetruth changes."""
        missing = np.zeros(len(self._texts), dtype=bool)
        missing[tokens] = True
        missing[: len(self._lasting)] &= self._lasting == 0
        lasting = np.zeros(len(self._texts), np.uint64)
        lasting[: len(self._lasting)] = self._lasting
        lasting[missing] = lasting_hashes(compress(self._texts, missing.tolist()))
        self._lasting = lasting
        return lasting[tokens]

    def blind(self, tokens: Numbers, whole: Hashes | None = None) -> Hashes:
        """The hashes of tokens, with one hash for all names and one for all literals.

        Args:
            tokens: the tokens.
            whole: their hashes (default: `whole`).
        """
        classes = np.frombuffer(self._blind, np.uint8)[tokens]
        return np.where(classes > 0, classes, self.whole(tokens) if whole is None else whole)

    def strict(self, tokens: Numbers) -> Hashes:
        """The hashes of tokens, with one hash for all names except contextual keywords, one per kind of literal.

        In a language whose line breaks have no meaning, texts with equal hashes have equal trees except for names and
        values.
        """
        table = np.frombuffer(self._strict, np.uint8).copy()
        table[[self._numbers[token] for token in self._contextual if token in self._numbers]] = 0
        classes = table[tokens]
        return np.where(classes > 0, classes, self.whole(tokens))

    def words(self, tokens: Numbers) -> tuple[Hashes, Integers]:
        """The hashes of the words of tokens, concatenated, and the number of words of each token."""
        first = np.frombuffer(self._first_word, np.int64)
        starts = first[tokens]
        counts = first[1:][tokens] - starts
        return np.frombuffer(self._words, np.uint64)[ranges(starts, counts)], counts


def _matching(tokens: list[bytes], pattern: bytes | None) -> npt.NDArray[np.bool_]:
    """Which tokens begin with a pattern."""
    if pattern is None:
        return np.zeros(len(tokens), dtype=bool)
    return np.fromiter(map(bool, map(re.compile(pattern, re.DOTALL).match, tokens)), bool, len(tokens))


def _last(numbers: dict[bytes, int], count: int) -> list[bytes]:
    """The texts that were numbered last."""
    return [*islice(reversed(numbers), count)][::-1]
