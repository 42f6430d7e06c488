"""Small graphs, and those that are written with numbers or texts: `{(0, 1): 5}` with the number of nodes,
`{"a": ["b"]}` with a start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import Value

MOST_NODES = 5
"""Nodes of a graph at most."""


class ValueMaker(Protocol):
    """Makes single values."""

    def value(self, kind: InputType, depth: int = 0) -> Value:
        """A random value of a type."""
        ...


def random_edges(count: int, random: Random) -> list[tuple[int, int]]:
    """Edges of a graph: some have cycles, some do not, some are not connected."""
    way = random.random()
    every = [(one, other) for one in range(count) for other in range(count) if one != other]
    if way < 0.2:
        return [(one, one + 1) for one in range(count - 1)]
    forwards = [edge for edge in every if edge[0] < edge[1]] if way < 0.55 else every
    found = random.sample(forwards, random.randint(len(forwards) // 3, len(forwards))) if forwards else []
    if way > 0.95:
        found.append((0, 0))
    return found if random.random() < 0.3 else sorted(found)


def node_name(number: int) -> str:
    """The name of a node: a, b, c …"""
    return "abcdefgh"[number]


def vertex_type(types: Sequence[InputType]) -> InputType | None:
    """The type of the nodes of a graph that is a map from pairs, or from nodes to their neighbours."""
    for one in types:
        if one.kind != "map":
            continue
        key, value = one.inner
        if key.kind in ("list", "tuple") and key.inner and {inner.kind for inner in key.inner} <= {"int", "str"}:
            return key.inner[0] if key.kind == "list" or len(key.inner) == 2 else None
        if key.kind in ("int", "str") and value.kind in ("list", "set", "map") and value.inner[0].kind == key.kind:
            return key
    return None


@dataclass
class NumberedGraph:
    """A small graph whose nodes are numbers or texts.

    Attributes:
        vertex: the type of its nodes.
        maker: makes what is not part of it.
        random: decides.
    """

    vertex: InputType
    maker: ValueMaker
    random: Random

    def __post_init__(self) -> None:
        self.count = self.random.choice([1, 2, 3, 3, 4, 4, MOST_NODES])
        self.first = 0 if self.random.random() < 0.8 else 1
        self.edges = random_edges(self.count, self.random)

    def arguments(self, types: Sequence[InputType]) -> tuple[Value, ...]:
        """Arguments of one call: the graph, how many nodes it has, and nodes of it."""
        found = []
        has_count = self.random.random() < 0.7
        for kind in types:
            if kind.kind == "map" and vertex_type([kind]) is not None:
                found.append(self.graph(kind))
            elif kind.kind == "int" and self.vertex.kind == "int" and has_count:
                # The first number is how many nodes there are, further ones are nodes.
                found.append({"int": str(self.count)})
                has_count = False
            elif kind.kind == self.vertex.kind:
                found.append(self.node(self.random.randrange(self.count)))
            else:
                found.append(self.maker.value(kind))
        return tuple(found)

    def node(self, number: int) -> Value:
        return {"int": str(number + self.first)} if self.vertex.kind == "int" else node_name(number).upper()

    def weight(self, kind: InputType) -> Value:
        number = self.random.randint(1, 12) if self.random.random() < 0.8 else self.random.randint(-5, 0)
        if kind.kind == "int":
            return {"int": str(number if kind.signed else abs(number))}
        return {"float": float(number).hex()} if kind.kind == "float" else self.maker.value(kind, 1)

    def graph(self, kind: InputType) -> Value:
        key, value = kind.inner
        if key.kind in ("list", "tuple"):
            return {"map": [[{key.kind: [self.node(a), self.node(b)]}, self.weight(value)] for a, b in self.edges]}
        entries: list[list[Value]] = []
        for number in range(self.count):
            ends = [self.node(end) for start, end in self.edges if start == number]
            inner: Value = {value.kind: ends}
            if value.kind == "map":
                inner = {"map": [[end, self.weight(value.inner[1])] for end in ends]}
            entries.append([self.node(number), inner])
        return {"map": entries}
