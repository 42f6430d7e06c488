"""The functions of JavaScript files, recognised from tokens alone: see `brace_outline`.

Template strings and regular expressions are blanked first, since a lexer without a grammar cannot delimit them. Then
every ``function``, ``=>``, ``class`` and method is an item; what is inside a function with a name does not count,
lambdas outside of them do, as with the option `callbacks` of `extract`. JSX and decorators are left to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from clonetruth.code.brace_outline import (
    BRACE,
    BRACKET_MARKS,
    END_BRACE,
    END_PAREN,
    END_SQUARE,
    FIRST_FREE,
    NAME,
    ODD,
    PAREN,
    SEMICOLON,
    SQUARE,
    BraceOutline,
    Located,
    UndecidedError,
)
from clonetruth.code.fragments import LAMBDA_NAME, MAX_WRAPPERS, wrappers_around, written
from clonetruth.code.languages.javascript import OPERATORS, RESERVED
from clonetruth.code.script_masks import masked

FUNCTION, ARROW, CLASS, EXTENDS, ASYNC, STATIC, ACCESSOR, STAR = range(FIRST_FREE, FIRST_FREE + 8)
DOT, EQUALS, COLON, COMMA, QUESTION, DECLARE, CONTROL, BINARY = range(FIRST_FREE + 8, FIRST_FREE + 16)
PREFIX, WORD, SELF, LESS, INFIX_WORD, NEW, BLOCK_WORD, DECORATOR = range(FIRST_FREE + 16, FIRST_FREE + 24)
FIRST_FREE_OF_TYPES = FIRST_FREE + 24
"""The first mark that TypeScript can use for its own tokens."""

_MODIFIERS = (ASYNC, STATIC, ACCESSOR, STAR)
KEYS = frozenset({NAME, 0, ASYNC, STATIC, ACCESSOR, FUNCTION, CLASS, EXTENDS, DECLARE, CONTROL, PREFIX, WORD})
KEYS |= {SELF, INFIX_WORD, NEW, BLOCK_WORD}
"""Tokens that can name a member: names, literals and keywords."""

NEEDS_MORE = frozenset({DOT, EQUALS, COLON, QUESTION, BINARY, STAR, LESS, PREFIX, INFIX_WORD, NEW, ARROW})
NEEDS_MORE |= {FUNCTION, CLASS, EXTENDS, ASYNC, PAREN, SQUARE, BRACE, COMMA}
"""Tokens after which an expression goes on in the next line."""
_GOES_ON = frozenset({DOT, EQUALS, COLON, QUESTION, BINARY, STAR, LESS, INFIX_WORD, PAREN, SQUARE, COMMA})
_GOES_ON |= {ARROW, SEMICOLON}
"""Tokens that belong to the expression before them, even in the next line."""
BEFORE_OBJECT = frozenset({EQUALS, COLON, QUESTION, BINARY, PREFIX, PAREN, SQUARE, COMMA, INFIX_WORD, STAR})

_FUNCTION_ROLE, _LAMBDA, SCOPE = range(3)


class _Item(NamedTuple):
    """A function, lambda or class, in the order in which they enclose each other."""

    start: int
    minus_end: int
    role: int
    name: tuple[int, int]


def events(*more: int) -> re.Pattern[bytes]:
    """A pattern for the marks that begin an item, or end its header."""
    begin = re.escape(bytes((FUNCTION, ARROW, CLASS, *more)))
    return re.compile(b"[%b]|%c(?=%c)" % (begin, END_PAREN, BRACE), re.DOTALL)


class JavaScriptOutline(BraceOutline):
    """Declarations, methods, and functions that are assigned to a name."""

    masks: ClassVar[bool] = True
    has_signatures: ClassVar[bool] = False
    """Whether a function can be declared without a body."""
    events: ClassVar[re.Pattern[bytes]] = events()
    name_mark: ClassVar[int] = NAME
    marks: ClassVar[Mapping[bytes, int]] = {
        **dict.fromkeys(OPERATORS.split(), BINARY),
        **dict.fromkeys(b"+ - / % & | ^ >".split(), BINARY),
        **dict.fromkeys(b"++ -- ! ~ ...".split(), PREFIX),
        **dict.fromkeys(RESERVED.encode().split(), WORD),
        **BRACKET_MARKS,
        b";": SEMICOLON,
        b"function": FUNCTION,
        b"=>": ARROW,
        b"class": CLASS,
        b"extends": EXTENDS,
        b"async": ASYNC,
        b"static": STATIC,
        **dict.fromkeys(b"get set".split(), ACCESSOR),
        b"*": STAR,
        **dict.fromkeys(b". ?.".split(), DOT),
        b"=": EQUALS,
        b":": COLON,
        b",": COMMA,
        b"?": QUESTION,
        **dict.fromkeys(b"const let var".split(), DECLARE),
        **dict.fromkeys(b"if for while switch with catch".split(), CONTROL),
        **dict.fromkeys(b"typeof await void delete yield return throw case default".split(), PREFIX),
        **dict.fromkeys(b"in instanceof".split(), INFIX_WORD),
        **dict.fromkeys(b"this super".split(), SELF),
        **dict.fromkeys(b"else do try finally".split(), BLOCK_WORD),
        b"new": NEW,
        b"<": LESS,
        # Left-over quotation marks, decorators and JSX.
        **dict.fromkeys((b'"', b"'", b"`", b"\\", b"#", b"@", b"</", b"/>"), ODD),
    }

    @classmethod
    def masked(cls, text: bytes) -> bytes:
        """See `Outline.masked`."""
        return masked(text)

    def renamed(self, code: bytes) -> bytes:
        """After a dot, every word is a name: ``promise.catch``."""
        return _MEMBER.sub(bytes((DOT, NAME)), code)

    def located(self, text: int, begin: int, end: int) -> list[Located]:
        """See `BraceOutline.located`."""
        self._text, self._begin, self._end = text, begin, end
        self._items: list[_Item] = []
        self._class_bodies: set[int] = set()
        code = self.code
        for match in _JSX.finditer(code, begin, end):
            if match.start() == begin or code[match.start() - 1] not in VALUE_ENDS:
                raise UndecidedError
        for match in self.events.finditer(code, begin, end):
            position = match.start()
            mark = code[position]
            if mark == END_PAREN:
                self._method(position)
            elif mark == FUNCTION:
                self._function(position)
            elif mark == ARROW:
                self._arrow(position)
            else:
                self._class(position)
        return self._wanted()

    def _wanted(self) -> list[Located]:
        """The functions and lambdas that are not inside a function with a name, unless in a class in it."""
        found: list[Located] = []
        stack: list[_Item] = []
        inside: list[int] = [0]
        for item in sorted(self._items):
            while stack and -stack[-1].minus_end < item.start:
                stack.pop()
                inside.pop()
            if item.role != SCOPE and inside[-1] < MAX_WRAPPERS:
                classes = tuple(self._written(one.name) for one in stack if one.role == SCOPE)
                path = (*classes, LAMBDA_NAME if item.role == _LAMBDA else self._written(item.name))
                found.append(Located(item.start, -item.minus_end, item.name[0], path))
            stack.append(item)
            inside.append(wrappers_around(item.role, inside[-1]))
        return found

    def _written(self, name: tuple[int, int]) -> str:
        lexed, base = self.lexed, int(self.lexed.text_starts[self._text])
        start, end = int(lexed.starts[name[0]]) - base, int(lexed.ends[name[1]]) - base
        return written(self.texts[self._text][start:end], lexed.vocabulary.language)

    def _add(self, role: int, start: int, end: int, name: tuple[int, int] = (0, 0)) -> None:
        self._items.append(_Item(start, -end, role, name))

    def _function(self, position: int) -> None:
        """``function name(…) {…}``."""
        code, partner = self.code, self.partner
        following = position + 1
        if code[following] == COLON or code[following] == COMMA:
            return  # a key
        following += code[following] == STAR
        name = following if code[following] in (NAME, ACCESSOR, ASYNC, STATIC, WORD) else -1
        following += name >= 0
        if code[following] != PAREN:
            raise UndecidedError
        brace = partner[following] + 1
        if brace >= self._end or code[brace] != BRACE:
            if self.has_signatures:
                return
            raise UndecidedError
        start = position - (position > self._begin and code[position - 1] == ASYNC)
        self._value(start, partner[brace], name)

    def _arrow(self, position: int) -> None:
        """``(…) => …``."""
        code, partner = self.code, self.partner
        start = partner[position - 1] if code[position - 1] == END_PAREN else position - 1
        if code[position - 1] not in (END_PAREN, NAME, ACCESSOR, ASYNC):
            raise UndecidedError
        if start > self._begin and code[start - 1] == ASYNC and not self.begins_row(start):
            start -= 1
        body = position + 1
        self._value(start, partner[body] if code[body] == BRACE else self._expression_end(body), -1)

    def _value(self, start: int, end: int, name: int) -> None:
        """Add a function expression: under the name to which it is assigned, its own name, or as a lambda."""
        assigned = None
        if start > self._begin and self._ends_expression(end):
            mark = self.code[start - 1]
            assigned = self._target(start - 1) if mark == EQUALS else self._key(start - 1) if mark == COLON else None
        if assigned is not None:
            self._add(_FUNCTION_ROLE, assigned[0], end, assigned[1])
        elif name >= 0:
            self._add(_FUNCTION_ROLE, start, end, (name, name))
        else:
            self._add(_LAMBDA, start, end, (start, start))

    def _ends_expression(self, last: int) -> bool:
        after = last + 1
        if after >= self._end:
            return True
        mark = self.code[after]
        if mark in (COMMA, SEMICOLON, COLON):
            return True
        return mark not in _GOES_ON

    def _expression_end(self, position: int) -> int:
        """The last token of an expression."""
        code, partner = self.code, self.partner
        choices = 0
        first = position
        while position < self._end:
            mark = code[position]
            if mark in (END_BRACE, END_PAREN, END_SQUARE, COMMA, SEMICOLON):
                break
            if mark == COLON:
                choices -= 1
                if choices < 0:
                    break
            if (
                position > first
                and self.begins_row(position)
                and mark not in _GOES_ON
                and code[position - 1] not in NEEDS_MORE
            ):
                break
            choices += mark == QUESTION
            position = partner[position] + 1 if mark in (BRACE, PAREN, SQUARE) else position + 1
        return position - 1

    def _key(self, colon: int) -> tuple[int, tuple[int, int]] | None:
        """Start and name of a pair of an object, by the colon after its key."""
        code = self.code
        last = colon - 1
        first = self.partner[last] if code[last] == END_SQUARE else last
        opener = self.around(colon)
        if opener < 0 or code[opener] != BRACE or first <= opener:
            return None
        if code[first - 1] not in (BRACE, COMMA) or (code[last] not in KEYS and code[last] != END_SQUARE):
            return None
        return first, (first, last)

    def _target(self, equals: int) -> tuple[int, tuple[int, int]] | None:
        """Start and name of what is assigned to, by the ``=`` after it."""
        code, partner = self.code, self.partner
        last = equals - 1
        if last < self._begin:
            raise UndecidedError
        opener = self.around(equals)
        if opener in self._class_bodies:
            first = partner[last] if code[last] == END_SQUARE else last
            return self._field_start(first, opener), (first, last)
        if code[last] not in KEYS or code[last] == 0:
            return None
        if last > self._begin and code[last - 1] == DOT:
            return self._chain_start(last), (last, last)
        if opener >= 0 and self._is_pattern(opener, last):
            return None
        return last, (last, last)

    def _field_start(self, name: int, opener: int) -> int:
        """The first token of a field of a class: decorators and modifiers are before its name."""
        code, partner = self.code, self.partner
        start = name
        while start - 1 > opener:
            before = start - 1
            if code[before] == END_PAREN and code[partner[before] - 1] == DECORATOR:
                start = partner[before] - 1
            elif code[before] in (STATIC, DECORATOR):
                start = before
            else:
                break
        return start

    def _is_pattern(self, opener: int, name: int) -> bool:
        """Whether ``name = value`` is a default in a pattern or a parameter list, not an assignment."""
        code, partner = self.code, self.partner
        if code[opener] == BRACE:
            return code[name - 1] in (BRACE, COMMA) and code[opener - 1] in BEFORE_OBJECT | {DECLARE}
        if code[opener] == SQUARE:
            return code[name - 1] in (SQUARE, COMMA)
        after = partner[opener] + 1
        return after < self._end and code[after] in (BRACE, ARROW) and code[opener - 1] != CONTROL

    def _chain_start(self, name: int) -> int:
        """The first token of ``a.b[c](d).name``."""
        code, partner = self.code, self.partner
        position = name
        while position - 1 >= self._begin:
            before = code[position - 1]
            if before == DOT:
                position -= 2
                if code[position] in (END_PAREN, END_SQUARE):
                    position = partner[position]
                elif code[position] == END_BRACE or code[position] not in KEYS:
                    raise UndecidedError
            elif code[position] in (PAREN, SQUARE) and before in (NAME, SELF, END_PAREN, END_SQUARE, ACCESSOR, WORD):
                position -= 1
                if code[position] in (END_PAREN, END_SQUARE):
                    position = partner[position]
            else:
                break
        return position - (position > self._begin and code[position - 1] == NEW)

    def _method(self, close: int) -> None:
        """``name(…) {…}`` in a class or an object."""
        code, partner = self.code, self.partner
        last = partner[close] - 1
        if last < self._begin or close + 1 in self._class_bodies:
            return
        mark = code[last]
        first = partner[last] if mark == END_SQUARE else last
        if mark != END_SQUARE and mark not in KEYS:
            return
        opener = self.around(last)
        if opener < 0 or code[opener] != BRACE:
            return
        before = code[first - 1]
        if before in (FUNCTION, DOT) or (before == STAR and code[first - 2] == FUNCTION):
            return
        inside = opener in self._class_bodies
        if not inside and not (code[opener - 1] in BEFORE_OBJECT or (opener == self._begin)):
            if mark in (CONTROL, FUNCTION, PREFIX, BLOCK_WORD, WORD):
                return
            raise UndecidedError
        if not inside and before not in (BRACE, COMMA, *_MODIFIERS):
            return
        if mark == FUNCTION and code[close + 1] == BRACE and before not in (BRACE, COMMA, END_BRACE, SEMICOLON):
            return
        start = first
        while code[start - 1] in _MODIFIERS and start - 1 > opener:
            start -= 1
        self._add(_FUNCTION_ROLE, start, partner[close + 1], (first, last))

    def _class(self, position: int) -> None:
        """``class Name extends … {…}``."""
        code, partner = self.code, self.partner
        following = position + 1
        if code[following] in (COLON, COMMA, EQUALS, PAREN):
            return
        name = -1
        if code[following] not in (BRACE, EXTENDS):
            name = following
        while code[following] != BRACE:
            if code[following] in (SEMICOLON, END_BRACE, END_PAREN, END_SQUARE, FUNCTION, ARROW, CLASS):
                raise UndecidedError
            following = partner[following] + 1 if code[following] in (PAREN, SQUARE) else following + 1
        self._class_bodies.add(following)
        end = partner[following]
        if name >= 0:
            self._add(SCOPE, position, end, (name, name))
        elif position - 3 >= self._begin and code[position - 1] == EQUALS and self._declares(position - 3):
            followed = end + 1 < self._end and (code[end + 1] == BINARY or not self._ends_expression(end))
            if not followed:
                self._add(SCOPE, position - 2, end, (position - 2, position - 2))

    def _declares(self, before: int) -> bool:
        """Whether the token before a name makes the name a variable: ``let``, or a comma in ``let a = 1, name``."""
        code = self.code
        if code[before] != COMMA:
            return code[before] == DECLARE
        at = before - 1
        while at >= self._begin and code[at] not in (BRACE, PAREN, SQUARE, SEMICOLON):
            if code[at] == DECLARE:
                return True
            at = self.partner[at] if code[at] in (END_BRACE, END_PAREN, END_SQUARE) else at
            if self.begins_row(at) and code[at] not in _GOES_ON and code[at - 1] not in NEEDS_MORE:
                return False
            at -= 1
        return False


_MEMBER = re.compile(b"%c[^%b]" % (DOT, re.escape(bytes(range(BRACE, SEMICOLON + 1)))), re.DOTALL)
_JSX = re.compile(re.escape(bytes([LESS])))
VALUE_ENDS = frozenset({NAME, 0, END_PAREN, END_SQUARE, END_BRACE, SELF, ACCESSOR, ASYNC, STATIC, WORD, PREFIX})
