"""Which types to pass: the parameters of two functions brought together, and combinations of types to try."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clonetruth.execution.harness.harness import EntryParameter
from clonetruth.execution.inputs.types import InputType, parse_type

GUESSES = tuple(
    map(
        parse_type,
        ("int", "str", "list[int]", "list[str]", "float", "list[list[int]]", "map[str, int]", "bool", "map[str, str]"),
    )
)
"""What to try where nothing is known about a parameter, the most common first."""

MAX_PROFILES = 36
MAX_CANDIDATES = 8
_MOST_COMBINATIONS = 20_000
_RECEIVERS = ("self", "cls", "this")

_APART = frozenset(("list", "str", "map", "set", "tuple", "iterator"))
_WORD = 4
"""The length of a word that says something in a name."""
_MIXED = 3
"""How much later a combination is tried for each two arguments that differ in kind without need."""
_LIKE_LISTS = ("list", "tuple", "iterator")


@dataclass(frozen=True)
class Slot:
    """An argument of both sides.

    Attributes:
        left: the parameter of the left side that gets it; None if it has none.
        right: the same for the right side.
    """

    left: int | None
    right: int | None


def shared_slots(left: Sequence[EntryParameter], right: Sequence[EntryParameter]) -> list[Slot] | str:
    """Which parameters of both sides get the same argument. What is wrong, if one side needs what the other does not
    take: a number of arguments, or the name of something that only one side reads.

    Parameters with a default are left out if the other side has no partner for them. What is read without being a
    parameter meets by name; an object of which only one side reads fields is given to that side alone.
    """
    # What is done with an object before and after a call is nothing that a function without an object gets.
    around = {"before", "after"} - ({one.role for one in left} & {one.role for one in right})
    explicit = [
        [at for at, one in enumerate(side) if not one.implicit and one.role not in around] for side in (left, right)
    ]
    written = [left[at] for at in explicit[0]], [right[at] for at in explicit[1]]
    aligned = align_parameters(*written)
    if aligned is None:
        return f"{len(written[0])} and {len(written[1])}"
    found = [Slot(explicit[0][a], explicit[1][b]) for a, b in zip(*aligned, strict=True)]
    for slot in found:
        strange = _strange_field(_fields(left, slot.left), _fields(right, slot.right))
        if strange is not None:
            return f"{left[slot.left or 0].name}.{strange}"
    places = [{one.name: at for at, one in enumerate(side) if one.implicit} for side in (left, right)]
    for name in dict.fromkeys([*places[0], *places[1]]):
        if name not in _RECEIVERS and not (name in places[0] and name in places[1]):
            return name
        one_sided = _methods(left, places[0].get(name)) ^ _methods(right, places[1].get(name))
        if one_sided:
            # What an unknown method does for one side, nobody knows.
            return f"{name}.{min(one_sided)}"
        strange = _strange_field(_fields(left, places[0].get(name)), _fields(right, places[1].get(name)))
        if strange is not None:
            return f"{name}.{strange}"
        found.append(Slot(places[0].get(name), places[1].get(name)))
    return found


def _strange_field(left: set[str], right: set[str]) -> str | None:
    """A field of an object, if each side reads one that the other does not (`number` and `numbers`): nobody knows
    whether they are the same."""
    return min(left ^ right) if left - right and right - left else None


def _fields(side: Sequence[EntryParameter], at: int | None) -> set[str]:
    """The fields of an object that one side reads."""
    return {name for kind in (side[at].types[:1] if at is not None else ()) for name, _ in kind.fields}


def _methods(side: Sequence[EntryParameter], at: int | None) -> set[str]:
    """The unknown methods of an object that one side calls."""
    kinds = side[at].types[:1] if at is not None else ()
    return {name for kind in kinds for name, inner in kind.fields if inner.kind in ("function", "procedure")}


def align_parameters(
    left: Sequence[EntryParameter], right: Sequence[EntryParameter]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Which parameters of both sides get the same argument: two lists of positions of the same length. None if one
    side needs more arguments than the other takes, or others.

    Parameters meet by name where all names are the same, else by type where that is unambiguous, else by position.
    Parameters with a default are left out if the other side has no partner for them.
    """
    count = min(len(left), len(right))
    if len(left) != len(right):
        # The longer side keeps what it needs, then what the other one names alike or similarly, then the first ones.
        longer, shorter = (left, right) if len(left) > len(right) else (right, left)
        names = [one.name for one in shorter]
        wanted = sorted(
            range(len(longer)), key=lambda at: (longer[at].optional, _unlikeness(longer[at].name, names), at)
        )
        kept = sorted(wanted[:count])
        rest = [one for at, one in enumerate(longer) if at not in kept]
        if not all(one.optional and _unlikeness(one.name, names) for one in rest):
            # One that is left out, and whose name the other side has, would leave that with another meaning.
            return None
        inner = align_parameters([longer[at] for at in kept], shorter)
        assert inner is not None
        own, other = tuple(kept[at] for at in inner[0]), inner[1]
        return (own, other) if longer is left else (other, own)
    straight = tuple(range(count))
    names_of = [one.name.lower() for one in left], [one.name.lower() for one in right]
    if names_of[0] != names_of[1] and sorted(names_of[0]) == sorted(names_of[1]) and len(set(names_of[0])) == count:
        return straight, tuple(names_of[1].index(name) for name in names_of[0])
    if 1 < count <= 4 and not all(map(_meet, left, right)):
        for order in itertools.permutations(range(count)):
            if all(_meet(left[at], right[to]) for at, to in enumerate(order)):
                return straight, order
    return straight, straight


def _unlikeness(name: str, others: Sequence[str]) -> int:
    """0 for a name that others have, 1 for one that has a word of another in it (`ontrue`, `true_func`), else 2."""
    plain = name.lower()
    if plain in (one.lower() for one in others):
        return 0
    words = {word.lower() for one in others for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", one)}
    return 1 if any(len(word) >= _WORD and word in plain for word in words) else 2


def _meet(left: EntryParameter, right: EntryParameter) -> bool:
    """Whether some value can be passed to both; unknown types take everything."""
    return not left.types or not right.types or bool(_common(left.types, right.types))


def candidates_of(left: EntryParameter | None, right: EntryParameter | None) -> list[InputType]:
    """Types of an argument that both sides take, the likeliest first; empty if nothing is known."""
    sides = [list(one.types) for one in (left, right) if one is not None]
    if not all(any(kind.kind == "default" for kind in one) for one in sides):
        sides = [[kind for kind in one if kind.kind != "default"] for one in sides]
    sides = [one for one in sides if one]
    if len(sides) < 2:
        return sides[0] if sides else []
    # Both sides say something; where that contradicts, one of them was guessed wrongly.
    both = [*itertools.chain(*itertools.zip_longest(*sides))]
    return list(dict.fromkeys([*_common(*sides), *(one for one in both if one is not None)]))[:MAX_CANDIDATES]


def profiles(candidates: Sequence[Sequence[InputType]]) -> list[tuple[InputType, ...]]:
    """Combinations of types, the likeliest first.

    Args:
        candidates: the types of each argument, the likeliest first.
    """
    sizes = [len(one) for one in candidates]
    apart = _apart(candidates)
    ranked: list[tuple[int, tuple[int, ...]]] = []
    for total in range(sum(sizes) - len(sizes) + 1):
        for at in _with_sum(sizes, total, _MOST_COMBINATIONS):
            mixed = (
                sum((a, at[a], b, at[b]) in apart for a, b in itertools.combinations(range(len(at)), 2)) if apart else 0
            )
            ranked.append((total + _MIXED * mixed, at))
        if sum(rank <= total for rank, _ in ranked) >= MAX_PROFILES:
            # All others come later.
            break
    return [
        tuple(one[at] for one, at in zip(candidates, place, strict=True)) for _, place in sorted(ranked)[:MAX_PROFILES]
    ]


def _with_sum(sizes: Sequence[int], total: int, most: int) -> Iterator[tuple[int, ...]]:
    """Places with a sum, among the first combinations in the order of `itertools.product`."""
    if not sizes:
        if total == 0:
            yield ()
        return
    behind = math.prod(sizes[1:])
    furthest = sum(sizes[1:]) - len(sizes[1:])
    for first in range(max(0, total - furthest), min(total, sizes[0] - 1) + 1):
        left = most - first * behind
        if left <= 0:
            return
        for rest in _with_sum(sizes[1:], total - first, min(left, behind)):
            yield (first, *rest)


def _apart(candidates: Sequence[Sequence[InputType]]) -> set[tuple[int, int, int, int]]:
    """Choices for two arguments, each with its place, that differ in kind although both could have the same: code that
    treats two arguments alike is not made for a list and a text."""
    return {
        (a, i, b, j)
        for (a, ones), (b, others) in itertools.combinations(enumerate(candidates), 2)
        for i, one in enumerate(ones)
        for j, other in enumerate(others)
        if one.kind != other.kind and {one.kind, other.kind} <= _APART and one in others and other in ones
    }


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
    if left == right:
        return left
    if "union" in (left.kind, right.kind):
        return _common_union(left, right)
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
    if left.kind == right.kind and left.kind not in ("function", "procedure"):
        if left.kind in ("int", "float"):
            bits = min((one.bits for one in (left, right) if one.bits), default=0)
            return replace(
                left, bits=bits, signed=left.signed and right.signed, optional=left.optional and right.optional
            )
        if left.kind in ("object", "record"):
            return _with_fields(left, right)
        if left.kind == "ref":
            return left
        return _with_inner(left, right)
    kinds = {left.kind, right.kind}
    if kinds <= {"function", "procedure"}:
        if left.inner[1:] != right.inner[1:]:
            return None
        result = common_type(left.inner[0], right.inner[0]) or left.inner[0]
        return InputType("procedure" if "procedure" in kinds else "function", (result, *left.inner[1:]))
    if kinds == {"int", "float"}:
        return left if left.kind == "int" else right
    if kinds == {"str", "char"}:
        return InputType("char")
    return None


def _common_union(left: InputType, right: InputType) -> InputType | None:
    """One of the types that both sides take, in the order of the left ones."""
    ones, others = (one.inner if one.kind == "union" else (one,) for one in (left, right))
    found: list[InputType] = []
    for one in ones:
        # Objects meet by the name of their class, and numbers of another kind only if none of the same kind is there.
        alike = [other for other in others if (other.kind, other.name) == (one.kind, one.name)]
        alike = alike or [other for other in others if "object" not in (one.kind, other.kind)]
        met = (one,) if one in alike else (common_type(one, other) for other in alike)
        found += [kind for kind in met if kind is not None][:1]
    kept = tuple(dict.fromkeys(found))
    optional = left.optional and right.optional
    if not kept or (len(kept) == 1 and kept[0].kind != "object"):
        return replace(kept[0], optional=kept[0].optional or optional) if kept else None
    return InputType("union", kept, optional=optional)


def _with_fields(left: InputType, right: InputType) -> InputType:
    """An object with the fields of both; names that differ in the size of letters alone, as languages write them, are
    one field, by its name on the left."""
    others = dict(right.fields)
    own = {name.casefold(): name for name, _ in left.fields}
    if len(own) == len(left.fields) and len({one.casefold() for one in others}) == len(others):
        others = {own.get(name.casefold(), name): kind for name, kind in right.fields}
    fields = [(name, (name in others and common_type(kind, others[name])) or kind) for name, kind in left.fields]
    known = {name for name, _ in fields}
    fields += [(name, _renamed(kind, right.name, left.name)) for name, kind in others.items() if name not in known]
    return replace(left, fields=tuple(fields), optional=left.optional and right.optional)


def _renamed(kind: InputType, old: str, new: str) -> InputType:
    return replace(kind, name=new) if kind.kind == "ref" and kind.name == old else kind


def _with_inner(left: InputType, right: InputType) -> InputType | None:
    if len(left.inner) != len(right.inner):
        return None
    inner = [common_type(one, other) for one, other in zip(left.inner, right.inner, strict=True)]
    if None in inner:
        return None
    found = tuple(one for one in inner if one is not None)
    return replace(left, inner=found, optional=left.optional and right.optional)
