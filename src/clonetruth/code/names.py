"""Every name in a text, with its role.

The `names` query of a language captures the nodes that declare variables, types and functions, that are called, and
that are kept. The rest is one rule for all languages, by name and not by scope (as in Li et al.): two variables with
one name share a number, whatever their scopes.

An identifier that is not marked otherwise is, in this order: a type declared in the text, a function declared
in the text, a variable declared in the text, a type that is used elsewhere in the text, a called function, or
free. A language whose functions or types have separate name spaces (Java) marks them with ``@keep`` as well, so
that a method ``size()`` does not rename the variable ``size``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from clonetruth.code.parsing import Captures, Parsed, Span


class NamePart(Enum):
    """The role of a name."""

    VARIABLE = auto()
    OWN_TYPE = auto()
    TYPE = auto()
    FUNCTION = auto()
    FREE = auto()  # refers to something that the text does not declare
    KEPT = auto()  # a member of another object, a label, an annotation, an import …


@dataclass(frozen=True, slots=True)
class Name:
    """A name at a position.

    Args:
        text: the name, without the ``#`` of a private member.
        start, end: its bytes in the parsed source, without the ``#``.
        part: its role.
        declared: whether it is in a declaration.
        called: whether it is called.
        shorthand: whether it is key and value at once (``{a}`` in JavaScript).
    """

    text: str
    start: int
    end: int
    part: NamePart
    declared: bool
    called: bool
    shorthand: bool


class _Mark:
    """What the query captures about a node, as plain integers: an `IntFlag` is many times slower."""

    IDENTIFIER = 1 << 0
    VARIABLE = 1 << 1
    FIELD = 1 << 2
    OWN_TYPE = 1 << 3
    OWN_FUNCTION = 1 << 4
    OWN_MEMBER = 1 << 5
    TYPE = 1 << 6
    CALL = 1 << 7
    KEEP = 1 << 8
    FIXED = 1 << 9
    SHORTHAND = 1 << 10


_MARKS = {name.lower().replace("own_", "own."): mark for name, mark in vars(_Mark).items() if isinstance(mark, int)}
_DECLARES = _Mark.VARIABLE | _Mark.FIELD | _Mark.OWN_TYPE | _Mark.OWN_FUNCTION


def names_of(parsed: Parsed) -> list[Name]:
    """Return every name in a text, in order of appearance."""
    return names_in(parsed, name_captures(parsed))


def name_captures(parsed: Parsed) -> Captures:
    """Return the captures of the names query of a text's language, with all identifiers."""
    return parsed.captures(f"{parsed.language.names}\n{parsed.language.identifiers}")


def names_in(parsed: Parsed, captures: Captures) -> list[Name]:
    """Return every name in a text, in order of appearance, from the captures of its names query."""
    marks: dict[Span, int] = {}
    for capture, nodes in captures.items():
        mark = _MARKS.get(capture)
        if mark is not None:
            for node in nodes:
                span = node.start_byte, node.end_byte
                marks[span] = marks.get(span, 0) | mark
    words = {span: parsed.source[span[0] : span[1]].lstrip(b"#") for span in marks}
    roles = _Roles(marks, words, parsed.language.own_names)
    return [
        Name(
            text=words[span].decode("utf-8", errors="replace"),
            start=span[1] - len(words[span]),
            end=span[1],
            part=roles.part(words[span], mark),
            declared=bool(mark & _DECLARES),
            called=bool(mark & _Mark.CALL),
            shorthand=bool(mark & _Mark.SHORTHAND),
        )
        for span, mark in sorted(marks.items())
    ]


class _Roles:
    """The roles of words over the whole text."""

    def __init__(self, marks: dict[Span, int], words: dict[Span, bytes], own: frozenset[bytes]) -> None:
        def marked(wanted: int, without: int = 0) -> set[bytes]:
            return {words[span] for span, mark in marks.items() if mark & wanted and not mark & without}

        self.fixed = own | marked(_Mark.FIXED)
        self.fields = marked(_Mark.FIELD, _Mark.OWN_FUNCTION)
        self.variables = marked(_Mark.VARIABLE | _Mark.FIELD, _Mark.OWN_FUNCTION)
        self.functions = marked(_Mark.OWN_FUNCTION)
        self.own_types = marked(_Mark.OWN_TYPE)
        self.types = marked(_Mark.TYPE)
        # The names that share a name space with variables.
        self.shared_functions = marked(_Mark.OWN_FUNCTION, _Mark.KEEP)
        self.shared_types = marked(_Mark.OWN_TYPE, _Mark.KEEP)
        self.shared_calls = marked(_Mark.CALL, _Mark.KEEP)

    def part(self, word: bytes, mark: int) -> NamePart:
        if word in self.fixed:
            return NamePart.KEPT
        if mark & _Mark.OWN_FUNCTION:
            return NamePart.FUNCTION
        if mark & _Mark.OWN_TYPE:
            return NamePart.OWN_TYPE
        if mark & _Mark.FIELD:
            return NamePart.VARIABLE
        if mark & _Mark.OWN_MEMBER:
            if word in self.fields:
                return NamePart.VARIABLE
            return NamePart.FUNCTION if mark & _Mark.CALL or word in self.functions else NamePart.KEPT
        if mark & _Mark.KEEP or not mark & (_Mark.IDENTIFIER | _Mark.SHORTHAND | _Mark.VARIABLE):
            return self._separate(word, mark)
        return self._identifier(word, mark)

    def _separate(self, word: bytes, mark: int) -> NamePart:
        if mark & _Mark.TYPE:
            return NamePart.OWN_TYPE if word in self.own_types else NamePart.TYPE
        return NamePart.FUNCTION if mark & _Mark.CALL else NamePart.KEPT

    def _identifier(self, word: bytes, mark: int) -> NamePart:
        if word in self.shared_types:
            return NamePart.OWN_TYPE
        if word in self.shared_functions:
            return NamePart.FUNCTION
        if word in self.variables:
            return NamePart.VARIABLE
        if word in self.own_types:
            return NamePart.OWN_TYPE
        if word in self.types:
            return NamePart.TYPE
        if mark & _Mark.CALL or word in self.shared_calls:
            return NamePart.FUNCTION
        return NamePart.FREE
