"""Standard inputs for programs of which nothing is known: all programs get the same ones.

Most are longer than a program needs. One that reads words takes as many as it wants, wherever lines end; one that reads
lines needs lines of its form, so there are several forms: a count of cases, then lines of one to four numbers, lists
behind their length, words, grids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

_LINES = 40
_WORDS = ("abc", "hello", "aab", "racecar", "xyzzy", "level", "banana", "zoo", "code", "noon")


@cache
def generic_texts() -> tuple[str, ...]:
    """The generic standard inputs, always the same."""
    return tuple(_texts(Random("generic inputs")))


def _texts(random: Random) -> Iterator[str]:
    def small() -> int:
        return random.randint(1, 9)

    def tiny() -> int:
        return random.randint(1, 3)

    def large() -> int:
        return random.randint(1, 100)

    def any_number() -> int:
        return random.choice([random.randint(-9, 9), random.randint(0, 1000), small()])

    for width in (1, 2, 3, 4):
        for value in (tiny, small, large):
            yield _text([random.randint(2, 4)], *_rows(width, value))
    for value in (small, large, any_number):
        yield _text([2 + tiny()], *_lists(random, value, 1))
        yield _text([3], *_lists(random, value, 2))
    for value in (small, large):
        # Without a count of cases.
        yield _text(*_lists(random, value, 1))
        yield _text([5, tiny()], *_rows(5, value))
        yield _text([4, 4], *_rows(4, value))
        yield _text([value()])
        yield _text([value(), value()])
        yield _text([value()], [0])
        yield _text([value(), value(), value()], [0, 0, 0])
    yield _text([any_number() for _ in range(8)], [0])
    yield "3\n" + "".join(f"{random.choice(_WORDS)}\n" for _ in range(_LINES))
    yield "".join(f"{random.choice(_WORDS)} {random.choice(_WORDS)}\n" for _ in range(3))
    yield "racecar\nabc\nracecar\n"
    yield "3\n" + "".join(f"{random.choice(_WORDS)} {small()}\n" for _ in range(_LINES))
    yield "2\n" + "".join("3 4\n" + "".join(_cells(random, ".#", 4) for _ in range(3)) for _ in range(6))
    yield "4\n" + "".join(_cells(random, "01", 4) for _ in range(_LINES))
    yield "".join(f"{large() / 4}\n" for _ in range(_LINES))


def _rows(width: int, value: Callable[[], int]) -> Iterator[list[int]]:
    for _ in range(_LINES):
        yield [value() for _ in range(width)]


def _lists(random: Random, value: Callable[[], int], width: int) -> Iterator[list[int]]:
    """Lists behind their length, and behind further numbers in the same line."""
    for _ in range(12):
        count = random.randint(2, 6)
        yield [count, *(random.randint(1, 5) for _ in range(width - 1))]
        yield [value() for _ in range(count)]


def _cells(random: Random, letters: str, width: int) -> str:
    return "".join(random.choice(letters) for _ in range(width)) + "\n"


def _text(*lines: list[int]) -> str:
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)
