"""Runs inside the sandbox: counts which parts of a fragment are reached, by marks at the start of every block."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from clonetruth.execution.harness.inside.python_walk import walk

MARK = "__reached__"
"""The name of the function that is called with the number of a block."""


class Marker:
    """Marks the blocks of functions.

    Attributes:
        count: number of blocks so far.
    """

    def __init__(self) -> None:
        self.count = 0

    def mark(self, functions: Sequence[ast.AST]) -> None:
        """Mark all blocks of these functions and of those inside them."""
        done: set[int] = set()
        for function in functions:
            for node in list(walk(function)):
                if id(node) not in done:
                    done.add(id(node))
                    self._mark_blocks(node)

    def _mark_blocks(self, node: ast.AST) -> None:
        if isinstance(node, (ast.ClassDef, ast.Module)):
            return
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if not isinstance(block, list) or not block or not isinstance(block[0], ast.stmt):
                continue
            first = 1 if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node) else 0
            place = block[first] if first < len(block) else block[0]
            call = ast.Call(ast.Name(MARK, ast.Load()), [ast.Constant(self.count)], [])
            block.insert(first, ast.fix_missing_locations(ast.copy_location(ast.Expr(call), place)))
            self.count += 1


def reachable(tree: ast.Module, entry: ast.AST) -> list[ast.AST]:
    """The entry and the functions of the fragment that it mentions, and those that they mention."""
    functions: dict[str, list[ast.AST]] = {}
    for node in walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions.setdefault(node.name, []).append(node)
    found, waiting = [entry], [entry]
    while waiting:
        for node in walk(waiting.pop()):
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
            for one in functions.get(name, []) if name else []:
                if not any(one is known for known in found):
                    found.append(one)
                    waiting.append(one)
    return found
