"""Lists of one call that must be equally long: a function of C gets one number for the lengths of several lists, or for
those of all rows of a table. Other lengths cannot be said to it, so an input that has them is none for both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import Value

_LONGEST = 100
"""A number in a declaration beyond this one says how much there may be, rather than how much there is."""
_PLAIN: dict[str, Value] = {
    "int": {"int": "0"},
    "float": {"float": (0.0).hex()},
    "bool": False,
    "str": "",
    "char": {"char": "a"},
}


@dataclass(frozen=True)
class ListLength:
    """What says how long a list is.

    Attributes:
        own: a name that lists of the same length share, or a number; empty if nothing is said.
        rows: the same for the lists inside.
    """

    own: str = ""
    rows: str = ""


NO_LENGTH = ListLength()


def fixed_length(written: str) -> str:
    """A length that a declaration writes as a number; empty if it is none, or one that is rather a limit."""
    plain = written.strip()
    return plain if plain.isdecimal() and 0 < int(plain) <= _LONGEST else ""


def lengths_agree(lengths: Sequence[ListLength], arguments: Sequence[Value]) -> bool:
    """Whether lists that share a length have the same. Numbers in declarations are not asked for: longer and shorter
    lists can be passed, though they may not be meant.

    Example:
        >>> lengths_agree([ListLength("n"), ListLength("n")], [{"list": [None]}, {"list": []}])
        False
    """
    found: dict[str, int] = {}
    for name, length in _named_lengths(lengths, arguments):
        if not name.isdecimal() and found.setdefault(name, length) != length:
            return False
    return True


def with_lengths(
    lengths: Sequence[ListLength], types: Sequence[InputType], arguments: Sequence[Value]
) -> tuple[Value, ...]:
    """Arguments whose lists are as long as the shortest that shares their length, or as a declaration says.

    Example:
        >>> kind = InputType("list", (InputType("int"),))
        >>> with_lengths([ListLength("n"), ListLength("n")], [kind, kind], [{"list": [None]}, {"list": []}])
        ({'list': []}, {'list': []})
    """
    shortest: dict[str, int] = {}
    for name, length in _named_lengths(lengths, arguments):
        shortest[name] = int(name) if name.isdecimal() else min(length, shortest.get(name, length))
    made = list(arguments)
    for at, (one, kind, value) in enumerate(zip(lengths, types, arguments, strict=False)):
        elements = _elements(value)
        if elements is None or not (one.own or one.rows):
            continue
        inner = kind.inner[0] if kind.inner else kind
        if one.own in shortest:
            elements = _of_length(elements, shortest[one.own], inner)
        if one.rows in shortest:
            rows = [(row, _elements(row)) for row in elements]
            cell = inner.inner[0] if inner.inner else inner
            elements = [
                row if cells is None else {"list": _of_length(cells, shortest[one.rows], cell)} for row, cells in rows
            ]
        made[at] = {"list": elements}
    return tuple(made)


def _named_lengths(lengths: Sequence[ListLength], arguments: Sequence[Value]) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for one, value in zip(lengths, arguments, strict=False):
        elements = _elements(value)
        if elements is None:
            continue
        if one.own:
            found.append((one.own, len(elements)))
        if one.rows:
            found += [(one.rows, len(row)) for row in map(_elements, elements) if row is not None]
    return found


def _elements(value: Value) -> list[Value] | None:
    if isinstance(value, str):
        return None
    if isinstance(value, dict):
        for kind in ("list", "tuple"):
            if kind in value:
                return list(value[kind])
    return None


def _of_length(elements: list[Value], length: int, inner: InputType) -> list[Value]:
    """The first elements, or all and then the first ones again."""
    if len(elements) >= length:
        return elements[:length]
    again = elements or [_PLAIN.get(inner.kind, {"list": []} if inner.kind == "list" else None)]
    return [*elements, *(again[at % len(again)] for at in range(length - len(elements)))]
