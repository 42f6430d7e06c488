"""Inference: which fragments have which functionality, given pairs, twins and some known members.

A positive pair means that its fragments share a functionality, a negative one that they share none, and twins (texts
that are nearly the same) share all of theirs. The odds that a fragment has a functionality are computed from the
beliefs about its neighbours, repeatedly, until the beliefs converge (mean field with explaining away: a pair whose
fragments both seem to have one functionality says little about any other). So a fragment that bridges two
functionalities joins them into one component, but does not merge them.
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
"""How often a positive pair is due to a functionality without known members, or a negative pair is wrong."""

TWIN_ERROR = 0.02
"""How often twins do not share their functionalities."""

PRIOR = 0.02
"""The prior probability of a functionality. It is the same for all: the shares of the known members would assign
fragments of a functionality without known members to the largest one."""

_ROUNDS = 40
_CONVERGED = 1e-3  # the total change of beliefs, relative to all beliefs
_MAX_LOG_ODDS = 80.0  # more would not fit a float32
_NEGLIGIBLE = 1e-3  # smaller beliefs are ignored
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
        """Distinct edges, without loops."""
        least, most = np.minimum(left, right), np.maximum(left, right)
        keys = np.unique((least << 32 | most)[least != most])
        return cls(keys >> 32, keys & 0xFFFFFFFF)

    def neighbour_sums(self, values: Reals, count: int) -> npt.NDArray[np.float64]:
        """For each fragment, the sum of its neighbours' values."""
        return _sums(self.left, values[self.right], count) + _sums(self.right, values[self.left], count)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The edges of every fragment, ordered by fragment.

    Attributes:
        starts: the position of the first edge of each fragment, and finally the number of all.
        far: the fragment at the other end.
        edge: the index of the edge.
    """

    starts: Integers
    far: Integers
    edge: Integers

    @classmethod
    def of(cls, edges: Edges, count: int) -> Neighbours:
        """Sort edges by fragment."""
        near = np.concatenate([edges.left, edges.right])
        order = np.argsort(near, kind="stable")
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(near, minlength=count))])
        far = np.concatenate([edges.right, edges.left])[order]
        return cls(starts, far, order % max(len(edges), 1))

    def around(self, fragments: Integers) -> tuple[Integers, Integers]:
        """The edges of some fragments: the fragment of each, and its position in `far` and `edge`."""
        counts = self.starts[fragments + 1] - self.starts[fragments]
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        return np.repeat(fragments, counts), np.arange(total) + np.repeat(
            self.starts[fragments] - ends + counts, counts
        )


@dataclass(frozen=True, eq=False)
class FunctionalityGraph:
    """Which fragments share a functionality, according to the data.

    Attributes:
        count: the number of fragments.
        positive: pairs that share a functionality.
        negative: pairs that share none.
        twins: texts that are nearly the same.
    """

    count: int
    positive: Edges
    negative: Edges
    twins: Edges

    @cached_property
    def positive_neighbours(self) -> Neighbours:
        """The positive pairs of every fragment."""
        return Neighbours.of(self.positive, self.count)

    @cached_property
    def negative_neighbours(self) -> Neighbours:
        """The negative pairs of every fragment."""
        return Neighbours.of(self.negative, self.count)


def infer(graph: FunctionalityGraph, known: Flags, denied: Flags) -> Reals:
    """The log odds that a fragment has a functionality.

    Args:
        graph: pairs and twins.
        known: for each functionality and fragment, whether the fragment is known to have it. A known member of one
            functionality may also be assigned to another.
        denied: whether it is known not to have it.

    Returns:
        A row for each functionality and a column for each fragment; +∞ if it is known, -∞ if it is denied.
    """
    beliefs = _clamped(np.full(known.shape, PRIOR, np.float32), known, denied)
    odds = np.empty(known.shape, np.float32)
    for _ in range(_ROUNDS):
        # Beliefs above the prior: fragments about which nothing is known must not confirm each other.
        excess = (np.maximum(beliefs - PRIOR, 0) / (1 - PRIOR)).astype(np.float32)
        messages = [_Messages.of(row, graph) for row in excess]
        unshared = np.ones(len(graph.positive), np.float32)
        for message in messages:
            message.explain(unshared)
        for number, message in enumerate(messages):
            total = (
                message.positive_evidence(unshared)
                + message.negative_evidence()
                + _twin_evidence(graph, beliefs[number])
            )
            odds[number] = np.clip(total + _logit(PRIOR), -_MAX_LOG_ODDS, _MAX_LOG_ODDS)
        # Half a step: neighbours that change at the same time would overshoot.
        updated = (beliefs + _clamped(1 / (1 + np.exp(-odds)), known, denied)) * np.float32(0.5)
        change = np.abs(updated - beliefs).sum() / max(float(updated.sum()), 1.0)
        beliefs = updated
        if change < _CONVERGED:
            break
    odds[denied] = -np.inf
    odds[known] = np.inf
    return odds


def best_functionalities(odds: Reals, fragments: Integers) -> tuple[Integers, Reals]:
    """The likeliest functionality of each fragment, and its lead.

    Returns:
        The rows, and the leads: the log odds, minus those of the next functionality if that is likely too. A lead of
        0 or less means that no functionality leads.
    """
    columns = np.arange(len(fragments))
    found = odds[:, fragments]
    best = found.argmax(axis=0)
    top = found[best, columns]
    found[best, columns] = -np.inf
    return best, top - np.maximum(found.max(axis=0), 0)


def _clamped(beliefs: npt.NDArray[np.floating], known: Flags, denied: Flags) -> Reals:
    clamped: Reals = np.where(known, 1, np.where(denied, 0, beliefs)).astype(np.float32)
    return clamped


@dataclass(frozen=True, eq=False)
class _Messages:
    """The messages of one functionality: from the fragments that seem to have it to their neighbours.

    Attributes:
        graph: pairs and twins.
        row: the belief about each fragment.
        senders: the fragments with a belief above the negligible.
        far: the fragments at the other end of their positive pairs.
        edge: the pairs.
        near_belief, apart: for each pair, the belief about the sender, and the probability that this functionality is
            not what the two share.
        once: marks each pair once: from its first side, or from its only sender.
    """

    graph: FunctionalityGraph
    row: Reals
    senders: Integers
    far: Integers
    edge: Integers
    near_belief: Reals
    apart: Reals
    once: Flags

    @classmethod
    def of(cls, row: Reals, graph: FunctionalityGraph) -> _Messages:
        senders = np.flatnonzero(row > _NEGLIGIBLE)
        near, at = graph.positive_neighbours.around(senders)
        far, edge = graph.positive_neighbours.far[at], graph.positive_neighbours.edge[at]
        apart = np.maximum(1 - row[near] * row[far], _TINY)
        return cls(graph, row, senders, far, edge, row[near], apart, (near < far) | (row[far] <= _NEGLIGIBLE))

    def explain(self, unshared: Reals) -> None:
        """Multiply the probability that a pair shares no functionality by that for this one."""
        unshared[self.edge[self.once]] *= self.apart[self.once]

    def positive_evidence(self, unshared: Reals) -> npt.NDArray[np.float64]:
        """The contribution of positive pairs to the log odds."""
        # If another functionality explains the pair, this one need not.
        otherwise = 1 - unshared[self.edge] / self.apart
        weight = (1 - PAIR_ERROR) * (1 - otherwise) / (PAIR_ERROR + (1 - PAIR_ERROR) * otherwise)
        return _sums(self.far, np.log1p(weight * self.near_belief), self.graph.count)

    def negative_evidence(self) -> npt.NDArray[np.float64]:
        """The contribution of negative pairs, which is negative."""
        near, at = self.graph.negative_neighbours.around(self.senders)
        doubts = np.log1p((PAIR_ERROR - 1) * self.row)
        return _sums(self.graph.negative_neighbours.far[at], doubts[near], self.graph.count)


def _twin_evidence(graph: FunctionalityGraph, beliefs: Reals) -> npt.NDArray[np.float64]:
    """The contribution of twins, as one piece of evidence: copies of a text are not independent."""
    twins = graph.twins.neighbour_sums(np.ones(graph.count, np.float32), graph.count)
    mean = graph.twins.neighbour_sums(beliefs, graph.count) / np.maximum(twins, 1)
    share = (1 - TWIN_ERROR) * mean + TWIN_ERROR * PRIOR
    return np.where(twins > 0, _logit(share) - _logit(PRIOR), 0)


def _sums(places: Integers, values: Reals, count: int) -> npt.NDArray[np.float64]:
    # For no values, numpy returns integers.
    return np.bincount(places, values, count).astype(np.float64, copy=False)


def _logit(share: Any) -> Any:
    return np.log(share / (1 - share))
