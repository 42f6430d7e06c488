"""Near misses: pairs of functions that look alike and are no clones.

A near miss is two different functions in one language, of like size, with different names, that share many words, and
whose texts are nevertheless not alike: the smaller of line and token similarity is below the bound from which
BigCloneBench speaks of Type-3 at all. So it is no clone under the criterion `textual`, by that criterion's own measure;
of what the functions do nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from clonetruth.code import CloneType, clone_type, language, name_tokens, subwords
from clonetruth.code.mutation import EditSites

# Draws without replacement from numbers too many to list: a keyed permutation, so that a larger draw holds a smaller.
#
# A Feistel network mixes the bits of a number; results beyond the range go through it again until they are within it.
# It is a permutation, so no number comes twice, and only those that are asked for are computed.

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


BOUND = 0.5
"""Similarity below which nobody speaks of a textual clone."""

_LIKE_SIZE = 0.7
"""Tokens of the smaller ÷ tokens of the larger, at least."""

_POOL = 500
"""Functions among which the one with the most words in common is taken."""


@dataclass(frozen=True, eq=False)
class NearMissCandidate:
    """A function that may stand in a near miss.

    Attributes:
        key: its key in the benchmark.
        id: its id there.
        language: its language.
        name: its name, if known.
        specimen: its parsed text.
    """

    key: int
    id: str
    language: str
    name: str | None
    specimen: EditSites

    @property
    def own_name(self) -> str:
        """Its name without the classes around it; where it has none, its id."""
        return self.id if self.name is None else self.name.rpartition(".")[2]

    @cached_property
    def size(self) -> int:
        """Its tokens."""
        return len(self.specimen.tokens)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that its names are made of."""
        names = name_tokens(self.specimen.whole.decode(), language(self.language))
        return frozenset(word for name in names for word in subwords(name.decode("utf-8", errors="replace")))


@dataclass(frozen=True)
class VerifiedNearMiss:
    """Two functions that share words and are no clones.

    Attributes:
        left, right: the functions.
        shared: words in common ÷ all words of both.
        measured: what was measured of their texts.
    """

    left: NearMissCandidate
    right: NearMissCandidate
    shared: float
    measured: CloneType

    DESCRIPTION: ClassVar[str] = "Two functions of like size that share words, and whose texts are not alike."


def near_misses(candidates: Sequence[NearMissCandidate], count: int, seed: int) -> list[VerifiedNearMiss]:
    """Draw near misses: at most so many, each pair once; fewer where there are not as many.

    Args:
        candidates: the functions.
        count: how many pairs are wanted.
        seed: of the draw.
    """
    rng = Random(f"{seed} near misses")
    found: dict[frozenset[int], VerifiedNearMiss] = {}
    # Each function is asked several times at most: the pool differs, and so does the best of it.
    for _ in range(-(-2 * count // max(len(candidates), 1))):
        for left in rng.sample(candidates, len(candidates)):
            if len(found) >= count:
                return list(found.values())
            near = _nearest(left, rng.sample(candidates, min(_POOL, len(candidates))))
            if near is not None:
                found.setdefault(frozenset((left.key, near.right.key)), near)
    return list(found.values())


def _nearest(left: NearMissCandidate, pool: Sequence[NearMissCandidate]) -> VerifiedNearMiss | None:
    """The near miss of a function with the one of a pool that it shares the most words with."""
    alike = [right for right in pool if _comparable(left, right)]
    for right in sorted(alike, key=lambda right: _shared(left, right), reverse=True):
        measured = clone_type(left.specimen.forms, right.specimen.forms)
        if min(measured.similarity.line, measured.similarity.token) < BOUND:
            return VerifiedNearMiss(left, right, _shared(left, right), measured)
    return None


def _comparable(left: NearMissCandidate, right: NearMissCandidate) -> bool:
    return (
        left.key != right.key
        and left.language == right.language
        and left.own_name != right.own_name
        and min(left.size, right.size) >= _LIKE_SIZE * max(left.size, right.size)
    )


def _shared(left: NearMissCandidate, right: NearMissCandidate) -> float:
    either = left.words | right.words
    return len(left.words & right.words) / len(either) if either else 0.0
