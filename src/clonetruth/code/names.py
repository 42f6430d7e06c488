"""Who is called what: every name in a text with the part that it plays there.

A language says in its `names` query which nodes declare variables, types and functions, which are called, and
which stay out of it. The rest is one rule for all languages, by name and not by scope (as Li et al. do it):
two variables of one name share a number, wherever they live.

An identifier that is not marked otherwise is, in this order: a type declared in the text, a function declared
in the text, a variable declared in the text, a type that is used elsewhere in the text, a called function, or
free. A language whose functions or types have name spaces of their own (Java) marks them with ``@keep`` as
well, so that a method ``size()`` does not take the variable ``size`` with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from clonetruth.code.parsing import Captures, Parsed


class NamePart(Enum):
    """The part that a name plays."""

    VARIABLE = auto()
    OWN_TYPE = auto()
    TYPE = auto()
    FUNCTION = auto()
    FREE = auto()  # refers to something that the text does not declare
    KEPT = auto()  # a member of another object, a label, an annotation, an import …


@dataclass(frozen=True, slots=True)
class Name:
    """A name at a place.

    Args:
        text: the name, without the ``#`` of a private member.
        start, end: its bytes in the parsed source, the ``#`` left out.
        part: the part it plays.
        declared: it stands in a declaration.
        called: it is called.
        shorthand: it is key and value at once (``{a}`` in JavaScript).
    """

    text: str
    start: int
    end: int
    part: NamePart
    declared: bool
    called: bool
    shorthand: bool


class _Mark:
    """What the query says about a node, as plain numbers: an `IntFlag` takes many times as long, and is asked often."""

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

_Place = tuple[int, int]


def names_of(parsed: Parsed) -> list[Name]:
    """Every name in a text, in order of appearance."""
    return names_in(parsed, name_captures(parsed))


def name_captures(parsed: Parsed) -> Captures:
    """What the names query of its language says about a text, with all identifiers."""
    return parsed.captures(parsed.language.names + "\n(identifier) @identifier")


def names_in(parsed: Parsed, captures: Captures) -> list[Name]:
    """Every name in a text, in order of appearance, from what its names query has captured."""
    marks: dict[_Place, int] = {}
    for capture, nodes in captures.items():
        mark = _MARKS.get(capture)
        if mark is not None:
            for node in nodes:
                place = node.start_byte, node.end_byte
                marks[place] = marks.get(place, 0) | mark
    words = {place: parsed.source[place[0] : place[1]].lstrip(b"#") for place in marks}
    book = _Book(marks, words, parsed.language.own_names)
    return [
        Name(
            text=words[place].decode("utf-8", errors="replace"),
            start=place[1] - len(words[place]),
            end=place[1],
            part=book.part(words[place], mark),
            declared=bool(mark & _DECLARES),
            called=bool(mark & _Mark.CALL),
            shorthand=bool(mark & _Mark.SHORTHAND),
        )
        for place, mark in sorted(marks.items())
    ]


class _Book:
    """Which words are what, over the whole text."""

    def __init__(self, marks: dict[_Place, int], words: dict[_Place, bytes], own: frozenset[bytes]) -> None:
        def marked(wanted: int, without: int = 0) -> set[bytes]:
            return {words[place] for place, mark in marks.items() if mark & wanted and not mark & without}

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
            return self._apart(word, mark)
        return self._identifier(word, mark)

    def _apart(self, word: bytes, mark: int) -> NamePart:
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
