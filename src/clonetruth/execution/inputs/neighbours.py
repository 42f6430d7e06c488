"""Inputs that differ from another one in one place, for inputs that reached something new."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.quick_random import QuickRandom
from clonetruth.execution.inputs.shrinking import smaller
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import Value

_SMALLER = 6
_END: Any = object()
_DIGITS = re.compile(r"\d+")
_NUMBERS = ("0", "25", "9")
_MOST_NUMBERS, _MOST_DIGITS = 3, 18
_SPLICED, _LONGEST = 6, 200


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
        # In turn: a search often has room for a few of each input only.
        ways = itertools.islice(smaller(value), _SMALLER), larger(value, constants)
        in_turn = itertools.chain.from_iterable(itertools.zip_longest(*ways, fillvalue=_END))
        for other in (one for one in in_turn if one is not _END):
            changed = list(arguments)
            changed[at] = other
            yield changed


def larger(value: Value, constants: Constants) -> Iterator[Value]:
    """Values next to one on the other side: the next number, a text or a list with one more."""
    if isinstance(value, str):
        yield from _longer(value, constants)
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


def _longer(text: str, constants: Constants) -> Iterator[str]:
    """A text with another number in it, with what the code looks for somewhere, twice, or with another line."""
    for found in itertools.islice(_DIGITS.finditer(text), _MOST_NUMBERS):
        if found.end() - found.start() <= _MOST_DIGITS:
            yield f"{text[: found.start()]}{int(found[0]) + 1:0{len(found[0])}}{text[found.end() :]}"
    yield from (text + text, text + "a", *(text + one for one in constants.strings[:3]))
    for number in _NUMBERS if _DIGITS.search(text) else ():
        yield _DIGITS.sub(number, text, count=1)
    if not constants.pieces or len(text) > _LONGEST:
        return
    random = QuickRandom(text)
    for _ in range(_SPLICED):
        at, piece = random.randint(0, len(text)), random.choice(constants.pieces)
        yield text[:at] + piece + text[at:]
        if constants.lines:
            yield f"{text}\n{random.choice(constants.lines)}"
