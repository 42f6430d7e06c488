"""Runs inside the sandbox: where the names of a function are used, and under which other names their values are."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence

from clonetruth.execution.harness.inside.python_annotations import of_constant
from clonetruth.execution.harness.inside.python_walk import walk

_COPIES = ("set", "list", "sorted", "deque", "iter", "tuple", "reversed", "dict", "copy", "deepcopy")
_PUTS = ("append", "appendleft", "add", "push", "put", "insert")
_TAKES_OUT = ("pop", "popleft", "get", "popitem")


class Uses:
    """How names are used in a function."""

    def __init__(self, function: ast.AST) -> None:
        self.parents: dict[int, ast.AST] = {}
        self.names: dict[str, list[ast.expr]] = defaultdict(list)
        self.texts: set[str] = set()
        for node in walk(function):
            if isinstance(node, ast.Assign) and of_constant(node.value)[:1] == ["str"]:
                self.texts |= {one.id for one in node.targets if isinstance(one, ast.Name)}
            for child in ast.iter_child_nodes(node):
                self.parents[id(child)] = node
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self.names[node.id].append(node)

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self.parents.get(id(node))


def is_asked_for_type(node: ast.expr, uses: Uses) -> bool:
    up = uses.parent(node)
    return isinstance(up, ast.Call) and getattr(up.func, "id", "") == "isinstance"


def is_plain_use(node: ast.expr, uses: Uses) -> bool:
    """Whether a value is only compared, an operand, or a key: neither called nor passed on."""
    up = uses.parent(node)
    is_key = isinstance(up, ast.Subscript) and up.slice is node
    return is_key or isinstance(up, (ast.Compare, ast.BinOp, ast.AugAssign))


def is_key_use(node: ast.expr, uses: Uses) -> bool:
    """Whether a value is what a container is indexed by, or asked for."""
    up = uses.parent(node)
    is_asked = isinstance(up, ast.Compare) and up.left is node and isinstance(up.ops[0], (ast.In, ast.NotIn))
    return is_asked or (isinstance(up, ast.Subscript) and up.slice is node)


def fields_of_texts(tree: ast.AST) -> frozenset[str]:
    """Fields of `self` that are set to a text, or to a parameter that is one by its default or annotation."""
    found: set[str] = set()
    for function in walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        arguments = [*function.args.posonlyargs, *function.args.args]
        given = zip(arguments[::-1], function.args.defaults[::-1], strict=False)
        texts = {one.arg for one, default in given if of_constant(default)[:1] == ["str"]}
        texts |= {one.arg for one in arguments if getattr(one.annotation, "id", "") == "str"}
        for node in walk(function):
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Attribute):
                continue
            is_text = of_constant(node.value)[:1] == ["str"] or getattr(node.value, "id", "") in texts
            if is_text and getattr(node.targets[0].value, "id", "") == "self":
                found.add(node.targets[0].attr)
    return frozenset(found)


def asked_keys(nodes: Sequence[ast.expr], uses: Uses) -> set[str]:
    """Names of which is asked whether they are in a container, and which it is then indexed by: the keys of a map."""
    asked: set[str] = set()
    indexes: set[str] = set()
    for node in nodes:
        up = uses.parent(node)
        if isinstance(up, ast.Compare) and isinstance(up.ops[0], (ast.In, ast.NotIn)) and up.comparators[0] is node:
            asked |= {up.left.id} if isinstance(up.left, ast.Name) else set()
        elif isinstance(up, ast.Subscript) and up.value is node and isinstance(up.slice, ast.Name):
            indexes.add(up.slice.id)
    return asked & indexes


def expects(node: ast.AST, error: str, uses: Uses) -> bool:
    """Whether an exception is caught around something."""
    up = uses.parent(node)
    while up is not None:
        if isinstance(up, ast.Try):
            caught = [one for handler in up.handlers if handler.type is not None for one in walk(handler.type)]
            if any(isinstance(one, ast.Name) and one.id == error for one in caught):
                return True
        up = uses.parent(up)
    return False


def joins_text(node: ast.AST | None, uses: Uses) -> bool:
    """Whether a value is added to a variable that starts as a text."""
    if not isinstance(node, ast.AugAssign) or not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name):
        return False
    return node.target.id in uses.texts


def part(call: ast.Call, name: str, node: ast.expr, target: ast.expr) -> ast.expr | None:
    """The loop variable that gets elements of an argument: of `enumerate` the second, of `zip` the one in its place."""
    if name not in ("enumerate", "zip") or not isinstance(target, ast.Tuple):
        return target
    place = 1 if name == "enumerate" else next(at for at, one in enumerate(call.args) if one is node)
    return target.elts[place] if place < len(target.elts) else None


def looped(method: ast.Attribute, uses: Uses) -> ast.expr | None:
    """The variable of a loop over what a method gives."""
    call = uses.parent(method)
    loop = uses.parent(call) if call is not None else None
    if isinstance(loop, ast.Call):
        call, loop = loop, uses.parent(loop)
    return loop.target if isinstance(loop, (ast.For, ast.comprehension)) and loop.iter is call else None


def aliases(node: ast.expr, uses: Uses) -> list[ast.expr]:
    """Where the value is used under another name."""
    up = uses.parent(node)
    if isinstance(up, ast.Call) and getattr(up.func, "id", "") in _COPIES and up.args[:1] == [node]:
        node, up = up, uses.parent(up)
    if isinstance(up, ast.Call) and isinstance(up.func, ast.Attribute) and up.func.attr == "update":
        return uses.names.get(up.func.value.id, []) if isinstance(up.func.value, ast.Name) else []
    if isinstance(up, ast.Call) and isinstance(up.func, ast.Attribute) and up.func.attr in _PUTS and node in up.args:
        return taken_out(up.func.value, uses)
    if isinstance(up, ast.List):
        above = uses.parent(up)
        above = uses.parent(above) if isinstance(above, ast.Call) else above
        if isinstance(above, ast.Assign):
            return taken_out(above.targets[0], uses)
    if isinstance(up, ast.Assign) and up.value is node and len(up.targets) == 1 and isinstance(up.targets[0], ast.Name):
        return uses.names.get(up.targets[0].id, [])
    return []


def taken_out(collection: ast.expr, uses: Uses) -> list[ast.expr]:
    """Names that get values of a collection: `node = queue.pop()`, `for node in queue`."""
    found: list[ast.expr] = []
    for node in uses.names.get(collection.id, []) if isinstance(collection, ast.Name) else []:
        up = uses.parent(node)
        target: ast.expr | None = None
        if isinstance(up, (ast.For, ast.comprehension)) and up.iter is node:
            target = up.target
        elif isinstance(up, ast.Attribute) and up.attr in _TAKES_OUT:
            assignment = uses.parent(call) if (call := uses.parent(up)) is not None else None
            target = assignment.targets[0] if isinstance(assignment, ast.Assign) else None
        if isinstance(target, ast.Name):
            found += uses.names.get(target.id, [])
    return found
