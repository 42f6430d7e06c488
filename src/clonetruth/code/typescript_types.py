"""Where the types of TypeScript end: the part of its grammar that has arrows, braces and brackets but no code.

A type is walked over token by token, from its first one; brackets are skipped as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clonetruth.code import javascript_outline as js
from clonetruth.code.brace_outline import BRACE, END_PAREN, NAME, PAREN, SQUARE

_FREE = js.FIRST_FREE_OF_TYPES
AS, IS, INTERFACE, TYPE, ENUM, NAMESPACE, MODIFIER, IMPLEMENTS, OPERATOR = range(_FREE, _FREE + 9)
TYPEOF, VOID, CASE, DEFAULT, BANG, AT, OPTIONAL, IMPORT = range(_FREE + 9, _FREE + 17)
GREATER, SHIFT, LONG_SHIFT, BAR, MINUS = range(_FREE + 17, _FREE + 22)

WORDS = frozenset({NAME, AS, IS, INTERFACE, TYPE, ENUM, NAMESPACE, MODIFIER, IMPLEMENTS, OPERATOR, TYPEOF, VOID, CASE})
WORDS |= {DEFAULT, IMPORT, js.ACCESSOR, js.ASYNC, js.STATIC, js.FUNCTION, js.CLASS, js.EXTENDS, js.DECLARE, js.CONTROL}
WORDS |= {js.WORD, js.SELF, js.INFIX_WORD, js.NEW, js.BLOCK_WORD}
"""Everything that is written with letters, apart from `await` and the like."""

_CLOSERS = {GREATER: 1, SHIFT: 2, LONG_SHIFT: 3}
_PREFIXES = frozenset({OPERATOR, MODIFIER, IS})
_OPERAND_STARTS = (0, PAREN, BRACE, SQUARE, js.LESS, js.NEW)
_VARIANCE = (js.DECLARE, js.INFIX_WORD, NAME)
"""``const``, ``in`` and ``out`` before a type parameter."""
_NOT_A_NAME = frozenset({js.FUNCTION, js.CLASS, js.EXTENDS, js.CONTROL, js.BLOCK_WORD, js.NEW, CASE, IMPLEMENTS})


class NotATypeError(Exception):
    """No type begins there."""


class TypeWalker:
    """Finds the ends of types.

    Args:
        code: the marks of tokens.
        partner: for each bracket, the position of its partner.
        rows: the row of each token.
        is_template: whether a parenthesis stands for a template string.
    """

    def __init__(
        self, code: bytes, partner: Sequence[int], rows: Sequence[int], is_template: Callable[[int], bool]
    ) -> None:
        self.code, self.partner, self.rows, self._is_template = code, partner, rows, is_template
        self._closed: dict[int, int] = {}

    def type_end(self, position: int) -> int:
        """The position after the type that begins at a position.

        Raises:
            NotATypeError: no type begins there.
        """
        self._closed.clear()
        return self._type(position)

    def list_end(self, position: int) -> int:
        """The position after types with commas between them."""
        end = self.type_end(position)
        while self.code[end] == js.COMMA:
            end = self.type_end(end + 1)
        return end

    def angles_end(self, position: int) -> int:
        """The position after type parameters or arguments, from their ``<``."""
        self._closed.clear()
        end = self._angles(position)
        if self._closed.get(end):
            raise NotATypeError
        return end

    def _angles(self, position: int) -> int:
        code = self.code
        position += 1
        while code[position] not in _CLOSERS:
            while code[position] in _VARIANCE and code[position + 1] in WORDS and code[position + 1] != js.EXTENDS:
                position += 1
            position = self._type(position)
            if code[position] == js.EQUALS:
                position = self._type(position + 1)
            if code[position] == js.COMMA:
                position += 1
            elif code[position] not in _CLOSERS:
                raise NotATypeError
        closed = self._closed.get(position, 0) + 1
        if closed < _CLOSERS[code[position]]:
            self._closed[position] = closed
            return position
        self._closed.pop(position, None)
        return position + 1

    def _type(self, position: int) -> int:
        code = self.code
        if code[position] == BAR:
            position += 1
        position = self._operand(position)
        while True:
            mark = code[position] if position < len(code) else 0
            if mark == BAR:
                position = self._operand(position + 1)
            elif mark == IS and self.rows[position] == self.rows[position - 1]:
                return self._type(position + 1)
            elif mark == js.EXTENDS:
                position = self._type(position + 1)
                if position < len(code) and code[position] == js.QUESTION:
                    position = self._type(position + 1)
                    if code[position] != js.COLON:
                        raise NotATypeError
                    position = self._type(position + 1)
                return position
            else:
                return position

    def _operand(self, position: int) -> int:
        code, partner, rows = self.code, self.partner, self.rows
        mark = code[position]
        while mark in _PREFIXES and self._is_prefix(position):
            position += 1
            mark = code[position]
        if mark in (js.NEW, js.LESS):
            return self._signature(position + (mark == js.NEW))
        if mark == PAREN:
            after = partner[position] + 1
            if after < len(code) and code[after] == js.ARROW and self._are_parameters(position):
                return self._type(after + 1)
            position = after
        elif mark in (BRACE, SQUARE):
            position = partner[position] + 1
        elif mark in (0, VOID):
            position += 1
        elif mark == MINUS and code[position + 1] == 0:
            position += 2
        else:
            position = self._reference(position)
        while position < len(code) and code[position] == SQUARE and rows[position] == rows[position - 1]:
            position = partner[position] + 1
        return position

    def _are_parameters(self, opener: int) -> bool:
        """Whether parentheses before an arrow are parameters, not a type in parentheses after which a body follows."""
        code = self.code
        first = opener + 1
        if code[first] == END_PAREN:
            return not self._is_template(opener)
        if code[first] in (js.PREFIX, AT):
            return True
        if code[first] in (BRACE, SQUARE):
            first = self.partner[first]
        elif code[first] not in WORDS:
            return False
        return code[first + 1] in (js.COLON, OPTIONAL, js.QUESTION, js.COMMA, js.EQUALS, END_PAREN)

    def _is_prefix(self, position: int) -> bool:
        """Whether a word such as ``keyof`` or ``readonly`` is an operator, not a name."""
        if self.code[position] == IS or position + 1 >= len(self.code):
            return False
        following = self.code[position + 1]
        named = following in WORDS and following not in (IS, js.EXTENDS, AS)
        return self.rows[position] == self.rows[position + 1] and (named or following in _OPERAND_STARTS)

    def _signature(self, position: int) -> int:
        """The end of a function type after ``new``."""
        code = self.code
        if code[position] == js.LESS:
            position = self._angles(position)
        if code[position] != PAREN or code[self.partner[position] + 1] != js.ARROW:
            raise NotATypeError
        return self._type(self.partner[position] + 2)

    def _reference(self, position: int) -> int:
        """The end of ``a.b<C>``, ``typeof a.b`` or ``import("a").b<C>``."""
        code, partner = self.code, self.partner
        if code[position] == TYPEOF:
            position += 1
        if code[position] == IMPORT and code[position + 1] == PAREN:
            position = partner[position + 1] + 1
        elif code[position] in WORDS and code[position] not in _NOT_A_NAME:
            position += 1
        else:
            raise NotATypeError
        while position + 1 < len(code) and code[position] == js.DOT and code[position + 1] in WORDS | {js.PREFIX}:
            position += 2
        if position < len(code) and code[position] == js.LESS:
            position = self._angles(position)
        return position
