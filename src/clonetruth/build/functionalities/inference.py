"""Who stands in which functionality, as far as pairs, twins and a few known members tell.

A positive pair says that its fragments share a functionality, a negative one that they share none, and twins (texts
that are nearly the same) share whatever they have. Each fragment's odds of standing in each functionality are
taken from what is believed of its neighbours, over and over, until the beliefs stand still (mean field with
explaining away: a pair whose fragments are both believed to be in one functionality says little of any other). So a
fragment that bridges two functionalities joins them into one component, but does not make them one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

PAIR_ERROR = 0.1
"""How often a positive pair is due to a functionality of which nobody is known, or a negative one is wrong."""

TWIN_ERROR = 0.02
"""How often twins do not share their functionalities."""

PRIOR = 0.02
"""The chance of a functionality before anything is said of a fragment. It is the same for all: shares of the known
members would hand fragments of a functionality without any to the one with most."""

_ROUNDS = 40
_STILL = 1e-3  # the mean change of a belief, relative to all that is believed
_MOST_ODDS = 80.0  # of the logarithm: more would not fit a float32
_LEAST = 1e-3  # beliefs so small are not heard
_TINY = np.float32(1e-6)


@dataclass(frozen=True, eq=False)
class Edges:
    """Unordered pairs of fragments, each once.

    Attributes:
        left: the fragments on one side.
        right: those on the other.
    """

    left: Integers
    right: Integers

    def __len__(self) -> int:
        return len(self.left)

    @classmethod
    def of(cls, left: Integers, right: Integers) -> Edges:
        """Distinct edges; a fragment is no neighbour of itself."""
        least, most = np.minimum(left, right), np.maximum(left, right)
        keys = np.unique((least << 32 | most)[least != most])
        return cls(keys >> 32, keys & 0xFFFFFFFF)

    def heard(self, said: Reals, count: int) -> npt.NDArray[np.float64]:
        """For each fragment, the sum of what its neighbours say."""
        return _sums(self.left, said[self.right], count) + _sums(self.right, said[self.left], count)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The edges from every fragment, one fragment after the other.

    Attributes:
        starts: where the edges of each fragment begin, and at last where all end.
        far: the fragment at the other end.
        edge: the place of the edge among all.
    """

    starts: Integers
    far: Integers
    edge: Integers

    @classmethod
    def of(cls, edges: Edges, count: int) -> Neighbours:
        """Sort edges by their fragments."""
        near = np.concatenate([edges.left, edges.right])
        order = np.argsort(near, kind="stable")
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(near, minlength=count))])
        far = np.concatenate([edges.right, edges.left])[order]
        return cls(starts, far, order % max(len(edges), 1))

    def around(self, fragments: Integers) -> tuple[Integers, Integers]:
        """The edges from some fragments: the fragment of each, and the place of each in `far` and `edge`."""
        counts = self.starts[fragments + 1] - self.starts[fragments]
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        return np.repeat(fragments, counts), np.arange(total) + np.repeat(
            self.starts[fragments] - ends + counts, counts
        )


@dataclass(frozen=True, eq=False)
class FunctionalityGraph:
    """What is said of who shares a functionality.

    Attributes:
        count: the number of fragments.
        positive: pairs that share one.
        negative: pairs that share none.
        twins: texts that are nearly the same.
    """

    count: int
    positive: Edges
    negative: Edges
    twins: Edges

    @cached_property
    def allies(self) -> Neighbours:
        """The positive pairs of every fragment."""
        return Neighbours.of(self.positive, self.count)

    @cached_property
    def rivals(self) -> Neighbours:
        """The negative pairs of every fragment."""
        return Neighbours.of(self.negative, self.count)


def infer(ties: FunctionalityGraph, known: Flags, denied: Flags) -> Reals:
    """The logarithm of the odds that a fragment stands in a functionality.

    Args:
        ties: what is said of the fragments.
        known: for each functionality and fragment, whether it is known to stand in it. A known member of one may
            yet be found in another.
        denied: whether it is known not to.

    Returns:
        A row for each functionality and a column for each fragment; +∞ where it is known, -∞ where it is denied.
    """
    beliefs = _settled(np.full(known.shape, PRIOR, np.float32), known, denied)
    odds = np.empty(known.shape, np.float32)
    for _ in range(_ROUNDS):
        # What is believed beyond the prior: fragments of which nothing is known must not confirm each other.
        said = (np.maximum(beliefs - PRIOR, 0) / (1 - PRIOR)).astype(np.float32)
        voices = [_Voices.of(row, ties) for row in said]
        unshared = np.ones(len(ties.positive), np.float32)
        for voice in voices:
            voice.explain(unshared)
        for number, voice in enumerate(voices):
            total = voice.allied(unshared) + voice.opposed() + _twin_evidence(ties, beliefs[number])
            odds[number] = np.clip(total + _logit(PRIOR), -_MOST_ODDS, _MOST_ODDS)
        # Half a step: neighbours that change at once would overshoot.
        found = (beliefs + _settled(1 / (1 + np.exp(-odds)), known, denied)) * np.float32(0.5)
        change = np.abs(found - beliefs).sum() / max(float(found.sum()), 1.0)
        beliefs = found
        if change < _STILL:
            break
    odds[denied] = -np.inf
    odds[known] = np.inf
    return odds


def leaders(odds: Reals, fragments: Integers) -> tuple[Integers, Reals]:
    """For fragments, the likeliest functionality, and by how much its odds lead.

    Returns:
        The rows, and the leads: the logarithm of the odds, less that of the next functionality where that is likely
        too. A lead that is not above 0 is none.
    """
    columns = np.arange(len(fragments))
    found = odds[:, fragments]
    best = found.argmax(axis=0)
    top = found[best, columns]
    found[best, columns] = -np.inf
    return best, top - np.maximum(found.max(axis=0), 0)


def _settled(beliefs: npt.NDArray[np.floating], known: Flags, denied: Flags) -> Reals:
    settled: Reals = np.where(known, 1, np.where(denied, 0, beliefs)).astype(np.float32)
    return settled


@dataclass(frozen=True, eq=False)
class _Voices:
    """The fragments that are believed to be of a functionality, and whom they meet in positive pairs.

    Attributes:
        ties: what is said of the fragments.
        row: what is believed of each fragment.
        speakers: those of whom anything is believed.
        far: the fragments that they meet.
        edge: the pairs.
        near_belief, apart: of each pair, what is believed of the speaker, and the chance that this functionality is
            not what the two share.
        once: where a pair is met from its first side, or from its only one.
    """

    ties: FunctionalityGraph
    row: Reals
    speakers: Integers
    far: Integers
    edge: Integers
    near_belief: Reals
    apart: Reals
    once: Flags

    @classmethod
    def of(cls, row: Reals, ties: FunctionalityGraph) -> _Voices:
        speakers = np.flatnonzero(row > _LEAST)
        near, at = ties.allies.around(speakers)
        far, edge = ties.allies.far[at], ties.allies.edge[at]
        apart = np.maximum(1 - row[near] * row[far], _TINY)
        return cls(ties, row, speakers, far, edge, row[near], apart, (near < far) | (row[far] <= _LEAST))

    def explain(self, unshared: Reals) -> None:
        """Multiply the chance that a pair shares no functionality by that of this one."""
        unshared[self.edge[self.once]] *= self.apart[self.once]

    def allied(self, unshared: Reals) -> npt.NDArray[np.float64]:
        """What positive pairs add to the logarithm of the odds."""
        # Where another functionality explains the pair, it need not be this one.
        otherwise = 1 - unshared[self.edge] / self.apart
        weight = (1 - PAIR_ERROR) * (1 - otherwise) / (PAIR_ERROR + (1 - PAIR_ERROR) * otherwise)
        return _sums(self.far, np.log1p(weight * self.near_belief), self.ties.count)

    def opposed(self) -> npt.NDArray[np.float64]:
        """What negative pairs take from it."""
        near, at = self.ties.rivals.around(self.speakers)
        doubts = np.log1p((PAIR_ERROR - 1) * self.row)
        return _sums(self.ties.rivals.far[at], doubts[near], self.ties.count)


def _twin_evidence(ties: FunctionalityGraph, beliefs: Reals) -> npt.NDArray[np.float64]:
    """What twins add. They speak with one voice: copies of one text are not so many witnesses."""
    voices = ties.twins.heard(np.ones(ties.count, np.float32), ties.count)
    mean = ties.twins.heard(beliefs, ties.count) / np.maximum(voices, 1)
    share = (1 - TWIN_ERROR) * mean + TWIN_ERROR * PRIOR
    return np.where(voices > 0, _logit(share) - _logit(PRIOR), 0)


def _sums(places: Integers, values: Reals, count: int) -> npt.NDArray[np.float64]:
    # Of no values, numpy counts in whole numbers.
    return np.bincount(places, values, count).astype(np.float64, copy=False)


def _logit(share: Any) -> Any:
    return np.log(share / (1 - share))
