"""The call graph of a file, or of the files of a project.

A call is resolved by its name, its receiver and the number of its arguments, never by types:

* a bare name is a function outside of classes (Python, C), or a member of the innermost enclosing class that has it
  (Java);
* after ``this``, ``self``, ``cls`` it is a member of the caller's class, after ``super`` one of another class;
* after the name of a class it is a member of that class, and ``new C(…)`` (in Python ``C(…)``) is its constructor;
* a member that neither the class nor an enclosing class has is taken from the other classes of the file: inherited.

A function of the same file takes precedence over one of another file. If several overloads take the same number of
arguments, all of them are called. Not followed: calls on variables and on results of calls (their type is not known),
function pointers, members inherited from another file, reflection. So the graph of a file may lack edges; it has
superfluous ones only if overloads differ by types alone, or an inherited member has a namesake.
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

# The calls of a text, and the arity of its functions.


class CallForm(Enum):
    """How a call is written, which says where the called function may be."""

    FUNCTION = "call.function"  # outside of classes
    MEMBER = "call.member"  # in one of the enclosing classes
    NAMED = "call.named"  # a member of the receiver, before the dot
    TYPE = "call.type"  # a constructor of that class
    OWN = "call.own"  # another constructor of the same class


@dataclass(frozen=True, slots=True)
class Call:
    """A call.

    Attributes:
        form: how it is written.
        name: the name of the called function.
        receiver: the text before the dot, if there is a dot.
        arguments: the number of arguments; None if they cannot be counted.
        start: the first byte of the name.
    """

    form: CallForm
    name: str
    receiver: str | None
    arguments: int | None
    start: int


@dataclass(frozen=True, slots=True)
class Arity:
    """How many arguments a function takes, not counting the object itself (``self``).

    Attributes:
        least: the minimum.
        most: the maximum; None for any number.
        bound: whether its first parameter is the object itself.
    """

    least: int = 0
    most: int | None = None
    bound: bool = False

    def takes(self, arguments: int | None) -> bool:
        """Whether a call with this number of arguments can mean the function."""
        return arguments is None or (self.least <= arguments and (self.most is None or arguments <= self.most))


@dataclass(frozen=True)
class CallFacts:
    """The calls of a text, and what its functions take.

    Attributes:
        calls: all calls, in order of position.
        arities: the arity of each function.
    """

    calls: tuple[Call, ...]
    arities: tuple[Arity, ...]

    def within(self, function: Function) -> tuple[Call, ...]:
        """The calls inside a function."""
        first = bisect_left(self.calls, function.start, key=lambda call: call.start)
        last = bisect_left(self.calls, function.end, key=lambda call: call.start)
        return self.calls[first:last]


def call_facts(parsed: Parsed, functions: tuple[Function, ...]) -> CallFacts:
    """Return the calls of a text whose language has a `calls` query, and the arities of its functions."""
    matches = parsed.matches(parsed.language.calls)
    marks = {(name, node.id) for captures in matches for name, nodes in captures.items() for node in nodes}
    calls = [call for captures in matches if (call := _call(captures, marks)) is not None]
    lists = sorted((node for captures in matches for node in captures.get("parameters", ())), key=_start)
    starts = [node.start_byte for node in lists]
    arities = []
    for function in functions:
        # The first list in a function is its own; the others belong to functions inside it.
        at = bisect_left(starts, function.start)
        own = at < len(lists) and starts[at] < function.end
        arities.append(_arity(lists[at], marks, parsed.language.own_names) if own else Arity())
    return CallFacts(tuple(sorted(calls, key=lambda call: call.start)), tuple(arities))


def _start(node: tree_sitter.Node) -> int:
    return node.start_byte


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", errors="replace")


def _entries(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The entries of a list, without comments."""
    return [child for child in node.named_children if not child.is_extra]


def _call(captures: Captures, marks: set[tuple[str, int]]) -> Call | None:
    for form in CallForm:
        for name in captures.get(form.value, ()):
            arguments = [child for node in captures.get("call.arguments", ()) for child in _entries(node)]
            counted = "call.arguments" in captures and not any(
                ("argument.rest", node.id) in marks for node in arguments
            )
            receiver = next((_text(node) for node in captures.get("call.object", ())), None)
            return Call(form, _text(name), receiver, len(arguments) if counted else None, name.start_byte)
    return None


def _arity(parameters: tree_sitter.Node, marks: set[tuple[str, int]], own_names: frozenset[bytes]) -> Arity:
    least, most, rest, bound = 0, 0, False, False
    for position, entry in enumerate(_entries(parameters)):
        if ("parameter.none", entry.id) in marks:
            continue
        if position == 0 and entry.text in own_names:
            bound = True
        elif ("parameter.rest", entry.id) in marks:
            rest = True
        else:
            least += ("parameter.optional", entry.id) not in marks
            most += 1
    return Arity(least, None if rest else most, bound)


# The graph.

_SUPER = ("super", "super()")
_MIN_LINE_OVERLAP = 0.5
"""A recorded range belongs to the function that it shares most lines with, at least this share of both."""


@dataclass(frozen=True)
class CallGraphFile:
    """A file of a project: its name in the project, its text, and its language."""

    name: str
    text: str
    language: Language


@dataclass(frozen=True)
class Node:
    """A function in a file.

    Attributes:
        file: the index of its file.
        function: the function.
        arity: how many arguments it takes.
    """

    file: int
    function: Function
    arity: Arity


@dataclass(frozen=True, eq=False)
class CallGraph:
    """Which functions call which.

    Attributes:
        files: the files.
        nodes: their functions, file by file in order of appearance.
        callees: for each node, the nodes that it calls, in order of the first call.
    """

    files: tuple[CallGraphFile, ...]
    nodes: tuple[Node, ...]
    callees: tuple[tuple[int, ...], ...]

    def find(self, file: str, first_line: int, last_line: int) -> int | None:
        """Return the function at a recorded line range, which may be a few lines off; None if there is none."""
        best, nearest = 0.0, None
        for node in self._nodes_by_file.get(file, ()):
            function = self.nodes[node].function
            shared = min(last_line, function.last_line) - max(first_line, function.first_line) + 1
            longest = max(last_line - first_line, function.last_line - function.first_line) + 1
            if shared / longest > best:
                best, nearest = shared / longest, node
        return nearest if best >= _MIN_LINE_OVERLAP else None

    def reachable(self, entry: int, depth: int | None = None) -> tuple[int, ...]:
        """Return the function itself, then the functions that it calls, those that they call, and so on, each once.

        Args:
            entry: a node.
            depth: the maximum number of calls to follow in a row (default: no limit).
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
        """Return the text of a function followed by all functions that it calls, and the number of functions.

        A function that is nested in another one of them is not repeated.
        """
        reached = [self.nodes[node] for node in self.reachable(entry, depth)]
        outer = [
            node
            for node in reached
            if not any(other is not node and _holds(other, node) for other in reached)
            or node is reached[0]  # the entry stays first, even if the function around it calls it
        ]
        return "\n\n".join(node.function.text for node in outer), len(outer)

    @cached_property
    def _nodes_by_file(self) -> dict[str, list[int]]:
        nodes: dict[str, list[int]] = defaultdict(list)
        for index, node in enumerate(self.nodes):
            nodes[self.files[node.file].name].append(index)
        return nodes


def call_graph(files: Sequence[CallGraphFile]) -> CallGraph:
    """Build the call graph of one file, or of the files of one project.

    Raises:
        InputError: a file is in a language without call graphs.
    """
    nodes: list[Node] = []
    facts: list[CallFacts] = []
    for number, file in enumerate(files):
        if not file.language.calls:
            supported = ", ".join(LANGUAGES[name].title for name in LANGUAGES if LANGUAGES[name].calls)
            raise InputError(
                f"Call graphs are not supported for {file.language.title}.",
                where=file.name,
                hint=f"Supported languages: {supported}.",
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
            if target != index
        )
        for index, node in enumerate(nodes)
    ]
    return CallGraph(tuple(files), tuple(nodes), tuple(map(tuple, callees)))


def _holds(outer: Node, inner: Node) -> bool:
    return (
        outer.file == inner.file
        and outer.function.start <= inner.function.start
        and inner.function.end <= outer.function.end
    )


class _Resolver:
    """Resolves calls to functions."""

    def __init__(self, files: Sequence[CallGraphFile], nodes: Sequence[Node]) -> None:
        self._files = files
        self._nodes = nodes
        self._by_name: dict[str, list[int]] = defaultdict(list)
        for index, node in enumerate(nodes):
            self._by_name[node.function.name].append(index)

    def targets(self, call: Call, caller: Node) -> list[int]:
        """The functions that a call may mean, from the nearest scope that has any."""
        for candidates in self._scopes(call, caller):
            matching = [node for node in candidates if self._accepts(self._nodes[node], call)]
            if matching:
                return matching
        return []

    def _scopes(self, call: Call, caller: Node) -> Iterator[list[int]]:
        """Candidates, from the nearest scope to the farthest."""
        path = caller.function.class_path
        own_names = self._files[caller.file].language.own_names
        if call.form is CallForm.MEMBER:
            same_file = self._in_file(call.name, caller)
            for depth in range(len(path), -1, -1):
                yield [node for node in same_file if self._path(node) == path[:depth]]
            yield same_file
        elif call.form is CallForm.OWN:
            yield [node for node in self._in_file(path[-1] if path else "", caller) if self._path(node) == path]
        elif call.form is CallForm.TYPE:
            yield from self._members(call.name, call.name, caller)
        elif call.form is CallForm.FUNCTION:
            yield from self._functions(call, caller)
        elif call.receiver is not None and (call.receiver in _SUPER or call.receiver.encode() in own_names):
            same_file = self._in_file(call.name, caller)
            if call.receiver not in _SUPER:
                yield [node for node in same_file if self._path(node) == path]
            yield [node for node in same_file if self._path(node) and self._path(node) != path]
        else:
            yield from self._members(call.receiver or "", call.name, caller)

    def _functions(self, call: Call, caller: Node) -> Iterator[list[int]]:
        """Functions outside of classes, or constructors of a class of that name."""
        constructor = self._files[caller.file].language.constructor
        constructors = list(self._members(call.name, constructor, caller)) if constructor else [[], []]
        outside = [node for node in self._by_name[call.name] if not self._path(node)]
        near = [node for node in outside if self._nodes[node].file == caller.file]
        yield near + constructors[0]
        yield outside + constructors[1]

    def _members(self, scope: str, name: str, caller: Node) -> Iterator[list[int]]:
        """Members of a class by its name: in this file, then in any."""
        members = [node for node in self._by_name[name] if self._path(node)[-1:] == (scope,)]
        yield [node for node in members if self._nodes[node].file == caller.file]
        yield members

    def _in_file(self, name: str, caller: Node) -> list[int]:
        return [node for node in self._by_name[name] if self._nodes[node].file == caller.file]

    def _path(self, node: int) -> tuple[str, ...]:
        return self._nodes[node].function.class_path

    def _accepts(self, node: Node, call: Call) -> bool:
        if node.arity.takes(call.arguments):
            return True
        # A method called on the name of its class gets the object as its first argument.
        unbound = call.form is CallForm.NAMED and node.arity.bound and call.arguments is not None
        return unbound and node.arity.takes((call.arguments or 0) - 1)
