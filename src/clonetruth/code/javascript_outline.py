"""The functions of JavaScript files, recognised from tokens alone: see `brace_outline`.

Template strings and regular expressions are blanked first, since a lexer without a grammar cannot delimit them. Then
every ``function``, ``=>``, ``class`` and method is an item; a function inside another one, or inside a lambda, does not
count, as in the tree. JSX and decorators are left to the parser.
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
from clonetruth.code.fragments import written
from clonetruth.code.language import C_COMMENT
from clonetruth.code.languages.javascript import OPERATORS, RESERVED

_FUNCTION, _ARROW, _CLASS, _EXTENDS, _ASYNC, _STATIC, _ACCESSOR, _STAR = range(FIRST_FREE, FIRST_FREE + 8)
_DOT, _EQUALS, _COLON, _COMMA, _QUESTION, _DECLARE, _CONTROL, _BINARY = range(FIRST_FREE + 8, FIRST_FREE + 16)
_PREFIX, _WORD, _SELF, _LESS, _INFIX_WORD, _NEW, _BLOCK_WORD = range(FIRST_FREE + 16, FIRST_FREE + 23)

_MODIFIERS = (_ASYNC, _STATIC, _ACCESSOR, _STAR)
_KEYS = frozenset(
    {NAME, 0, _ASYNC, _STATIC, _ACCESSOR, _FUNCTION, _CLASS, _EXTENDS, _DECLARE, _CONTROL, _PREFIX, _WORD}
)
_KEYS |= {_SELF, _INFIX_WORD, _NEW, _BLOCK_WORD}
"""Tokens that can name a member: names, literals and keywords."""

_NEEDS_MORE = frozenset({_DOT, _EQUALS, _COLON, _QUESTION, _BINARY, _STAR, _LESS, _PREFIX, _INFIX_WORD, _NEW, _ARROW})
_NEEDS_MORE |= {_FUNCTION, _CLASS, _EXTENDS, _ASYNC, PAREN, SQUARE, BRACE, _COMMA}
"""Tokens after which an expression goes on in the next line."""
_GOES_ON = frozenset({_DOT, _EQUALS, _COLON, _QUESTION, _BINARY, _STAR, _LESS, _INFIX_WORD, PAREN, SQUARE, _COMMA})
_GOES_ON |= {_ARROW, SEMICOLON}
"""Tokens that belong to the expression before them, even in the next line."""
_BEFORE_OBJECT = frozenset({_EQUALS, _COLON, _QUESTION, _BINARY, _PREFIX, PAREN, SQUARE, _COMMA, _INFIX_WORD, _STAR})

_FUNCTION_ROLE, _LAMBDA, _SCOPE = range(3)


class _Item(NamedTuple):
    """A function, lambda or class, in the order in which they enclose each other."""

    start: int
    minus_end: int
    role: int
    name: tuple[int, int]


class JavaScriptOutline(BraceOutline):
    """Declarations, methods, and functions that are assigned to a name."""

    masks: ClassVar[bool] = True
    name_mark: ClassVar[int] = NAME
    marks: ClassVar[Mapping[bytes, int]] = {
        **dict.fromkeys(OPERATORS.split(), _BINARY),
        **dict.fromkeys(b"+ - / % & | ^ >".split(), _BINARY),
        **dict.fromkeys(b"++ -- ! ~ ...".split(), _PREFIX),
        **dict.fromkeys(RESERVED.encode().split(), _WORD),
        **BRACKET_MARKS,
        b";": SEMICOLON,
        b"function": _FUNCTION,
        b"=>": _ARROW,
        b"class": _CLASS,
        b"extends": _EXTENDS,
        b"async": _ASYNC,
        b"static": _STATIC,
        **dict.fromkeys(b"get set".split(), _ACCESSOR),
        b"*": _STAR,
        **dict.fromkeys(b". ?.".split(), _DOT),
        b"=": _EQUALS,
        b":": _COLON,
        b",": _COMMA,
        b"?": _QUESTION,
        **dict.fromkeys(b"const let var".split(), _DECLARE),
        **dict.fromkeys(b"if for while switch with catch".split(), _CONTROL),
        **dict.fromkeys(b"typeof await void delete yield return throw case default".split(), _PREFIX),
        **dict.fromkeys(b"in instanceof".split(), _INFIX_WORD),
        **dict.fromkeys(b"this super".split(), _SELF),
        **dict.fromkeys(b"else do try finally".split(), _BLOCK_WORD),
        b"new": _NEW,
        b"<": _LESS,
        # Left-over quotation marks, decorators and JSX.
        **dict.fromkeys((b'"', b"'", b"`", b"\\", b"#", b"@", b"</", b"/>"), ODD),
    }

    @classmethod
    def masked(cls, text: bytes) -> bytes:
        """See `Outline.masked`."""
        return _masked(text)

    def located(self, text: int, begin: int, end: int) -> list[Located]:
        """See `BraceOutline.located`."""
        self._text, self._begin, self._end = text, begin, end
        self._items: list[_Item] = []
        self._class_bodies: set[int] = set()
        code = self.code
        for match in _JSX.finditer(code, begin, end):
            if match.start() == begin or code[match.start() - 1] not in _VALUE_ENDS:
                raise UndecidedError
        for match in _EVENT.finditer(code, begin, end):
            position = match.start()
            mark = code[position]
            if mark == END_PAREN:
                self._method(position)
            elif position > begin and code[position - 1] == _DOT:
                continue
            elif mark == _FUNCTION:
                self._function(position)
            elif mark == _ARROW:
                self._arrow(position)
            else:
                self._class(position)
        return self._wanted()

    def _wanted(self) -> list[Located]:
        """The functions that are not directly inside another function or lambda."""
        found: list[Located] = []
        stack: list[_Item] = []
        for item in sorted(self._items):
            while stack and -stack[-1].minus_end < item.start:
                stack.pop()
            if item.role == _FUNCTION_ROLE and (not stack or stack[-1].role == _SCOPE):
                classes = tuple(self._written(one.name) for one in stack if one.role == _SCOPE)
                path = (*classes, self._written(item.name))
                found.append(Located(item.start, -item.minus_end, item.name[0], path))
            stack.append(item)
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
        if code[following] == _COLON or code[following] == _COMMA:
            return  # a key
        following += code[following] == _STAR
        name = following if code[following] in (NAME, _ACCESSOR, _ASYNC, _STATIC, _WORD) else -1
        following += name >= 0
        if code[following] != PAREN:
            raise UndecidedError
        brace = partner[following] + 1
        if code[brace] != BRACE:
            raise UndecidedError
        start = position - (position > self._begin and code[position - 1] == _ASYNC)
        self._value(start, partner[brace], name)

    def _arrow(self, position: int) -> None:
        """``(…) => …``."""
        code, partner = self.code, self.partner
        start = partner[position - 1] if code[position - 1] == END_PAREN else position - 1
        if code[position - 1] not in (END_PAREN, NAME, _ACCESSOR, _ASYNC):
            raise UndecidedError
        if start > self._begin and code[start - 1] == _ASYNC and not self.begins_row(start):
            start -= 1
        body = position + 1
        self._value(start, partner[body] if code[body] == BRACE else self._expression_end(body), -1)

    def _value(self, start: int, end: int, name: int) -> None:
        """Add a function expression: under the name to which it is assigned, its own name, or as a lambda."""
        assigned = None
        if start > self._begin and self._ends_expression(end):
            mark = self.code[start - 1]
            assigned = self._target(start - 1) if mark == _EQUALS else self._key(start - 1) if mark == _COLON else None
        if assigned is not None:
            self._add(_FUNCTION_ROLE, assigned[0], end, assigned[1])
        elif name >= 0:
            self._add(_FUNCTION_ROLE, start, end, (name, name))
        else:
            self._add(_LAMBDA, start, end)

    def _ends_expression(self, last: int) -> bool:
        after = last + 1
        if after >= self._end:
            return True
        mark = self.code[after]
        if mark in (_COMMA, SEMICOLON, _COLON):
            return True
        return mark not in _GOES_ON

    def _expression_end(self, position: int) -> int:
        """The last token of an expression."""
        code, partner = self.code, self.partner
        choices = 0
        first = position
        while position < self._end:
            mark = code[position]
            if mark in (END_BRACE, END_PAREN, END_SQUARE, _COMMA, SEMICOLON):
                break
            if mark == _COLON:
                choices -= 1
                if choices < 0:
                    break
            if (
                position > first
                and self.begins_row(position)
                and mark not in _GOES_ON
                and code[position - 1] not in _NEEDS_MORE
            ):
                break
            choices += mark == _QUESTION
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
        if code[first - 1] not in (BRACE, _COMMA) or (code[last] not in _KEYS and code[last] != END_SQUARE):
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
            start = first
            while code[start - 1] == _STATIC and start - 1 > opener:
                start -= 1
            return start, (first, last)
        if code[last] not in _KEYS or code[last] == 0:
            return None
        if last > self._begin and code[last - 1] == _DOT:
            return self._chain_start(last), (last, last)
        if opener >= 0 and self._is_pattern(opener, last):
            return None
        return last, (last, last)

    def _is_pattern(self, opener: int, name: int) -> bool:
        """Whether ``name = value`` is a default in a pattern or a parameter list, not an assignment."""
        code, partner = self.code, self.partner
        if code[opener] == BRACE:
            return code[name - 1] in (BRACE, _COMMA) and code[opener - 1] in _BEFORE_OBJECT | {_DECLARE}
        if code[opener] == SQUARE:
            return code[name - 1] in (SQUARE, _COMMA)
        after = partner[opener] + 1
        return after < self._end and code[after] in (BRACE, _ARROW) and code[opener - 1] != _CONTROL

    def _chain_start(self, name: int) -> int:
        """The first token of ``a.b[c](d).name``."""
        code, partner = self.code, self.partner
        position = name
        while position - 1 >= self._begin:
            before = code[position - 1]
            if before == _DOT:
                position -= 2
                if code[position] in (END_PAREN, END_SQUARE):
                    position = partner[position]
                elif code[position] == END_BRACE or code[position] not in _KEYS:
                    raise UndecidedError
            elif code[position] in (PAREN, SQUARE) and before in (NAME, _SELF, END_PAREN, END_SQUARE, _ACCESSOR, _WORD):
                position -= 1
                if code[position] in (END_PAREN, END_SQUARE):
                    position = partner[position]
            else:
                break
        return position - (position > self._begin and code[position - 1] == _NEW)

    def _method(self, close: int) -> None:
        """``name(…) {…}`` in a class or an object."""
        code, partner = self.code, self.partner
        last = partner[close] - 1
        if last < self._begin:
            return
        mark = code[last]
        first = partner[last] if mark == END_SQUARE else last
        if mark != END_SQUARE and mark not in _KEYS:
            return
        opener = self.around(last)
        if opener < 0 or code[opener] != BRACE:
            return
        before = code[first - 1]
        if before in (_FUNCTION, _DOT) or (before == _STAR and code[first - 2] == _FUNCTION):
            return
        inside = opener in self._class_bodies
        if not inside and not (code[opener - 1] in _BEFORE_OBJECT or (opener == self._begin)):
            if mark in (_CONTROL, _FUNCTION, _PREFIX, _BLOCK_WORD, _WORD):
                return
            raise UndecidedError
        if not inside and before not in (BRACE, _COMMA, *_MODIFIERS):
            return
        if mark == _FUNCTION and code[close + 1] == BRACE and before not in (BRACE, _COMMA, END_BRACE, SEMICOLON):
            return
        start = first
        while code[start - 1] in _MODIFIERS and start - 1 > opener:
            start -= 1
        self._add(_FUNCTION_ROLE, start, partner[close + 1], (first, last))

    def _class(self, position: int) -> None:
        """``class Name extends … {…}``."""
        code, partner = self.code, self.partner
        following = position + 1
        if code[following] in (_COLON, _COMMA, _EQUALS, PAREN):
            return
        name = -1
        if code[following] not in (BRACE, _EXTENDS):
            name = following
        while code[following] != BRACE:
            if code[following] in (SEMICOLON, END_BRACE, END_PAREN, END_SQUARE, _FUNCTION, _ARROW, _CLASS):
                raise UndecidedError
            following = partner[following] + 1 if code[following] in (PAREN, SQUARE) else following + 1
        self._class_bodies.add(following)
        end = partner[following]
        if name >= 0:
            self._add(_SCOPE, position, end, (name, name))
        elif code[position - 1] == _EQUALS and position - 3 >= self._begin and code[position - 3] == _DECLARE:
            self._add(_SCOPE, position - 2, end, (position - 2, position - 2))


_EVENT = re.compile(b"[%c%c%c]|%c(?=%c)" % (_FUNCTION, _ARROW, _CLASS, END_PAREN, BRACE), re.DOTALL)
_JSX = re.compile(re.escape(bytes([_LESS])))
_VALUE_ENDS = frozenset({NAME, 0, END_PAREN, END_SQUARE, END_BRACE, _SELF, _ACCESSOR, _ASYNC, _STATIC, _WORD, _PREFIX})


_QUOTED = C_COMMENT + rb"|\"(?:[^\"\\\n]++|\\.)*+\"|'(?:[^'\\\n]++|\\.)*+'"
_REGEX = rb"/(?![*/])(?:[^/\\\[\n]++|\\.|\[(?:[^\]\\\n]++|\\.)*+\])++/[A-Za-z]*+"
_BEFORE_REGEX = (
    rb"(?:[=(,:\[!&|?{};~^%*>]|(?<!\})\}|(?<!\+)\+|(?<!-)-"
    rb"|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|instanceof|yield|await)\b)"
)
_SPACE = rb"(?:\s++|" + C_COMMENT + rb")*+"
_OPAQUE = re.compile(_QUOTED + rb"|(`)|" + _BEFORE_REGEX + _SPACE + rb"(" + _REGEX + rb")", re.DOTALL)
_HINT = re.compile(rb"`|" + _BEFORE_REGEX + rb"\s*/(?![*/])")
_IN_TEMPLATE = re.compile(rb"`|\\.|\$\{", re.DOTALL)
_IN_CODE = re.compile(rb"[{}`]|" + _QUOTED + rb"|[(,=:]\s*" + _REGEX, re.DOTALL)
_PLAIN = re.compile(rb"(?:[^\"'`/]++|" + _QUOTED + rb"|[\"'])*+", re.DOTALL)
_BEFORE = re.compile(_BEFORE_REGEX + rb"\Z")
_WHOLE_REGEX = re.compile(_REGEX, re.DOTALL)
_LONGEST_BEFORE = len(b"instanceof")
_BLANKS = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))


def _masked(text: bytes) -> bytes:
    """Return the text with an empty pair of parentheses in place of each template string and regular expression."""
    if _HINT.search(text) is None:
        return text
    pieces: list[bytes] = []
    copied = position = 0
    while (start := _end(_PLAIN, text, position)) < len(text):
        if text[start] == ord("`"):
            end = _template_end(text, start + 1)
            if end < 0:
                return text
        else:
            end = _regex_end(text, position, start)
        if end > start:
            pieces += text[copied:start], b"(", text[start + 1 : end - 1].translate(_BLANKS), b")"
            copied = end
        position = max(end, start + 1)
    pieces.append(text[copied:])
    return b"".join(pieces)


def _regex_end(text: bytes, position: int, slash: int) -> int:
    """The position after the regular expression that begins with a slash; -1 if there is none.

    Args:
        text: the text.
        position: where the code with the slash begins: the end of the template string or slash before it.
        slash: the position of the slash, which is not in a comment or string.
    """
    end = _end(_WHOLE_REGEX, text, slash)
    if end < 0:
        return -1
    before = text[position:slash].rstrip()
    if before.endswith(b"*/") or b"\n" in text[position + len(before) : slash]:  # perhaps a comment is before it
        while (match := _OPAQUE.search(text, position, end)) is not None and match.end() <= slash:
            position = match.end()
        return end if match and match.lastindex == 2 and match.start(2) == slash else -1
    return -1 if _BEFORE.search(before, max(len(before) - _LONGEST_BEFORE, 0)) is None else end


def _end(pattern: re.Pattern[bytes], text: bytes, position: int) -> int:
    """The end of the match of a pattern at a position; -1 if there is none."""
    match = pattern.match(text, position)
    return match.end() if match else -1


def _template_end(text: bytes, position: int) -> int:
    """The position after the template string whose text begins at a position; -1 if it does not end."""
    while (match := _IN_TEMPLATE.search(text, position)) is not None:
        position = match.end()
        if match[0] == b"`":
            return position
        depth = int(match[0] == b"${")
        while depth:
            inner = _IN_CODE.search(text, position)
            if inner is None:
                return -1
            position = inner.end()
            depth += {b"{": 1, b"}": -1}.get(inner[0], 0)
            if inner[0] == b"`":
                position = _template_end(text, position)
                if position < 0:
                    return -1
    return -1
