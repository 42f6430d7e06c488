"""Trees with edges of control and data flow.

One set of rules serves all languages: the keyword that a node begins with says whether it is a loop or a choice; the
grammar's own names say what its parts are (condition, consequence, alternative, body), and where it has none, their
order does.
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

_LOOPS = frozenset(("for", "foreach", "while", "until", "do", "repeat", "loop"))
_BRANCHES = frozenset(("if", "elif", "elsif", "elseif", "unless", "guard"))
_CHOICES = _BRANCHES | {"switch", "match", "when"}
_CONDITIONS = ("condition", "value", "right", "subject", "collection")
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
    of = tree.children()
    for children in of:
        yield from ((one, other, "sibling") for one, other in pairwise(children))
        yield from ((a, b, "statement") for a, b in pairwise(child for child in children if tree.statements[child]))
        control = _control(tree, children, of)
        if control is None:
            continue
        deciding, guarded, alternatives = control
        for part in guarded:
            yield deciding, part, "true"
        if tree.labels[children[0]].lower() in _LOOPS:
            yield from ((part, deciding, "again") for part in guarded)
        for part in alternatives:
            yield deciding, part, "false"
            # Python's `elif` stands beside the `else` that follows it, not around it.
            inner = _control(tree, of[part], of)
            deciding = deciding if inner is None else inner[0]


def _control(tree: SyntaxTree, children: list[int], of: list[list[int]]) -> tuple[int, list[int], list[int]] | None:
    """What decides in a loop or a choice, what it guards, and the alternatives, in order; None for any other node."""
    if not children or not tree.leaves[children[0]]:
        return None
    word, parts = tree.labels[children[0]].lower(), children[1:]
    if word not in _LOOPS | _CHOICES:
        return None
    guarded = [part for part in parts if tree.fields[part] in _GUARDED]
    deciding = _first(tree, parts, _CONDITIONS)
    bare = [part for part in parts if not tree.leaves[part] and not tree.fields[part]]
    if word in _LOOPS:
        # Without a field, the body is the last part; a loop that begins with its body names its condition.
        backwards = word in ("do", "repeat")
        guarded = guarded or (bare[:1] if backwards else bare[-1:])
        before = [part for part in parts if guarded and part < guarded[0] and tree.labels[part] != "do"]
        if deciding is None and before and not backwards:
            # A header may be a node of its own (Go, Dart), or the condition itself; PHP says first what it runs over.
            header = before[0] if word == "foreach" else before[-1]
            inner = (
                _first(tree, of[header], _CONDITIONS) if tree.labels[header].endswith(("clause)", "parts)")) else None
            )
            deciding = header if inner is None else inner
        return None if deciding is None else (deciding, guarded, [])
    alternatives = [part for part in parts if tree.fields[part] == "alternative"]
    if deciding is None and guarded and guarded[0] != parts[0]:
        deciding = parts[0]
    if deciding is None:
        return None
    if word in _BRANCHES:
        turn = next(
            (part for part in parts if tree.labels[part] == "else" or tree.labels[part].startswith("(el")), None
        )
        after = [part for part in bare if part > deciding]
        guarded = guarded or [part for part in after if turn is None or part < turn][:1]
        if not alternatives and turn is not None:
            alternatives = [part for part in after if part >= turn]
    return deciding, guarded, alternatives


def _first(tree: SyntaxTree, nodes: list[int], fields: tuple[str, ...]) -> int | None:
    """The first node that fills one of the fields, the earlier fields first."""
    return next((node for field in fields for node in nodes if tree.fields[node] == field), None)
