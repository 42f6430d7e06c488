"""Runs inside the sandbox: the nodes of a tree, in less time than `ast.walk` takes.

A fragment is walked through some thirty times before it is called, which was most of what preparing it took.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_PLAIN = frozenset(
    {"arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "lineno", "module", "name"}
    | {"rest", "simple", "type_comment"}
)
"""Fields that never hold a node, and `ctx`, whose nodes nobody looks for."""

_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in _PLAIN)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
_FIELDS[ast.Constant] = ()


def walk(tree: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, the outer ones first, as `ast.walk` gives them; but not how names are used (`ctx`)."""
    found = [tree]
    for node in found:
        for name in _FIELDS[type(node)]:
            value = getattr(node, name, None)
            if type(value) is list:
                found += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
        yield node
