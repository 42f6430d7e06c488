"""Smaller inputs: what to try when an input shows a difference and a person should read it.

Candidates are made in batches, because one run of a piece of code with fifty inputs costs hardly more than with one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from clonetruth.execution.inputs.library_values import LIBRARY_KINDS, smaller_library_values
from clonetruth.execution.inputs.objects import without_lost
from clonetruth.execution.values import Value, value_key

_SEQUENCES = ("list", "tuple", "set", "iterator")
_BATCH = 120
_ROUNDS = 12


def shrink(
    arguments: tuple[Value, ...],
    differs: Callable[[Sequence[tuple[Value, ...]]], Sequence[bool]],
    rounds: int = _ROUNDS,
    first: int = _BATCH,
) -> tuple[Value, ...]:
    """The smallest arguments that still show a difference.

    Args:
        arguments: some that do.
        differs: says for each of several arguments whether they do.
        rounds: how often to look for a smaller one at most.
        first: how many to ask for at once, before the others; few where a run costs more than being asked again.

    Example:
        >>> both = lambda calls: [int(call[0]["int"]) > 5 for call in calls]
        >>> shrink(({"int": "1000"},), both)
        ({'int': '6'},)
    """
    tried = {value_key(arguments)}
    for _ in range(rounds):
        candidates = []
        # What is not smaller would be tried for as many rounds as there are: 1.0, 0.5, 0.25 and so on.
        present = size(arguments)
        for one in map(without_lost, _smaller_arguments(arguments)):
            key = value_key(one)
            if key not in tried and size(one) < present:
                tried.add(key)
                candidates.append(one)
        candidates = sorted(candidates, key=size)[:_BATCH]
        found = next(filter(None, (_that_do(part, differs) for part in (candidates[:first], candidates[first:]))), [])
        if not found:
            break
        arguments = found[0]
    return arguments


def _that_do(
    candidates: Sequence[tuple[Value, ...]], differs: Callable[[Sequence[tuple[Value, ...]]], Sequence[bool]]
) -> list[tuple[Value, ...]]:
    return [one for one, does in zip(candidates, differs(candidates), strict=True) if does] if candidates else []


def size(arguments: tuple[Value, ...]) -> tuple[int, int, str]:
    """How much there is to read: elements first, then digits and letters."""
    text = repr(arguments)
    return sum(map(_weight, arguments)), len(text), text


def _weight(value: Value) -> int:
    if value is None or value is False:
        return 0
    if value is True:
        return 1
    if isinstance(value, str):
        plain = sum(not one.islower() for one in value)
        return 2 * len(value) + plain
    ((kind, content),) = value.items()
    if kind == "int":
        number = int(content) if len(content) < 40 else 10**40
        # Negative numbers are a little larger than positive ones.
        return 2 * min(abs(number), 60) + len(content) + (number < 0)
    if kind == "float":
        number_f = float.fromhex(content)
        # What is no number is read as easily as an infinite one.
        return 2 + 2 * int(min(60, abs(number_f))) + len(repr(number_f)) + (number_f < 0)
    if kind in _SEQUENCES:
        return 3 + sum(3 + _weight(one) for one in content)
    if kind == "map":
        return 3 + sum(3 + _weight(key) + _weight(one) for key, one in content)
    if kind == "named":
        return 1 + _weight(content[1])
    if kind == "object":
        return 3 + sum(3 + _weight(one) for _, one in content[1])
    return 1 + len(str(content))


def _smaller_arguments(arguments: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
    for at, value in enumerate(arguments):
        for one in smaller(value):
            yield (*arguments[:at], one, *arguments[at + 1 :])
    # The same change on two arguments, such as a list and its length.
    if len(arguments) > 1:
        for at, value in enumerate(arguments[:-1]):
            for one in list(smaller(value))[:12]:
                for other in list(smaller(arguments[at + 1]))[:12]:
                    yield (*arguments[:at], one, other, *arguments[at + 2 :])


def smaller(value: Value) -> Iterator[Value]:
    """Values of the same type with less to read."""
    if value is True:
        yield False
    elif isinstance(value, str):
        yield from _smaller_text(value)
    elif isinstance(value, dict):
        ((kind, content),) = value.items()
        if kind == "int":
            yield from ({"int": str(one)} for one in _smaller_integers(int(content)) if str(one) != content)
        elif kind == "float":
            number = float.fromhex(content)
            near = [0.0, 1.0, -1.0, 0.5, 2.0, float(round(number)) if abs(number) < 1e15 else 1e6]
            near += [number / 2] if math.isfinite(number) else []
            yield from ({"float": one.hex()} for one in near if one != number)
        elif kind == "decimal":
            near_d = ["0", "1", "0.5", f"{Decimal(content):f}".lstrip("-"), *_shorter_digits(content)]
            yield from ({"decimal": one} for one in near_d if one and one != content)
        elif kind == "char" and content != "a":
            yield {"char": "a"}
        elif kind in LIBRARY_KINDS and isinstance(content, str):
            yield from smaller_library_values(kind, content)
        elif kind in _SEQUENCES:
            # A tuple has a fixed number of parts.
            yield from ({kind: one} for one in _smaller_list(content, may_drop=kind != "tuple"))
        elif kind == "map":
            for at, (key, one) in enumerate(content):
                yield {"map": [*content[:at], *content[at + 1 :]]}
                yield from ({"map": [*content[:at], [key, less], *content[at + 1 :]]} for less in smaller(one))
        elif kind == "object":
            yield from _smaller_object(content)
        elif kind == "named":
            yield from ({"named": [content[0], less]} for less in smaller(content[1]))


def _shorter_digits(content: str) -> list[str]:
    """A decimal number without its digits before the point, or with one digit less at an end."""
    whole, point, fraction = content.lstrip("-").partition(".")
    return [f"0{point}{fraction}", f"{whole[-1:]}{point}{fraction}", f"{whole}{point}{fraction[1:]}".rstrip(".")]


def _smaller_integers(number: int) -> Iterator[int]:
    yield from (one for one in (0, 1, -1, 2, 3, 5, 10) if abs(one) <= abs(number))
    if number < 0:
        yield -number
    step = abs(number) // 2
    sign = 1 if number > 0 else -1
    while step:
        yield number - sign * step
        step //= 2


def _smaller_text(text: str) -> Iterator[str]:
    if not text:
        return
    yield ""
    half = len(text) // 2
    if half:
        yield text[:half]
        yield text[half:]
    for at in range(min(len(text), 30)):
        yield text[:at] + text[at + 1 :]
        if text[at] not in "ab":
            yield text[:at] + "a" + text[at + 1 :]


def _smaller_list(content: list[Any], may_drop: bool) -> Iterator[list[Any]]:
    if may_drop and content:
        yield []
        half = len(content) // 2
        if half:
            yield content[:half]
            yield content[half:]
        for at in range(min(len(content), 30)):
            yield [*content[:at], *content[at + 1 :]]
    for at, one in enumerate(content[:30]):
        for less in smaller(one):
            yield [*content[:at], less, *content[at + 1 :]]


def _smaller_object(content: list[Any]) -> Iterator[Value]:
    name, fields = content
    for at, (key, one) in enumerate(fields):
        inner = one["named"][1] if isinstance(one, dict) and "named" in one else one
        if isinstance(inner, dict) and "object" in inner and inner["object"][0] == name:
            # A link to another object of its class.
            yield one
            yield {"object": [name, [*fields[:at], [key, None], *fields[at + 1 :]]]}
        for less in smaller(one):
            yield {"object": [name, [*fields[:at], [key, less], *fields[at + 1 :]]]}
