"""The pretty-printer of a language with blocks by indentation, from tokens alone.

The result is that of `pretty`, in a fraction of the time. Texts with something that only the grammar can tell are left
to it: code in strings beyond names and their attributes, annotations, soft keywords, several statements in a line, and
whatever cannot be right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import compress
from operator import or_

from clonetruth.code.language import KindOf, Language, TokenKind
from clonetruth.code.parsing import source_bytes
from clonetruth.code.pretty import DEDENT, INDENT, NEWLINE, Printed, wrapped

_HASH = ord("#")
_CACHED = 60
"""Bytes of a match to cache; longer ones hardly ever repeat."""

# What a token is to the printer, a byte each.
_PLAIN, _VALUE, _STRING, _OPEN, _CLOSE, _COLON, _LAMBDA, _FOR, _IN, _ODD, _TRIVIA, _FORMATTED = b"pvs():lfix#F"
_MARKED = bytes(byte in b"():" for byte in range(256))
_CODES = {
    **dict.fromkeys(b"( [ {".split(), _OPEN),
    **dict.fromkeys(b") ] }".split(), _CLOSE),
    b":": _COLON,
    b"lambda": _LAMBDA,
    b"for": _FOR,
    b"in": _IN,
    # Several statements in a line; a lone quotation mark, or a character that is not part of the language.
    **dict.fromkeys(b"; -> \" ' \\ ? $ ! `".split(), _ODD),
}
_CODE_OF_KIND = dict.fromkeys(map(int, TokenKind), _PLAIN)
_CODE_OF_KIND.update({int(kind): _VALUE for kind in (TokenKind.IDENTIFIER, TokenKind.NUMBER, TokenKind.BOOLEAN)})
_CODE_OF_KIND.update({int(TokenKind.NULL): _VALUE, int(TokenKind.OTHER): _ODD, int(TokenKind.TRIVIA): _ODD})
_IMPOSSIBLE = re.compile(rb"[v)][vs]|s[v]")
"""Two values in a row, in a line; strings may follow each other."""

_PLAIN_STRING = re.compile(rb"(?:[bBrRuU]|[bB][rR]|[rR][bB])?['\"]|(?:[fF]|[fF][rR]|[rR][fF])['\"][^{]*+\Z", re.DOTALL)
_FIELD = rb"\{[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)*+(?:![rsa])?(?::[^{}\\\n\"']++)?\}"
_FORMATTED_INSIDE = rb"(?:[^{}\\\n\"']*+%s)++|[^{}\\\n\"']*+%s[^{}\\\n\"']++" % (_FIELD, _FIELD)
_SIMPLY_FORMATTED = re.compile(rb"(?:[fF]|[fF][rR]|[rR][fF])([\"'])(?:%s)\1" % _FORMATTED_INSIDE)
"""A string in a line with names, attributes of names, conversions and formats in braces. Left to the grammar are those
with a text after the last of several braces, whose tokens are not those of a string."""
_PIECE = re.compile(rb"[^{}]+|\{([\w.]++)(![rsa])?(:[^{}]+)?\}")
_NAME_OR_DOT = re.compile(rb"\w+|\.")

_DOCUMENTATION = re.compile(rb"[rRuU]?['\"]")

_COMPOUND = frozenset(b"if elif else while for try except finally with def class".split())
_AFTER_ASYNC = frozenset(b"def for with".split())
_DOCUMENTED = (b"def", b"class")
_SOFT = frozenset(b"match case type print exec".split())
"""Names that can begin a separate statement."""

_KEYWORD, _TYPE, _LAYOUT = int(TokenKind.KEYWORD), int(TokenKind.TYPE), int(TokenKind.LAYOUT)
_PUNCTUATION = int(TokenKind.PUNCTUATION)

_Match = tuple[bytes, int, int, int]
"""Text, class and code of a token, and the column after the line break after it; -1 without one."""


def printed_by_tokens(text: str, language: Language) -> Printed | None:
    """Pretty-print definitions; None if only the grammar can."""
    matches = language.match_pattern.findall(source_bytes(text))
    # A break before the first token is not the end of a line.
    if len(matches) < 2 or text[:1].isspace():
        return None
    known = _matches(language)
    read = [*map(known.__getitem__, matches)]
    codes = bytes([one[2] for one in read])
    if _ODD in codes:
        return None
    if _TRIVIA in codes:
        read = _without_trivia(read)
        codes = bytes([one[2] for one in read])
    if _FORMATTED in codes:
        read = [piece for one in read for piece in (known.pieces(one) if one[2] == _FORMATTED else (one,))]
        codes = bytes([one[2] for one in read])
    lines = _lines(codes, read)
    if lines is None or _IMPOSSIBLE.search(b"\n".join([codes[first:last] for first, last, _, _ in lines])):
        return None
    return _Printer(read, codes).printed(lines)


def _without_trivia(read: list[_Match]) -> list[_Match]:
    """The tokens without comments and continuations; a line break after a comment is after the token before it."""
    kept: list[_Match] = []
    for one in read:
        if one[2] != _TRIVIA:
            kept.append(one)
        elif one[3] >= 0 and kept:
            kept[-1] = (*kept[-1][:3], one[3])
    return kept


_Line = tuple[int, int, int, int]
"""First token, token after the last, column and first colon outside of brackets of a logical line; -1 without one."""


def _lines(codes: bytes, read: Sequence[_Match]) -> list[_Line] | None:
    """Split tokens into logical lines; None if something in them is doubtful."""
    lines: list[_Line] = []
    depth = first = column = 0
    colon = -1
    breaks = [one[3] >= 0 for one in read]
    for at in compress(range(len(codes)), map(or_, breaks, codes.translate(_MARKED))):
        code = codes[at]
        if code == _OPEN:
            depth += 1
        elif code == _CLOSE:
            depth -= 1
            if depth < 0:
                return None
        elif code == _COLON and not depth and colon < 0:
            colon = at
        after = read[at][3]
        if after >= 0 and not depth:
            lines.append((first, at + 1, column, colon))
            first, column, colon = at + 1, after, -1
    if first < len(codes):
        lines.append((first, len(codes), column, colon))
    return None if depth else lines


class _Printer:
    """Prints tokens line by line."""

    def __init__(self, read: Sequence[_Match], codes: bytes) -> None:
        self._codes = codes
        self._loops = _FOR in codes
        self._old = [one[0] for one in read]
        self._old_kinds = bytearray([one[1] for one in read])
        self._texts: list[bytes] = []
        self._kinds = bytearray()
        self._lines: list[tuple[int, int, int]] = []
        self._begin = self._depth = self._line_depth = 0

    def printed(self, lines: Sequence[_Line]) -> Printed | None:
        """Return the printed text; None if a line is doubtful."""
        levels = [0]
        opened = decorated = False
        documented = True
        for first, last, column, colon in lines:
            if opened:
                if column <= levels[-1]:
                    return None
                levels.append(column)
            while column < levels[-1]:
                levels.pop()
                self._mark(DEDENT)
            # The first line of a text has lost its indentation, so that others of a decorated definition stick out.
            if column != levels[-1] and not (decorated and len(levels) == 1):
                return None
            word = self._old[first]
            if word == b"async":
                word = self._old[first + 1] if first + 1 < last else b""
                if word not in _AFTER_ASYNC:
                    return None
            decorated = word == b"@"
            opened = word in _COMPOUND
            if opened:
                if not self._header(word, first, colon):
                    return None
                self._mark(INDENT)
                documented = word in _DOCUMENTED
                if colon + 1 < last:  # the block is on the same line
                    opened = False
                    if _COLON in self._codes[colon + 1 : last] or not self._statement(colon + 1, last, documented):
                        return None
                    self._mark(DEDENT)
            elif not self._statement(first, last, documented, colon):
                return None
            documented = documented and opened
        if opened or decorated:
            return None
        for _ in levels[1:]:
            self._mark(DEDENT)
        self._end_line()
        return Printed(self._texts, self._kinds, wrapped(self._texts, self._lines))

    def _header(self, word: bytes, first: int, colon: int) -> bool:
        """Print the header of a block, up to its colon."""
        codes, texts = self._codes, self._old
        if colon < 0 or _LAMBDA in codes[first:colon]:
            return False
        if word == b"def" and (_COLON in codes[first:colon] or b"(" not in texts[first + 2 : first + 4]):
            return False  # an annotation, or a type parameter
        if word == b"class" and first + 2 < colon:
            if texts[first + 2] != b"(" or codes[colon - 1] != _CLOSE:
                return False
            self._bases(first + 2, colon)
        return self._copy(first, colon + 1)

    def _bases(self, start: int, end: int) -> None:
        """Mark the classes that a class is derived from as types."""
        codes, depth = self._codes, 0
        for at in range(start, end):
            if codes[at] == _OPEN:
                depth += 1
            elif codes[at] == _CLOSE:
                depth -= 1
            elif (
                depth == 1
                and self._old_kinds[at] == TokenKind.IDENTIFIER
                and self._old[at - 1] in (b"(", b",")
                and self._old[at + 1] in (b",", b")")
            ):
                self._old_kinds[at] = _TYPE

    def _statement(self, first: int, last: int, documented: bool, colon: int = -1) -> bool:
        """Print a simple statement or a decorator."""
        word = self._old[first]
        if word in _SOFT or (word == b"from" and self._old[first + 1] == b"__future__"):
            return False
        if colon >= 0 and _LAMBDA not in self._codes[first:colon]:
            return False  # an annotation
        if documented and last == first + 1 and _DOCUMENTATION.match(word):
            return True
        if not self._copy(first, last):
            return False
        self._mark(NEWLINE)
        return True

    def _copy(self, first: int, last: int) -> bool:
        """Copy tokens to a new line."""
        texts, end = self._texts, len(self._texts)
        if self._begin < end:
            self._lines.append((self._begin, end, self._line_depth))
            self._begin = end
        self._line_depth = self._depth
        if self._loops:
            codes = self._codes
            at = codes.find(_FOR, first, last)
            while at >= 0:
                within = _within_for(codes, at, last)
                if within < 0:
                    return False
                self._old_kinds[within] = _KEYWORD
                at = codes.find(_FOR, at + 1, last)
        texts += self._old[first:last]
        self._kinds += self._old_kinds[first:last]
        return True

    def _mark(self, mark: bytes) -> None:
        """A mark ends what is before it, so it is on the same line."""
        self._texts.append(mark)
        self._kinds.append(_LAYOUT)
        self._depth += (mark == INDENT) - (mark == DEDENT)

    def _end_line(self) -> None:
        if self._begin < len(self._texts):
            self._lines.append((self._begin, len(self._texts), self._line_depth))
            self._begin = len(self._texts)


def _within_for(codes: bytes, at: int, last: int) -> int:
    """The position of the `in` of a `for`; -1 if there is none."""
    depth = 0
    for position in range(at + 1, last):
        code = codes[position]
        if code == _IN and not depth:
            return position
        depth += (code == _OPEN) - (code == _CLOSE)
        if depth < 0:
            break
    return -1


@cache
def _matches(language: Language) -> _Matches:
    return _Matches(language)


class _Matches(dict[bytes, _Match]):
    """What the printer needs to know about each match of the lexer, a token with the white space after it."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._kind_of = language.kind_of

    def __missing__(self, match: bytes) -> _Match:
        if match[0] == _HASH:
            token, kind, code = match.partition(b"\n")[0], int(TokenKind.TRIVIA), _TRIVIA
        else:
            token = match.rstrip()
            if len(token) > 1 and token[-1] in b"\"'":
                kind, code = int(TokenKind.STRING), self._code_of_string(token)
            elif match.startswith(b"\\\n"):
                token, kind, code = match[:2], int(TokenKind.TRIVIA), _TRIVIA
            else:
                kind = int(self._kind_of[token])
                code = _CODES.get(token) or _CODE_OF_KIND[kind]
        column = -1
        space = match[len(token) :]
        if b"\n" in space:
            indentation = space[space.rindex(b"\n") + 1 :]
            column = len(indentation)
            if indentation.strip(b" "):
                code = _ODD
        read = token, kind, code, column
        if len(match) <= _CACHED and len(self) < KindOf.LIMIT:
            self[match] = read
        return read

    def pieces(self, string: _Match) -> list[_Match]:
        """The tokens of a simply formatted string: its quotation marks, the texts, and the code in braces."""
        token, text, _, column = string
        quote = token[-1:]
        begin = token.index(quote) + 1
        pieces: list[_Match] = [(token[:begin], text, _STRING, -1)]
        for piece in _PIECE.finditer(token, begin, len(token) - 1):
            expression, conversion, layout = piece.groups()
            if expression is None:
                pieces.append((piece[0], text, _PLAIN, -1))
                continue
            pieces.append((b"{", _PUNCTUATION, _PLAIN, -1))
            pieces += [(one, int(self._kind_of[one]), _PLAIN, -1) for one in _NAME_OR_DOT.findall(expression)]
            pieces += [(conversion, _KEYWORD, _PLAIN, -1)] if conversion else []
            pieces += [(layout, text, _PLAIN, -1)] if layout else []
            pieces.append((b"}", _PUNCTUATION, _PLAIN, -1))
        return [*pieces, (quote, text, _STRING, column)]

    def _code_of_string(self, token: bytes) -> int:
        if _PLAIN_STRING.match(token):
            return _STRING
        if not _SIMPLY_FORMATTED.fullmatch(token):
            return _ODD
        expressions = b".".join([piece[1] for piece in _PIECE.finditer(token) if piece[1]])
        named = all(self._kind_of[name] == TokenKind.IDENTIFIER for name in expressions.split(b"."))
        return _FORMATTED if named else _ODD
