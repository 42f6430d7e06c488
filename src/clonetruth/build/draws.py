"""Draws without replacement from numbers too many to list: a keyed permutation, so that a larger draw holds a smaller.

A Feistel network mixes the bits of a number; results beyond the range go through it again until they are within it.
It is a permutation, so no number comes twice, and only those that are asked for are computed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
_Words = npt.NDArray[np.uint64]

_ROUNDS = 6


def draw(total: int, count: int, seed: int) -> Integers:
    """`count` different numbers below `total` (all of them where it has fewer), the same for a seed everywhere."""
    if total <= 0:
        return np.empty(0, np.int64)
    half = max((total - 1).bit_length() + 1, 2) // 2
    numbers = np.arange(min(count, total), dtype=np.uint64)
    numbers = _mixed(numbers, half, seed)
    while (beyond := numbers >= np.uint64(total)).any():
        numbers[beyond] = _mixed(numbers[beyond], half, seed)
    return numbers.astype(np.int64)


def _mixed(numbers: _Words, half: int, seed: int) -> _Words:
    bits, mask = np.uint64(half), np.uint64((1 << half) - 1)
    left, right = numbers >> bits, numbers & mask
    for number in range(_ROUNDS):
        left, right = right, left ^ (_hashed(right, (seed << 8) + number) & mask)
    return (left << bits) | right


def _hashed(numbers: _Words, key: int) -> _Words:
    """SplitMix64's finaliser (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        mixed = numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64((key * 0xD1342543DE82EF95) % 2**64)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))
