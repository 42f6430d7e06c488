"""Chance that can be repeated: draws and orders by hash, the same on every machine and after every restart."""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

_RANGE = 2**64


def draw(*about: object) -> float:
    """A number from 0 up to but not 1, drawn for whatever is named."""
    return int.from_bytes(hashlib.blake2b(_name(about), digest_size=8).digest(), "big") / _RANGE


def draws(count: int, *about: object) -> array[int]:
    """So many whole numbers of 64 bits, drawn for whatever is named: as many as there are subjects, in one hash."""
    numbers = array("Q", hashlib.shake_128(_name(about)).digest(8 * count))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def shuffled(items: Iterable[T], *about: object) -> list[T]:
    """The items in an order drawn for whatever is named; tuples count by their parts."""
    return sorted(items, key=lambda item: draw(*about, *(item if isinstance(item, tuple) else (item,))))


def _name(about: Iterable[object]) -> bytes:
    # The separator is in no name, so that ("a", "bc") and ("ab", "c") are two draws.
    return "\x1f".join(map(str, about)).encode("utf-8", "surrogatepass")
