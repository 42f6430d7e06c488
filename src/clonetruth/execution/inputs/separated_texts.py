"""Texts with the separators that code mentions: `12:60` where it splits at a colon, `v1.2.3`, words on two lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

_SEPARATOR = re.compile(r"[^\w\s(){}\[\]<>%\"'\\]{1,2}|[ \t\n,;:.|/=&+-]{1,4}")
_PREFIX = re.compile(r"[A-Za-z]{1,2}|[#@$v]")
_WORDS = ("a", "bc", "Abc", "", " x", "12", "-7", "a1")
_BETWEEN = ("a", "b", "ab", "x", "1", "7", "12", "0", " ")
_MOST_PIECES, _MOST_LINES = 6, 4
_MOST_SEPARATORS, _EACH, _LARGEST = 4, 12, 1_000


def separated_texts(strings: Sequence[str], numbers: Sequence[int]) -> tuple[str, ...]:
    """Texts whose parts are separated as code writes it; the same code gives the same ones.

    Args:
        strings: the texts that are written in the code.
        numbers: the whole numbers that are, with their neighbours.
    """
    separators: dict[str, None] = {}
    for one in strings:
        if _SEPARATOR.fullmatch(one):
            # Several of white space are mostly a list of letters.
            separators.update(dict.fromkeys(one if one.isspace() else (one,)))
    prefixes = ["", "", *(one for one in strings if _PREFIX.fullmatch(one))][:4]
    written = [*(one for one in numbers if 0 <= one <= _LARGEST), 0, 1, 7, 12, 59, 3, 100]
    largest = sorted(set(written), reverse=True)
    random = Random("\0".join(strings))
    found: dict[str, None] = {}
    for number in range(_EACH):
        for separator in list(separators)[:_MOST_SEPARATORS]:
            count = (2, 3, 3, 4, 2, 1)[number % 6]
            if separator.isspace():
                parts = random.choices(_WORDS, k=count)
            elif number % 6 in (1, 4, 0):
                parts = [str(random.choice((1, 7, 12)))] * (count - 1) + [str(largest[number // 2 % len(largest)])]
            else:
                parts = [str(one) for one in random.choices(written, k=count)]
            if number % 6 == 3:
                parts[-1] = random.choice(_WORDS)
            found[random.choice(prefixes) + separator.join(parts)] = None
    return tuple(found)


def pieced_text(random: Random, pieces: Sequence[str], lines: Sequence[str] = ()) -> str:
    """A text of what code looks for, words and numbers in any order.

    Args:
        random: what chooses.
        pieces: what the code looks for.
        lines: lines of such a text, if the code reads it line by line.
    """
    made: list[str] = []
    for _ in range(random.randint(1, _MOST_LINES) if lines else 1):
        count = random.randint(1, _MOST_PIECES)
        parts = [random.choice(pieces if random.random() < 0.5 else _BETWEEN) for _ in range(count)]
        made.append(random.choice(lines) if lines and random.random() < 0.5 else "".join(parts))
    return "\n".join(made)
