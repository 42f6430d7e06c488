"""Inputs in which an argument is nothing (null, None), for code of which only one side checks whether it is.

A removed check for null is a frequent slip of a refactoring. Where both sides check, null is an ordinary value of the
type; where neither does, nobody expects it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clonetruth.execution.harness.harness import CallInput
from clonetruth.execution.inputs.shrinking import size
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.paired_runs import Observed
from clonetruth.execution.sides import ComparedSide, entry_text

_INPUTS = 2
"""Inputs that are tried for each such argument."""
_EITHER_WAY = r"\b{name}\s*[!=]==?\s*(null|undefined)\b|\b(null|undefined)\s*[!=]==?\s*{name}\b"
_CHECKS = {
    "python": r"\b{name}\s+is\s+(not\s+)?None\b|\b{name}\s*[!=]=\s*None\b",
    "java": rf"{_EITHER_WAY}|\b(isNull|nonNull|ofNullable|requireNonNull\w*)\(\s*{{name}}\b",
    "csharp": rf"{_EITHER_WAY}|\b{{name}}\s+is(\s+not)?\s+null\b|\bIsNullOr\w+\(\s*{{name}}\b|\b{{name}}\s*\?[?.]",
    "javascript": rf"{_EITHER_WAY}|\b{{name}}\s*\?[?.]",
}
_CHECKS["typescript"] = _CHECKS["javascript"]
_NEVER_NULL = {"java": ("int", "float", "bool", "char"), "csharp": ("int", "float", "bool", "char", "decimal", "enum")}
"""Kinds of values that cannot be null."""


def null_inputs(
    left: ComparedSide, right: ComparedSide, types: Sequence[InputType], log: Sequence[Observed]
) -> list[CallInput]:
    """Small inputs that ran on both sides, with null for an argument that only one side checks for it.

    Args:
        left: one side, which knows the order of its arguments.
        right: the other one.
        types: of the arguments.
        log: what ran.
    """
    checked = _checked(left) ^ _checked(right)
    never = {kind for side in (left, right) for kind in _NEVER_NULL.get(side.code.language, ())}
    places = [at for at, kind in enumerate(types) if at in checked and not kind.optional and kind.kind not in never]
    if not places or not {left.code.language, right.code.language} <= _CHECKS.keys():
        return []
    ran = [call for call, one, other in log if one.is_normal and other.is_normal]
    smallest = sorted(ran, key=lambda one: size(one.arguments))[:_INPUTS]
    return [
        CallInput((*call.arguments[:at], None, *call.arguments[at + 1 :]), call.stdin)
        for at in places
        for call in smallest
        if at < len(call.arguments)
    ]


def _checked(side: ComparedSide) -> set[int]:
    """The arguments that a side checks for null."""
    pattern, text = _CHECKS.get(side.code.language), entry_text(side.code)
    if pattern is None:
        return set()
    return {
        at
        for at, parameter in zip(side.order, side.shape.parameters, strict=False)
        if at is not None and not parameter.implicit and _asks(pattern, parameter.name, text)
    }


def _asks(pattern: str, name: str, text: str) -> bool:
    return re.search(pattern.replace("{name}", re.escape(name)), text) is not None
