"""Nearest neighbours among vectors: exact up to a stated size, above it by an HNSW index."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from clonetruth.code.prefix_join import distinct_numbers
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.progress import Progress, no_progress

Integers = npt.NDArray[np.int64]

EXACT_ROWS = 50_000
"""Up to this number of vectors, all are compared with all."""
_SCORES = 25_000_000
"""Scores that are held at a time in the exact search: 100 MB."""
_CONNECTIVITY, _EXPANSION_ADD, _EXPANSION_SEARCH = 16, 128, 96


def nearest_rows(
    units: npt.NDArray[np.floating[Any]], count: int, *, exact: bool | None = None, progress: Progress | None = None
) -> tuple[Integers, Integers]:
    """Pairs of each row with its nearest rows by cosine, each pair once, the smaller row on the left.

    Args:
        units: vectors of length 1; a row of NaN has no neighbours.
        count: the number of neighbours of each row.
        exact: whether to compare all rows (default: up to `EXACT_ROWS` rows). An index may miss neighbours.
        progress: receives progress reports.

    Raises:
        InputError: `count` is less than 1.
        MissingExtraError: an index is needed and its package is not installed.
    """
    if count < 1:
        raise InputError(f"{count} is not a number of neighbours.", where="count", hint="Give 1 or more.")
    rows = np.flatnonzero(np.isfinite(units).all(axis=1))
    vectors = np.ascontiguousarray(units[rows], dtype=np.float32)
    count = min(count, len(rows) - 1)
    if count < 1:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    compare_all = len(rows) <= EXACT_ROWS if exact is None else exact
    search = _all_compared if compare_all else _indexed
    found = rows[search(vectors, count, progress or no_progress)]
    queries = np.repeat(rows, count)
    queries, found = queries[queries != found], found[queries != found]
    codes = distinct_numbers(np.minimum(queries, found) * len(units) + np.maximum(queries, found))
    return codes // len(units), codes % len(units)


def _all_compared(vectors: npt.NDArray[np.float32], count: int, report: Progress) -> Integers:
    size = len(vectors)
    height = max(1, _SCORES // size)
    found = np.empty((size, count), np.int64)
    for first in range(0, size, height):
        rows = np.arange(first, min(first + height, size))
        scores = vectors[rows] @ vectors.T
        scores[np.arange(len(rows)), rows] = -np.inf
        found[rows] = np.argpartition(scores, size - count, axis=1)[:, size - count :]
        report("Searching", len(rows), size)
    return found.reshape(-1)


def _indexed(vectors: npt.NDArray[np.float32], count: int, report: Progress) -> Integers:
    try:
        from usearch.index import Index
    except ImportError as error:
        raise MissingExtraError.extra(f"A search among more than {EXACT_ROWS:,} vectors", "encoders") from error
    size = len(vectors)
    index = Index(
        ndim=vectors.shape[1],
        metric="ip",
        dtype="f32",
        connectivity=_CONNECTIVITY,
        expansion_add=_EXPANSION_ADD,
        expansion_search=max(_EXPANSION_SEARCH, 2 * count),
    )
    found = np.empty((size, count), np.int64)
    # One thread: several would build another graph in every run.
    for first in range(0, size, _BATCH):
        keys = np.arange(first, min(first + _BATCH, size))
        index.add(keys, vectors[keys], threads=1)
        report("Indexing", len(keys), size)
    for first in range(0, size, _BATCH):
        rows = np.arange(first, min(first + _BATCH, size))
        matches: Any = index.search(vectors[rows], count + 1, threads=1)
        for row, keys, valid in zip(rows.tolist(), matches.keys, matches.counts, strict=True):
            others = keys[: int(valid)].astype(np.int64)
            others = others[others != row][:count]
            # Of a row that the graph cannot reach, fewer are found; the row itself stands for the missing ones.
            found[row] = row
            found[row, : len(others)] = others
        report("Searching", len(rows), size)
    return found.reshape(-1)


_BATCH = 10_000
