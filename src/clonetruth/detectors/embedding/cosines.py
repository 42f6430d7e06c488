"""Cosines of vectors: of given pairs in blocks, and of queries with all fragments."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from clonetruth.detectors.search import QueryScores

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_NUMBERS = 4_000_000
"""Numbers of vectors that are held at a time: bounds memory, whatever the number of pairs."""
_DIGITS, _RANKED_DIGITS = 6, 9
"""Scores are rounded: the last digits are those of 32-bit vectors, and of sums whose order depends on the machine."""


def unit_vectors(vectors: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.floating[Any]]:
    """Vectors of length 1; NaN for a vector that is zero or not finite."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    with np.errstate(invalid="ignore", divide="ignore"):
        units: npt.NDArray[np.floating[Any]] = (vectors / lengths[:, None]).astype(vectors.dtype)
    return units


def pair_cosines(units: npt.NDArray[np.floating[Any]], left: Integers, right: Integers) -> Floats:
    """The cosine of each pair of rows of unit vectors; NaN where a row is NaN."""
    found = np.empty(len(left))
    height = max(1, _NUMBERS // max(units.shape[1], 1))
    for first in range(0, len(left), height):
        one, other = left[first : first + height], right[first : first + height]
        # Sums of rounded products of the same row twice are not exactly 1.
        sums = np.einsum("ij,ij->i", units[one], units[other], dtype=np.float64)
        same = np.where(np.isnan(sums), np.nan, 1.0)
        found[first : first + height] = np.where(one == other, same, np.clip(np.round(sums, _DIGITS), -1.0, 1.0))
    return found


def cosines_with_all(units: npt.NDArray[np.floating[Any]]) -> QueryScores:
    """The cosines of queries with all rows (see `detectors.search.QueryScores`)."""
    unknown = np.isnan(units).any(axis=1)
    filled = np.where(unknown[:, None], 0.0, units.astype(np.float64))

    def scores(queries: Integers) -> Floats:
        block: Floats = np.clip(np.round(filled[queries] @ filled.T, _RANKED_DIGITS), -1.0, 1.0)
        block[unknown[queries]] = np.nan
        block[:, unknown] = np.nan
        return block

    return scores
