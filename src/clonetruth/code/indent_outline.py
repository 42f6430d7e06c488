"""The functions of files whose blocks are shown by indentation, recognised from tokens alone.

A logical line begins at a line break outside of brackets. A definition is a logical line that begins with one of a few
keywords, together with the decorators directly before it; it ends before the next logical line that is not indented
further. Lines that cannot be in this language, indentation that matches no block, and brackets that do not match leave
the text to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

import numpy as np

from clonetruth.code.brackets import Brackets, Flags
from clonetruth.code.language import TokenKind
from clonetruth.code.outline import Outline
from clonetruth.code.overlap import Integers
from clonetruth.code.vocabulary import Lexed

_OPEN, _CLOSE = range(1, 4), range(4, 7)
_NAME, _SOFT, _DEF, _CLASS, _ASYNC, _AT, _COLON, _ODD = range(7, 15)

_COMMENT = re.compile(rb"[ \t\f]*\#[^\n]*")
_NEXT_COMMENT = re.compile(rb"\s*\n([ \t]*)\#[^\n]*")
_TAB = 8
"""Columns of a tab in the indentation, as the grammar counts them."""


class PythonOutline(Outline):
    """The outline of Python texts; see `Outline`."""

    marks: ClassVar[Mapping[bytes, int]] = {
        **dict(zip(b"( [ { ) ] }".split(), (*_OPEN, *_CLOSE), strict=True)),
        # Words that a name may follow: soft keywords, and statements of Python 2.
        **dict.fromkeys(b"match case type print exec".split(), _SOFT),
        b"def": _DEF,
        b"class": _CLASS,
        b"async": _ASYNC,
        b"@": _AT,
        b":": _COLON,
        # A lone quotation mark, or a character that is not part of the language.
        **dict.fromkeys((b'"', b"'", b"\\", b"?", b"$", b"!", b"`"), _ODD),
    }
    name_mark: ClassVar[int] = _NAME

    def __init__(self, lexed: Lexed, texts: Sequence[bytes]) -> None:
        self._lexed = lexed
        self._texts = texts
        self._code = code = lexed.vocabulary.marks(lexed.tokens)
        opening = np.where(code <= _OPEN[-1], code, 0).astype(np.uint8)
        closing = np.where((code >= _CLOSE[0]) & (code <= _CLOSE[-1]), code - 3, 0).astype(np.uint8)
        self._brackets = Brackets(opening, closing, lexed.bounds)
        self.doubtful = self._brackets.broken
        lines = self._lines()
        self._reject(code == _ODD)
        self._reject(self._impossible(lines))
        self._definitions(lines)

    def _reject(self, tokens: Flags) -> None:
        """Leave the texts with any of some tokens to the parser."""
        self.doubtful[self._lexed.text_of(np.flatnonzero(tokens))] = True

    def _lines(self) -> Flags:
        """Which tokens begin a logical line."""
        lexed, code = self._lexed, self._code
        first = np.zeros(len(code), dtype=bool)
        first[1:] = (lexed.rows[1:] > lexed.rows[:-1]) & (self._brackets.depth[:-1] == 0)
        first[lexed.bounds[:-1][np.diff(lexed.bounds) > 0]] = True
        return first

    def _impossible(self, lines: Flags) -> Flags:
        """Which tokens cannot follow the one before them in a line."""
        code, kinds = self._code, self._lexed.vocabulary.kinds(self._lexed.tokens)
        value = (code == _NAME) | (code == _SOFT) | (kinds == TokenKind.NUMBER) | (kinds == TokenKind.STRING)
        ended = (value & (code != _SOFT)) | ((code >= _CLOSE[0]) & (code <= _CLOSE[-1]))
        wrong = np.zeros(len(code), dtype=bool)
        wrong[1:] = ended[:-1] & value[1:] & ~lines[1:]
        wrong[1:] &= (kinds[1:] != TokenKind.STRING) | (kinds[:-1] != TokenKind.STRING)
        # A definition begins a line, alone or after `async`.
        definition = (code == _DEF) | (code == _CLASS)
        wrong[1:] |= definition[1:] & ~lines[1:] & (code[:-1] != _ASYNC)
        return wrong

    def _columns(self, tokens: Integers) -> Integers:
        """The columns at which some tokens start."""
        data = np.frombuffer(b"".join(self._texts), np.uint8)
        breaks = np.flatnonzero(data == ord("\n"))
        starts = self._lexed.starts[tokens]
        last = np.append(breaks, -1)[np.searchsorted(breaks, starts) - 1]
        begin = np.maximum(last + 1, self._lexed.text_starts[self._lexed.text_of(tokens)])
        tabs = np.flatnonzero(data == ord("\t"))
        inside: Integers = np.searchsorted(tabs, starts) - np.searchsorted(tabs, begin)
        columns: Integers = starts - begin + (_TAB - 1) * inside
        return columns

    def _definitions(self, lines: Flags) -> None:
        """Find the definitions, line by line, with a stack of the blocks that are open."""
        lexed, code = self._lexed, self._code
        starts = np.flatnonzero(lines)
        columns = self._columns(starts)
        marks = code[starts]
        # A line that is indented like the one before it and defines nothing cannot change anything.
        special = (marks == _DEF) | (marks == _CLASS) | (marks == _ASYNC) | (marks == _AT)
        special[:1] = True
        special[1:] |= (columns[1:] != columns[:-1]) | special[:-1]
        text_of = lexed.text_of(starts)
        special[1:] |= text_of[1:] != text_of[:-1]
        chosen = np.flatnonzero(special)
        bounds = np.searchsorted(text_of[chosen], np.arange(len(self._texts) + 1)).tolist()
        rows = [*zip(starts[chosen].tolist(), columns[chosen].tolist(), marks[chosen].tolist(), strict=True)]
        tokens = code.tobytes()
        functions: list[_Located] = []
        for text, (begin, end) in enumerate(pairwise(bounds)):
            if not self.doubtful[text]:
                found = _functions(tokens, rows[begin:end], int(lexed.bounds[text + 1]))
                if found is None:
                    self.doubtful[text] = True
                else:
                    functions += found
        functions.sort()
        columns_of = np.array([function[:3] for function in functions], dtype=np.int64).reshape(-1, 3)
        self.first, self.last, self.name = columns_of.T
        self._paths = [function[3] for function in functions]
        self.ends = self._with_comments([function[4] for function in functions])

    def _with_comments(self, bodies: Sequence[int]) -> Integers:
        """The ends of the functions, with the comments after the last statement that are indented like the body."""
        lexed = self._lexed
        ends = lexed.ends[self.last]
        files = lexed.text_of(self.last)
        for number, (end, file, base, body) in enumerate(
            zip(ends.tolist(), files.tolist(), lexed.text_starts[files].tolist(), bodies, strict=True)
        ):
            text, position = self._texts[file], end - base
            if (comment := _COMMENT.match(text, position)) is not None:
                position = comment.end()
            while body >= 0 and (comment := _NEXT_COMMENT.match(text, position)) is not None:
                if len(comment[1].expandtabs(1)) + (_TAB - 1) * comment[1].count(b"\t") < body:
                    break
                position = comment.end()
            ends[number] = base + position
        return ends

    def qualified_names(self, functions: Integers) -> list[str]:
        """See `Outline.qualified_names`."""
        text, tokens = self._lexed.vocabulary.text, self._lexed.tokens
        paths = [(*self._paths[number], self.name[number]) for number in functions.tolist()]
        return [".".join(text(int(tokens[name])).decode() for name in path) for path in paths]


_Located = tuple[int, int, int, tuple[int, ...], int]
"""First token, last token, name and class names of a function, and the column of its body; -1 if it is on the line."""


def _functions(code: bytes, lines: Sequence[tuple[int, int, int]], end: int) -> list[_Located] | None:
    """Return the functions of a text; None if it is doubtful.

    Args:
        code: the marks of all tokens.
        lines: first token, column and mark of the lines that matter.
        end: the token after the last.
    """
    found: list[_Located] = []
    levels = [0]
    # Column, first token and name of each open definition, whether it is a class, and the classes around its body.
    open_: list[tuple[int, int, int, bool, tuple[int, ...]]] = [(-1, 0, 0, True, ())]
    bodies = [0]  # the column of the body of each of them
    decorated, decorated_column = -1, -1
    for start, column, mark in [*lines, (end, -1, 0)]:
        if column > levels[-1]:
            if code[start - 1] != _COLON or decorated >= 0:
                return None
            levels.append(column)
            if bodies[-1] < 0:
                bodies[-1] = column
        while column < levels[-1] and len(levels) > 1:
            levels.pop()
        if column != levels[-1] and start < end:
            return None
        while open_[-1][0] >= column and len(open_) > 1:
            _, first, name, is_class, path = open_.pop()
            body = bodies.pop()
            if not is_class and open_[-1][3]:
                found.append((first, start - 1, name, path, body))
        if mark == _AT:
            if decorated < 0:
                decorated, decorated_column = start, column
            elif column != decorated_column:
                return None
            continue
        is_async = mark == _ASYNC and code[start + 1] == _DEF
        if mark in (_DEF, _CLASS) or is_async:
            name = start + 1 + is_async
            if name >= end or code[name] not in (_NAME, _SOFT):
                return None
            path = open_[-1][4]
            is_class = mark == _CLASS
            first = start if decorated < 0 else decorated
            bodies.append(-1)
            open_.append((column, first, name, is_class, (*path, name) if is_class else path))
        elif decorated >= 0:
            return None
        decorated = -1
    return None if decorated >= 0 else found
