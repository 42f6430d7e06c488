"""Names with qualifiers and template arguments among the tokens of C++."""

from __future__ import annotations

from abc import ABC
from typing import NamedTuple

from clonetruth.code.brace_outline import (
    BRACE,
    END_BRACE,
    END_PAREN,
    END_SQUARE,
    HASH,
    NAME,
    PAREN,
    SEMICOLON,
    SQUARE,
    BraceOutline,
    UndecidedError,
)
from clonetruth.code.cpp_tokens import CAST, GREATER, LESS, OPERATOR, SCOPE, TEMPLATE, TILDE, UNKNOWN
from clonetruth.code.fragments import written


class QualifiedName(NamedTuple):
    """A name with its qualifiers: the token of each, and the position after it."""

    parts: tuple[int, ...]
    end: int


class CppNames(BraceOutline, ABC):
    """Reads names for the rules of a table; `_text` is the text to which they belong."""

    _text: int

    def qualified(self, position: int) -> QualifiedName:
        """The name that begins at a token: ``::a::b<c>::d``. It can end in ``::`` before an operator or ``~``."""
        code = self.code
        parts: list[int] = []
        position += code[position] == SCOPE
        while True:
            position += code[position] == TEMPLATE
            if code[position] != NAME:
                if parts and code[position] in (OPERATOR, TILDE):
                    return QualifiedName(tuple(parts), position)
                raise UndecidedError
            parts.append(position)
            position += 1
            if code[position] == LESS:
                position = self.after_angles(position)
            if code[position] != SCOPE:
                return QualifiedName(tuple(parts), position)
            position += 1

    def after_angles(self, position: int) -> int:
        """The position after the ``>`` that matches a ``<``."""
        code, partner = self.code, self.partner
        depth = 0
        if code[position] != LESS:
            raise UndecidedError
        while True:
            mark = code[position]
            if mark == LESS:
                if code[position - 1] not in (NAME, TEMPLATE, CAST):
                    raise UndecidedError  # a comparison
                depth += 1
            elif mark == GREATER:
                depth -= 1
                if not depth:
                    return position + 1
            elif mark in (PAREN, SQUARE):
                position = partner[position]
            elif mark in (BRACE, SEMICOLON, END_BRACE, END_PAREN, END_SQUARE, HASH, UNKNOWN):
                raise UndecidedError
            position += 1

    def written(self, begin: int, end: int) -> str:
        """The text of the tokens from one to before another."""
        lexed, base = self.lexed, int(self.lexed.text_starts[self._text])
        start, stop = int(lexed.starts[begin]) - base, int(lexed.ends[end - 1]) - base
        return written(self.texts[self._text][start:stop], lexed.vocabulary.language)
