"""MAP@R: clone search as POJ-104 and CodeXGLUE measure it.

Each fragment is a query. R of the other fragments share its class; among the R highest-scoring fragments, the precision
at each correct one is summed and divided by R. The mean over the queries is MAP@R. Ties are not broken: the expected
value over all orders is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.stats.rates import Bools, Floats, Integers

_BLOCK = 4_000_000


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


def map_at_r(scores: npt.ArrayLike, classes: npt.ArrayLike) -> Retrieval:
    """MAP@R over a matrix of scores.

    Args:
        scores: the score of each fragment (column) for each query (row); the diagonal is ignored.
        classes: the class of each fragment, as numbers or names.
    """
    matrix, kind = np.asarray(scores, np.float64), np.unique(np.asarray(classes), return_inverse=True)[1]
    count = len(kind)
    if matrix.shape != (count, count):
        raise ValueError(f"a matrix of {matrix.shape} for {count} fragments")
    found = np.empty(count)
    height = max(1, _BLOCK // max(count, 1))
    for first in range(0, count, height):
        rows = np.arange(first, min(first + height, count))
        query, other = np.repeat(np.arange(len(rows)), count), np.tile(np.arange(count), len(rows))
        keep = rows[query] != other
        same = kind[rows[query]] == kind[other]
        found[rows] = _precisions(query[keep], matrix[rows].ravel()[keep], same[keep], len(rows))
    return Retrieval(found)


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
    return Retrieval(_precisions(query, np.tile(score, 2), np.tile(clone, 2), count))


def holds_every_pair(left: Integers, right: Integers) -> bool:
    """Whether every two fragments form exactly one pair."""
    count = len(np.unique(np.concatenate([left, right])))
    if len(left) != count * (count - 1) // 2 or (left == right).any():
        return False
    keys = np.minimum(left, right) * (int(max(left.max(), right.max())) + 1) + np.maximum(left, right)
    return len(np.unique(keys)) == len(keys)


def _precisions(query: Integers, score: Floats, same: Bools, count: int) -> Floats:
    """Average precision at R of the queries 0 to count - 1, as the expected value over the orders of ties."""
    if np.isnan(score).any():
        raise ValueError("a score is NaN")
    order = np.lexsort((-score, query))
    query, score, same = query[order], score[order], same[order]
    wanted = np.bincount(query, same, count)
    rows = np.arange(len(query))
    fresh_query = np.ones(len(query), np.bool_)
    fresh_query[1:] = query[1:] != query[:-1]
    fresh_tie = fresh_query.copy()
    fresh_tie[1:] |= score[1:] != score[:-1]
    tie = np.cumsum(fresh_tie) - 1
    size, right = np.bincount(tie).astype(np.float64), np.bincount(tie, same)
    found_before = np.cumsum(same, dtype=np.int64) - same
    query_start = rows[fresh_query][np.cumsum(fresh_query) - 1]
    tie_start = rows[fresh_tie][tie]
    # At any rank of a tie, a hit has probability right/size; the other hits are spread evenly over the rest.
    place, before_in_tie = rows - query_start + 1, rows - tie_start
    hits_before_tie = found_before[tie_start] - found_before[query_start]
    others = np.divide(right - 1, size - 1, out=np.zeros_like(size), where=size > 1)
    expected = (right / size)[tie] * (hits_before_tie + 1 + before_in_tie * others[tie]) / place
    sums = np.bincount(query, np.where(place <= wanted[query], expected, 0.0), count)
    precisions: Floats = np.divide(sums, wanted, out=np.full(count, np.nan), where=wanted > 0)
    return precisions
