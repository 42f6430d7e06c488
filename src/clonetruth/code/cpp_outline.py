"""The functions of C++ files, recognised from tokens alone: see `brace_outline`.

The rules walk over the declarations of files, namespaces and classes. A brace decides what a declaration is: the body
of a namespace, class, enumeration or function, or an initial value. Only headers made of known parts are functions;
macros that define functions or stand before a body, constraints and names in parentheses are left to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from clonetruth.code.brace_outline import (
    BRACE,
    END_BRACE,
    END_PAREN,
    END_SQUARE,
    HASH,
    NAME,
    PAREN,
    SEMICOLON,
    SQUARE,
    Located,
    UndecidedError,
)
from clonetruth.code.cpp_names import CppNames
from clonetruth.code.cpp_tokens import (
    ACCESS,
    ALIAS,
    ARROW,
    CATCH,
    CLASS,
    COLON,
    COMMA,
    DECLTYPE,
    ELLIPSIS,
    ENUM,
    EQUALS,
    EXTERN,
    FINAL,
    FRIEND,
    LESS,
    MARKS,
    NAMESPACE,
    NOEXCEPT,
    OPERATOR,
    POINTER,
    QUALIFIER,
    SCOPE,
    SPECIFIER,
    STATEMENT,
    TEMPLATE,
    TILDE,
    TRY,
    TYPE,
    TYPEDEF,
    WITH_PAREN,
    without_raw_strings,
)
from clonetruth.code.languages.cpp import TEST_MACRO

_STOP = re.compile(b"[%c%c%c%c%c]" % (SEMICOLON, BRACE, PAREN, SQUARE, STATEMENT), re.DOTALL)
_CLASS_KEY = re.compile(re.escape(bytes([CLASS])))
_HEADED = re.compile(b"%c(?=%c)" % (END_PAREN, BRACE), re.DOTALL)
_BRACKETS = (BRACE, PAREN, SQUARE)
_AFTER_BLOCK = frozenset({NAME, POINTER, COMMA, EQUALS, QUALIFIER, 0, *_BRACKETS})
"""What can follow the body of a class or enumeration: the names that are declared with it, and their values."""
_OF_ENUM = frozenset({NAME, CLASS, COLON, SCOPE, TYPE, QUALIFIER, ENUM})
_OF_RESULT = frozenset({TYPE, SPECIFIER, QUALIFIER, POINTER, CLASS})
_MOST_QUALIFIERS = 3
"""The names of classes and namespaces before a name that the tree knows as its path."""

_TEST = re.compile(TEST_MACRO)
_ARGUMENTS = re.compile("<[^<>]*>")


class CppOutline(CppNames):
    """Functions with a body, in files, namespaces, classes, and classes inside of functions."""

    directives: ClassVar[bool] = True
    masks: ClassVar[bool] = True
    name_mark: ClassVar[int] = NAME
    marks: ClassVar[Mapping[bytes, int]] = MARKS

    @classmethod
    def masked(cls, text: bytes) -> bytes:
        """See `Outline.masked`."""
        return without_raw_strings(text)

    def located(self, text: int, begin: int, end: int) -> list[Located]:
        """See `BraceOutline.located`."""
        self._text = text
        self._found: list[Located] = []
        self._scan(begin, end, ())
        return self._found

    def _scan(self, begin: int, end: int, path: tuple[str, ...]) -> None:
        """Find the functions among the declarations from one token to before another."""
        code, partner = self.code, self.partner
        first = position = begin
        while position < end:
            if position == first:
                mark = code[first]
                if mark in (HASH, SEMICOLON):
                    first = position = first + 1
                    continue
                if mark == ACCESS:
                    if code[first + 1] != COLON:
                        raise UndecidedError
                    first = position = first + 2
                    continue
            stop = _STOP.search(code, position, end)
            if stop is None:
                if code[first:end].strip(bytes([HASH])):
                    raise UndecidedError
                return
            position = stop.start()
            mark = code[position]
            if mark == SEMICOLON:
                first = position = position + 1
            elif mark == BRACE:
                first = position = self._braced(first, position, end, path)
            elif mark == STATEMENT:
                raise UndecidedError
            else:
                position = partner[position] + 1

    def _braced(self, first: int, brace: int, end: int, path: tuple[str, ...]) -> int:
        """Read a declaration by its first brace; return the position after it."""
        code, partner = self.code, self.partner
        directive = HASH in code[first:brace]
        header = first
        while code[header] == TEMPLATE:
            header = self.after_angles(header + 1)
        after_inline = header + (code[header] == SPECIFIER)
        if code[after_inline] == NAMESPACE:
            names = code[after_inline + 1 : brace]
            if names.strip(bytes([NAME, SCOPE])) or directive:
                raise UndecidedError
            inner = (*path, self.written(after_inline + 1, brace)) if names else path
            self._scan(brace + 1, partner[brace], inner)
            return partner[brace] + 1
        if code[header] == EXTERN and code[header + 1] == 0:
            header += 2
            if header == brace:
                self._scan(brace + 1, partner[brace], path)
                return partner[brace] + 1
        if code[header] == FRIEND and path:
            header += 1
        position = header + (code[header] == TYPEDEF)
        if code[position] == ALIAS:
            return self._after_value(brace, end, path)
        while code[position] in (SPECIFIER, QUALIFIER, WITH_PAREN):
            position = partner[position + 1] + 1 if code[position] == WITH_PAREN else position + 1
        if code[position] == CLASS:
            name = self._class(position, brace)
            if name is not None:
                if directive:
                    raise UndecidedError
                self._scan(brace + 1, partner[brace], path + name)
                return self._after_block(partner[brace] + 1, end)
        if code[position] == ENUM and not code[position:brace].strip(bytes(_OF_ENUM)):
            return self._after_block(partner[brace] + 1, end)
        return self._function(header, brace, end, path, directive)

    def _class(self, key: int, brace: int) -> tuple[str, ...] | None:
        """The name of the class with a body, empty if it has none; None if the key is part of a type."""
        code, partner = self.code, self.partner
        position = key + 1
        while code[position] == WITH_PAREN or (code[position] == SQUARE and code[position + 1] == SQUARE):
            position = partner[position + (code[position] == WITH_PAREN)] + 1
        if position == brace:
            return ()
        if code[position] not in (NAME, SCOPE):
            raise UndecidedError
        end = self.qualified(position).end
        if code[end] in (COLON, FINAL) or end == brace:
            return (self.written(position, end),)
        if code[end] == NAME and code[end + 1] in (BRACE, COLON, FINAL):
            raise UndecidedError  # a macro before the name, or a variable with a value
        return None

    def _after_block(self, position: int, end: int) -> int:
        """The position after what is declared together with a class or enumeration."""
        code, partner = self.code, self.partner
        while position < end and code[position] != SEMICOLON:
            if code[position] not in _AFTER_BLOCK and code[position] != WITH_PAREN:
                raise UndecidedError
            position = partner[position] + 1 if code[position] in _BRACKETS else position + 1
        if position >= end:
            raise UndecidedError
        return position + 1

    def _after_value(self, position: int, end: int, path: tuple[str, ...]) -> int:
        """The position after the semicolon that ends a declaration with an initial value."""
        code, partner = self.code, self.partner
        begin = position
        while position < end and code[position] != SEMICOLON:
            if code[position] in (STATEMENT, NAMESPACE, TEMPLATE, ACCESS):
                raise UndecidedError
            position = partner[position] + 1 if code[position] in _BRACKETS else position + 1
        if position >= end:
            raise UndecidedError
        self._local_classes(begin, position, path)
        return position + 1

    def _function(self, first: int, brace: int, end: int, path: tuple[str, ...], directive: bool) -> int:
        """Read a function, or a variable with an initial value; return the position after it."""
        code, partner = self.code, self.partner
        types = names = 0
        position = first
        while position < brace:
            mark = code[position]
            following = code[position + 1]
            if mark in (SPECIFIER, QUALIFIER, POINTER, HASH, EXTERN, TYPE, TYPEDEF):
                types += mark == TYPE
                position = partner[position + 1] + 1 if mark == SPECIFIER and following == PAREN else position + 1
            elif mark in (WITH_PAREN, DECLTYPE) and following == PAREN:
                types += mark == DECLTYPE
                position = partner[position + 1] + 1
            elif mark == SQUARE and (following == SQUARE or names):
                position = partner[position] + 1
            elif mark in (CLASS, ENUM):
                types += 1
                position = self.qualified(position + 1).end
                if code[position] in (COLON, BRACE, FINAL):
                    raise UndecidedError  # a class after a macro
            elif mark == EQUALS and types + names:
                return self._after_value(position, end, path)
            elif mark == OPERATOR:
                return self._operator(first, position, (), path, directive, typed=types + names > 0)
            elif mark == TILDE and following == NAME and code[position + 2] == PAREN:
                return self._defined(first, position, position + 2, (), path, directive, "~")
            elif mark in (NAME, SCOPE):
                name = self.qualified(position)
                after = code[name.end]
                if after in (OPERATOR, TILDE) and code[name.end - 1] != SCOPE:
                    # A type or a macro before a member without qualifiers.
                    names += 1
                    position = name.end
                    if after == TILDE:
                        raise UndecidedError
                    continue
                if after == OPERATOR:
                    return self._operator(first, name.end, name.parts, path, directive, typed=types + names > 0)
                if after == TILDE and code[name.end + 2] == PAREN:
                    return self._defined(first, name.end, name.end + 2, name.parts, path, directive, "~")
                if after == PAREN and code[name.end - 1] != SCOPE:
                    if names > 1 + (types == 0):
                        raise UndecidedError
                    own = name.parts[-1]
                    if len(name.parts) == 1 and _TEST.search(self.word(own)):
                        if types + names:
                            raise UndecidedError
                        return self._test(first, name.end, path, directive)
                    if not types + names and not self._is_constructor(name.parts, path):
                        return self._after_macro(name.end, path)
                    return self._defined(first, own, name.end, name.parts[:-1], path, directive)
                names += 1
                position = name.end
            else:
                raise UndecidedError
        # A variable: `type name{…}`.
        if types + names < 2 or code[brace - 1] not in (NAME, END_SQUARE) or code[brace - 2] == SQUARE:
            raise UndecidedError
        return self._after_value(brace, end, path)

    def _is_constructor(self, parts: tuple[int, ...], path: tuple[str, ...]) -> bool:
        """Whether a name without a type before it is that of its class."""
        owner = self.word(parts[-2]) if len(parts) > 1 else path[-1] if path else ""
        while (shorter := _ARGUMENTS.sub("", owner)) != owner:
            owner = shorter
        return self.word(parts[-1]) == owner.rpartition("::")[2].strip()

    def _after_macro(self, arguments: int, path: tuple[str, ...]) -> int:
        """The position after ``MATCHER(name, "text") {…}``: with a string among its arguments, it is not a function."""
        code, partner = self.code, self.partner
        brace = partner[arguments] + 1
        strings = any(
            code[token] == 0 and self.word(token).startswith('"') for token in range(arguments, partner[arguments])
        )
        if code[brace] != BRACE or not strings:
            raise UndecidedError
        # The parser takes `NAME(…) {` in such a block for a function.
        if any(code[partner[match.start()] - 1] == NAME for match in _HEADED.finditer(code, brace, partner[brace])):
            raise UndecidedError
        self._local_classes(brace, partner[brace], path)
        return partner[brace] + 1

    def _test(self, first: int, parameters: int, path: tuple[str, ...], directive: bool) -> int:
        """``TEST_F(Suite, name) {``."""
        suite, comma, name, after = self.code[parameters + 1 : parameters + 5]
        if (suite, comma, name) != (NAME, COMMA, NAME) or after not in (END_PAREN, COMMA):
            raise UndecidedError
        return self._defined(first, parameters + 3, parameters, (parameters + 1,), path, directive)

    def _operator(
        self, first: int, operator: int, owners: tuple[int, ...], path: tuple[str, ...], directive: bool, *, typed: bool
    ) -> int:
        """``operator+(…)``, ``operator bool()``."""
        code = self.code
        position = operator + 1
        if code[position] == PAREN and code[position + 1] == END_PAREN:
            position += 2
        while code[position] != PAREN:
            if code[position] in (SEMICOLON, BRACE, END_BRACE, END_PAREN):
                raise UndecidedError
            position += 1
        last = position
        if not typed:
            while code[last - 1] == POINTER:
                last -= 1
            converted = code[operator + 1 : last].lstrip(bytes([QUALIFIER]))
            # The name of a conversion ends with its type; with qualifiers before it, the tree has no name for it.
            if owners or converted not in (bytes([NAME]), bytes([TYPE])):
                raise UndecidedError
        return self._defined(first, operator, position, owners, path, directive, self.written(operator, last))

    def _defined(
        self,
        first: int,
        name: int,
        parameters: int,
        owners: tuple[int, ...],
        path: tuple[str, ...],
        directive: bool,
        written_name: str = "",
    ) -> int:
        """Add the function with some parameters; return the position after it."""
        if directive or len(owners) > _MOST_QUALIFIERS:
            raise UndecidedError
        last = self._body_end(self.partner[parameters] + 1)
        if HASH in self.code[self.partner[parameters] : self._body]:
            raise UndecidedError
        if written_name == "~":
            written_name += self.word(name + 1)
        inner = (*path, *map(self.word, owners))
        self._found.append(Located(first, last, name, (*inner, written_name or self.word(name))))
        self._local_classes(parameters, last, inner)
        return last + 1

    def _body_end(self, position: int) -> int:
        """The last token of a function, by the position after its parameters; `_body` is then the brace of its body."""
        code, partner = self.code, self.partner
        tried = False
        while code[position] != BRACE:
            mark = code[position]
            if mark == ARROW:
                position = self._after_result(position + 1)
            elif mark == COLON:
                position = self._after_initialisers(position + 1)
                break
            elif mark in (QUALIFIER, POINTER, FINAL, NOEXCEPT):
                position = (
                    partner[position + 1] + 1 if mark == NOEXCEPT and code[position + 1] == PAREN else position + 1
                )
            elif mark == WITH_PAREN and code[position + 1] == PAREN:
                position = partner[position + 1] + 1
            elif mark == SQUARE and code[position + 1] == SQUARE:
                position = partner[position] + 1
            elif mark == TRY and not tried:
                tried = True
                position += 1
            else:
                raise UndecidedError
        self._body = position
        last = partner[position]
        while tried and code[last + 1 : last + 2] == bytes([CATCH]) and code[last + 2] == PAREN:
            brace = partner[last + 2] + 1
            if code[brace] != BRACE:
                raise UndecidedError
            last = partner[brace]
        return last

    def _after_result(self, position: int) -> int:
        """The position after the type that follows ``->``."""
        code = self.code
        while code[position] not in (BRACE, TRY):
            if code[position] in (NAME, SCOPE):
                position = self.qualified(position).end
            elif code[position] == DECLTYPE and code[position + 1] == PAREN:
                position = self.partner[position + 1] + 1
            elif code[position] in _OF_RESULT:
                position += 1
            else:
                raise UndecidedError
        return position

    def _after_initialisers(self, position: int) -> int:
        """The position after ``member(…), member{…}``: the body of a constructor."""
        code = self.code
        while True:
            if code[position] not in (NAME, SCOPE):
                raise UndecidedError
            position = self.qualified(position).end
            if code[position] not in (PAREN, BRACE):
                raise UndecidedError
            position = self.partner[position] + 1
            position += code[position] == ELLIPSIS
            if code[position] == BRACE:
                return position
            if code[position] != COMMA:
                raise UndecidedError
            position += 1

    def _local_classes(self, begin: int, end: int, path: tuple[str, ...]) -> None:
        """Find the functions of named classes inside of functions."""
        code, partner = self.code, self.partner
        free = begin
        for match in _CLASS_KEY.finditer(code, begin, end):
            key = match.start()
            if key < free or code[key - 1] in (ENUM, LESS, COMMA) or code[key + 1] != NAME:
                continue
            position = self.qualified(key + 1).end
            if code[position] not in (BRACE, COLON, FINAL):
                continue
            name = self.written(key + 1, position)
            while code[position] != BRACE:
                if code[position] == SEMICOLON:
                    raise UndecidedError
                position = partner[position] + 1 if code[position] == PAREN else position + 1
            self._scan(position + 1, partner[position], (*path, name))
            free = partner[position]
