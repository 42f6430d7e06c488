"""Runs inside the sandbox: what operators, indexes and comparisons say about the type of a value."""

from __future__ import annotations

import ast

from clonetruth.execution.harness.inside.python_annotations import of_constant


def add_index(up: ast.Subscript, scores: dict[str, float]) -> None:
    """What an index says."""
    index = up.slice
    if isinstance(index, ast.Tuple) or (isinstance(index, ast.Constant) and isinstance(index.value, str)):
        scores["map[_key_, _inner_]"] += 4
    elif isinstance(index, ast.Slice):
        scores["list[_inner_]"] += 1
        scores["str"] += 1
    elif isinstance(up.ctx, (ast.Store, ast.Del)):
        scores["list[_inner_]"] += 2
        scores["map[str, int]"] += 0.8
    else:
        scores["list[_inner_]"] += 2
        scores["str"] += 1
        scores["map[_key_, _inner_]"] += 0.6 if isinstance(index, ast.Name) else 0


def add_arithmetic(node: ast.expr, up: ast.BinOp, scores: dict[str, float]) -> None:
    """What a calculation says."""
    other = up.right if up.left is node else up.left
    if (isinstance(other, ast.Constant) and isinstance(other.value, str)) or isinstance(other, ast.JoinedStr):
        scores["str"] += 3 if isinstance(up.op, ast.Add) else 0.3
    elif isinstance(other, ast.List) or (isinstance(other, ast.Call) and getattr(other.func, "id", "") == "list"):
        scores["list[_inner_]" if isinstance(up.op, ast.Add) else "int"] += 2
    elif isinstance(other, ast.Constant) and isinstance(other.value, float):
        scores["float"] += 3
        scores["int"] += 1
    elif isinstance(up.op, (ast.Mod, ast.FloorDiv, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)):
        scores["int"] += 2.5
    elif isinstance(up.op, ast.Div):
        scores["int"] += 1.5
        scores["float"] += 1.2
    else:
        scores["int"] += 2 if not isinstance(up.op, ast.Add) else 1.2
        scores["float"] += 0.5
        if isinstance(up.op, ast.Add):
            scores["str"] += 0.5


def add_comparison(node: ast.expr, up: ast.Compare, scores: dict[str, float]) -> None:
    """What a comparison says."""
    sides = [up.left, *up.comparators]
    for operator, left, right in zip(up.ops, sides, sides[1:], strict=False):
        if node not in (left, right):
            continue
        other = right if left is node else left
        if isinstance(operator, (ast.In, ast.NotIn)):
            _member(left is node, other, scores)
        elif isinstance(other, ast.Constant) and other.value is not None:
            for kind in of_constant(other)[:1]:
                scores[kind] += 2
        elif isinstance(other, (ast.List, ast.ListComp)):
            scores["list[_inner_]"] += 2
        elif isinstance(operator, (ast.Lt, ast.Gt, ast.LtE, ast.GtE)):
            scores["int"] += 0.8


def _member(is_left: bool, other: ast.expr, scores: dict[str, float]) -> None:
    if is_left:
        constants = [one for one in ast.walk(other) if isinstance(one, ast.Constant)]
        for one in constants[:1]:
            for kind in of_constant(one)[:1]:
                scores[kind] += 2
        return
    texts = isinstance(other, ast.Constant) and isinstance(other.value, str)
    scores["str" if texts else "list[_inner_]"] += 1.5
    scores["list[str]" if texts else "str"] += 0.5
    scores["map[str, int]"] += 0.4
