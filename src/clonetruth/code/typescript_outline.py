"""The functions of TypeScript files, recognised from tokens alone: JavaScript, once the types are erased.

A walk over brackets and the tokens that begin types marks what JavaScript does not have: annotations, type parameters
and arguments, ``as``, ``!``, modifiers, decorators, interfaces and aliases. The rules of JavaScript then see the other
tokens only. A colon is the hard case: it ends a condition, a ``case``, a label or a key, or begins a type. Which one
depends on the bracket around it and on the ``?`` and ``case`` before it that still lack theirs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from clonetruth.code import javascript_outline as js
from clonetruth.code import typescript_types as ts
from clonetruth.code.brace_outline import (
    BRACE,
    END_BRACE,
    END_PAREN,
    END_SQUARE,
    NAME,
    PAREN,
    SEMICOLON,
    SQUARE,
    Located,
    UndecidedError,
)
from clonetruth.code.script_masks import masked

_BLOCK, _OBJECT, _CLASS_BODY, _PARENS = range(4)
_EVENTS = (
    *range(BRACE, END_SQUARE + 1),
    js.COLON, ts.OPTIONAL, js.QUESTION, ts.CASE, js.LESS, ts.AS, ts.BANG, ts.AT, js.CLASS, ts.IMPLEMENTS,
    ts.INTERFACE, ts.TYPE, ts.ENUM, ts.MODIFIER, ts.NAMESPACE,
)  # fmt: skip
_EVENT = re.compile(b"[" + re.escape(bytes(_EVENTS)) + b"]")
_JAVASCRIPT_MARKS = {
    **dict.fromkeys((ts.AS, ts.IS, ts.TYPE, ts.MODIFIER, ts.OPERATOR), NAME),
    **dict.fromkeys((ts.INTERFACE, ts.ENUM, ts.IMPLEMENTS, ts.IMPORT), js.WORD),
    **dict.fromkeys((ts.TYPEOF, ts.VOID, ts.CASE, ts.DEFAULT, ts.BANG), js.PREFIX),
    **dict.fromkeys((ts.GREATER, ts.SHIFT, ts.LONG_SHIFT, ts.BAR, ts.MINUS), js.BINARY),
}
_TO_JAVASCRIPT = bytes(_JAVASCRIPT_MARKS.get(mark, mark) for mark in range(256))
_BEFORE_OBJECT = js.BEFORE_OBJECT | {ts.TYPEOF, ts.VOID, ts.DEFAULT, ts.BAR, ts.MINUS, ts.BANG, js.DECLARE, js.LESS}
_BEFORE_OBJECT |= {ts.GREATER, ts.SHIFT}
_VALUE_ENDS = ts.WORDS | {0, END_PAREN, END_SQUARE, END_BRACE}
_VALUE_ENDS -= {ts.TYPEOF, ts.CASE, ts.DEFAULT, ts.MODIFIER, js.EXTENDS, js.INFIX_WORD, js.NEW, js.FUNCTION, js.DECLARE}
_BEFORE_PARAMETERS = (js.FUNCTION, js.NEW, js.PREFIX)
_AFTER_ARGUMENTS = frozenset(
    {PAREN, SEMICOLON, END_PAREN, END_SQUARE, END_BRACE, BRACE, js.DOT, js.COMMA, js.EQUALS, js.COLON, js.QUESTION}
    | {ts.IMPLEMENTS, js.EXTENDS, ts.AS, js.BINARY, ts.BAR, ts.BANG}
)
_SPECIFIER_ENDS = (b"", bytes([js.COMMA]), bytes([END_BRACE]))
_AFTER_OPTIONAL = (js.COMMA, js.EQUALS, SEMICOLON, END_PAREN, END_BRACE)
_MEMBER_STARTS = ts.WORDS | {0, SQUARE, js.STAR, BRACE, js.PREFIX}
_BEFORE_MEMBER = (BRACE, END_BRACE, SEMICOLON, js.STATIC, js.ASYNC, js.ACCESSOR, js.STAR, ts.MODIFIER)


class TypeScriptOutline(js.JavaScriptOutline):
    """JavaScript without its types."""

    has_signatures: ClassVar[bool] = True
    has_markup: ClassVar[bool] = False
    marks: ClassVar[Mapping[bytes, int]] = {
        **js.JavaScriptOutline.marks,
        **dict.fromkeys(b"as satisfies".split(), ts.AS),
        b"is": ts.IS,
        b"interface": ts.INTERFACE,
        b"type": ts.TYPE,
        b"enum": ts.ENUM,
        **dict.fromkeys(b"namespace module".split(), ts.NAMESPACE),
        **dict.fromkeys(
            b"public private protected readonly override abstract declare accessor".split(), ts.MODIFIER
        ),
        b"implements": ts.IMPLEMENTS,
        **dict.fromkeys(b"keyof unique infer asserts".split(), ts.OPERATOR),
        b"typeof": ts.TYPEOF,
        b"void": ts.VOID,
        b"case": ts.CASE,
        b"default": ts.DEFAULT,
        b"!": ts.BANG,
        b"@": ts.AT,
        b"?:": ts.OPTIONAL,
        b"import": ts.IMPORT,
        b">": ts.GREATER,
        b">>": ts.SHIFT,
        b">>>": ts.LONG_SHIFT,
        **dict.fromkeys(b"| &".split(), ts.BAR),
        b"-": ts.MINUS,
    }  # fmt: skip
    events: ClassVar[re.Pattern[bytes]] = js.events(ts.NAMESPACE)

    def located(self, text: int, begin: int, end: int) -> list[Located]:
        """See `BraceOutline.located`."""
        whole = self.code, self.partner
        partner = np.maximum(self.partners[begin:end] - begin, -1)
        starts = self.lexed.starts[begin:end] - self.lexed.text_starts[text]
        walker = ts.TypeWalker(
            self.code[begin:end],
            partner.tolist(),
            self.rows[begin:end].tolist(),
            lambda position: self.texts[text][starts[position]] == ord("`"),
        )
        types = _Types(walker, self._touches(begin, end))
        types.erase(markup=self.has_markup)
        kept = np.flatnonzero(np.frombuffer(types.erased, np.uint8) == 0)
        numbers = np.zeros(end - begin, dtype=np.int64)
        numbers[kept] = np.arange(len(kept))
        self._kept, self._numbers, self._offset = kept.tolist(), numbers, begin
        marks = np.frombuffer(types.marks, np.uint8)[kept].tobytes()
        try:
            self.code = marks.translate(_TO_JAVASCRIPT)
            self.partner = numbers[partner[kept]].tolist()
            found = super().located(text, 0, len(kept))
        finally:
            self.code, self.partner = whole
        return [
            Located(self._whole(first), begin + types.lasts.get(self._kept[last], self._kept[last]), name, path)
            for first, last, name, path in ((one.first, one.last, self._whole(one.name), one.path) for one in found)
        ]

    def _touches(self, begin: int, end: int) -> list[bool]:
        """Whether each token begins where the one before it ends."""
        starts, ends = self.lexed.starts[begin:end], self.lexed.ends[begin:end]
        return [False, *(starts[1:] == ends[:-1]).tolist()]

    def _whole(self, token: int) -> int:
        """The position among all tokens of a token that is not erased."""
        return self._offset + self._kept[token]

    def begins_row(self, token: int) -> bool:
        """See `BraceOutline.begins_row`."""
        return super().begins_row(self._whole(token))

    def around(self, token: int) -> int:
        """See `BraceOutline.around`."""
        opener = super().around(self._whole(token))
        return int(self._numbers[opener - self._offset]) if opener >= self._offset else -1

    def _written(self, name: tuple[int, int]) -> str:
        return super()._written((self._whole(name[0]), self._whole(name[1])))

    def _class(self, position: int) -> None:
        if self.code[position] != ts.NAMESPACE:
            super()._class(position)
            return
        name = position + 1
        last = name
        while self.code[last + 1] == js.DOT:
            last += 2
        if self.code[name] in js.KEYS and self.code[last + 1] == BRACE:
            self._add(js.SCOPE, position, self.partner[last + 1], (name, last))


class TsxOutline(TypeScriptOutline):
    """TypeScript with elements, which are blanked except for the code in their braces."""

    has_markup: ClassVar[bool] = True

    @classmethod
    def masked(cls, text: bytes) -> bytes:
        """See `Outline.masked`."""
        return masked(text, elements=True)


class _Frame:
    """A bracket: what is inside, the ``?`` and ``case`` that lack their colon, and whether a class begins."""

    __slots__ = ("begins_class", "kind", "pending")

    def __init__(self, kind: int) -> None:
        self.kind = kind
        self.pending: list[int] = []
        self.begins_class = False


class _Types:
    """The tokens of one text that JavaScript does not have.

    Attributes:
        marks: the marks of all tokens, as JavaScript sees them.
        erased: 1 for each token that it does not see.
        lasts: the last token of what a token stands for, if erased ones that follow belong to it.
    """

    def __init__(self, walker: ts.TypeWalker, touches: Sequence[bool]) -> None:
        self._code, self._partner, self._rows, self._touches = walker.code, walker.partner, walker.rows, touches
        self._walker = walker
        self._frames = [_Frame(_BLOCK)]
        self._block = -1
        self.marks = bytearray(walker.code)
        self.erased = bytearray(len(walker.code))
        self.lasts: dict[int, int] = {}

    def erase(self, markup: bool) -> None:
        """Fill the attributes.

        Raises:
            UndecidedError: something looks like a type and is none.
        """
        code, frames = self._code, self._frames
        handlers = {
            js.COLON: self._colon,
            ts.OPTIONAL: self._annotation,
            js.QUESTION: self._question,
            ts.CASE: self._case,
            js.LESS: self._markup_angle if markup else self._angle,
            ts.AS: self._as,
            ts.BANG: self._bang,
            ts.AT: self._decorator,
            js.CLASS: self._class,
            ts.IMPLEMENTS: self._implements,
            ts.INTERFACE: self._interface,
            ts.TYPE: self._alias,
            ts.ENUM: self._enum,
            ts.MODIFIER: self._modifier,
            ts.NAMESPACE: self._namespace,
        }
        position = 0
        try:
            while (match := _EVENT.search(code, position)) is not None:
                position = match.start()
                mark = code[position]
                if mark > END_SQUARE:
                    position = handlers[mark](position)
                    continue
                if mark >= END_BRACE:
                    if frames.pop().pending:
                        raise UndecidedError
                else:
                    frames.append(_Frame(self._kind(mark, position)))
                position += 1
        except (ts.NotATypeError, RecursionError, IndexError) as error:
            raise UndecidedError from error

    def _kind(self, mark: int, position: int) -> int:
        if mark != BRACE:
            return _PARENS
        if self._frames[-1].begins_class:
            self._frames[-1].begins_class = False
            return _CLASS_BODY
        if position == self._block or position == 0 or self._code[position - 1] not in _BEFORE_OBJECT:
            return _BLOCK
        return _OBJECT

    def _drop(self, first: int, end: int) -> int:
        """Erase the tokens from `first` to before `end`."""
        self.erased[first:end] = b"\x01" * (end - first)
        return end

    def _drop_after(self, first: int, end: int) -> int:
        """Erase tokens that belong to the one before them."""
        owner = first - 1
        while owner > 0 and self.erased[owner]:
            owner -= 1
        self.lasts[owner] = end - 1
        return self._drop(first, end)

    def _drop_statement(self, first: int, end: int) -> int:
        self.marks[first] = SEMICOLON
        return self._drop(first + 1, end)

    def _annotation(self, colon: int) -> int:
        code = self._code
        end = self._walker.type_end(colon + 1)
        self._block = self._drop(colon, end)
        if self._frames[-1].kind == _CLASS_BODY and end < len(code) and code[end] not in (js.EQUALS, BRACE, js.ARROW):
            # A field without a semicolon ends here, and its name may be that of a modifier.
            self.erased[colon], self.marks[colon] = 0, SEMICOLON
        return end

    def _colon(self, position: int) -> int:
        code, frame = self._code, self._frames[-1]
        before = code[position - 1]
        after_call = before == END_PAREN
        if frame.pending:
            if after_call and frame.pending[-1] == js.QUESTION and self._may_be_parameters(position):
                raise UndecidedError
            return self._end_label(position) if frame.pending.pop() == ts.CASE else position + 1
        if after_call or frame.kind in (_PARENS, _CLASS_BODY):
            return self._annotation(position)
        if frame.kind == _OBJECT:
            return position + 1
        first = position - 1 - (before == ts.BANG)
        if code[first] in (END_BRACE, END_SQUARE):
            first = self._partner[first]
        if before != ts.DEFAULT and first > 0 and code[first - 1] in (js.DECLARE, js.COMMA):
            return self._annotation(position)
        return self._end_label(position)

    def _end_label(self, position: int) -> int:
        self.marks[position] = SEMICOLON
        self._block = position + 1
        return position + 1

    def _may_be_parameters(self, colon: int) -> bool:
        """Whether ``(a) : b =>`` after a question mark can be the parameters and the type of a function."""
        opener = self._partner[colon - 1]
        if self._code[opener - 1] in _VALUE_ENDS:
            return False
        try:
            return self._code[self._walker.type_end(colon + 1)] == js.ARROW
        except ts.NotATypeError:
            return False

    def _question(self, position: int) -> int:
        following = self._code[position + 1]
        if following in _AFTER_OPTIONAL:
            return self._drop(position, position + 1)
        frame = self._frames[-1]
        if frame.kind == _CLASS_BODY and following in (PAREN, js.LESS) and self._is_member_name(position - 1):
            return self._drop(position, position + 1)
        frame.pending.append(js.QUESTION)
        return position + 1

    def _is_member_name(self, last: int) -> bool:
        code = self._code
        first = self._partner[last] if code[last] == END_SQUARE else last
        if code[first - 1] in _BEFORE_MEMBER:
            return True
        return self._rows[first] > self._rows[first - 1] and code[first - 1] not in js.NEEDS_MORE

    def _case(self, position: int) -> int:
        frame = self._frames[-1]
        if frame.kind == _BLOCK and self._code[position - 1] != js.DOT and self._code[position + 1] != js.COLON:
            frame.pending.append(ts.CASE)
        return position + 1

    def _ends_value(self, position: int) -> bool:
        """Whether a token can end an expression; what follows one was erased."""
        return self.erased[position] == 1 or self._code[position] in _VALUE_ENDS

    def _markup_angle(self, position: int) -> int:
        """In a dialect with elements, ``<`` before an expression begins the parameters of a function, no type."""
        if position and not self._ends_value(position - 1) and self._code[position - 1] not in _BEFORE_PARAMETERS:
            end = self._walker.angles_end(position)
            if self._code[end] != PAREN or self._code[self._partner[end] + 1] not in (js.ARROW, js.COLON):
                raise UndecidedError
        return self._angle(position)

    def _angle(self, position: int) -> int:
        code = self._code
        before = code[position - 1] if position else SEMICOLON
        try:
            end = self._walker.angles_end(position)
        except (ts.NotATypeError, IndexError):
            return position + 1
        following = code[end] if end < len(code) else SEMICOLON
        if not position or not self._ends_value(position - 1):
            self._block = end
            return self._drop(position, end)
        if not self._touches[position]:
            if following == PAREN and before not in (js.ASYNC,):
                raise UndecidedError
            if following != PAREN:
                return position + 1
        if following not in _AFTER_ARGUMENTS and (end < len(code) and self._rows[end] == self._rows[end - 1]):
            return position + 1
        self._block = end if following == BRACE else self._block
        return self._drop_after(position, end)

    def _as(self, position: int) -> int:
        code, rows = self._code, self._rows
        if not position or not self._ends_value(position - 1) or rows[position] > rows[position - 1]:
            return position + 1
        if code[position + 1] in ts.WORDS | {js.PREFIX} and code[position + 2 : position + 3] in _SPECIFIER_ENDS:
            end = position + 2  # also `export { a as default }`
        else:
            end = self._walker.type_end(position + 1)
        self.marks[position], self.marks[position + 1] = js.BINARY, NAME
        self.lasts[position + 1] = end - 1
        return self._drop(position + 2, end)

    def _bang(self, position: int) -> int:
        code = self._code
        before = code[position - 1] if position else SEMICOLON
        if (
            not position
            or not self._ends_value(position - 1)
            or before == js.BLOCK_WORD
            or self._rows[position] > self._rows[position - 1]
        ):
            return position + 1
        if before == END_PAREN and code[self._partner[position - 1] - 1] == js.CONTROL:
            return position + 1
        return self._drop_after(position, position + 1)

    def _decorator(self, position: int) -> int:
        self.marks[position] = js.DECORATOR
        end = position + 1
        if self._code[end] == PAREN:
            return end
        end += 1
        while self._code[end] == js.DOT:
            end += 2
        return self._drop_after(position + 1, end)

    def _class(self, position: int) -> int:
        code = self._code
        following = position + 1
        if code[position - 1 : position] == bytes([js.DOT]):
            return following
        if code[following] in ts.WORDS and code[following] not in (js.EXTENDS, ts.IMPLEMENTS):
            following += 1
        if code[following] not in (BRACE, js.LESS, js.EXTENDS, ts.IMPLEMENTS):
            return position + 1
        self._frames[-1].begins_class = True
        if code[following] == js.LESS:
            following = self._drop(following, self._walker.angles_end(following))
        return following

    def _implements(self, position: int) -> int:
        if not self._frames[-1].begins_class:
            return position + 1
        return self._drop(position, self._walker.list_end(position + 1))

    def _is_declaration(self, position: int, *following: int, names: frozenset[int] = ts.WORDS) -> bool:
        """Whether a word, a name in the same row, and one of some tokens follow each other."""
        code, rows = self._code, self._rows
        if position + 2 >= len(code) or (position and code[position - 1] == js.DOT):
            return False
        return code[position + 1] in names and code[position + 2] in following and rows[position] == rows[position + 1]

    def _interface(self, position: int) -> int:
        code = self._code
        if not self._is_declaration(position, BRACE, js.LESS, js.EXTENDS):
            return position + 1
        end = position + 2
        if code[end] == js.LESS:
            end = self._walker.angles_end(end)
        if code[end] == js.EXTENDS:
            end = self._walker.list_end(end + 1)
        if code[end] != BRACE:
            raise UndecidedError
        return self._drop_statement(position, self._partner[end] + 1)

    def _alias(self, position: int) -> int:
        if not self._is_declaration(position, js.EQUALS, js.LESS):
            return position + 1
        end = position + 2
        if self._code[end] == js.LESS:
            end = self._walker.angles_end(end)
        if self._code[end] != js.EQUALS:
            raise UndecidedError
        return self._drop_statement(position, self._walker.type_end(end + 1))

    def _enum(self, position: int) -> int:
        if not self._is_declaration(position, BRACE):
            return position + 1
        return self._drop_statement(position, self._partner[position + 2] + 1)

    def _namespace(self, position: int) -> int:
        if not self._is_declaration(position, BRACE, js.DOT, names=ts.WORDS | {0}):
            self.marks[position] = NAME
        return position + 1

    def _modifier(self, position: int) -> int:
        code = self._code
        kind = self._frames[-1].kind
        following = code[position + 1] if position + 1 < len(code) else SEMICOLON
        if kind == _OBJECT or following not in _MEMBER_STARTS or (position and code[position - 1] == js.DOT):
            return position + 1
        if kind == _CLASS_BODY:
            self.marks[position] = js.STATIC
            return position + 1
        if following in (0, BRACE, SQUARE, js.STAR, ts.AS) or self._rows[position] != self._rows[position + 1]:
            return position + 1
        return self._drop(position, position + 1)
