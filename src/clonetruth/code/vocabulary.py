"""Numbers for tokens: each distinct token is analysed once, and its properties are then read from arrays.

Every match of the lexer, with the white space after it, is looked up in a dictionary; the rest is arithmetic on
the numbers of millions of tokens. Outside of a vocabulary a token is identified by a 64-bit hash of its text, which is
the same in every process and run.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import chain

import numpy as np
import numpy.typing as npt

from clonetruth.code.language import LITERALS, Language, TokenKind
from clonetruth.code.overlap import Integers
from clonetruth.code.prefix_join import ranges
from clonetruth.code.words import token_words

Numbers = npt.NDArray[np.int32]
Marks = npt.NDArray[np.uint8]
Hashes = npt.NDArray[np.uint64]

_NAMES = [TokenKind.IDENTIFIER, TokenKind.TYPE]
_ANY_NAME, _ANY_LITERAL = np.uint64(1), np.uint64(2)
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
        self._matches = _Matches()
        self._token, self._length, self._bare, self._breaks, self._rows = (array("i") for _ in range(5))
        self._texts = [b""]
        self._numbers = {b"": 0}
        self._hash_of = _HashOf()
        self._kind, self._mark, self._inside = (array("B", [0]) for _ in range(3))
        self._whole, self._blind, self._strict = (array("Q", [0]) for _ in range(3))
        self._words, self._first_word = array("Q", [0]), array("q", [0, 1])

    def lex(self, texts: Sequence[bytes]) -> Lexed:
        """Lex texts. This can invalidate the numbers that earlier calls returned."""
        if len(self._token) > _LIMIT:
            self._reset()
        number = self._matches.__getitem__
        counts: list[int] = []
        matches = np.fromiter(map(number, self._found(texts, counts)), np.int32)
        self._analyse(self._matches.new)
        # The view of a growing array must not outlive the expression that uses it.
        columns = (self._token, self._length, self._bare, self._breaks, self._rows)
        token, length, bare, breaks, rows = (np.frombuffer(c, np.int32)[matches] if c else matches for c in columns)
        ends = np.cumsum(length, dtype=np.int64)
        lines = np.cumsum(breaks, dtype=np.int64)
        last = np.cumsum([0, *counts])
        kept = token > 0
        starts = (ends - length)[kept]
        return Lexed(
            vocabulary=self,
            tokens=token[kept],
            starts=starts,
            ends=starts + bare[kept],
            breaks=(lines - breaks)[kept],
            rows=(np.cumsum(rows, dtype=np.int64) - rows)[kept],
            bounds=np.append(0, np.cumsum(kept))[last],
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
        comment = re.compile(self.language.lexicon.comment, re.DOTALL).match
        comments = list(map(comment, matches))
        tokens = [match.rstrip() if at is None else b"" for match, at in zip(matches, comments, strict=True)]
        fresh = [token for token in dict.fromkeys(tokens) if token not in self._numbers]
        kinds = self.language.kind_of.new_kinds(fresh)
        self._describe([token for token, kind in zip(fresh, kinds, strict=True) if kind], kinds.translate(None, b"\0"))
        numbers = [self._numbers.get(token, 0) for token in tokens]
        self._token.extend(numbers)
        self._length.extend(map(len, matches))
        self._bare.extend(map(len, tokens))
        self._breaks.extend([match.count(b"\n") for match in matches])
        self._rows.extend(
            match.find(b"\n", len(token) if at is None else at.end()) >= 0
            for match, token, at in zip(matches, tokens, comments, strict=True)
        )
        # Comments hardly ever repeat: caching them would keep most of the text in memory.
        for match, number in zip(matches, numbers, strict=True):
            if not number:
                del self._matches[match]
        matches.clear()

    def _describe(self, tokens: list[bytes], kind_bytes: bytearray) -> None:
        self._numbers.update(zip(tokens, range(len(self._texts), len(self._texts) + len(tokens)), strict=True))
        self._texts += tokens
        kinds = np.frombuffer(kind_bytes, np.uint8)
        whole = self._hash_of.all(tokens)
        names, literals = np.isin(kinds, _NAMES), np.isin(kinds, list(LITERALS))
        own = np.array([token in self.language.own_names for token in tokens], dtype=bool)
        contextual = np.array([token in self._contextual for token in tokens], dtype=bool)
        marks = np.array([self._marks.get(token, 0) for token in tokens], dtype=np.uint8)
        self._mark.frombytes(np.where(marks == 0, names * np.uint8(self._name_mark), marks).tobytes())
        prefixed, inside = (self._matching(tokens, pattern) for pattern in self._string_patterns)
        self._kind.frombytes(np.where(prefixed, np.uint8(TokenKind.STRING), kinds).tobytes())
        self._inside.frombytes(inside.tobytes())
        self._whole.frombytes(whole.tobytes())
        self._blind.frombytes(np.select([names | own, literals], [_ANY_NAME, _ANY_LITERAL], whole).tobytes())
        strict = np.select([(names | own) & ~contextual, literals], [_ANY_NAME, _ANY_LITERAL + kinds], whole)
        self._strict.frombytes(strict.tobytes())
        words = [token_words(token, kind) for token, kind in zip(tokens, kind_bytes, strict=True)]
        self._words.frombytes(self._hash_of.all(list(chain.from_iterable(words))).tobytes())
        self._first_word.extend((self._first_word[-1] + np.cumsum([*map(len, words)], dtype=np.int64)).tolist())

    @property
    def _string_patterns(self) -> tuple[bytes | None, bytes | None]:
        return self.language.lexicon.word_like_literal, self.language.lexicon.code_inside

    @staticmethod
    def _matching(tokens: list[bytes], pattern: bytes | None) -> npt.NDArray[np.bool_]:
        if pattern is None:
            return np.zeros(len(tokens), dtype=bool)
        match = re.compile(pattern, re.DOTALL).match
        return np.array([match(token) is not None for token in tokens], dtype=bool)

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

    def among(self, tokens: Numbers, texts: Sequence[bytes]) -> npt.NDArray[np.bool_]:
        """Which tokens have one of some texts."""
        return np.isin(tokens, [self._numbers[text] for text in texts if text in self._numbers])

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

    def blind(self, tokens: Numbers) -> Hashes:
        """The hashes of tokens, with one hash for all names and one for all literals."""
        return np.frombuffer(self._blind, np.uint64)[tokens]

    def strict(self, tokens: Numbers) -> Hashes:
        """The hashes of tokens, with one hash for all names except contextual keywords, one per kind of literal.

        In a language whose line breaks have no meaning, texts with equal hashes have equal trees except for names and
        values.
        """
        return np.frombuffer(self._strict, np.uint64)[tokens]

    def words(self, tokens: Numbers) -> tuple[Hashes, Integers]:
        """The hashes of the words of tokens, concatenated, and the number of words of each token."""
        first = np.frombuffer(self._first_word, np.int64)
        starts = first[tokens]
        counts = first[1:][tokens] - starts
        return np.frombuffer(self._words, np.uint64)[ranges(starts, counts)], counts


class _Matches(dict[bytes, int]):
    """The matches of the lexer, numbered; `new` collects those that are not analysed yet."""

    def __init__(self) -> None:
        super().__init__()
        self.new: list[bytes] = []
        self._count = 0

    def __missing__(self, match: bytes) -> int:
        self.new.append(match)
        number = self[match] = self._count
        self._count += 1
        return number


def hashes_of(texts: Sequence[bytes]) -> Hashes:
    """Return the hashes of tokens, as `Vocabulary.whole` does."""
    return _HashOf().all(texts)


class _HashOf(dict[bytes, int]):
    """A cache of the hashes of texts."""

    def all(self, texts: Sequence[bytes]) -> Hashes:
        new = [text for text in dict.fromkeys(texts) if text not in self]
        digests = b"".join([blake2b(text, digest_size=8).digest() for text in new])
        self.update(zip(new, np.frombuffer(digests, "<u8").tolist(), strict=True))
        return np.fromiter(map(self.__getitem__, texts), np.uint64, len(texts))
