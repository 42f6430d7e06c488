"""Inputs that differ from another one in one place, for inputs that reached something new."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.shrinking import smaller
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import Value

_SMALLER = 6


def neighbours(
    arguments: tuple[Value, ...], constants: Constants, types: Sequence[InputType] = ()
) -> Iterator[list[Value]]:
    """Arguments with one of them made smaller, larger by one, or longer.

    Args:
        arguments: those of an input.
        constants: of the code.
        types: of the arguments; a list of anything also gets texts of the code.
    """
    for at, value in enumerate(arguments):
        if at < len(types) and str(types[at]) == "list[any]" and isinstance(value, dict) and "list" in value:
            for text in constants.strings[:6]:
                yield [*arguments[:at], {"list": [*value["list"], text]}, *arguments[at + 1 :]]
        for other in itertools.chain(itertools.islice(smaller(value), _SMALLER), larger(value, constants)):
            changed = list(arguments)
            changed[at] = other
            yield changed


def larger(value: Value, constants: Constants) -> Iterator[Value]:
    """Values next to one on the other side: the next number, a text or a list with one more."""
    if isinstance(value, str):
        yield from (value + value, value + "a", *(value + one for one in constants.strings[:3]))
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
            yield {"list": [*content[1:], content[0]]}
            for at in dict.fromkeys([*range(min(len(content), 4)), len(content) - 1]):
                one = content[at]
                for other in itertools.islice(larger(one, constants), 2):
                    yield {"list": [*content[:at], other, *content[at + 1 :]]}
