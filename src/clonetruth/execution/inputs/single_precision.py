"""Numbers for a parameter of 32 bits on one side: what it cannot hold would be another number there."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import Value

_BITS = 32
_CONTAINERS = ("list", "tuple", "set", "iterator")


def is_single(kind: InputType | None) -> bool:
    """Whether numbers of a type, or of what is inside, have single precision."""
    if kind is None:
        return False
    return (kind.kind == "float" and kind.bits == _BITS) or any(map(is_single, kind.inner))


def apart(kinds: Sequence[InputType | None], others: Sequence[InputType | None]) -> list[InputType | None]:
    """The types of one side whose numbers have single precision there, and not on the other side."""
    both = zip(kinds, others, strict=True)
    return [one if is_single(one) and not is_single(other) else None for one, other in both]


def with_single_precision(kinds: Sequence[InputType | None], arguments: Sequence[Value]) -> tuple[Value, ...]:
    """Arguments with numbers that parameters of these types can hold; None for a parameter that takes any.

    Example:
        >>> with_single_precision([InputType("float", bits=32)], [{"int": "16777217"}])
        ({'int': '16777216'},)
    """
    given = zip(kinds, arguments, strict=False)
    return (*(_held(kind, value) for kind, value in given), *arguments[len(kinds) :])


def _held(kind: InputType | None, value: Any) -> Any:
    if kind is None or not isinstance(value, dict) or not is_single(kind):
        return value
    ((tag, content),) = value.items()
    if tag in _CONTAINERS:
        inner = kind.inner if kind.kind == "tuple" else kind.inner[:1] * len(content)
        return {tag: [_held(one, each) for one, each in zip(inner, content, strict=False)]} if inner else value
    if kind.kind != "float" or tag not in ("int", "float"):
        return value
    number = _rounded(float.fromhex(content) if tag == "float" else int(content))
    if not math.isfinite(number):
        return value
    return {"float": number.hex()} if tag == "float" else {"int": str(int(number))}


def _rounded(number: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except (OverflowError, struct.error):
        # Beyond all numbers of single precision.
        return math.inf
