"""Inputs that differ from another one in one place, for inputs that reached something new."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from clonetruth.execution.inputs.generation import Constants
from clonetruth.execution.inputs.shrinking import smaller
from clonetruth.execution.values import Value

_SMALLER = 6


def neighbours(arguments: tuple[Value, ...], constants: Constants) -> Iterator[list[Value]]:
    """Arguments with one of them made smaller, larger by one, or longer."""
    for at, value in enumerate(arguments):
        for other in itertools.chain(itertools.islice(smaller(value), _SMALLER), larger(value, constants)):
            changed = list(arguments)
            changed[at] = other
            yield changed


def larger(value: Value, constants: Constants) -> Iterator[Value]:
    """Values next to one on the other side: the next number, a text or a list with one more."""
    if isinstance(value, str):
        for text in (value + value, value + "a", *(value + one for one in constants.strings[:3])):
            yield text
    elif isinstance(value, dict):
        ((kind, content),) = value.items()
        if kind == "int":
            yield from ({"int": str(int(content) + by)} for by in (1, -1))
            yield {"int": str(-int(content))}
        elif kind == "float":
            yield from ({"float": (float.fromhex(content) + by).hex()} for by in (1.0, -0.5))
        elif kind == "list" and content:
            yield {"list": [*content, content[0]]}
            yield {"list": content[::-1]}
            for at, one in enumerate(content[:4]):
                for other in itertools.islice(larger(one, constants), 2):
                    yield {"list": [*content[:at], other, *content[at + 1 :]]}
