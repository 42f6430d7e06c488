"""Scores a query against all fragments: what clone search needs, block by block."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.detector import Detector
from clonetruth.detectors.sealed import SealedFragments, ask_detector
from clonetruth.progress import Progress

QueryScores: TypeAlias = Callable[[Integers], Floats]
"""From the rows of queries to their scores with every fragment, a row for each query; NaN where there is no score.

Scores rank fragments: a detector may return any increasing function of its scores of pairs, to tell apart what rounding
makes equal.
"""


def query_scores(
    detector: Detector, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None
) -> QueryScores:
    """How a detector scores queries. It sees sealed fragments, and all of them with every query.

    A detector with a method `query_scores` (fragments, processes, progress) reads the fragments once; any other reads
    them for each block of queries.

    Args:
        detector: the detector.
        fragments: the columns of `FRAGMENTS`.
        processes: the number of worker processes.
        progress: receives progress reports.
    """
    keys = fragments["fragment"].to_numpy()
    sealed = SealedFragments.of(fragments, keys)
    of_row = sealed.keys(keys)
    prepare = getattr(detector, "query_scores", None)
    if prepare is None:
        prepare = partial(_pairwise, detector)
    against: QueryScores = prepare(sealed.table, processes=processes, progress=progress)

    def scores(queries: Integers) -> Floats:
        asked, place = np.unique(of_row[queries], return_inverse=True)
        return against(asked)[np.ix_(place, of_row)]

    return scores


def _pairwise(
    detector: Detector, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None
) -> QueryScores:
    """Scores of queries as scores of pairs, each pair once."""
    size = fragments.num_rows

    def scores(queries: Integers) -> Floats:
        one, other = np.repeat(queries, size), np.tile(np.arange(size), len(queries))
        codes, rows = np.unique(np.minimum(one, other) * size + np.maximum(one, other), return_inverse=True)
        found = ask_detector(detector, fragments, codes // size, codes % size, processes=processes, progress=progress)
        return found[rows].reshape(len(queries), size)

    return scores
