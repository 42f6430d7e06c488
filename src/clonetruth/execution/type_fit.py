"""How well types fit two pieces of code, from what a few calls did."""

from __future__ import annotations

from collections.abc import Sequence

from clonetruth.execution.comparison import is_type_error
from clonetruth.execution.harness.harness import Observation
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import value_key

_RESULTS = 4


def fit(mine: Sequence[tuple[Observation, Observation]]) -> float | None:
    """How well a combination of types works on both sides, from 0 to 2; None if it does not."""
    if len(mine) < 2:
        return None
    both = [one for pair in mine for one in pair]
    if sum(is_type_error(one) for one in both) * 4 > len(both):
        return None
    normal = [pair for pair in mine if pair[0].is_normal and pair[1].is_normal]
    if not normal:
        return None
    results = {value_key((one.returned, one.output, one.changed)) for one, _ in normal}
    # A function of few results, such as one that says yes or no, is as well served as one of many.
    enough = min(_RESULTS, len(mine))
    return len(normal) / len(mine) + min(len(results), enough) / enough


def runs_on_one(mine: Sequence[tuple[Observation, Observation]]) -> bool:
    """Whether one side takes the types, and the other fails for another reason than that."""
    if not mine or any(is_type_error(one) for pair in mine for one in pair):
        return False
    fewest = max(2, len(mine) // 8)
    return any(sum(pair[at].is_normal for pair in mine) >= fewest for at in (0, 1))


def is_similar(one: InputType, other: InputType) -> bool:
    """Whether a type differs so little from another that code which takes both treats them alike."""
    if one == other or "default" in (one.kind, other.kind):
        return True
    if {one.kind, other.kind} <= {"int", "float"}:
        return True
    if one.kind != other.kind or one.kind in ("object", "function", "procedure"):
        return one.kind == other.kind
    return len(one.inner) == len(other.inner) and all(
        not a.inner and not b.inner for a, b in zip(one.inner, other.inner, strict=True)
    )


def is_numeric_variant(one: InputType, other: InputType) -> bool:
    """Whether a type is the same, or another kind of number, or an argument that is left out."""
    return one == other or "default" in (one.kind, other.kind) or {one.kind, other.kind} <= {"int", "float"}


def is_surrounding(candidates: Sequence[InputType]) -> bool:
    """Whether an argument is an object or a function, or its type is written, so that there are no guesses."""
    kinds = ("object", "function", "procedure", "default", "union", "record")
    return any(one.kind in kinds or (one.inner and one.inner[0].kind in kinds[-2:]) for one in candidates)
