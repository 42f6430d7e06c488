"""Types of inputs, the same for all languages, written like `list[int32]`, `ListNode{val: int, next: ListNode?}`,
`Colour<RED, GREEN>` for an enumeration, `choice["r", "w"]` for one of some values, `union[int, str]` for one of some
types, or `record{id: int, note: union[str, default]}` for a map with these keys. A class or method whose name is a word
of this notation is written with an apostrophe: `'set{key: int}`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from clonetruth.parsing import parse_json

_SCALARS = ("int", "float", "decimal", "bool", "str", "char", "bytes", "none", "any", "default", "path")
_OF_MANY = ("tuple", "union")
_CONTAINERS = {"list": 1, "set": 1, "map": 2, "iterator": 1, "function": 1, "procedure": 1}
TEMPORAL = ("date", "datetime", "time", "duration")
_TOKEN = re.compile(r"""\s*('?[A-Za-z_]\w*|[\[\]{}<>,:?]|-?\d+|"(?:[^"\\]|\\.)*")""")
_NUMBER = re.compile(r"(u?)(int|float)(8|16|32|64)?")
_WORDS = frozenset({*_SCALARS, *_OF_MANY, *_CONTAINERS, *TEMPORAL, "choice", "record"})


@dataclass(frozen=True)
class InputType:
    """A type of values that can be made.

    Attributes:
        kind: int, float, decimal, bool, str, char, bytes, none, any, list, set, map, iterator, tuple, object; or ref,
            an object that contains this one, by name; function, whose results matter (and, where it compares two
            values, `order`, `equality` or `comparison` behind them); procedure, whose calls do, too;
            default, an argument that is left out; date, datetime, time, duration; path; enum, a member of a class;
            choice, one of some values; union, one of some types; record, a map whose keys are known, of which a
            union with `default` may be left out.
        inner: the types of what is inside: of elements, of key and value, of the parts of a tuple, of results.
        bits: of a number; 0: no limit.
        signed: whether a whole number can be negative.
        name: of a class.
        fields: of a class.
        optional: whether None is a value of the type.
        members: the names of an enumeration's members, or the values of a choice as JSON.
    """

    kind: str
    inner: tuple[InputType, ...] = ()
    bits: int = 0
    signed: bool = True
    name: str = ""
    fields: tuple[tuple[str, InputType], ...] = ()
    optional: bool = False
    members: tuple[str, ...] = ()

    def __str__(self) -> str:
        mark = "?" if self.optional else ""
        if self.kind == "ref":
            return _as_class(self.name) + mark
        if self.kind in ("object", "record"):
            fields = ", ".join(f"{name}: {inner}" for name, inner in self.fields)
            return f"{_as_class(self.name) or self.kind}{{{fields}}}{mark}"
        if self.members:
            opening, closing = "<>" if self.kind == "enum" else "[]"
            return f"{_as_class(self.name) or self.kind}{opening}{', '.join(self.members)}{closing}{mark}"
        head = f"{'' if self.signed else 'u'}{self.kind}{self.bits or ''}"
        return f"{head}[{', '.join(map(str, self.inner))}]{mark}" if self.inner or self.kind == "tuple" else head + mark


@lru_cache(4096)
def parse_type(text: str) -> InputType:
    """The type that a text says.

    Example:
        >>> parse_type("map[str, list[int32]]").inner[1].inner[0].bits
        32

    Raises:
        ValueError: it says none.
    """
    tokens = []
    position, text = 0, text.strip()
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise ValueError(f"not a type: {text!r}")
        tokens.append(found[1])
        position = found.end()
    reader = _Reader(text, tokens)
    parsed = reader.read_type()
    if reader.tokens:
        raise ValueError(f"not a type: {text!r}")
    return parsed


class _Reader:
    def __init__(self, text: str, tokens: list[str]) -> None:
        self.text, self.tokens = text, tokens

    def take(self, expected: str = "") -> str:
        if not self.tokens or (expected and self.tokens[0] != expected):
            raise ValueError(f"not a type: {self.text!r}")
        return self.tokens.pop(0)

    def next_is(self, token: str) -> bool:
        return bool(self.tokens) and self.tokens[0] == token

    def read_type(self) -> InputType:
        name = self.take()
        number = _NUMBER.fullmatch(name)
        is_class, name = name.startswith("'"), name.removeprefix("'")
        if is_class:
            parsed = self.read_class(name)
        elif number:
            parsed = InputType(number[2], bits=int(number[3] or 0), signed=not number[1])
        elif name == "choice":
            parsed = InputType(name, members=tuple(map(_checked_member, self.read_members("[", "]"))))
        elif name in _SCALARS or name in TEMPORAL:
            parsed = InputType(name)
        elif name in _CONTAINERS or name in _OF_MANY:
            parsed = InputType(name, self.read_inner(name))
        elif name == "record" and self.next_is("{"):
            parsed = InputType("record", fields=self.read_fields())
        elif re.match(r"[A-Za-z_]", name):
            parsed = self.read_class(name)
        else:
            raise ValueError(f"not a type: {self.text!r}")
        if self.next_is("?"):
            self.take()
            parsed = replace(parsed, optional=True)
        return parsed

    def read_class(self, name: str) -> InputType:
        if self.next_is("{"):
            return InputType("object", name=name, fields=self.read_fields())
        if self.next_is("<"):
            return InputType("enum", name=name, members=self.read_members("<", ">"))
        return InputType("ref", name=name)

    def read_inner(self, name: str) -> tuple[InputType, ...]:
        inner = []
        self.take("[")
        while not self.next_is("]"):
            inner.append(self.read_type())
            if not self.next_is("]"):
                self.take(",")
        self.take("]")
        # What a function compares by may follow its result.
        most = 2 if name == "function" else _CONTAINERS.get(name, len(inner))
        if name not in _OF_MANY and not _CONTAINERS[name] <= len(inner) <= most:
            raise ValueError(f"not a type: {self.text!r}")
        return tuple(inner)

    def read_members(self, opening: str, closing: str) -> tuple[str, ...]:
        members: list[str] = []
        self.take(opening)
        while not members or self.next_is(","):
            if members:
                self.take(",")
            members.append(self.take())
        self.take(closing)
        return tuple(members)

    def read_fields(self) -> tuple[tuple[str, InputType], ...]:
        fields = []
        self.take("{")
        while not self.next_is("}"):
            name = self.take()
            self.take(":")
            fields.append((name, self.read_type()))
            if not self.next_is("}"):
                self.take(",")
        self.take("}")
        return tuple(fields)


def _as_class(name: str) -> str:
    """The name of a class as a type has it."""
    return f"'{name}" if name in _WORDS or _NUMBER.fullmatch(name) else name


def _checked_member(text: str) -> str:
    if not isinstance(parse_json(text), str | int | None):
        raise ValueError(f"not a value of a choice: {text}")
    return text
