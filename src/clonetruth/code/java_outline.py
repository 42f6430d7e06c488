"""The methods and constructors of Java files, told from tokens alone.

A method is ``name ( … )``, perhaps ``throws …``, and a block; or a semicolon where it stands in the body of a class or
an interface and is no call in the initial value of a field. What looks like one and is none: the creation of an object
with a class body of its own, and the constants of an enum. It begins behind the last ``;``, ``{`` or ``}`` that is
directly inside the class body around it. Records, and whatever is odd, are left to the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from clonetruth.code.brackets import BracketLayer, Brackets, Flags
from clonetruth.code.fragments import written
from clonetruth.code.outline import Outline
from clonetruth.code.overlap import Integers
from clonetruth.code.vocabulary import Lexed

_BRACE, _END_BRACE, _PAREN, _END_PAREN, _SQUARE, _END_SQUARE = range(1, 7)
_SEMICOLON, _NAME, _PRIMITIVE, _GREATER, _DOT, _NEW, _THROWS, _CLASS, _INTERFACE, _ENUM = range(7, 17)
_AT, _EQUALS, _RECORD, _LESS, _ODD = range(17, 22)

_NAMES = (_NAME, _RECORD)
_BEFORE_NAME = (*_NAMES, _PRIMITIVE, _GREATER, _END_SQUARE)
"""What a type ends with."""


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
    # A quotation mark by itself, or a sign that is none of the language's.
    **dict.fromkeys((b'"', b"'", b"\\", b"#", b"`"), _ODD),
}


class JavaOutline(Outline):
    """See `Outline`."""

    marks: ClassVar[Mapping[bytes, int]] = _MARKS
    name_mark: ClassVar[int] = _NAME

    def __init__(self, lexed: Lexed, texts: Sequence[bytes]) -> None:
        self._lexed = lexed
        self._texts = texts
        self._code = code = lexed.vocabulary.marks(lexed.tokens)
        opening = np.where((code == _BRACE) | (code == _PAREN) | (code == _SQUARE), code, 0)
        closing = np.where((code == _END_BRACE) | (code == _END_PAREN) | (code == _END_SQUARE), code - 1, 0)
        self._brackets = Brackets(opening, closing, lexed.bounds)
        self._semicolons = self._layer(code == _SEMICOLON)
        self._class_words, self._class_bodies = self._classes()
        self._decide(*self._candidates())

    def _candidates(self) -> tuple[Integers, Integers]:
        """What may be a function: a closing parenthesis, and the block or semicolon behind it."""
        code = self._code
        behind = np.flatnonzero(code[:-1] == _END_PAREN) + 1
        ends = behind[(code[behind] == _BRACE) | (code[behind] == _SEMICOLON)]
        throws = behind[code[behind] == _THROWS]
        thrown = _next(np.flatnonzero((code == _BRACE) | (code == _SEMICOLON)), throws)
        known = thrown >= 0
        return np.concatenate([ends - 1, throws[known] - 1]), np.concatenate([ends, thrown[known]])

    def _decide(self, close: Integers, end: Integers) -> None:
        """Which candidates are functions, and where they begin."""
        code, brackets, lexed = self._code, self._brackets, self._lexed
        name = brackets.partner[close] - 1
        before = self._at(name - 1)
        likely = np.isin(self._at(name), _NAMES) & (before != _DOT) & (before != _NEW)
        likely &= (code[end] == _BRACE) | np.isin(before, _BEFORE_NAME)
        name, end = name[likely], end[likely]
        depth = brackets.depth[name].astype(np.int64)
        around = brackets.openers.last_before(name, depth)
        begin = self._layer((code == _SEMICOLON) | (code == _BRACE) | (code == _END_BRACE)).last_before(name, depth)
        abstract = code[end] == _SEMICOLON
        good = (self._at(around) == _BRACE) & (name > self._end_of_constants(around))
        good[abstract] &= self._declared(*(column[abstract] for column in (name, begin, around, depth)))
        self.doubtful = brackets.broken | self._odd()
        self.doubtful[lexed.text_of(name[(around < 0) & ~abstract])] = True  # it is outside of all classes
        good &= ~self.doubtful[lexed.text_of(name)]
        order = np.flatnonzero(good)[np.argsort(begin[good])]
        self.first, self.name, self._around = begin[order] + 1, name[order], around[order]
        self.last = np.where(abstract, end, brackets.partner[end])[order]

    def _odd(self) -> Flags:
        """The texts with something that only the tree can tell."""
        code = self._code
        odd = code == _ODD
        odd[:-1] |= (code[:-1] == _RECORD) & (code[1:] == _NAME)
        odd[:-1] |= (code[:-1] == _NEW) & (code[1:] == _AT)
        odd[:-2] |= (code[:-2] == _END_PAREN) & (code[1:-1] == _SQUARE) & (code[2:] == _END_SQUARE)
        texts = np.zeros(len(self._texts), dtype=bool)
        texts[self._lexed.text_of(np.flatnonzero(odd))] = True
        return texts

    def _classes(self) -> tuple[Integers, Integers]:
        """The words ``class``, ``interface`` and ``enum`` of declarations, and the braces of their bodies."""
        code = self._code
        words = np.flatnonzero((code == _CLASS) | (code == _INTERFACE) | (code == _ENUM))
        words = words[(self._at(words - 1) != _DOT) & np.isin(self._at(words + 1), _NAMES)]
        bodies = _next(np.flatnonzero(code == _BRACE), words)
        return words[bodies >= 0], bodies[bodies >= 0]

    def _class_word(self, braces: Integers) -> Integers:
        """The word that declares the class of each body; -1 for a brace that is no body of a declared class."""
        if not len(self._class_bodies):
            return np.full(len(braces), -1)
        at = np.minimum(np.searchsorted(self._class_bodies, braces), len(self._class_bodies) - 1)
        return np.where(self._class_bodies[at] == braces, self._class_words[at], -1)

    def _end_of_constants(self, braces: Integers) -> Integers:
        """Where the constants of the enum with each body end; -1 for other braces."""
        ends = np.full(len(braces), -1)
        enums = self._at(self._class_word(braces)) == _ENUM
        bodies = braces[enums]
        end = self._brackets.partner[bodies]
        semicolon = self._semicolons.first_behind(bodies, self._brackets.depth[bodies].astype(np.int64))
        ends[enums] = np.where((semicolon >= 0) & (semicolon < end), semicolon, end)
        return ends

    def _declared(self, name: Integers, begin: Integers, around: Integers, depth: Integers) -> Flags:
        """Which names before a semicolon are methods: in a class, not in the value of a field or an annotation type."""
        word = self._class_word(around)
        methods: Flags = (word >= 0) & ~((self._at(word) == _INTERFACE) & (self._at(word - 1) == _AT))
        unassigned: Flags = self._layer(self._code == _EQUALS).last_before(name, depth) < begin
        return methods & unassigned

    def _layer(self, chosen: Flags) -> BracketLayer:
        places = np.flatnonzero(chosen)
        return BracketLayer(places, self._brackets.depth[places])

    def _at(self, places: Integers) -> npt.NDArray[np.uint8]:
        """The marks of tokens, 0 where there is none."""
        inside = (places >= 0) & (places < len(self._code))
        marks = np.zeros(len(places), np.uint8)
        marks[inside] = self._code[places[inside]]
        return marks

    def qualified_names(self, chosen: Integers) -> list[str]:
        """See `Outline.qualified_names`."""
        paths = _Paths(self._lexed, self._texts, self._code, self._brackets, self._class_word)
        around = paths.of(self._around[chosen])
        text, tokens = self._lexed.vocabulary.text, self._lexed.tokens[self.name[chosen]].tolist()
        return [".".join((*path, text(token).decode())) for path, token in zip(around, tokens, strict=True)]


def _next(places: Integers, behind: Integers) -> Integers:
    """The first of some rising places behind each of others; -1 where there is none."""
    if not len(places):
        return np.full(len(behind), -1)
    at = np.searchsorted(places, behind, side="right")
    return np.where(at < len(places), places[np.minimum(at, len(places) - 1)], -1)


class _Paths:
    """The classes around brackets, outermost first."""

    def __init__(
        self,
        lexed: Lexed,
        texts: Sequence[bytes],
        code: npt.NDArray[np.uint8],
        brackets: Brackets,
        class_word: Callable[[Integers], Integers],
    ) -> None:
        self._lexed = lexed
        self._texts = texts
        self._code = code
        self._brackets = brackets
        self._class_word = class_word
        self._known: dict[int, tuple[str, ...]] = {-1: ()}

    def of(self, brackets: Integers) -> list[tuple[str, ...]]:
        """The names of the classes around what is in some brackets."""
        parents: list[tuple[Integers, Integers]] = []
        level = np.unique(brackets)
        while len(level):
            above = self._brackets.openers.last_before(level, self._brackets.depth[level].astype(np.int64) - 1)
            parents.append((level, above))
            level = np.unique(above[above >= 0])
        for inner, outer in reversed(parents):
            words = self._class_word(inner)
            for bracket, around, word in zip(inner.tolist(), outer.tolist(), words.tolist(), strict=True):
                if bracket not in self._known:
                    self._known[bracket] = self._known[around] + self._own(bracket, word)
        return [self._known[bracket] for bracket in brackets.tolist()]

    def _own(self, bracket: int, word: int) -> tuple[str, ...]:
        """What a bracket adds to the path: a declared class, or one that is created where it is declared."""
        if word >= 0:
            return (self._lexed.vocabulary.text(int(self._lexed.tokens[word + 1])).decode(),)
        code, partner = self._code, self._brackets.partner
        if code[bracket] == _BRACE and code[bracket - 1] == _END_PAREN:
            return self._created(int(partner[bracket - 1]))
        behind = int(partner[bracket]) + 1
        if code[bracket] == _PAREN and behind < len(code) and code[behind] == _BRACE:
            return self._created(bracket)  # a class may be created among what another one is created with
        return ()

    def _created(self, parenthesis: int) -> tuple[str, ...]:
        """The type in ``new type (``; nothing where there is no ``new``."""
        code = self._code
        place, angles = parenthesis - 1, 0
        while place > 0 and (angles or code[place] in (*_NAMES, _DOT, _GREATER)):
            angles += int(code[place] == _GREATER) - int(code[place] == _LESS)
            place -= 1
        if code[place] != _NEW:
            return ()
        text = int(self._lexed.text_of(np.array([place]))[0])
        start, end = self._lexed.starts[place + 1], self._lexed.ends[parenthesis - 1]
        base = self._lexed.text_starts[text]
        return (written(self._texts[text][start - base : end - base], self._lexed.vocabulary.language),)
