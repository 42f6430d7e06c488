"""Runs inside the sandbox: whether a call of a fragment can leave something behind for the next one.

Only fragments that surely leave nothing keep their process from one run to the next; all others get a new one.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from clonetruth.execution.harness.inside.python_walk import walk

_REACHES_OUT = frozenset(
    {
        "__builtins__",
        "__class__",
        "__code__",
        "__defaults__",
        "__dict__",
        "__import__",
        "__setattr__",
        "__globals__",
        "atexit",
        "builtins",
        "chdir",
        "ctypes",
        "delattr",
        "environ",
        "eval",
        "exec",
        "exit",
        "gc",
        "getcontext",
        "globals",
        "importlib",
        "inspect",
        "locale",
        "logging",
        "modules",
        "multiprocessing",
        "putenv",
        "quit",
        "resource",
        "setattr",
        "setcontext",
        "setlocale",
        "setrecursionlimit",
        "signal",
        "subprocess",
        "thread",
        "threading",
        "umask",
        "vars",
        "warnings",
    }
)
"""Names with which code changes what is outside of it: of attributes, and of what it imports."""
_WITHOUT_IMPORT = frozenset(
    {"__builtins__", "__import__", "delattr", "eval", "exec", "exit", "globals", "quit", "setattr", "vars"}
)
"""Those that are known without an import; the others may also be names of variables."""
_PLAIN_DECORATORS = ("staticmethod", "classmethod", "property")
_STORES = (ast.Store, ast.Del)


def leaves_nothing(tree: ast.Module) -> bool:
    """Whether calls of the functions of a module change nothing that outlives them, as far as its text shows."""
    nodes = list(walk(tree))
    outside = set(_names_outside(nodes))
    harmless = set(_on_own_object(nodes)) if "self" not in outside else set()
    names_outside = _REACHES_OUT if _imports_everything(nodes) else _WITHOUT_IMPORT
    for node in nodes:
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.AsyncFunctionDef)):
            return False
        if isinstance(node, ast.Name) and node.id in names_outside and id(node) not in harmless:
            return False
        if isinstance(node, ast.Attribute) and node.attr in _REACHES_OUT and id(node) not in harmless:
            return False
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [one.name.split(".")[0] for one in node.names]
            if _REACHES_OUT.intersection([*names, (getattr(node, "module", None) or "").split(".")[0]]):
                return False
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, _STORES):
            root = _root(node)
            if root is None or root in outside or root == "cls":
                return False
        if not all(map(_is_constant, _defaults(node))):
            return False
        if not all(isinstance(one, ast.Name) and one.id in _PLAIN_DECORATORS for one in _decorators(node)):
            return False
    return all(_is_constant(one) or _is_builtin(one) for one in _kept_values(tree))


def _imports_everything(nodes: Sequence[ast.AST]) -> bool:
    """Whether names may come from anywhere: `from os import *`."""
    return any(isinstance(node, ast.ImportFrom) and any(one.name == "*" for one in node.names) for node in nodes)


def _on_own_object(nodes: Sequence[ast.AST]) -> Iterator[int]:
    """Which nodes read or set fields of `self`, an object that is made anew for each call, by way of `__dict__`,
    `setattr` or `super().__setattr__`, or ask for the name of its class."""
    for node in nodes:
        if isinstance(node, ast.Attribute):
            if node.attr in ("__dict__", "__setattr__") and _is_self(node.value):
                yield id(node)
            elif node.attr == "__name__" and _is_class_of_self(node.value):
                yield id(node.value)
        elif isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id in ("setattr", "delattr") and _is_self(*node.args[:1]):
                yield id(called)
            elif isinstance(called, ast.Attribute) and called.attr == "__setattr__":
                of = called.value
                is_super = isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id == "super"
                is_object = isinstance(of, ast.Name) and of.id == "object" and _is_self(*node.args[:1])
                if is_super or is_object:
                    yield id(called)


def _is_self(node: ast.expr | None = None) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_class_of_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "__class__" and _is_self(node.value)


def _is_builtin(node: ast.expr) -> bool:
    """Whether a value is a function or class of Python itself, which cannot be changed: `xrange = range`."""
    return isinstance(node, ast.Name) and node.id in dir(builtins) and node.id not in _REACHES_OUT


def _defaults(node: ast.AST) -> list[ast.expr]:
    if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
        return []
    return [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]


def _decorators(node: ast.AST) -> list[ast.expr]:
    return node.decorator_list if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []


def imports(tree: ast.Module, module: str) -> bool:
    """Whether code imports a module or something from it."""
    return any(
        module in (getattr(node, "module", None) or "").split(".") or any(module in one.name for one in node.names)
        for node in walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    )


def _names_outside(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Names of functions, classes, modules and variables that belong to the module."""
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (one.asname or one.name.split(".")[0] for one in node.names)


def _kept_values(tree: ast.Module) -> Iterator[ast.expr]:
    """What is assigned outside of functions, and so lives as long as the module."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for one in ast.iter_child_nodes(node):
            if isinstance(one, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)) and one.value is not None:
                yield one.value
            if not isinstance(one, (ast.FunctionDef, ast.Lambda)):
                waiting.append(one)


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(map(_is_constant, node.elts))
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant))


def _root(node: ast.expr) -> str | None:
    """The name with which `a.b[c]` begins; None if it begins with something else."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
