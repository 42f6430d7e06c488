"""The call graph inside a file, and over the files of a project where they are at hand.

A call is resolved by its name, by what stands in front of it and by the number of its arguments, never by types:

* a bare name means a function outside of classes (Python, C), or a member of the classes around, the innermost that
  has it (Java);
* behind ``this``, ``self``, ``cls`` it is a member of the caller's class, behind ``super`` one of another class;
* behind the name of a class it is a member of that class, and ``new C(…)`` (in Python ``C(…)``) its constructor;
* a member that neither the class nor those around it have is taken from the other classes of the file: inherited.

A function of the same file comes before one of another. Where overloads take the same number of arguments, all of
them are called. Not followed: calls on variables and on results of calls (their type is not known), function
pointers, members inherited from another file, reflection. So the graph of a file may lack edges, and has more than
there are only where overloads are told apart by types, or an inherited member has a namesake.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import tree_sitter

from clonetruth.code.fragments import Function, extract
from clonetruth.code.language import Language
from clonetruth.code.languages import LANGUAGES
from clonetruth.code.parsing import Captures, Parsed
from clonetruth.errors import InputError

# Calls: what a text calls, by name, receiver and number of arguments, and how many its functions take.


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


_SUPER = ("super", "super()")
_NEAR = 0.5
"""A recorded range belongs to the function that it shares most lines with, at least this share of both."""


@dataclass(frozen=True)
class CallGraphFile:
    """A file of a project: its name within it, its text, and its language."""

    name: str
    text: str
    language: Language


@dataclass(frozen=True)
class Node:
    """A function in a file.

    Attributes:
        file: the position of its file.
        function: the function.
        arity: how many arguments it takes.
    """

    file: int
    function: Function
    arity: Arity


@dataclass(frozen=True, eq=False)
class CallGraph:
    """Who calls whom.

    Attributes:
        files: the files.
        nodes: their functions, file by file in order of appearance.
        callees: for every node the nodes that it calls, in order of their first call.
    """

    files: tuple[CallGraphFile, ...]
    nodes: tuple[Node, ...]
    callees: tuple[tuple[int, ...], ...]

    def find(self, file: str, first_line: int, last_line: int) -> int | None:
        """The function at a recorded range of lines, which may be some lines off; None where there is none."""
        best, found = 0.0, None
        for place in self._of_file.get(file, ()):
            function = self.nodes[place].function
            shared = min(last_line, function.last_line) - max(first_line, function.first_line) + 1
            longest = max(last_line - first_line, function.last_line - function.first_line) + 1
            if shared / longest > best:
                best, found = shared / longest, place
        return found if best >= _NEAR else None

    def reachable(self, entry: int, depth: int | None = None) -> tuple[int, ...]:
        """The function itself, then what it calls, what those call, and so on, each once.

        Args:
            entry: a node.
            depth: how many calls deep; all unless told.
        """
        seen = {entry: 0}
        queue = [entry]
        for node in queue:
            if depth is not None and seen[node] >= depth:
                continue
            for callee in self.callees[node]:
                if callee not in seen:
                    seen[callee] = seen[node] + 1
                    queue.append(callee)
        return tuple(queue)

    def expand(self, entry: int, depth: int | None = None) -> tuple[str, int]:
        """The text of a function with all that it calls behind it, and how many functions these are.

        A function that stands within another one of them is not repeated.
        """
        reached = [self.nodes[place] for place in self.reachable(entry, depth)]
        outer = [
            node
            for node in reached
            if not any(other is not node and _holds(other, node) for other in reached)
            or node is reached[0]  # the entry stays first, also where it is called by the function around it
        ]
        return "\n\n".join(node.function.text for node in outer), len(outer)

    @cached_property
    def _of_file(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = defaultdict(list)
        for place, node in enumerate(self.nodes):
            places[self.files[node.file].name].append(place)
        return places


def call_graph(files: Sequence[CallGraphFile]) -> CallGraph:
    """The call graph of one file, or of the files of one project.

    Raises:
        InputError: a file is of a language whose calls we cannot read.
    """
    nodes: list[Node] = []
    facts: list[CallFacts] = []
    for number, file in enumerate(files):
        if not file.language.calls:
            able = ", ".join(LANGUAGES[name].title for name in LANGUAGES if LANGUAGES[name].calls)
            raise InputError(
                f"There is no call graph for {file.language.title}.", where=file.name, hint=f"There is one for: {able}."
            )
        extraction = extract(file.text, file.language)
        facts.append(call_facts(extraction.parsed, extraction.functions))
        nodes += [
            Node(number, function, arity)
            for function, arity in zip(extraction.functions, facts[-1].arities, strict=True)
        ]
    resolver = _Resolver(files, nodes)
    callees = [
        dict.fromkeys(
            target
            for call in facts[node.file].within(node.function)
            for target in resolver.targets(call, node)
            if target != place
        )
        for place, node in enumerate(nodes)
    ]
    return CallGraph(tuple(files), tuple(nodes), tuple(map(tuple, callees)))


def _holds(outer: Node, inner: Node) -> bool:
    return (
        outer.file == inner.file
        and outer.function.start <= inner.function.start
        and inner.function.end <= outer.function.end
    )


class _Resolver:
    """Finds the functions that a call may mean."""

    def __init__(self, files: Sequence[CallGraphFile], nodes: Sequence[Node]) -> None:
        self._files = files
        self._nodes = nodes
        self._named: dict[str, list[int]] = defaultdict(list)
        for place, node in enumerate(nodes):
            self._named[node.function.name].append(place)

    def targets(self, call: Call, caller: Node) -> list[int]:
        """The functions, those of the nearest place that has any."""
        for candidates in self._circles(call, caller):
            fitting = [place for place in candidates if self._fits(call, self._nodes[place])]
            if fitting:
                return fitting
        return []

    def _circles(self, call: Call, caller: Node) -> Iterator[list[int]]:
        """Candidates, from the nearest place to the farthest."""
        path = caller.function.class_path
        own_names = self._files[caller.file].language.own_names
        if call.reach is Reach.MEMBER:
            here = self._here(call.name, caller)
            for depth in range(len(path), -1, -1):
                yield [place for place in here if self._path(place) == path[:depth]]
            yield here
        elif call.reach is Reach.OWN:
            yield [place for place in self._here(path[-1] if path else "", caller) if self._path(place) == path]
        elif call.reach is Reach.TYPE:
            yield from self._members(call.name, call.name, caller)
        elif call.reach is Reach.FUNCTION:
            yield from self._functions(call, caller)
        elif call.receiver is not None and (call.receiver in _SUPER or call.receiver.encode() in own_names):
            here = self._here(call.name, caller)
            if call.receiver not in _SUPER:
                yield [place for place in here if self._path(place) == path]
            yield [place for place in here if self._path(place) and self._path(place) != path]
        else:
            yield from self._members(call.receiver or "", call.name, caller)

    def _functions(self, call: Call, caller: Node) -> Iterator[list[int]]:
        """Functions outside of classes, or constructors of a class of that name."""
        constructor = self._files[caller.file].language.constructor
        makers = list(self._members(call.name, constructor, caller)) if constructor else [[], []]
        outside = [place for place in self._named[call.name] if not self._path(place)]
        near = [place for place in outside if self._nodes[place].file == caller.file]
        yield near + makers[0]
        yield outside + makers[1]

    def _members(self, scope: str, name: str, caller: Node) -> Iterator[list[int]]:
        """Members of a class by its name: of this file, then of any."""
        found = [place for place in self._named[name] if self._path(place)[-1:] == (scope,)]
        yield [place for place in found if self._nodes[place].file == caller.file]
        yield found

    def _here(self, name: str, caller: Node) -> list[int]:
        return [place for place in self._named[name] if self._nodes[place].file == caller.file]

    def _path(self, place: int) -> tuple[str, ...]:
        return self._nodes[place].function.class_path

    def _fits(self, call: Call, node: Node) -> bool:
        if node.arity.takes(call.arguments):
            return True
        # Behind the name of its class, a method is handed the object, too.
        handed = call.reach is Reach.NAMED and node.arity.bound and call.arguments is not None
        return handed and node.arity.takes((call.arguments or 0) - 1)
