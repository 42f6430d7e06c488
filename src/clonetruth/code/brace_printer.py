"""The pretty-printer of languages with braces, from tokens alone: what they share.

The result is that of `pretty`, in a fraction of the time. Each token has a code, a byte; statements are followed from
one end to the next, with regular expressions over these codes where possible. A text with anything that only the
grammar can tell, or that cannot be right, is left to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import compress
from typing import ClassVar

from clonetruth.code.language import KindOf, Language, MatchToken, TokenKind
from clonetruth.code.pretty import Printed, TokenLayout

_CACHED = 60
"""Bytes of a match to cache; longer ones hardly ever repeat."""
_DEPTH = 100
"""How deep statements may be inside each other; deeper ones are left to the grammar."""

_OPENERS = b"({["
_MARKED = bytes(byte in b"(){}[];" for byte in range(256))
_UNMARKED = bytes(byte for byte in range(256) if byte not in b"(){}[];")
_OPENING = {ord(")"): ord("("), ord("]"): ord("["), ord("}"): ord("{")}
_BRACE, _PAREN, _END, _SEMICOLON, _COLON = b"{(};:"

# Codes of keywords that the languages share.
IF, ELSE, FOR, WHILE, DO, SWITCH, CASE, DEFAULT, TRY, CATCH, FINALLY, SYNCHRONIZED = b"IEFWDSCBTKYZ"
ODD = ord("x")


class UnsureError(Exception):
    """Only the grammar can tell how a text is printed."""


class BraceTokens:
    """Reads texts token by token: their texts, classes and codes.

    Args:
        language: the language.
        codes: the codes of some tokens.
        by_kind: the codes of all others.
        restricted: the codes of tokens after which a line break means something, so that they are doubtful.
    """

    def __init__(
        self,
        language: Language,
        codes: Mapping[bytes, int],
        by_kind: Mapping[TokenKind, int],
        *,
        restricted: bytes = b"",
    ) -> None:
        self._find = language.match_pattern.findall
        self._text_of = _TextOf(language.match_token)
        self._label_of = _LabelOf(language.match_token, codes, by_kind, restricted)
        self._labels = self._label_of.labels
        self._before_comment = re.compile(b"[%s]\0" % restricted) if restricted else None

    def read(self, source: bytes) -> tuple[list[bytes], bytearray, bytes]:
        """Return the tokens of a source, without comments: texts, classes and codes."""
        matches = self._find(source)
        labels = bytes(map(self._label_of.__getitem__, matches))
        if 0 in labels:
            if self._before_comment and self._before_comment.search(labels.translate(self._labels.codes)):
                raise UnsureError
            matches = [*compress(matches, labels)]
            labels = labels.translate(None, b"\0")
        texts = [*map(self._text_of.__getitem__, matches)]
        return texts, bytearray(labels.translate(self._labels.kinds)), labels.translate(self._labels.codes)


class _TextOf(dict[bytes, bytes]):
    """The token of each match of the lexer, which is a token with the white space after it."""

    def __init__(self, match_token: MatchToken) -> None:
        super().__init__()
        self._match_token = match_token

    def __missing__(self, match: bytes) -> bytes:
        text = self._match_token[match][0]
        if len(match) <= _CACHED and len(self) < KindOf.LIMIT:
            self[match] = text
        return text


class _Labels:
    """Numbers pairs of a class and a code by a byte, from which both can be read for many tokens at once."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self.kinds = bytearray(256)
        self.codes = bytearray(256)

    def __getitem__(self, pair: tuple[int, int]) -> int:
        number = self._numbers.get(pair)
        if number is None:
            number = self._numbers[pair] = len(self._numbers) + 1
            self.kinds[number], self.codes[number] = pair
        return number


class _LabelOf(dict[bytes, int]):
    """The label of each match of the lexer; 0 for a comment."""

    def __init__(
        self,
        match_token: MatchToken,
        codes: Mapping[bytes, int],
        by_kind: Mapping[TokenKind, int],
        restricted: bytes,
    ) -> None:
        super().__init__()
        self.labels = _Labels()
        self._match_token = match_token
        self._codes = codes
        self._by_kind = by_kind
        self._restricted = restricted

    def __missing__(self, match: bytes) -> int:
        text, kind = self._match_token[match]
        code = self._codes.get(text)
        if code is None:
            code = self._by_kind.get(TokenKind(kind), ODD)
        if code in self._restricted and b"\n" in match:
            code = ODD
        # A comment may go on in the next line for the lexer, and not for the grammar.
        trivia = not kind and not (text.startswith(b"//") and b"\n" in text)
        label = 0 if trivia else self.labels[kind, code]
        if len(match) <= _CACHED and len(self) < KindOf.LIMIT:
            self[match] = label
        return label


class BraceLayout(TokenLayout):
    """Follows the statements of a function.

    Args:
        texts: the tokens, without comments.
        kinds: their classes.
        codes: their codes.
    """

    header_with_semicolons: ClassVar[bytes] = bytes([FOR, TRY])
    """The codes of the words after which parentheses may contain semicolons."""

    def __init__(self, texts: list[bytes], kinds: bytearray, codes: bytes) -> None:
        super().__init__(texts, kinds)
        self.codes = codes
        self.partner = self._partners()
        self._depth = 0

    def laid_out(self) -> Printed:
        """Follow the whole text, and print it.

        Raises:
            UnsureError: only the grammar can tell.
        """
        if self.definition(0) != len(self.codes):
            raise UnsureError
        return self.printed()

    def definition(self, position: int) -> int:
        """Follow a definition of a function; return the position after it."""
        raise NotImplementedError

    def _partners(self) -> list[int]:
        """The position of the other bracket of each pair; a semicolon is only in braces, or in a header."""
        codes = self.codes
        partner = [-1] * len(codes)
        opened: list[int] = [-1]
        marked = compress(range(len(codes)), codes.translate(_MARKED))
        for at, code in zip(marked, codes.translate(None, _UNMARKED), strict=True):
            if code in _OPENERS:
                opened.append(at)
                continue
            first = opened[-1]
            if first < 0:
                raise UnsureError
            if code != _SEMICOLON:
                if codes[first] != _OPENING[code]:
                    raise UnsureError
                partner[first], partner[at] = at, first
                del opened[-1]
            elif codes[first] != _BRACE and not (
                codes[first] == _PAREN and codes[first - 1] in self.header_with_semicolons
            ):
                raise UnsureError
        if len(opened) > 1:
            raise UnsureError
        return partner

    def block(self, position: int, inside: Callable[[int], int] | None = None) -> int:
        """Follow a block, or something else in braces; return the position after it."""
        self._depth += 1
        if self._depth > _DEPTH:
            raise UnsureError
        codes, end = self.codes, self.partner[position]
        inside = inside or self.statement
        self.breaks[position + 1] += 1
        self.depth_change[position + 1] += 1
        position += 1
        while position < end:
            if codes[position] == _SEMICOLON:
                self.dropped[position] = 1
                position += 1
            else:
                position = inside(position)
        if position != end:
            raise UnsureError
        self.depth_change[end] -= 1
        self._depth -= 1
        return end + 1

    def statement(self, position: int) -> int:
        """Follow a statement; return the position after it."""
        code = self.codes[position]
        follow = self.followers.get(code)
        return self.simple(position) if follow is None else follow(self, position)

    def simple(self, position: int) -> int:
        """Follow a statement without others inside it; return the position after it."""
        raise NotImplementedError

    def brace(self, position: int) -> int:
        """Follow a brace in an expression; return the position after its end."""
        raise NotImplementedError

    def expression(self, position: int, end: int) -> None:
        """Follow the braces in an expression."""
        find = self.codes.find
        while (position := find(_BRACE, position, end)) >= 0:
            position = self.brace(position)

    def values(self, position: int) -> int:
        """Follow braces around expressions; return the position after them."""
        end = self.partner[position]
        self.expression(position + 1, end)
        return end + 1

    def _header(self, position: int) -> int:
        """Follow an expression in parentheses; return the position after it."""
        if self.codes[position] != _PAREN:
            raise UnsureError
        end = self.partner[position]
        self.expression(position, end)
        return end + 1

    def _body(self, position: int, *, breaks: bool = True) -> int:
        """Follow the statement that another one contains; return the position after it."""
        if self.codes[position] == _SEMICOLON:
            self.breaks[position + 1] += breaks
            return position + 1
        self._depth += 1
        if self._depth > _DEPTH:
            raise UnsureError
        position = self.statement(position)
        self._depth -= 1
        return position

    def _if(self, position: int) -> int:
        position = self._body(self._header(position + 1))
        if self.code(position) == ELSE:
            position = self._body(position + 1)
        self.breaks[position] += 1
        return position

    def _while(self, position: int) -> int:
        position = self._body(self._header(position + 1))
        self.breaks[position] += 1
        return position

    def for_header(self, position: int) -> None:
        """Follow what is in the parentheses of a loop."""
        self.expression(position, self.partner[position])

    def _for(self, position: int) -> int:
        if self.codes[position + 1] != _PAREN:
            raise UnsureError
        self.for_header(position + 1)
        position = self._body(self.partner[position + 1] + 1)
        self.breaks[position] += 1
        return position

    def _do(self, position: int) -> int:
        position = self._body(position + 1, breaks=False)
        if self.code(position) != WHILE:
            raise UnsureError
        position = self._header(position + 1)
        if self.code(position) != _SEMICOLON:
            raise UnsureError
        self.breaks[position + 1] += 1
        return position + 1

    def _try(self, position: int) -> int:
        position += 1
        if self.code(position) == _PAREN:
            position = self._header(position)
        position = self._braced(position)
        while self.code(position) == CATCH:
            position += 1
            if self.code(position) == _PAREN:
                position = self.partner[position] + 1
            position = self._braced(position)
        if self.code(position) == FINALLY:
            position = self._braced(position + 1)
        self.breaks[position] += 1
        return position

    def _braced(self, position: int) -> int:
        if self.code(position) != _BRACE:
            raise UnsureError
        return self.block(position)

    def _switch(self, position: int) -> int:
        position = self._header(position + 1)
        if self.code(position) != _BRACE:
            raise UnsureError
        return self.choices(position)

    def choices(self, position: int) -> int:
        """Follow the braces of a choice between cases; return the position after them."""
        position = self.block(position, self._choice)
        self.breaks[position] += 1
        return position

    def _choice(self, position: int) -> int:
        return self.case(position) if self.codes[position] in (CASE, DEFAULT) else self.statement(position)

    def case(self, position: int) -> int:
        """Follow a label of a choice; return the position after it."""
        colon = self.codes.find(_COLON, position)
        self.breaks[colon + 1] += 1
        return colon + 1

    def _stray(self, position: int) -> int:
        raise UnsureError

    def code(self, position: int) -> int:
        """The code at a position; 0 after the end."""
        return self.codes[position] if position < len(self.codes) else 0

    followers: ClassVar[dict[int, Callable[..., int]]] = {
        _BRACE: block,
        IF: _if,
        FOR: _for,
        WHILE: _while,
        DO: _do,
        SWITCH: _switch,
        TRY: _try,
        **dict.fromkeys((ELSE, CASE, DEFAULT, CATCH, FINALLY, _END, _COLON), _stray),
    }
    """How statements are followed, by the code of their first token."""
