"""Which types to pass: the parameters of two functions brought together, and combinations of types to try."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from clonetruth.execution.harness.harness import EntryParameter
from clonetruth.execution.inputs.types import InputType, parse_type

GUESSES = tuple(
    map(
        parse_type,
        ("int", "str", "list[int]", "list[str]", "float", "list[list[int]]", "map[str, int]", "bool", "list[float]"),
    )
)
"""What to try where nothing is known about a parameter, the most common first."""

MAX_PROFILES = 36

_LIKE_LISTS = ("list", "tuple", "iterator")


def align_parameters(
    left: Sequence[EntryParameter], right: Sequence[EntryParameter]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Which parameters of both sides get the same argument: two lists of positions of the same length. None if one
    side needs more arguments than the other takes.

    Parameters meet by name where all names are the same, else by type where that is unambiguous, else by position.
    Parameters with a default are left out at the end if the other side has no partner for them. One that stands for
    something that the code misses meets only one that stands for the same.
    """
    missed = [{one.stands_for for one in side if one.stands_for} for side in (left, right)]
    if missed[0] != missed[1]:
        return None
    count = min(len(left), len(right))
    if not all(one.optional for side in (left, right) for one in side[count:]):
        return None
    left, right = left[:count], right[:count]
    straight = tuple(range(count))
    names = [one.name.lower() for one in left], [one.name.lower() for one in right]
    if names[0] != names[1] and sorted(names[0]) == sorted(names[1]) and len(set(names[0])) == count:
        return straight, tuple(names[1].index(name) for name in names[0])
    if count <= 4 and not all(map(_meet, left, right)):
        for order in itertools.permutations(range(count)):
            if all(_meet(left[at], right[to]) for at, to in enumerate(order)):
                return straight, order
    return straight, straight


def _meet(left: EntryParameter, right: EntryParameter) -> bool:
    """Whether some value can be passed to both; unknown types take everything."""
    if left.stands_for != right.stands_for:
        return False
    return not left.types or not right.types or bool(_common(left.types, right.types))


def profiles(left: Sequence[EntryParameter], right: Sequence[EntryParameter]) -> list[tuple[InputType, ...]]:
    """Combinations of types for parameters that meet, the likeliest first; empty if some cannot be made."""
    candidates: list[Sequence[InputType]] = []
    for one, other in zip(left, right, strict=True):
        if one.types and other.types:
            # Both sides say something; where that contradicts, one of them was guessed wrongly.
            found: Sequence[InputType] = _common(one.types, other.types) or [*one.types, *other.types]
        else:
            found = one.types or other.types or GUESSES
        candidates.append(found)
    ranked = sorted(
        itertools.islice(itertools.product(*(range(len(one)) for one in candidates)), 20_000),
        key=lambda at: (sum(at), at),
    )
    return [tuple(one[at] for one, at in zip(candidates, place, strict=True)) for place in ranked[:MAX_PROFILES]]


def _common(left: Sequence[InputType], right: Sequence[InputType]) -> list[InputType]:
    met = (common_type(one, other) for one in left for other in right)
    return list(dict.fromkeys(one for one in met if one is not None))


def common_type(left: InputType, right: InputType) -> InputType | None:
    """The type of values that both sides take; None if there is none.

    Example:
        >>> str(common_type(parse_type("list[int64]"), parse_type("list[int]")))
        'list[int64]'
    """
    if left.kind == "any" or right.kind == "any":
        return right if left.kind == "any" else left
    if left.kind in _LIKE_LISTS and right.kind in _LIKE_LISTS:
        if left.kind == right.kind == "tuple":
            return _with_inner(left, right)
        one, other = (right, left) if left.kind == "tuple" else (left, right)
        if other.kind == "tuple":
            inner = {str(part): part for part in other.inner}
            if len(inner) != 1:
                return None
            other = InputType("list", tuple(inner.values()))
        return _with_inner(replace(one, kind="list"), other)
    if left.kind == right.kind:
        if left.kind in ("int", "float"):
            bits = min((one.bits for one in (left, right) if one.bits), default=0)
            return replace(
                left, bits=bits, signed=left.signed and right.signed, optional=left.optional and right.optional
            )
        if left.kind in ("object", "ref"):
            return left
        return _with_inner(left, right)
    kinds = {left.kind, right.kind}
    if kinds == {"int", "float"}:
        return left if left.kind == "int" else right
    if kinds == {"str", "char"}:
        return InputType("char")
    return None


def _with_inner(left: InputType, right: InputType) -> InputType | None:
    if len(left.inner) != len(right.inner):
        return None
    inner = [common_type(one, other) for one, other in zip(left.inner, right.inner, strict=True)]
    if None in inner:
        return None
    found = tuple(one for one in inner if one is not None)
    return replace(left, inner=found, optional=left.optional and right.optional)
