"""Texts of the lengths that code asks for: twelve digits where it says `len(digits) != 12`.

A text of another length mostly ends such code at once, so that two ways of going on would seem equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random

_SIZE = r"(?:\blen\s*\(\s*[\w.]+\s*\)|\.\s*[lL]ength\b(?:\s*\(\s*\))?|\.size\s*\(\s*\)|\bstrlen\s*\(\s*\w+\s*\))"
_ASKED = re.compile(rf"{_SIZE}\s*([!=]==?|[<>]=?)\s*(\d+)\b|\b(\d+)\s*([!=]==?|[<>]=?)\s*[\w.(]*?{_SIZE}")
_ALPHABETS = ("0123456789",) * 6 + ("0123456789abcdef", "abcdefghijklmnopqrstuvwxyz", "aB3-._ ")
"""Mostly digits: codes and numbers of all kinds have a length."""
_LEAST, _MOST = 3, 40
_MOST_SIZES = 4


def asked_sizes(sources: Iterable[str]) -> tuple[int, ...]:
    """The lengths with which code compares that of a value, and those next to a limit.

    Example:
        >>> asked_sizes(["if len(digits) != 12:", "while (text.length < 8)"])
        (12, 8, 7, 9)
    """
    sizes: dict[int, None] = {}
    for source in sources:
        for compared, number, other, asked in _ASKED.findall(source):
            size, sign = int(number or other), compared or asked
            near = (size,) if "==" in sign or sign == "!=" else (size, size - 1, size + 1)
            sizes.update(dict.fromkeys(one for one in near if _LEAST <= one <= _MOST))
    return tuple(sizes)[:_MOST_SIZES]


def sized_text(random: Random, sizes: Sequence[int]) -> str:
    """A text of one of some lengths."""
    return "".join(random.choices(random.choice(_ALPHABETS), k=random.choice(sizes)))
