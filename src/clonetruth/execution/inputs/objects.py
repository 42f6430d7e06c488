"""Objects that occur in several places of one input: the nodes of a graph, and the arguments that point into it.

A function on a graph gets nodes that link to each other, a map whose keys are pairs of nodes, a start that is one of
them. Arguments that are made one by one never meet; here they come from one small graph.

An object that occurs again has a name: `{"named": ["a", {"object": …}]}` where it is first written, `{"same": "a"}`
elsewhere; see `clonetruth.execution.values`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from clonetruth.execution.inputs.numbered_graphs import (
    MOST_NODES,
    NumberedGraph,
    ValueMaker,
    node_name,
    random_edges,
    vertex_type,
)
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import Value, value_key

_GRAPH_LINK = re.compile(
    r"succ|pred|neighbo|adj|edge|outgoing|incoming|outbound|inbound|outs?$|ins?$|link|connect|friend|follow|depend|next"
    r"|prev|parents|prerequisite|reach",
    re.IGNORECASE,
)
"""Fields that hold several others of the same class and make a graph of them; others (`children`) make a tree."""
_GRAPH_CLASS = re.compile(r"graph|vertex|vertice", re.IGNORECASE)
_BACKWARDS = re.compile(r"pred|incoming|inbound|ins?$|prev|parents|depend|prerequisite", re.IGNORECASE)
_IDENTITY = re.compile(r"^_*(val|value|data|key|id|name|label|number|num|index|item|info)$", re.IGNORECASE)
_SEVERAL = ("list", "set", "iterator", "tuple")
_TREE_ARGUMENTS = 3
_SCALARS = ("int", "str", "char")


def related_arguments(types: Sequence[InputType], maker: ValueMaker, random: Random) -> tuple[Value, ...] | None:
    """Arguments of one call that share objects, or the nodes of a graph; None if their types do not ask for that.

    Args:
        types: of the arguments.
        maker: makes what is not part of the graph.
        random: decides.
    """
    node = node_class(types)
    if node is not None:
        return _with_names(_Graph(node, maker, random).arguments(types))
    if _is_tree_with_parts(types):
        return _parts_of_first(types, maker, random)
    vertex = vertex_type(types)
    return None if vertex is None else NumberedGraph(vertex, maker, random).arguments(types)


def asks_for_relation(types: Sequence[InputType]) -> bool:
    """Whether `related_arguments` makes arguments of these types."""
    return node_class(types) is not None or _is_tree_with_parts(types) or vertex_type(types) is not None


def node_class(types: Sequence[InputType]) -> InputType | None:
    """The class whose objects are nodes of a graph: it links to several others of its class by a name that says so, or
    an object of another class, a key or a list of lists has two of them."""
    known = {one.name: one for one in _inside(types) if one.kind == "object"}
    for one in known.values():
        for name, kind in one.fields:
            is_many = kind.kind in _SEVERAL and any(
                inner.kind == "ref" and inner.name == one.name for inner in kind.inner
            )
            if is_many and (_GRAPH_LINK.search(name) or _GRAPH_CLASS.search(one.name)):
                return one
    for one in _inside(types):
        held = [kind.name for _, kind in one.fields if kind.kind == "object"]
        if one.kind in ("map", "list") and one.inner[0].kind in ("list", "tuple"):
            held = [kind.name for kind in one.inner[0].inner if kind.kind == "object"] * 2
        twice = next((name for name in held if held.count(name) > 1 and not _links_once(known[name])), None)
        if twice is not None:
            return known[twice]
    return None


def without_lost(arguments: tuple[Value, ...]) -> tuple[Value, ...]:
    """Arguments of which parts were taken away: lists, sets and maps without references to what is no longer there."""
    if b"same" not in value_key(arguments):
        return arguments
    known: set[str] = set()
    return tuple(_without_lost(one, known) for one in arguments)


def _without_lost(value: Value, known: set[str]) -> Value:
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "named":
        known.add(str(content[0]))
        return {"named": [content[0], _without_lost(content[1], known)]}
    if kind in _SEVERAL:
        inner = [_without_lost(one, known) for one in content]
        return {kind: inner if kind == "tuple" else [one for one in inner if not _is_lost(one, known)]}
    if kind == "map":
        entries = [[_without_lost(one, known) for one in entry] for entry in content]
        return {"map": [entry for entry in entries if not any(_is_lost(one, known) for one in entry)]}
    if kind == "object":
        return {"object": [content[0], [[name, _without_lost(one, known)] for name, one in content[1]]]}
    return value


def _is_lost(value: Value, known: set[str]) -> bool:
    return isinstance(value, dict) and "same" in value and value["same"] not in known


# -- graphs of objects ------------------------------------------------------------------------------------------------


@dataclass
class _Graph:
    """A small graph; each argument is a part of it.

    Attributes:
        node: the class of its nodes.
        maker: makes what is not part of it.
        random: decides.
    """

    node: InputType
    maker: ValueMaker
    random: Random
    edges: list[tuple[int, int]] = field(default_factory=list)
    plain: list[dict[str, Value]] = field(default_factory=list)
    written: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.count = self.random.choice([1, 2, 3, 3, 4, 4, MOST_NODES])
        self.edges = random_edges(self.count, self.random)
        is_distinct = self.random.random() < 0.9
        for number in range(self.count):
            self.plain.append(
                {
                    name: _identity(kind, number)
                    if is_distinct and _IDENTITY.search(name) and kind.kind in _SCALARS
                    else self.maker.value(kind, 1)
                    for name, kind in self.node.fields
                    if not self.is_node(kind) and not self.is_link(kind)
                }
            )

    def is_node(self, kind: InputType) -> bool:
        return kind.kind in ("object", "ref") and kind.name == self.node.name

    def is_link(self, kind: InputType) -> bool:
        return kind.kind in _SEVERAL and any(map(self.is_node, kind.inner))

    def has_nodes(self, kind: InputType) -> bool:
        return self.is_node(kind) or any(self.is_node(one) for one in _inside([kind]))

    def arguments(self, types: Sequence[InputType]) -> tuple[Value, ...]:
        found = []
        is_first = True
        for kind in types:
            if self.is_node(kind):
                found.append(self.written_node(0 if is_first else self.random.randrange(self.count)))
                is_first = False
            else:
                found.append(self.part(kind))
        return tuple(found)

    def written_node(self, number: int) -> Value:
        """A node with all that it links to; only its name if it was written before."""
        if number in self.written:
            return {"same": node_name(number)}
        self.written.add(number)
        fields: list[list[object]] = []
        for name, kind in self.node.fields:
            if self.is_link(kind):
                ends = self.ends(number, backwards=_BACKWARDS.search(name) is not None and self.links() > 1)
                fields.append([name, {kind.kind: [self.written_node(one) for one in ends]}])
            elif self.is_node(kind):
                ends = self.ends(number, backwards=_BACKWARDS.search(name) is not None)
                fields.append([name, self.written_node(ends[0]) if ends else None])
            else:
                fields.append([name, self.plain[number][name]])
        return {"named": [node_name(number), {"object": [self.node.name, fields]}]}

    def links(self) -> int:
        return sum(self.is_link(kind) for _, kind in self.node.fields)

    def ends(self, number: int, *, backwards: bool) -> list[int]:
        if backwards:
            return [start for start, end in self.edges if end == number]
        return [end for start, end in self.edges if start == number]

    def part(self, kind: InputType) -> Value:
        """What an argument of a type gets of the graph."""
        if not self.has_nodes(kind):
            return self.maker.value(kind)
        if self.is_node(kind):
            return self.written_node(self.random.randrange(self.count))
        if kind.kind == "map":
            return {"map": [[key, self.part(kind.inner[1])] for key in self.each(kind.inner[0])]}
        if kind.kind == "tuple":
            return {"tuple": [self.part(one) for one in kind.inner]}
        if kind.kind in _SEVERAL:
            return {kind.kind: self.each(kind.inner[0])}
        if kind.kind == "object":
            return self.edge_object(kind, [self.random.randrange(self.count) for _ in range(2)])
        return None

    def each(self, kind: InputType) -> list[Value]:
        """One value for each node, or for each edge where the type holds two nodes."""
        if self.is_node(kind):
            return [self.written_node(one) for one in range(self.count)]
        if kind.kind in ("list", "tuple"):
            return [{kind.kind: [self.written_node(one) for one in edge]} for edge in self.edges]
        if kind.kind == "object":
            return [self.edge_object(kind, edge) for edge in self.edges]
        return [self.part(kind)]

    def edge_object(self, kind: InputType, edge: Sequence[int]) -> Value:
        """An object of another class, whose first two nodes are those of an edge."""
        ends = iter(edge)
        fields = [
            [
                name,
                self.written_node(next(ends, 0)) if self.is_node(inner) else self.part(inner)
                if self.has_nodes(inner) else self.maker.value(inner, 1),
            ]
            for name, inner in kind.fields
        ]  # fmt: skip
        return {"object": [kind.name, fields]}


def _identity(kind: InputType, number: int) -> Value:
    """A value that tells a node from the others."""
    if kind.kind == "int":
        return {"int": str(number)}
    return {"char": node_name(number)} if kind.kind == "char" else node_name(number).upper()


def _with_names(arguments: tuple[Value, ...]) -> tuple[Value, ...]:
    """Arguments in which only objects that occur again have a name."""
    text = repr(arguments)
    used = set(re.findall(r"\{'same': '(\w+)'\}", text))
    return tuple(_named(one, used) for one in arguments)


def _named(value: Any, used: set[str]) -> Any:
    if isinstance(value, list):
        return [_named(one, used) for one in value]
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "named" and content[0] not in used:
        return _named(content[1], used)
    return {kind: _named(content, used)}


# -- nodes within an argument -----------------------------------------------------------------------------------------


def _is_tree_with_parts(types: Sequence[InputType]) -> bool:
    """Whether at least three arguments are nodes of one class of trees: the others are nodes of the first."""
    first = next((one for one in types if one.kind == "object"), None)
    return (
        first is not None
        and sum(one.kind == "object" and one.name == first.name for one in types) >= _TREE_ARGUMENTS
        and sum(kind.kind == "ref" for _, kind in first.fields) > 1
    )


def _parts_of_first(types: Sequence[InputType], maker: ValueMaker, random: Random) -> tuple[Value, ...] | None:
    """A tree, and further arguments that are nodes of it."""
    at = next(place for place, one in enumerate(types) if one.kind == "object")
    whole = maker.value(types[at])
    inside = list(_objects(whole))
    if not inside:
        return None
    names: dict[int, str] = {}
    found: list[Value] = []
    for place, kind in enumerate(types):
        if place != at and kind.kind == "object" and kind.name == types[at].name:
            chosen = random.choice(inside)
            found.append({"same": names.setdefault(id(chosen), node_name(len(names)))})
        else:
            found.append(whole if place == at else maker.value(kind))
    found[at] = _marked(whole, names)
    return tuple(found)


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """The objects in a value, from outside to inside."""
    if isinstance(value, dict):
        if "object" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _objects(one)


def _marked(value: Any, names: dict[int, str]) -> Any:
    """A value in which some objects have names."""
    if isinstance(value, list):
        return [_marked(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    inner = {kind: _marked(content, names) for kind, content in value.items()}
    return {"named": [names[id(value)], inner]} if id(value) in names else inner


# -- types ------------------------------------------------------------------------------------------------------------


def _inside(types: Sequence[InputType]) -> Iterator[InputType]:
    """All types within types, from outside to inside."""
    for one in types:
        yield one
        yield from _inside([*one.inner, *(kind for _, kind in one.fields)])


def _links_once(kind: InputType) -> bool:
    """Whether a class links to one or two others of its class: a list or a tree."""
    return any(inner.kind == "ref" and inner.name == kind.name for _, inner in kind.fields)
