"""The methods and constructors of Java files, recognised from tokens alone.

A method is ``name ( … )``, perhaps ``throws …``, and a block; or a semicolon in the body of a class or an interface,
outside of the initial value of a field. Anonymous classes and the constants of an enum look like methods but are not.
A method begins after the last ``;``, ``{`` or ``}`` directly inside the enclosing class body. Records and odd texts
are left to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from clonetruth.code.brackets import Brackets, DepthIndex, Flags
from clonetruth.code.fragments import written
from clonetruth.code.outline import Outline
from clonetruth.code.overlap import Integers
from clonetruth.code.vocabulary import Lexed

_BRACE, _END_BRACE, _PAREN, _END_PAREN, _SQUARE, _END_SQUARE = range(1, 7)
_SEMICOLON, _NAME, _PRIMITIVE, _GREATER, _DOT, _NEW, _THROWS, _CLASS, _INTERFACE, _ENUM = range(7, 17)
_AT, _EQUALS, _RECORD, _LESS, _ODD = range(17, 22)

_NAMES = (_NAME, _RECORD)
_BEFORE_NAME = (*_NAMES, _PRIMITIVE, _GREATER, _END_SQUARE)
"""The tokens that can end a type."""


_MARKS = {
    **dict(zip(b"{ } ( ) [ ] ;".split(), range(_BRACE, _SEMICOLON + 1), strict=True)),
    **dict.fromkeys(b"void boolean byte char short int long float double".split(), _PRIMITIVE),
    b"<": _LESS,
    b">": _GREATER,
    b".": _DOT,
    b"@": _AT,
    b"=": _EQUALS,
    b"new": _NEW,
    b"throws": _THROWS,
    b"class": _CLASS,
    b"interface": _INTERFACE,
    b"enum": _ENUM,
    b"record": _RECORD,
    # A lone quotation mark, or a character that is not part of the language.
    **dict.fromkeys((b'"', b"'", b"\\", b"#", b"`"), _ODD),
}


_TYPE_DECLARATION = re.compile(rb"\b(?:class|interface|enum|record)\s+\w+[^;{}()=]*\{")
_ENOUGH_TOKENS = 40
_TOKENS_PER_SEMICOLON = 40
"""In Java, there are about ten."""


class JavaOutline(Outline):
    """The outline of Java texts; see `Outline`."""

    marks: ClassVar[Mapping[bytes, int]] = _MARKS
    name_mark: ClassVar[int] = _NAME

    def __init__(self, lexed: Lexed, texts: Sequence[bytes]) -> None:
        self._lexed = lexed
        self._texts = texts
        self._code = code = lexed.vocabulary.marks(lexed.tokens)
        opening = np.where((code == _BRACE) | (code == _PAREN) | (code == _SQUARE), code, 0)
        closing = np.where((code == _END_BRACE) | (code == _END_PAREN) | (code == _END_SQUARE), code - 1, 0)
        self._brackets = Brackets(opening, closing, lexed.bounds)
        self._semicolons = self._indexed(code == _SEMICOLON)
        self._class_keywords, self._class_bodies = self._classes()
        self._decide(*self._candidates())

    def _candidates(self) -> tuple[Integers, Integers]:
        """Candidates for functions: a closing parenthesis, and the block or semicolon after it."""
        code = self._code
        after = np.flatnonzero(code[:-1] == _END_PAREN) + 1
        ends = after[(code[after] == _BRACE) | (code[after] == _SEMICOLON)]
        throws = after[code[after] == _THROWS]
        thrown = _next(np.flatnonzero((code == _BRACE) | (code == _SEMICOLON)), throws)
        known = thrown >= 0
        return np.concatenate([ends - 1, throws[known] - 1]), np.concatenate([ends, thrown[known]])

    def _decide(self, close: Integers, end: Integers) -> None:
        """Decide which candidates are functions, and where they begin."""
        code, brackets, lexed = self._code, self._brackets, self._lexed
        name = brackets.partner[close] - 1
        before = self._at(name - 1)
        likely = np.isin(self._at(name), _NAMES) & (before != _DOT) & (before != _NEW)
        likely &= (code[end] == _BRACE) | np.isin(before, _BEFORE_NAME)
        name, end = name[likely], end[likely]
        depth = brackets.depth[name].astype(np.int64)
        around = brackets.openers.last_before(name, depth)
        begin = self._indexed((code == _SEMICOLON) | (code == _BRACE) | (code == _END_BRACE)).last_before(name, depth)
        abstract = code[end] == _SEMICOLON
        good = (self._at(around) == _BRACE) & (name > self._end_of_constants(around))
        good[abstract] &= self._declared(*(column[abstract] for column in (name, begin, around, depth)))
        self.doubtful = brackets.broken | self._odd()
        self.doubtful[lexed.text_of(name[(around < 0) & ~abstract])] = True  # it is outside of all classes
        good &= ~self.doubtful[lexed.text_of(name)]
        order = np.flatnonzero(good)[np.argsort(begin[good])]
        self.first, self.name, self._around = begin[order] + 1, name[order], around[order]
        self.last = np.where(abstract, end, brackets.partner[end])[order]
        self.ends = lexed.ends[self.last]

    def _odd(self) -> Flags:
        """Which texts contain something that only the parser can decide."""
        code = self._code
        odd = code == _ODD
        odd[:-1] |= (code[:-1] == _RECORD) & (code[1:] == _NAME)
        odd[:-1] |= (code[:-1] == _NEW) & (code[1:] == _AT)
        odd[:-2] |= (code[:-2] == _END_PAREN) & (code[1:-1] == _SQUARE) & (code[2:] == _END_SQUARE)
        texts = np.zeros(len(self._texts), dtype=bool)
        texts[self._lexed.text_of(np.flatnonzero(odd))] = True
        return texts

    def _classes(self) -> tuple[Integers, Integers]:
        """The keywords ``class``, ``interface`` and ``enum`` of declarations, and the braces of their bodies."""
        code = self._code
        keywords = np.flatnonzero((code == _CLASS) | (code == _INTERFACE) | (code == _ENUM))
        keywords = keywords[(self._at(keywords - 1) != _DOT) & np.isin(self._at(keywords + 1), _NAMES)]
        bodies = _next(np.flatnonzero(code == _BRACE), keywords)
        return keywords[bodies >= 0], bodies[bodies >= 0]

    def _class_keyword(self, braces: Integers) -> Integers:
        """The keyword that declares the class of each body; -1 for a brace that is not the body of a declared class."""
        if not len(self._class_bodies):
            return np.full(len(braces), -1)
        at = np.minimum(np.searchsorted(self._class_bodies, braces), len(self._class_bodies) - 1)
        return np.where(self._class_bodies[at] == braces, self._class_keywords[at], -1)

    def _end_of_constants(self, braces: Integers) -> Integers:
        """Where the constants of the enum with each body end; -1 for other braces."""
        ends = np.full(len(braces), -1)
        enums = self._at(self._class_keyword(braces)) == _ENUM
        bodies = braces[enums]
        end = self._brackets.partner[bodies]
        semicolon = self._semicolons.first_after(bodies, self._brackets.depth[bodies].astype(np.int64))
        ends[enums] = np.where((semicolon >= 0) & (semicolon < end), semicolon, end)
        return ends

    def _declared(self, name: Integers, begin: Integers, around: Integers, depth: Integers) -> Flags:
        """Which names before a semicolon are methods: in a class, not in the value of a field or an annotation type."""
        keyword = self._class_keyword(around)
        methods: Flags = (keyword >= 0) & ~((self._at(keyword) == _INTERFACE) & (self._at(keyword - 1) == _AT))
        unassigned: Flags = self._indexed(self._code == _EQUALS).last_before(name, depth) < begin
        return methods & unassigned

    def _indexed(self, selected: Flags) -> DepthIndex:
        positions = np.flatnonzero(selected)
        return DepthIndex(positions, self._brackets.depth[positions])

    def _at(self, positions: Integers) -> npt.NDArray[np.uint8]:
        """The marks of the tokens at some positions; 0 outside of the texts."""
        inside = (positions >= 0) & (positions < len(self._code))
        marks = np.zeros(len(positions), np.uint8)
        marks[inside] = self._code[positions[inside]]
        return marks

    def unlikely(self) -> Flags:
        """See `Outline.unlikely`: texts that declare no type, or have very few semicolons."""
        tokens = np.diff(self._lexed.bounds)
        semicolons = np.array([text.count(b";") for text in self._texts], dtype=np.int64)
        typed = np.array([_TYPE_DECLARATION.search(text) is not None for text in self._texts], dtype=bool)
        unlikely: Flags = (tokens >= _ENOUGH_TOKENS) & (~typed | (semicolons * _TOKENS_PER_SEMICOLON < tokens))
        return unlikely

    def qualified_names(self, functions: Integers) -> list[str]:
        """See `Outline.qualified_names`."""
        class_paths = _ClassPaths(self._lexed, self._texts, self._code, self._brackets, self._class_keyword)
        paths = class_paths.of(self._around[functions])
        text, tokens = self._lexed.vocabulary.text, self._lexed.tokens[self.name[functions]].tolist()
        return [".".join((*path, text(token).decode())) for path, token in zip(paths, tokens, strict=True)]


def _next(positions: Integers, after: Integers) -> Integers:
    """For each of `after`, the first of some ascending positions after it; -1 if there is none."""
    if not len(positions):
        return np.full(len(after), -1)
    at = np.searchsorted(positions, after, side="right")
    return np.where(at < len(positions), positions[np.minimum(at, len(positions) - 1)], -1)


class _ClassPaths:
    """The classes that enclose brackets, outermost first."""

    def __init__(
        self,
        lexed: Lexed,
        texts: Sequence[bytes],
        code: npt.NDArray[np.uint8],
        brackets: Brackets,
        class_keyword: Callable[[Integers], Integers],
    ) -> None:
        self._lexed = lexed
        self._texts = texts
        self._code = code
        self._brackets = brackets
        self._class_keyword = class_keyword
        self._known: dict[int, tuple[str, ...]] = {-1: ()}

    def of(self, brackets: Integers) -> list[tuple[str, ...]]:
        """The class paths inside some brackets."""
        parents: list[tuple[Integers, Integers]] = []
        level = np.unique(brackets)
        while len(level):
            above = self._brackets.openers.last_before(level, self._brackets.depth[level].astype(np.int64) - 1)
            parents.append((level, above))
            level = np.unique(above[above >= 0])
        for inner, outer in reversed(parents):
            keywords = self._class_keyword(inner)
            for bracket, parent, keyword in zip(inner.tolist(), outer.tolist(), keywords.tolist(), strict=True):
                if bracket not in self._known:
                    self._known[bracket] = self._known[parent] + self._own(bracket, keyword)
        return [self._known[bracket] for bracket in brackets.tolist()]

    def _own(self, bracket: int, keyword: int) -> tuple[str, ...]:
        """What a bracket adds to the path: a declared or an anonymous class."""
        if keyword >= 0:
            return (self._lexed.vocabulary.text(int(self._lexed.tokens[keyword + 1])).decode(),)
        code, partner = self._code, self._brackets.partner
        if code[bracket] == _BRACE and code[bracket - 1] == _END_PAREN:
            return self._anonymous(int(partner[bracket - 1]))
        after = int(partner[bracket]) + 1
        if code[bracket] == _PAREN and after < len(code) and code[after] == _BRACE:
            return self._anonymous(bracket)  # an anonymous class can be among the arguments of another one
        return ()

    def _anonymous(self, parenthesis: int) -> tuple[str, ...]:
        """The type in ``new type (``; nothing if there is no ``new``."""
        code = self._code
        position, angles = parenthesis - 1, 0
        while position > 0 and (angles or code[position] in (*_NAMES, _DOT, _GREATER)):
            angles += int(code[position] == _GREATER) - int(code[position] == _LESS)
            position -= 1
        if code[position] != _NEW:
            return ()
        text = int(self._lexed.text_of(np.array([position]))[0])
        start, end = self._lexed.starts[position + 1], self._lexed.ends[parenthesis - 1]
        base = self._lexed.text_starts[text]
        return (written(self._texts[text][start - base : end - base], self._lexed.vocabulary.language),)
