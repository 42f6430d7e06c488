"""Frozen dataclasses from JSON: every value is checked against its field's type."""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from enum import StrEnum
from typing import Any, TypeVar

T = TypeVar("T")


class WrongShapeError(Exception):
    """A value that does not fit its field, with its place."""


def build_record(kind: type[T], content: Any, place: str) -> T:
    """A dataclass from what `json.loads` gave; the opposite of `dataclasses.asdict`.

    Args:
        kind: the dataclass. Its fields may be scalars, enumerations, tuples, mappings of JSON, and other dataclasses.
        content: the JSON object.
        place: what it is, for messages.

    Raises:
        WrongShapeError: saying which entry is missing, unknown or of another type.
    """
    built = _build(kind, content, place)
    assert isinstance(built, kind)
    return built


def _build(kind: Any, value: Any, place: str) -> Any:
    """A value of JSON as what its field's type says."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _build_dataclass(kind, value, place)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if value is None:
            return None
        (given,) = (one for one in inner if one is not types.NoneType)
        return _build(given, value, place)
    if origin is tuple:
        if not isinstance(value, list):
            raise WrongShapeError(f"{place} is no list")
        kinds = [inner[0]] * len(value) if inner[-1] is Ellipsis else list(inner)
        if len(kinds) != len(value):
            raise WrongShapeError(f"{place} has {len(value)} values instead of {len(kinds)}")
        return tuple(
            _build(one, item, f"{place}[{at}]") for at, (one, item) in enumerate(zip(kinds, value, strict=True))
        )
    if origin is not None:  # the mappings of settings and counts, which are JSON as they stand
        if not isinstance(value, dict):
            raise WrongShapeError(f"{place} is no object")
        return value
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if value not in list(kind):
            raise WrongShapeError(f"{place} is '{value}'")
        return kind(value)
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        raise WrongShapeError(f"{place} is {json.dumps(value)[:80]}")
    if isinstance(value, float) and not math.isfinite(value):
        raise WrongShapeError(f"{place} is {value}")
    return value


def _build_dataclass(kind: type, value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise WrongShapeError(f"{place} is no object")
    hints = typing.get_type_hints(kind)
    unknown = value.keys() - hints.keys()
    if unknown:
        raise WrongShapeError(f"{place} has an unknown entry '{min(unknown)}'")
    built = {name: _build(hints[name], item, f"{place}.{name}") for name, item in value.items()}
    try:
        return kind(**built)
    except TypeError as error:
        raise WrongShapeError(f"{place}: {error}") from error
