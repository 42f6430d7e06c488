"""Which Python texts a proof can be believed for.

A prover executes both functions in its own process and compares what they return with `==`. Code that reaches other
modules, the frames of the prover or the text of its own annotations could forge what the prover says; code that
prints, or whose objects say themselves what they equal, is not compared as a run is. What is not known as harmless is
refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

_ALL = frozenset({"*"})
_PURE: Mapping[str, frozenset[str]] = {
    "__future__": frozenset({"annotations"}),
    "math": _ALL,
    "cmath": _ALL,
    "itertools": _ALL,
    "heapq": frozenset({"heappush", "heappop", "heapify", "heappushpop", "heapreplace", "nlargest", "nsmallest"}),
    "bisect": frozenset({"bisect", "bisect_left", "bisect_right", "insort", "insort_left", "insort_right"}),
    "collections": frozenset({"deque", "Counter", "defaultdict", "OrderedDict"}),
    "functools": frozenset({"reduce", "cmp_to_key"}),
    "operator": frozenset(
        [
            "add",
            "sub",
            "mul",
            "truediv",
            "floordiv",
            "mod",
            "neg",
            "pos",
            "abs",
            "xor",
            "and_",
            "or_",
            "not_",
            "lt",
            "le",
            "eq",
            "ne",
            "gt",
            "ge",
            "itemgetter",
            "getitem",
        ]
    ),
    "string": frozenset(
        [
            "ascii_letters",
            "ascii_lowercase",
            "ascii_uppercase",
            "digits",
            "hexdigits",
            "octdigits",
            "punctuation",
            "whitespace",
        ]
    ),
    "re": frozenset(
        [
            "match",
            "fullmatch",
            "search",
            "sub",
            "subn",
            "split",
            "findall",
            "finditer",
            "compile",
            "escape",
            "I",
            "IGNORECASE",
            "M",
            "S",
        ]
    ),
    "typing": frozenset(
        [
            "List",
            "Dict",
            "Set",
            "FrozenSet",
            "Tuple",
            "Optional",
            "Union",
            "Any",
            "Iterable",
            "Iterator",
            "Sequence",
            "Mapping",
            "Callable",
            "Deque",
        ]
    ),
}
"""What of a module a provable text may use; modules that are written in C have nothing but functions and numbers."""
REACHING_NAMES = frozenset(
    [
        "exec",
        "eval",
        "compile",
        "open",
        "input",
        "globals",
        "locals",
        "vars",
        "getattr",
        "setattr",
        "delattr",
        "breakpoint",
        "memoryview",
        "type",
        "super",
        "dir",
        "object",
        "classmethod",
        "__import__",
        "__builtins__",
    ]
)
"""Names by which code reaches what it was not given."""
_REFUSED_NAMES = REACHING_NAMES | {"print", "hasattr", "staticmethod", "property", "help", "id", "hash"}
_FRAMES = ("gi_", "cr_", "ag_", "tb_", "f_", "co_")
"""Attributes of generators, coroutines, tracebacks and frames, which lead to the code that runs the functions."""


def is_provable(text: str) -> bool:
    """Whether what a prover says of a text can be believed.

    Example:
        >>> is_provable("import math\\ndef f(x): return math.floor(x)")
        True
        >>> is_provable("import math\\nmath.floor = abs\\ndef f(x): return math.floor(x)")
        False
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    found = [one for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names]
    modules = {one.asname or one.name: one.name for one in found}
    bases = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return (
        len({(one.asname or one.name, one.name) for one in found}) == len(modules)
        and all(_is_harmless(node, modules, bases) for node in ast.walk(tree))
        and not any(isinstance(one, ast.Constant) for kind in _annotations(tree) for one in _texts(kind))
        and not any(_is_contract(node) for node in ast.walk(tree))
    )


def _is_harmless(node: ast.AST, modules: Mapping[str, str], bases: set[int]) -> bool:
    match node:
        case ast.ClassDef() | ast.Global():
            return False
        case ast.Compare():
            # Whether numbers are the same object, a prover does not know.
            sides = (node.left, *node.comparators)
            is_identity = any(isinstance(one, ast.Is | ast.IsNot) for one in node.ops)
            return not is_identity or any(isinstance(one, ast.Constant) and one.value is None for one in sides)
        case ast.Import():
            return all(one.name in _PURE for one in node.names)
        case ast.ImportFrom():
            allowed = _PURE.get(node.module or "", frozenset()) if node.level == 0 else frozenset()
            return all(one.name[:1] not in "*_" and (allowed is _ALL or one.name in allowed) for one in node.names)
        case ast.Name():
            # A module is only asked for what it has: it is not passed on, changed or hidden by another name.
            is_base = id(node) in bases and isinstance(node.ctx, ast.Load)
            return node.id not in _REFUSED_NAMES and node.id[:2] != "__" and (node.id not in modules or is_base)
        case ast.arg():
            return node.arg not in modules
        case ast.Attribute():
            known = modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
            allowed = _ALL if known is None else _PURE.get(known, frozenset())
            return (
                isinstance(node.ctx, ast.Load)
                and not node.attr.startswith(("_", *_FRAMES))
                and (allowed is _ALL or node.attr in allowed)
            )
    return True


def _annotations(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield node.annotation
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            yield node.returns


def _texts(annotation: ast.AST) -> Iterator[ast.AST]:
    """Texts in an annotation: asking for the types executes them."""
    return (one for one in ast.walk(annotation) if isinstance(one, ast.Constant) and isinstance(one.value, str | bytes))


def _is_contract(node: ast.AST) -> bool:
    """Whether a documentation text has lines that a prover reads as conditions, which it executes."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
        return False
    said = ast.get_docstring(node) or ""
    return any(line.strip().startswith(("pre", "post", "inv", "raises")) and ":" in line for line in said.splitlines())
