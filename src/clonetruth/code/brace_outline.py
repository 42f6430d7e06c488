"""The functions of files in languages with braces, recognised from tokens alone: one engine, one table per language.

The engine removes the lines of a preprocessor, pairs brackets and checks that the text can be in the language. The
rules of a table then walk over what is directly inside of files, classes and namespaces: a function is a header with a
parameter list and a block. Whatever the rules do not know is left to the parser, file by file.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from clonetruth.code.brackets import Brackets, Flags
from clonetruth.code.outline import Outline
from clonetruth.code.overlap import Integers
from clonetruth.code.vocabulary import Lexed, Marks

BRACE, PAREN, SQUARE, END_BRACE, END_PAREN, END_SQUARE = range(1, 7)
SEMICOLON, NAME, ODD, HASH = range(7, 11)
FIRST_FREE = 11
"""The first mark that a table can use for its own tokens."""

BRACKET_MARKS: Mapping[bytes, int] = dict(zip(b"{ ( [ } ) ]".split(), range(BRACE, END_SQUARE + 1), strict=True))

CONDITIONALS = {
    b"if": 1,
    b"ifdef": 1,
    b"ifndef": 1,
    b"elif": 0,
    b"else": 0,
    b"elifdef": 0,
    b"elifndef": 0,
    b"endif": -1,
}
"""How the directives of conditional text change its nesting."""

_TOKENS_PER_ROW_OF_NAMES = 50
_FEW_ROWS_OF_NAMES = 4
"""Three names in a row come from macros; in prose, most words are the third in a row."""


class UndecidedError(Exception):
    """The rules of a table do not decide a text."""


class Located(NamedTuple):
    """A function: its first and last token, the token that names it, and its name with its classes."""

    first: int
    last: int
    name: int
    path: tuple[str, ...]


class BraceOutline(Outline):
    """The engine; a table is a subclass with marks and rules. See `Outline`.

    Attributes:
        directives: whether a line that begins with ``#`` is for a preprocessor (class attribute).
        code: the marks of all tokens, `HASH` for those of directives.
        partner: for each bracket, the position of its partner.
        rows: see `Lexed.rows`.
    """

    directives: ClassVar[bool] = False
    code: bytes
    partner: list[int]

    def __init__(self, lexed: Lexed, texts: Sequence[bytes]) -> None:
        self.lexed = lexed
        self.texts = texts
        code = lexed.vocabulary.marks(lexed.tokens).copy()
        skipped, conditional = self._directives(code) if self.directives else (np.zeros(len(code), dtype=bool), [])
        code[skipped] = HASH
        opening = np.where(code <= SQUARE, code, 0).astype(np.uint8)
        closing = np.where((code >= END_BRACE) & (code <= END_SQUARE), code - 3, 0).astype(np.uint8)
        brackets = Brackets(opening, closing, lexed.bounds)
        self.doubtful = brackets.broken
        self.doubtful[lexed.text_of(np.flatnonzero(code == ODD))] = True
        self.depth = brackets.depth
        # Sorted by depth, then by position.
        self._openers = [*zip(brackets.openers.depths.tolist(), brackets.openers.positions.tolist(), strict=True)]
        self._check_conditionals(conditional)
        self._check_prose(code)
        self.code = self.renamed(code.tobytes())
        self.partners = brackets.partner
        self.partner = brackets.partner.tolist()
        self.rows = lexed.rows
        located: list[Located] = []
        for text in np.flatnonzero(~self.doubtful).tolist():
            begin, end = int(lexed.bounds[text]), int(lexed.bounds[text + 1])
            try:
                functions = self.located(text, begin, end)
            except (UndecidedError, IndexError):
                self.doubtful[text] = True
                continue
            if all(begin <= one.first <= one.last < end for one in functions):
                located += functions
            else:
                self.doubtful[text] = True
        located.sort()
        columns = np.array([function[:3] for function in located], dtype=np.int64).reshape(-1, 3)
        self.first, self.last, self.name = columns.T
        self.ends = lexed.ends[self.last]
        self._paths = [function.path for function in located]

    @abstractmethod
    def located(self, text: int, begin: int, end: int) -> list[Located]:
        """Return the functions of a text with the tokens from `begin` to before `end`.

        Raises:
            UndecidedError: the text needs the parser.
        """

    def renamed(self, code: bytes) -> bytes:
        """Return the marks of all tokens after words that are only names where they are have become names."""
        return code

    def word(self, token: int) -> str:
        """The text of a token."""
        return self.lexed.vocabulary.text(int(self.lexed.tokens[token])).decode("utf-8", errors="replace")

    def begins_row(self, token: int) -> bool:
        """Whether a token is the first on its line."""
        return token == 0 or bool(self.rows[token] > self.rows[token - 1])

    def around(self, token: int) -> int:
        """The bracket directly around a token that opens none; -1 if there is none."""
        depth = int(self.depth[token])
        at = bisect_left(self._openers, (depth, token)) - 1
        return self._openers[at][1] if depth and at >= 0 and self._openers[at][0] == depth else -1

    def _directives(self, code: Marks) -> tuple[Flags, list[int]]:
        """Which tokens belong to directives, and the ``#`` of those with conditions."""
        rows, bounds = self.lexed.rows, self.lexed.bounds
        first = np.ones(len(code), dtype=bool)
        first[1:] = rows[1:] > rows[:-1]
        first[bounds[:-1][np.diff(bounds) > 0]] = True
        starts = np.flatnonzero(first)
        hashes = first & (code == HASH)
        counts = np.diff(np.append(starts, len(code)))
        skipped = np.repeat(hashes[starts], counts)
        words = (np.flatnonzero(hashes) + 1).tolist()
        vocabulary, tokens = self.lexed.vocabulary, self.lexed.tokens
        texts = {word: vocabulary.text(int(tokens[word])) for word in words if word < len(tokens)}
        return skipped, [word for word, text in texts.items() if text in CONDITIONALS]

    def _check_conditionals(self, words: Sequence[int]) -> None:
        """Leave texts to the parser in which a conditional part opens or closes a bracket."""
        lexed = self.lexed
        stack: list[int] = []
        last = -1
        for word, text in zip(words, lexed.text_of(np.array(words, dtype=np.int64)).tolist(), strict=True):
            if text != last:
                stack = []
            last = text
            change = CONDITIONALS[lexed.vocabulary.text(int(lexed.tokens[word]))]
            depth = int(self.depth[word])
            if change > 0:
                stack.append(depth)
            elif not stack or stack[-1] != depth:
                self.doubtful[text] = True
            if change < 0 and stack:
                stack.pop()

    def _check_prose(self, code: Marks) -> None:
        """Leave texts to the parser that have many names in a row, as no language with braces has."""
        named = code == NAME
        rows = np.zeros(len(code), dtype=np.int64)
        rows[2:] = named[2:] & named[1:-1] & named[:-2]
        total = np.append(0, np.cumsum(rows))[self.lexed.bounds]
        rows_of_names = np.diff(total)
        much = rows_of_names * _TOKENS_PER_ROW_OF_NAMES > np.diff(self.lexed.bounds)
        self.doubtful |= much & (rows_of_names >= _FEW_ROWS_OF_NAMES)

    def qualified_names(self, functions: Integers) -> list[str]:
        """See `Outline.qualified_names`."""
        return [".".join(self._paths[number]) for number in functions.tolist()]
