"""Trees with edges of control and data flow.

The edges follow from the grammar's own names for the parts of a statement (condition, consequence, alternative, body),
so that one set of rules serves all languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from clonetruth.training.neural.syntax_tree import SyntaxTree

EDGES = ("child", "sibling", "token", "use", "statement", "true", "false", "again")
"""Kinds of edges: to a child; to the next sibling; from a leaf to the next leaf, and to the next one with the same
name; from a statement to the next one; from a condition to what it guards, and to the alternative; from the body of a
loop back to its condition. Each has an opposite."""

_CONDITIONS = ("condition", "value", "right", "subject")
"""The fields that hold what decides: a condition, or what a loop runs over."""
_GUARDED = ("consequence", "body")


@dataclass(frozen=True, eq=False)
class FlowGraph:
    """A tree with edges.

    Attributes:
        tree: the tree, whose nodes are those of the graph.
        edges: the start, end and kind (a number in `EDGES`) of each edge, without the opposites.
    """

    tree: SyntaxTree
    edges: tuple[tuple[int, int, int], ...]


def flow_graph(tree: SyntaxTree, *, flow: bool = True) -> FlowGraph:
    """Add edges to a tree: those of the tree itself, and if wanted those of control and data flow."""
    found = list(_tree_edges(tree))
    if flow:
        found += _flow_edges(tree)
    return FlowGraph(tree, tuple((start, end, EDGES.index(kind)) for start, end, kind in found))


def _tree_edges(tree: SyntaxTree) -> Iterator[tuple[int, int, str]]:
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            yield parent, node, "child"


def _flow_edges(tree: SyntaxTree) -> Iterator[tuple[int, int, str]]:
    leaves = [node for node, leaf in enumerate(tree.leaves) if leaf]
    yield from ((one, other, "token") for one, other in pairwise(leaves))
    last: dict[str, int] = {}
    for leaf in leaves:
        label = tree.labels[leaf]
        if label[:1].isalpha() or label[:1] == "_":
            if label in last:
                yield last[label], leaf, "use"
            last[label] = leaf
    for node, children in enumerate(tree.children()):
        yield from ((one, other, "sibling") for one, other in pairwise(children))
        yield from ((a, b, "statement") for a, b in pairwise(child for child in children if tree.statements[child]))
        parts = {tree.fields[child]: child for child in children if tree.fields[child]}
        deciding = next((parts[name] for name in _CONDITIONS if name in parts), None)
        if deciding is None or not tree.statements[node]:
            continue
        for name in _GUARDED:
            if name in parts:
                yield deciding, parts[name], "true"
        if "alternative" in parts:
            yield deciding, parts["alternative"], "false"
        if "body" in parts:
            yield parts["body"], deciding, "again"
