"""The functions of Go files, recognised from tokens alone: see `brace_outline`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from clonetruth.code.brace_outline import (
    BRACE,
    BRACKET_MARKS,
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
from clonetruth.code.languages.go import TYPES

_FUNC, _TYPE_BODY, _PACKAGE, _STAR = range(FIRST_FREE, FIRST_FREE + 4)


class GoOutline(BraceOutline):
    """``func (r *T) name[P any](…) result {`` at the beginning of a line, outside of all brackets."""

    marks: ClassVar[Mapping[bytes, int]] = {
        **BRACKET_MARKS,
        b"func": _FUNC,
        b"interface": _TYPE_BODY,
        b"struct": _TYPE_BODY,
        b"package": _PACKAGE,
        b"*": _STAR,
        b";": SEMICOLON,
        # Predeclared types can be names of methods.
        **dict.fromkeys(TYPES.encode().split(), NAME),
        **dict.fromkeys((b'"', b"'", b"`", b"\\", b"#", b"$", b"?", b"@"), ODD),
    }
    name_mark: ClassVar[int] = NAME

    def located(self, text: int, begin: int, end: int) -> list[Located]:
        """See `BraceOutline.located`."""
        code = self.code
        if begin < end and code[begin] != _PACKAGE:
            raise UndecidedError
        found = []
        position = code.find(_FUNC, begin, end)
        while position >= 0:
            following = position + 1
            if self.depth[position] == 0 and (self.begins_row(position) or code[position - 1] == SEMICOLON):
                function = self._function(position, end)
                if function is not None:
                    found.append(function)
                    following = function.last + 1
            position = code.find(_FUNC, following, end)
        return found

    def _function(self, first: int, end: int) -> Located | None:
        """The function that begins at a token; None if it has no body."""
        code, partner = self.code, self.partner
        owner: tuple[str, ...] = ()
        name = first + 1
        if code[name] == PAREN:
            owner = (self.word(self._receiver(name + 1, partner[name])),)
            name = partner[name] + 1
        position = name + 1
        if code[position] == SQUARE and not owner:
            position = partner[position] + 1
        if code[name] != NAME or code[position] != PAREN:
            raise UndecidedError
        position = partner[position] + 1
        while position < end and not self.begins_row(position):
            if code[position] == BRACE:
                if code[position - 1] != _TYPE_BODY:
                    return Located(first, partner[position], name, (*owner, self.word(name)))
                position = partner[position]
            elif code[position] in (PAREN, SQUARE):
                position = partner[position]
            position += 1
        return None

    def _receiver(self, begin: int, end: int) -> int:
        """The type among the tokens of a receiver."""
        last = end - 1
        if self.code[last] == END_SQUARE:
            last = self.partner[last] - 1
        inside = np.frombuffer(self.code, np.uint8)[begin:last]
        if self.code[last] != NAME or not np.isin(inside, (NAME, _STAR)).all():
            raise UndecidedError
        return last
