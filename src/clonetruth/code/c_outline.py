"""The functions of C files, recognised from tokens alone: see `brace_outline`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from clonetruth.code.brace_outline import (
    BRACE,
    BRACKET_MARKS,
    END_BRACE,
    END_PAREN,
    FIRST_FREE,
    HASH,
    NAME,
    ODD,
    PAREN,
    SEMICOLON,
    SQUARE,
    BraceOutline,
    Located,
    UndecidedError,
)

_SPECIFIER, _TYPE, _TAG, _STAR, _EQUALS, _EXTERN, _ATTRIBUTE, _STATEMENT, _COMMA = range(FIRST_FREE, FIRST_FREE + 9)

_BEFORE_NAME = frozenset({_SPECIFIER, _TYPE, _TAG, _STAR, _EXTERN, NAME})
_MAX_NAMES = 2
"""Names among the specifiers of a function, apart from tags: a type, and a macro before it."""


class COutline(BraceOutline):
    """``specifiers name(…) {`` outside of all brackets, or in ``extern "C" {``.

    The specifiers are words and ``*``. Between parameters and body there can be attributes, names of macros, and the
    declarations of old functions: ``int f(a) char *a; {``.
    """

    directives: ClassVar[bool] = True
    name_mark: ClassVar[int] = NAME
    marks: ClassVar[Mapping[bytes, int]] = {
        **BRACKET_MARKS,
        b";": SEMICOLON,
        b"#": HASH,
        b"*": _STAR,
        b"=": _EQUALS,
        b",": _COMMA,
        b"extern": _EXTERN,
        **dict.fromkeys(b"void char short int long float double signed unsigned bool _Bool _Complex".split(), _TYPE),
        **dict.fromkeys(b"struct union enum".split(), _TAG),
        **dict.fromkeys(
            b"static inline const volatile register auto restrict __inline __inline__ __restrict __restrict__ "
            b"_Noreturn __volatile__ __extension__ __forceinline __cdecl __stdcall __fastcall constexpr "
            b"thread_local __thread _Thread_local".split(),
            _SPECIFIER,
        ),
        **dict.fromkeys(b"__attribute__ __attribute __declspec".split(), _ATTRIBUTE),
        **dict.fromkeys(b"if for while do switch case return goto break continue else default".split(), _STATEMENT),
        **dict.fromkeys((b'"', b"'", b"\\", b"`", b"@", b"$"), ODD),
    }

    def located(self, text: int, begin: int, end: int) -> list[Located]:
        """See `BraceOutline.located`."""
        found: list[Located] = []
        self._scan(begin, end, found)
        return found

    def _scan(self, begin: int, end: int, found: list[Located]) -> None:
        """Find the functions directly inside of some tokens."""
        code, partner = self.code, self.partner
        position = begin
        first = -1  # the first token of the declaration
        declarations: list[int] = []  # the first tokens of the declarations since the last block
        directive = assigned = False  # whether there was one in the declaration
        while position < end:
            mark = code[position]
            if mark == HASH:
                directive = directive or first >= 0
            elif mark == SEMICOLON:
                if first >= 0:
                    declarations.append(first)
                first, assigned = -1, False
                directive = directive and len(declarations) > 0
            elif mark == _STATEMENT:
                raise UndecidedError
            elif mark == BRACE:
                close = partner[position]
                old = first < 0
                if old:
                    first = self._old_function(declarations, position)
                if (
                    not assigned
                    and not old
                    and code[first] == _EXTERN
                    and position == first + 2
                    and self._quoted(first + 1)
                ):
                    self._scan(position + 1, close, found)
                    first = -1
                elif not assigned and (old or self._is_function(first, position)):
                    if directive:
                        raise UndecidedError
                    found.append(self._function(first, position))
                    first = -1
                if first < 0:
                    declarations, directive = [], False
                position = close
            else:
                if first < 0:
                    first = position
                    directive = directive and len(declarations) > 0
                assigned = assigned or mark == _EQUALS
                if mark in (PAREN, SQUARE):
                    position = partner[position]
            position += 1

    def _quoted(self, token: int) -> bool:
        return self.word(token).startswith('"')

    def _is_function(self, first: int, brace: int) -> bool:
        """Whether a block after a declaration is the body of a function, not that of a type."""
        code = self.code
        before = brace - 1
        if code[before] == END_PAREN:
            return True
        tagged = before if code[before] == _TAG else before - 1
        if tagged >= first and code[tagged] == _TAG:
            return False
        if self._parameters(first, brace) >= 0:
            return True
        # A type with attributes, or something else.
        if _TAG in code[first:brace]:
            return False
        raise UndecidedError

    def _parameters(self, first: int, end: int) -> int:
        """The first parenthesis directly after a name, and not before a number; -1 if there is none."""
        code, partner = self.code, self.partner
        position = first
        while position < end:
            if (
                code[position] == PAREN
                and position > first
                and code[position - 1] == NAME
                and not self._numbered(position)
            ):
                return position
            if code[position] in (PAREN, SQUARE, BRACE):
                position = partner[position]
            position += 1
        return -1

    def _numbered(self, parenthesis: int) -> bool:
        """Whether there is a number after a parenthesis, so that it belongs to a macro: ``printflike(1, 2)``."""
        return self.word(parenthesis + 1)[0].isdigit()

    def _old_function(self, declarations: list[int], brace: int) -> int:
        """The first token of the function whose parameters are declared before its block."""
        code = self.code
        for first in reversed(declarations):
            parameters = self._parameters(first, brace)
            if parameters >= 0:
                after = code[self.partner[parameters] + 1]
                if after in (_TYPE, _SPECIFIER, _TAG, NAME):
                    return first
                break
        raise UndecidedError

    def _function(self, first: int, brace: int) -> Located:
        """The function with a header."""
        code, partner = self.code, self.partner
        if code[first] == _EXTERN and self._quoted(first + 1):
            first += 2
        parameters = self._parameters(first, brace)
        name = parameters - 1
        names = types = 0
        position = first
        while position < name:
            mark = code[position]
            if code[position + 1] == PAREN and (mark == _ATTRIBUTE or (mark == NAME and self._numbered(position + 1))):
                mark, position = _ATTRIBUTE, partner[position + 1]
            elif mark == _TAG and code[position + 1] == NAME:
                types += 1
                position += 1
            elif mark not in _BEFORE_NAME:
                raise UndecidedError
            names += mark == NAME
            types += mark == _TYPE
            position += 1
        if parameters < 0 or not types + names or names > _MAX_NAMES or (types and names > 1):
            raise UndecidedError
        position = partner[parameters] + 1
        while position < brace:
            if code[position] in (END_BRACE, _EQUALS):
                raise UndecidedError
            position = partner[position] + 1 if code[position] in (PAREN, SQUARE) else position + 1
        return Located(first, partner[brace], name, (self.word(name),))
