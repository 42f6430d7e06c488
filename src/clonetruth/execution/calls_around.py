"""Calls that come before and behind that of the method which is compared, as types of inputs."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from clonetruth.execution.inputs.types import InputType

AROUND = ("before", "after")
"""The roles of such calls."""
_CONTAINERS = ("list", "set", "map")


def without_methods(
    candidates: Sequence[list[InputType]], roles: Sequence[str], methods: Collection[str], entry: str
) -> list[list[InputType]]:
    """Types whose calls are not of some methods, where others show what the object is like, or fill it.

    Args:
        candidates: the types of each argument.
        roles: what each argument is for.
        methods: the names of the methods.
        entry: the method that is compared.
    """
    pairs = list(zip(candidates, roles, strict=True))
    is_filled = any(role == "constructor" and one and one[0].kind in _CONTAINERS for one, role in pairs)
    return [
        [_without(kind, methods, "" if is_filled and role == "before" else _name(entry)) for kind in one]
        if role in AROUND
        else one
        for one, role in pairs
    ]


def _without(kind: InputType, methods: Collection[str], entry: str) -> InputType:
    if kind.kind == "list":
        return replace(kind, inner=tuple(_without(one, methods, entry) for one in kind.inner))
    kept = tuple(one for one in kind.inner if one.kind != "object" or one.name not in methods)
    return replace(kind, inner=kept) if any(one.name != entry for one in kept) else kind


def calling_alike(types: Sequence[InputType], roles: Sequence[str], entry: str) -> tuple[InputType, ...]:
    """Types whose calls before and behind give the method that is compared what it was found to take itself.

    Args:
        types: of the arguments.
        roles: what each argument is for; empty for those of the method.
        entry: the method.
    """
    own = [kind for kind, role in zip(types, roles, strict=True) if not role]
    name = _name(entry)

    def alike(kind: InputType) -> InputType:
        if kind.kind == "object" and kind.name == name:
            known = [*own[: len(kind.fields)], *(one for _, one in kind.fields[len(own) :])]
            pairs = zip(kind.fields, known, strict=True)
            return replace(kind, fields=tuple((at, one if new.kind == "default" else new) for (at, one), new in pairs))
        return replace(kind, inner=tuple(map(alike, kind.inner)))

    return tuple(alike(kind) if role in AROUND else kind for kind, role in zip(types, roles, strict=True))


def _name(entry: str) -> str:
    """The name of a method without that of its class."""
    return re.split(r"[.:]", entry)[-1]
