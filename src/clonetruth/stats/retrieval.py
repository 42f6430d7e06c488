"""Clone search, as POJ-104 and CodeXGLUE measure it: MAP@R, mean reciprocal rank, recall at k.

Each fragment is a query, and all others are candidates. R of them share its class.

MAP@R
    Among the R highest-scoring candidates, the precision at each correct one is summed and divided by R.
Reciprocal rank
    1 ÷ the rank of the first correct candidate.
Recall at k
    The share of the R correct candidates that are among the k highest-scoring ones; at most k ÷ R.

The mean over the queries is the metric. Ties are not broken: the expected value over all orders is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.stats.rates import Bools, Floats, Integers

_BLOCK = 1_000_000
"""Number of scores that are ranked at a time: bounds memory."""


@dataclass(frozen=True)
class Retrieval:
    """How well each query retrieves the fragments of its class.

    Attributes:
        precisions: average precision at R of each query; NaN for a query whose class has no other fragment.
    """

    precisions: Floats

    @property
    def queries(self) -> int:
        """Number of queries that have something to retrieve."""
        return int(np.count_nonzero(~np.isnan(self.precisions)))

    @property
    def map_at_r(self) -> float | None:
        """The mean over those queries; None without any."""
        return float(np.nanmean(self.precisions)) if self.queries else None


@dataclass(frozen=True)
class QueryRanks:
    """How well each query retrieves the fragments of its class, by every metric; NaN where there is nothing to find.

    Attributes:
        precision: average precision at R.
        reciprocal: reciprocal rank.
        recall: recall at each k, a row for each query.
    """

    precision: Floats
    reciprocal: Floats
    recall: Floats


def rank_queries(scores: Floats, relevant: Bools, cutoffs: Sequence[int] = ()) -> QueryRanks:
    """Rank candidates for several queries.

    Args:
        scores: the score of each candidate (column) for each query (row); -inf takes a candidate out, such as the query
            itself.
        relevant: whether a candidate shares the query's class, in the same shape.
        cutoffs: the k at which recall is measured.
    """
    if scores.shape != relevant.shape:
        raise ValueError(f"scores of {scores.shape}, and relevance of {relevant.shape}")
    if np.isnan(scores).any():
        raise ValueError("a score is NaN")
    height = max(1, _BLOCK // max(scores.shape[1], 1))
    parts = [
        _ranked(scores[first : first + height], relevant[first : first + height], cutoffs)
        for first in range(0, len(scores), height)
    ]
    if not parts:
        return QueryRanks(np.empty(0), np.empty(0), np.empty((0, len(cutoffs))))
    return QueryRanks(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def map_at_r(scores: npt.ArrayLike, classes: npt.ArrayLike) -> Retrieval:
    """MAP@R over a matrix of scores.

    Args:
        scores: the score of each fragment (column) for each query (row); the diagonal is ignored.
        classes: the class of each fragment, as numbers or names.
    """
    matrix, kind = np.array(scores, np.float64), np.unique(np.asarray(classes), return_inverse=True)[1]
    count = len(kind)
    if matrix.shape != (count, count):
        raise ValueError(f"a matrix of {matrix.shape} for {count} fragments")
    np.fill_diagonal(matrix, -np.inf)
    return Retrieval(rank_queries(matrix, kind[:, None] == kind[None, :]).precision)


def map_at_r_of_pairs(left: Integers, right: Integers, scores: npt.ArrayLike, same: npt.ArrayLike) -> Retrieval:
    """MAP@R over a table of scored pairs; each pair serves both of its fragments as queries.

    R is the number of clones of a query in the table, so the table must hold all of them.

    Args:
        left: the first fragment of each pair, as numbers from 0.
        right: the second fragment.
        scores: the score of each pair.
        same: whether the pair is a clone.
    """
    score, clone = np.asarray(scores, np.float64), np.asarray(same, np.bool_)
    query = np.concatenate([left, right])
    count = int(query.max(initial=-1)) + 1
    order = np.lexsort((-np.tile(score, 2), query))
    ranked = _Ranked.of(query[order], np.tile(score, 2)[order], np.tile(clone, 2)[order], count)
    return Retrieval(ranked.precision())


def holds_every_pair(left: Integers, right: Integers) -> bool:
    """Whether every two fragments form exactly one pair."""
    count = len(np.unique(np.concatenate([left, right])))
    if len(left) != count * (count - 1) // 2 or (left == right).any():
        return False
    keys = np.minimum(left, right) * (int(max(left.max(), right.max())) + 1) + np.maximum(left, right)
    return len(np.unique(keys)) == len(keys)


def _ranked(scores: Floats, relevant: Bools, cutoffs: Sequence[int]) -> tuple[Floats, Floats, Floats]:
    order = np.argsort(-scores, axis=1)
    falling, same = np.take_along_axis(scores, order, 1), np.take_along_axis(relevant, order, 1)
    kept = falling > -np.inf
    query = np.repeat(np.arange(len(scores)), np.count_nonzero(kept, axis=1))
    ranked = _Ranked.of(query, falling[kept], same[kept], len(scores))
    recall = np.stack([ranked.recall(k) for k in cutoffs], axis=1) if cutoffs else np.empty((len(scores), 0))
    return ranked.precision(), ranked.reciprocal(), recall


@dataclass(frozen=True)
class _Ranked:
    """The candidates of several queries, from the highest score to the lowest, query after query.

    Attributes:
        query: the query of each row.
        wanted: number of correct candidates of each query.
        place: the rank of each row, from 1, in one of the possible orders.
        tie: the tie of each row: candidates of a query with equal scores.
        size: number of candidates of each tie.
        hits: number of correct ones among them.
        first: the first row of each tie.
        hits_before: number of correct candidates of the query before each tie.
    """

    query: Integers
    wanted: Integers
    place: Integers
    tie: Integers
    size: Integers
    hits: Integers
    first: Integers
    hits_before: Integers

    @classmethod
    def of(cls, query: Integers, score: Floats, same: Bools, count: int) -> _Ranked:
        if np.isnan(score).any():
            raise ValueError("a score is NaN")
        rows = np.arange(len(query))
        fresh_query = np.ones(len(query), np.bool_)
        fresh_query[1:] = query[1:] != query[:-1]
        fresh_tie = fresh_query.copy()
        fresh_tie[1:] |= score[1:] != score[:-1]
        tie = np.cumsum(fresh_tie) - 1
        query_start = rows[fresh_query][np.cumsum(fresh_query) - 1]
        found_before = np.cumsum(same, dtype=np.int64) - same
        first = rows[fresh_tie]
        return cls(
            query,
            np.bincount(query, same, count).astype(np.int64),
            rows - query_start + 1,
            tie,
            np.bincount(tie),
            np.bincount(tie, same).astype(np.int64),
            first,
            found_before[first] - found_before[query_start[first]],
        )

    def precision(self) -> Floats:
        """Average precision at R of each query."""
        # At any rank of a tie, a hit has probability hits/size; the other hits are spread evenly over the rest.
        others = np.divide(self.hits - 1, self.size - 1, out=np.zeros(len(self.size)), where=self.size > 1)
        before_in_tie = np.arange(len(self.query)) - self.first[self.tie]
        expected = (self.hits_before + 1)[self.tie] + before_in_tie * others[self.tie]
        expected *= (self.hits / self.size)[self.tie] / self.place
        expected[self.place > self.wanted[self.query]] = 0.0
        return self._per_wanted(self.query, expected)

    def recall(self, k: int) -> Floats:
        """Recall at k of each query."""
        taken = np.clip(k - (self.place[self.first] - 1), 0, self.size)
        expected = self.hits * taken / self.size
        return self._per_wanted(self.query[self.first], expected)

    def reciprocal(self) -> Floats:
        """Reciprocal rank of each query."""
        found = np.full(len(self.wanted), np.nan)
        # The first correct candidate is in the first tie that has any.
        for tie in np.flatnonzero((self.hits > 0) & (self.hits_before == 0)).tolist():
            first = self.first[tie]
            found[self.query[first]] = _first_hit(int(self.size[tie]), int(self.hits[tie]), int(self.place[first]))
        return found

    def _per_wanted(self, query: Integers, values: Floats) -> Floats:
        """The sum of the values of each query, divided by R."""
        sums = np.bincount(query, values, len(self.wanted))
        shares: Floats = np.divide(sums, self.wanted, out=np.full(len(sums), np.nan), where=self.wanted > 0)
        return shares


def _first_hit(size: int, hits: int, place: int) -> float:
    """The expected reciprocal rank of the first of `hits` correct candidates in a tie of `size` from rank `place`."""
    if hits == size or size == 1:
        return 1 / place
    # The first hit is not before rank j with probability Π (misses − i) / (size − i) for i < j.
    misses = size - hits
    steps = np.arange(misses)
    later = np.concatenate([[1.0], np.cumprod((misses - steps) / (size - steps))])
    here = later * hits / (size - np.arange(misses + 1))
    return float((here / (place + np.arange(misses + 1))).sum())
