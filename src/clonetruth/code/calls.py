"""Calls: what a text calls, by name, receiver and number of arguments, and how many its functions take."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum

import tree_sitter

from clonetruth.code.fragments import Function
from clonetruth.code.parsing import Captures, Parsed


class Reach(Enum):
    """Where the called function may stand, as the call is written."""

    FUNCTION = "call.function"  # outside of classes
    MEMBER = "call.member"  # in one of the classes around
    NAMED = "call.named"  # a member of what stands in front of the dot
    TYPE = "call.type"  # a constructor of that class
    OWN = "call.own"  # another constructor of the same class


@dataclass(frozen=True, slots=True)
class Call:
    """A call.

    Attributes:
        reach: how it is written.
        name: the name that is called.
        receiver: what stands in front of the dot, if anything does.
        arguments: how many it hands over; None where that cannot be counted.
        start: its place: the first byte of the name.
    """

    reach: Reach
    name: str
    receiver: str | None
    arguments: int | None
    start: int


@dataclass(frozen=True, slots=True)
class Arity:
    """How many arguments a function takes, the object itself (``self``) not counted.

    Attributes:
        least: the fewest.
        most: the most; None for any number.
        bound: its first parameter is the object itself.
    """

    least: int = 0
    most: int | None = None
    bound: bool = False

    def takes(self, arguments: int | None) -> bool:
        """Whether a call with so many arguments can mean the function."""
        return arguments is None or (self.least <= arguments and (self.most is None or arguments <= self.most))


@dataclass(frozen=True)
class CallFacts:
    """What the calls of a text can be resolved by.

    Attributes:
        calls: all calls, by place.
        arities: one for each of the functions.
    """

    calls: tuple[Call, ...]
    arities: tuple[Arity, ...]

    def within(self, function: Function) -> tuple[Call, ...]:
        """The calls that stand in a function."""
        first = bisect_left(self.calls, function.start, key=lambda call: call.start)
        last = bisect_left(self.calls, function.end, key=lambda call: call.start)
        return self.calls[first:last]


def call_facts(parsed: Parsed, functions: tuple[Function, ...]) -> CallFacts:
    """The calls of a text whose language has a `calls` query, and what its functions take."""
    matches = parsed.matches(parsed.language.calls)
    marks = {(name, node.id) for captures in matches for name, nodes in captures.items() for node in nodes}
    calls = [call for captures in matches if (call := _call(captures, marks)) is not None]
    lists = sorted((node for captures in matches for node in captures.get("parameters", ())), key=_start)
    starts = [node.start_byte for node in lists]
    arities = []
    for function in functions:
        # The first list in a function is its own; the others are of functions within it.
        at = bisect_left(starts, function.start)
        own = at < len(lists) and starts[at] < function.end
        arities.append(_arity(lists[at], marks, parsed.language.own_names) if own else Arity())
    return CallFacts(tuple(sorted(calls, key=lambda call: call.start)), tuple(arities))


def _start(node: tree_sitter.Node) -> int:
    return node.start_byte


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", errors="replace")


def _entries(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """What a list holds, comments left out."""
    return [child for child in node.named_children if not child.is_extra]


def _call(captures: Captures, marks: set[tuple[str, int]]) -> Call | None:
    for reach in Reach:
        for name in captures.get(reach.value, ()):
            given = [child for node in captures.get("call.arguments", ()) for child in _entries(node)]
            counted = "call.arguments" in captures and not any(("argument.rest", one.id) in marks for one in given)
            receiver = next((_text(node) for node in captures.get("call.object", ())), None)
            return Call(reach, _text(name), receiver, len(given) if counted else None, name.start_byte)
    return None


def _arity(parameters: tree_sitter.Node, marks: set[tuple[str, int]], own_names: frozenset[bytes]) -> Arity:
    least, most, rest, bound = 0, 0, False, False
    for place, entry in enumerate(_entries(parameters)):
        if ("parameter.none", entry.id) in marks:
            continue
        if place == 0 and entry.text in own_names:
            bound = True
        elif ("parameter.rest", entry.id) in marks:
            rest = True
        else:
            least += ("parameter.optional", entry.id) not in marks
            most += 1
    return Arity(least, None if rest else most, bound)
