"""Runs inside the sandbox: code of Python 2 that parses, but means something else in Python 3."""

from __future__ import annotations

import ast

from clonetruth.execution.harness.inside.python_annotations import FunctionNode
from clonetruth.execution.harness.inside.python_walk import walk

_DIVIDE = "__divided__"
_LAZY = ("map", "filter", "zip")
_VIEWS = ("keys", "values", "items")
_WHOLE = ("len", "reversed")
"""Functions that take a list, and not what `map` gives in Python 3."""
_OLD_METHODS = {"iteritems": "items", "itervalues": "values", "iterkeys": "keys", "viewitems": "items"}
_RECEIVERS = ("self", "cls", "this")


def modernised(tree: ast.Module, function: FunctionNode, repairs: list[str]) -> list[str]:
    """Change what a fragment of Python 2 means to what it says in Python 3.

    Args:
        tree: the fragment; its statements are changed.
        function: what is called.
        repairs: where changes are recorded.

    Returns:
        Lines that the changed fragment needs.
    """
    defined = {node.name for node in walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    methods = _OldMethods(defined)
    tree.body = [methods.visit(node) for node in tree.body]
    if methods.count:
        repairs.append("methods of Python 2")
    if _write_text(tree):
        repairs.append("text files of Python 2")
    lists = _Lists(_used_as_lists(tree))
    if lists.names:
        tree.body = [lists.visit(node) for node in tree.body]
        repairs.append("lists of Python 2")
    if not _divides_like_python_2(function):
        return []
    repairs.append("division of Python 2")
    tree.body = [_Division().visit(node) for node in tree.body]
    return [f"def {_DIVIDE}(a, b): return a // b if isinstance(a, int) and isinstance(b, int) else a / b"]


def _write_text(tree: ast.Module) -> bool:
    """Open files for `csv` and `json` as texts, which Python 2 opened as bytes; whether there were any."""
    found = False
    names = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
    for node in walk(tree):
        if names & {"csv", "json"} and isinstance(node, ast.Call) and getattr(node.func, "id", "") == "open":
            for one in node.args[1:2]:
                if isinstance(one, ast.Constant) and one.value in ("rb", "wb", "ab"):
                    one.value, found = one.value[0], True
    return found


class _OldMethods(ast.NodeTransformer):
    """`d.iteritems()`, `d.has_key(k)` and `it.next` as they are called today; not of `self`, whose class is unknown."""

    def __init__(self, defined: set[str]) -> None:
        self.defined = defined
        self.count = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = node.func
        if not isinstance(called, ast.Attribute) or called.attr in self.defined or _is_receiver(called.value):
            return node
        if called.attr in _OLD_METHODS and not node.args:
            self.count += 1
            called.attr = _OLD_METHODS[called.attr]
        elif called.attr == "has_key" and len(node.args) == 1:
            self.count += 1
            return ast.copy_location(ast.Compare(node.args[0], [ast.In()], [called.value]), node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        value = node.value
        if node.attr == "next" and isinstance(value, ast.Call) and getattr(value.func, "id", "") == "iter":
            self.count += 1
            node.attr = "__next__"
        return node


def _is_receiver(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in _RECEIVERS


def _is_lazy(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in _LAZY
    return isinstance(node.func, ast.Attribute) and node.func.attr in _VIEWS and not node.args


def _used_as_lists(tree: ast.Module) -> set[str]:
    """Variables that get what `map` or `keys` give, and are used as only lists can be."""
    lazy: set[str] = set()
    used: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Assign) and _is_lazy(node.value):
            lazy |= {one.id for one in node.targets if isinstance(one, ast.Name)}
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            used.add(node.value.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in ("sort", "append", "pop", "insert", "extend", "reverse", "index", "remove"):
                used.add(node.value.id)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in _WHOLE:
            used |= {one.id for one in node.args if isinstance(one, ast.Name)}
    return lazy & used


class _Lists(ast.NodeTransformer):
    """What some variables get from `map` or `keys`, as a list."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if _is_lazy(node.value) and any(isinstance(one, ast.Name) and one.id in self.names for one in node.targets):
            node.value = ast.copy_location(ast.Call(ast.Name("list", ast.Load()), [node.value], []), node.value)
        return node


def _divides_like_python_2(function: FunctionNode) -> bool:
    """Whether whole numbers are divided to whole numbers: a quotient is an index or a number of turns."""
    quotients = {
        target.id
        for node in walk(function)
        if isinstance(node, ast.Assign) and _is_quotient(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in walk(function):
        places: list[ast.expr | None] = []
        if isinstance(node, ast.Subscript):
            places = [node.slice.lower, node.slice.upper] if isinstance(node.slice, ast.Slice) else [node.slice]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("range", "xrange"):
            places = list(node.args)
        for one in places:
            if one is not None and (_is_quotient(one) or (isinstance(one, ast.Name) and one.id in quotients)):
                return True
    return False


def _is_quotient(node: ast.expr) -> bool:
    while isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        node = node.left
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)


class _Division(ast.NodeTransformer):
    """Divides whole numbers to whole numbers."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.copy_location(ast.Call(ast.Name(_DIVIDE, ast.Load()), [node.left, node.right], []), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        call = ast.Call(ast.Name(_DIVIDE, ast.Load()), [ast.Name(node.target.id, ast.Load()), node.value], [])
        return ast.copy_location(ast.Assign([node.target], call), node)
