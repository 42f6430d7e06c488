"""Near misses: pairs of functions that look similar but are not clones.

A near miss consists of two different functions in one language, of similar size and with different names, that share
many words although their texts differ: the smaller of line and token similarity is below the lower bound of Type-3 in
BigCloneBench. So it is not a clone under the criterion `textual`, by that criterion's own measure; this says nothing
about what the functions do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import ClassVar

from clonetruth.code import CloneType, clone_type, language, name_tokens, subwords
from clonetruth.code.mutation import EditSites

BOUND = 0.5
"""Similarity below which two texts are not considered textual clones."""

_SIZE_RATIO = 0.7
"""Minimum of tokens of the smaller ÷ tokens of the larger function."""

_POOL = 500
"""Number of functions from which the one with the most words in common is taken."""


@dataclass(frozen=True, eq=False)
class NearMissCandidate:
    """A function that may be part of a near miss.

    Attributes:
        key: its key in the benchmark.
        id: its id there.
        language: its language.
        name: its name, if known.
        sites: its parsed text.
    """

    key: int
    id: str
    language: str
    name: str | None
    sites: EditSites

    @property
    def own_name(self) -> str:
        """Its name without enclosing classes; its id if it has no name."""
        return self.id if self.name is None else self.name.rpartition(".")[2]

    @cached_property
    def size(self) -> int:
        """Its number of tokens."""
        return len(self.sites.tokens)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words in its identifiers."""
        names = name_tokens(self.sites.whole.decode(), language(self.language))
        return frozenset(word for name in names for word in subwords(name.decode("utf-8", errors="replace")))


@dataclass(frozen=True)
class VerifiedNearMiss:
    """Two functions that share words but are not clones.

    Attributes:
        left, right: the functions.
        shared: words in common ÷ all words of both.
        measured: the measured similarities and clone type.
    """

    left: NearMissCandidate
    right: NearMissCandidate
    shared: float
    measured: CloneType

    DESCRIPTION: ClassVar[str] = "Two functions of like size that share words, and whose texts are not alike."


def near_misses(candidates: Sequence[NearMissCandidate], count: int, seed: int) -> list[VerifiedNearMiss]:
    """Draw near misses, each pair once.

    Args:
        candidates: the functions.
        count: maximum number of pairs.
        seed: random seed.
    """
    rng = Random(f"{seed} near misses")
    found: dict[frozenset[int], VerifiedNearMiss] = {}
    # A function may be tried several times: each time with another pool, and so with another best partner.
    for _ in range(-(-2 * count // max(len(candidates), 1))):
        for left in rng.sample(candidates, len(candidates)):
            if len(found) >= count:
                return list(found.values())
            near = _nearest(left, rng.sample(candidates, min(_POOL, len(candidates))))
            if near is not None:
                found.setdefault(frozenset((left.key, near.right.key)), near)
    return list(found.values())


def _nearest(left: NearMissCandidate, pool: Sequence[NearMissCandidate]) -> VerifiedNearMiss | None:
    """The near miss of a function and the function of a pool with which it shares the most words."""
    comparable = [right for right in pool if _comparable(left, right)]
    for right in sorted(comparable, key=lambda right: _shared(left, right), reverse=True):
        measured = clone_type(left.sites.forms, right.sites.forms)
        if min(measured.similarity.line, measured.similarity.token) < BOUND:
            return VerifiedNearMiss(left, right, _shared(left, right), measured)
    return None


def _comparable(left: NearMissCandidate, right: NearMissCandidate) -> bool:
    return (
        left.key != right.key
        and left.language == right.language
        and left.own_name != right.own_name
        and min(left.size, right.size) >= _SIZE_RATIO * max(left.size, right.size)
    )


def _shared(left: NearMissCandidate, right: NearMissCandidate) -> float:
    either = left.words | right.words
    return len(left.words & right.words) / len(either) if either else 0.0
