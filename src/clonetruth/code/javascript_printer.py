"""The pretty-printer of JavaScript functions, from tokens alone: see `brace_printer`.

A statement without a semicolon ends before a brace, or where a value follows another one. Template strings and regular
expressions are cut out before the rest is lexed. Markup, classes inside functions, decorators, and a line break where
it may end a statement (``return``, ``++``) are left to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import ClassVar

from clonetruth.code.brace_printer import (
    CASE,
    CATCH,
    DEFAULT,
    DO,
    ELSE,
    FINALLY,
    FOR,
    IF,
    ODD,
    SWITCH,
    TRY,
    WHILE,
    BraceLayout,
    BraceTokens,
    UnsureError,
)
from clonetruth.code.language import SLASH_COMMENT, Language, TokenKind
from clonetruth.code.parsing import source_bytes
from clonetruth.code.pretty import Printed

_NAME, _LITERAL, _FUNCTION, _NEW, _ARROW, _DECLARE, _ASYNC, _STATIC, _STAR = b"ilfNaVAs*"
_BRACE, _END, _PAREN, _END_PAREN, _SQUARE, _END_SQUARE, _SEMICOLON, _COLON, _COMMA, _EQUALS = b"{}()[];:,="
_DOT, _SPREAD, _LESS, _PIECE = b".v<k"
_IDENTIFIER, _KEYWORD, _TYPE = int(TokenKind.IDENTIFIER), int(TokenKind.KEYWORD), int(TokenKind.TYPE)
_STRING, _PUNCTUATION = int(TokenKind.STRING), int(TokenKind.PUNCTUATION)

_CODES = {
    **{bytes([one]): one for one in b"(){}[];,.?:=*<"},
    **dict.fromkeys(b"return throw break continue".split(), ord("R")),
    **dict.fromkeys(b"const let var".split(), _DECLARE),
    **dict.fromkeys(b"typeof void delete await".split(), ord("P")),
    **dict.fromkeys(b"in instanceof".split(), ord("o")),
    **dict.fromkeys(b"this super".split(), ord("t")),
    **dict.fromkeys(b"class extends import export with debugger @ </ /> \\ \" ' # `".split(), ODD),
    **dict.fromkeys(b"++ --".split(), ord("u")),
    **dict.fromkeys(b"! ~".split(), ord("n")),
    **dict.fromkeys(b"+ -".split(), ord("b")),
    b"?.": _DOT,
    b"...": _SPREAD,
    b"=>": _ARROW,
    b"function": _FUNCTION,
    b"new": _NEW,
    b"async": _ASYNC,
    b"static": _STATIC,
    b"yield": ord("y"),
    b"if": IF,
    b"else": ELSE,
    b"for": FOR,
    b"while": WHILE,
    b"do": DO,
    b"switch": SWITCH,
    b"case": CASE,
    b"default": DEFAULT,
    b"try": TRY,
    b"catch": CATCH,
    b"finally": FINALLY,
}
_BY_KIND = {
    TokenKind.IDENTIFIER: _NAME,
    TokenKind.OPERATOR: ord("o"),
    **dict.fromkeys((TokenKind.NUMBER, TokenKind.STRING, TokenKind.BOOLEAN, TokenKind.NULL), _LITERAL),
}
_VALUE_END = rb"[ilt)\]}]"
_NEXT = re.compile(rb"[;({\[]|" + _VALUE_END + rb"(?=[^.(\[o=b*?:,au;)\]}<{])")
"""The next bracket or end of a statement."""
_NEXT_MEMBER = re.compile(rb"[,({\[]")
_DOUBTFUL = re.compile(
    # Markup, a line break before or after `++`.
    rb"x|(?:\A|[^iltu)\]}])<|N\.|" + _VALUE_END + rb"u(?![;)\],}o:?b*<])"
    # What cannot follow each other.
    rb"|[o=bPNv][;)\]},]|[=,(\[][=.]|\.[^i(\[]|[oa=]o|;[.=?]"
)
_BEFORE_OBJECT = frozenset(b"=(,[:?obRPvnyVA")
_VALUE_STARTS = frozenset(b"iltfNPnbuyA([{v")
_STARTS = frozenset(b"iltfNPnbuVRyA([")
_MEMBER_WORD = re.compile(rb"(?<=\.)[a-hj-zA-Z]")
_ADJACENT = re.compile(rb"[ilt\]](?=[iltN])")
"""Values in a row: ends of statements, `get a`, and `a of b`."""
_CREATED = re.compile(rb"N(i)(?![.\[i])")
_FUNCTION_HEAD = re.compile(rb"A?f\*?i?\(")
_ASSIGNED = re.compile(rb"s?i=|[it](?:\.i)++=")

# Comments, strings, and how template strings and slashes begin.
_SPECIAL = re.compile(SLASH_COMMENT + rb"|\"(?:[^\"\\\n]++|\\.)*+\"|'(?:[^'\\\n]++|\\.)*+'|[`/]", re.DOTALL)
_REGEX = re.compile(rb"/(?![*/])(?:[^/\\\[\n]++|\\.|\[(?:[^\]\\\n]++|\\.)*+\])++/[A-Za-z]*+")
_TEMPLATE = re.compile(
    rb"(?:[^`\\$]++|\$(?!\{))++|\\(?:[^xu0-7\r\n]|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})|`|\$\{"
)
_AFTER_VALUE = re.compile(rb"(?:[\w$\])'\"]|[\x80-\xff]|\+\+|--)\Z")
_WORD_BEFORE_REGEX = re.compile(
    rb"(?<![\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|instanceof|yield|await)\Z"
)


def printed_javascript(text: str, language: Language) -> Printed | None:
    """Pretty-print a function; None if only the grammar can."""
    source = source_bytes(text)
    try:
        texts, kinds, codes = _read(source, _tokens(language))
        return _JavaScriptLayout(texts, kinds, codes).laid_out()
    except (UnsureError, IndexError):
        return None


@cache
def _tokens(language: Language) -> BraceTokens:
    return BraceTokens(language, _CODES, _BY_KIND, restricted=b"RyA")


def _read(source: bytes, tokens: BraceTokens) -> tuple[list[bytes], bytearray, bytes]:
    """The tokens of a source: texts, classes and codes."""
    if b"`" not in source and b"/" not in source:
        return tokens.read(source)
    texts: list[bytes] = []
    kinds = bytearray()
    codes: list[bytes] = []
    position = 0
    for start, end, token in _opaque(source):
        for part in (tokens.read(source[position:start]), token):
            texts += part[0]
            kinds += part[1]
            codes.append(part[2])
        position = end
    if not position:
        return tokens.read(source)
    last = tokens.read(source[position:])
    return texts + last[0], kinds + last[1], b"".join((*codes, last[2]))


_Token = tuple[list[bytes], bytes, bytes]
"""Texts, classes and codes of tokens that only the grammar can delimit."""


def _opaque(source: bytes) -> Iterator[tuple[int, int, _Token]]:
    """The regular expressions and the pieces of template strings, with their start and end."""
    position = commented = 0
    inside: list[int] = []  # open braces in the code of each template string
    while True:
        match = (_SPECIAL if not inside else _IN_CODE).search(source, position)
        if match is None:
            if inside:
                raise UnsureError
            return
        start, position = match.span()
        what = match[0]
        if what == b"{":
            inside[-1] += 1
        elif what == b"}":
            inside[-1] -= 1
            if inside[-1]:
                continue
            inside.pop()
            yield start, position, ([what], bytes([_PUNCTUATION]), b"]")
            for piece in _pieces(source, position):
                yield piece
                position = piece[1]
                if piece[2][2] == b"[":
                    inside.append(1)
        elif what == b"`":
            pieces = [*_pieces(source, position)]
            end = pieces[-1][1]
            if pieces[-1][2][2] == b")":
                yield start, end, ([source[start:end]], bytes([_STRING]), b"l")
            else:
                yield start, position, ([what], bytes([_STRING]), b"(")
                yield from pieces
                inside.append(1)
            position = end
        elif what == b"/":
            before = source[max(start - 60, commented) : start].rstrip()
            if not before or before.endswith(b"}"):
                raise UnsureError
            if _AFTER_VALUE.search(before) is None or _WORD_BEFORE_REGEX.search(before) is not None:
                found = _REGEX.match(source, start)
                if found is None:
                    raise UnsureError
                position = found.end()
                yield start, position, ([found[0]], bytes([_STRING]), b"l")
            elif (
                before.endswith(b")") and _REGEX.match(source, start) and not source[position : position + 1].isspace()
            ):
                raise UnsureError  # after a condition in parentheses, there can be a regular expression
        elif what.startswith(b"/"):
            commented = position


_IN_CODE = re.compile(_SPECIAL.pattern + rb"|[{}]", re.DOTALL)


def _pieces(source: bytes, position: int) -> Iterator[tuple[int, int, _Token]]:
    """The pieces of a template string up to its end, or to the next code in it."""
    while True:
        match = _TEMPLATE.match(source, position)
        if match is None:
            raise UnsureError
        position = match.end()
        if match[0] == b"`":
            yield match.start(), position, ([match[0]], bytes([_STRING]), b")")
            return
        if match[0] == b"${":
            yield match.start(), position, ([match[0]], bytes([_PUNCTUATION]), b"[")
            return
        yield match.start(), position, ([match[0]], bytes([_STRING]), bytes([_PIECE]))


def _adjacent(codes: bytes, position: int) -> bool:
    """Whether a value follows another one."""
    return _ADJACENT.match(codes, position) is not None


class _JavaScriptLayout(BraceLayout):
    """Follows a function, a method, or a name to which a function is assigned."""

    header_with_semicolons = bytes([FOR])

    def laid_out(self) -> Printed:
        """See `BraceLayout.laid_out`."""
        codes, kinds = self.codes, self.kinds
        members = [match.start() for match in _MEMBER_WORD.finditer(codes)]
        if members:
            changed = bytearray(codes)
            for at in members:
                if kinds[at] != _IDENTIFIER and self.texts[at].isalpha():
                    kinds[at] = _IDENTIFIER
                changed[at] = _NAME
            self.codes = codes = bytes(changed)
        if _DOUBTFUL.search(codes) is not None:
            raise UnsureError
        for match in _CREATED.finditer(codes):
            kinds[match.start(1)] = _TYPE
        self._adjacent = 0
        printed = super().laid_out()
        if self._adjacent != len(_ADJACENT.findall(codes)):
            raise UnsureError
        return printed

    def definition(self, position: int) -> int:
        """See `BraceLayout.definition`."""
        codes, self._end = self.codes, len(self.codes)
        match = _FUNCTION_HEAD.match(codes)
        if match is not None:
            if codes[match.end() - 2] != _NAME:
                raise UnsureError
            return self._function(match.end() - 1)
        if _ASSIGNED.match(codes) is not None:
            return self._ended(0)
        if codes[0] == _STATIC:
            position = 1
        return self._member(position)

    def _function(self, position: int) -> int:
        """Follow the parameters and the body of a function; return the position after it."""
        end = self.partner[position]
        self.expression(position, end)
        return self._braced(end + 1)

    def statement(self, position: int) -> int:
        """See `BraceLayout.statement`."""
        codes = self.codes
        code = codes[position]
        if code == _NAME and codes[position + 1] == _COLON:
            return self._body(position + 2)
        follow = self.followers.get(code)
        if follow is not None:
            return follow(self, position)
        if code in (_FUNCTION, _ASYNC) and (match := _FUNCTION_HEAD.match(codes, position)) is not None:
            if codes[match.end() - 2] != _NAME:
                raise UnsureError
            position = self._function(match.end() - 1)
            self.breaks[position] += 1
            return position
        return self.simple(position)

    def block(self, position: int, inside: Callable[[int], int] | None = None) -> int:
        """See `BraceLayout.block`."""
        around, self._end = self._end, self.partner[position]
        position = super().block(position, inside)
        self._end = around
        return position

    def _body(self, position: int, *, breaks: bool = True) -> int:
        return super()._body(position, breaks=False)

    def simple(self, position: int) -> int:
        """See `BraceLayout.simple`."""
        if self.codes[position] not in _STARTS:
            raise UnsureError
        position = self._ended(position)
        self.breaks[position] += 1
        return position

    def _ended(self, position: int) -> int:
        """Follow an expression to the end of its statement; return the position after it."""
        codes, end = self.codes, self._end
        first = position
        while True:
            match = _NEXT.search(codes, position, end)
            if match is None:
                position = end
                break
            position = match.start()
            code = codes[position]
            if code == _SEMICOLON:
                return position + 1
            if code == _BRACE:
                position = self.brace(position) - 1
                if position + 1 < end and _NEXT.match(codes, position) is not None:
                    position += 1
                    break
                position += 1
            elif code in (_PAREN, _SQUARE):
                last = self.partner[position]
                if codes.find(_BRACE, position, last) >= 0:
                    self.expression(position, last)
                position = last
            elif position + 1 < end:
                self._adjacent += _adjacent(codes, position)
                position += 1
                break
            else:
                position += 1
        if position == first:
            raise UnsureError
        self._terminate(position)
        return position

    def _terminate(self, position: int) -> None:
        """Add the semicolon that a statement lacks."""
        self.inserted.setdefault(position, []).append(b";")

    def _do(self, position: int) -> int:
        position = self._body(position + 1)
        if self.code(position) != WHILE:
            raise UnsureError
        position = self._header(position + 1)
        if self.code(position) == _SEMICOLON:
            position += 1
        else:
            self._terminate(position)
        self.breaks[position] += 1
        return position

    def for_header(self, position: int) -> None:
        """See `BraceLayout.for_header`."""
        codes, end = self.codes, self.partner[position]
        semicolon = codes.find(_SEMICOLON, position, end)
        if _BRACE in codes[position:end]:
            self.expression(position, end)
            if semicolon >= 0:
                raise UnsureError
        if semicolon < 0:
            at = position + 1 + (codes[position + 1] == _DECLARE)
            at = self.partner[at] if codes[at] in b"[{" else at
            if codes[at] == _NAME and codes[position + 1] != _DECLARE:
                while codes[at + 1] == _DOT:
                    at += 2
            word = self.texts[at + 1]
            if word == b"of":
                self.kinds[at + 1] = _KEYWORD
                self._adjacent += _adjacent(codes, at) + _adjacent(codes, at + 1)
            elif word != b"in":
                raise UnsureError
        elif codes[position + 1] == _DECLARE:
            self.breaks[semicolon + 1 + (codes[semicolon + 1] == _SEMICOLON)] += 1

    def brace(self, position: int) -> int:
        """See `BraceLayout.brace`."""
        codes = self.codes
        before = codes[position - 1]
        if before == _ARROW:
            return self.block(position)
        if before == _END_PAREN:
            head = self.partner[position - 1]
            head -= codes[head - 1] == _NAME
            head -= codes[head - 1] == _STAR
            if codes[head - 1] != _FUNCTION:
                raise UnsureError
            return self.block(position)
        if before in _BEFORE_OBJECT:
            return self._object(position)
        raise UnsureError

    def case(self, position: int) -> int:
        """See `BraceLayout.case`."""
        colon = super().case(position) - 1
        label = self.codes[position:colon]
        if colon < position or b"?" in label or b"{" in label:
            raise UnsureError
        return colon + 1

    def _object(self, position: int) -> int:
        """Follow an object or a pattern; return the position after it."""
        end = self.partner[position]
        position += 1
        while position < end:
            position = self._rest(position, end) if self.codes[position] == _SPREAD else self._member(position, end)
            position += position < end
        return end + 1

    def _rest(self, position: int, end: int) -> int:
        """Follow a value in an object; return the position of the comma after it, or of the end."""
        codes = self.codes
        if codes[position] not in _VALUE_STARTS:
            raise UnsureError
        while (match := _NEXT_MEMBER.search(codes, position, end)) is not None:
            position = match.start()
            code = codes[position]
            if code == _COMMA:
                return position
            if code == _BRACE:
                position = self.brace(position)
            else:
                last = self.partner[position]
                if codes.find(_BRACE, position, last) >= 0:
                    self.expression(position, last)
                position = last + 1
        return end

    def _member(self, position: int, end: int = -1) -> int:
        """Follow a member of an object, or a text that is one; return the position after it."""
        codes, kinds, texts = self.codes, self.kinds, self.texts
        whole = end < 0
        end = len(codes) if whole else end
        while position + 1 < end and codes[position + 1] not in b":(,}=":
            if codes[position] == _NAME and texts[position] in (b"get", b"set"):
                kinds[position] = _KEYWORD
                self._adjacent += _adjacent(codes, position)
            elif codes[position] not in (_ASYNC, _STAR):
                break
            position += 1
        if codes[position] == _SQUARE:
            self.expression(position, self.partner[position])
            position = self.partner[position]
        elif texts[position].isalpha():
            if whole and kinds[position] != _IDENTIFIER:
                raise UnsureError  # `if (a) {…}` may be a method or a statement
            following = codes[position + 1] if position + 1 < end else 0
            if following in (_COLON, _PAREN) and kinds[position] != _IDENTIFIER:
                kinds[position] = _IDENTIFIER
        position += 1
        if position >= end and not whole:
            return position
        code = self.code(position)
        if code == _PAREN:
            position = self._function(position)
            if position < end and codes[position] != _COMMA:
                raise UnsureError
            return position
        if code == _COMMA and not whole:
            return position
        if code == _COLON or (code == _EQUALS and not whole):
            return self._rest(position + 1, end)
        raise UnsureError

    followers: ClassVar = {**BraceLayout.followers, _BRACE: block, DO: _do}
