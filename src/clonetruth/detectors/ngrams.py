"""TF-IDF of token n-grams: the baseline that every encoder should beat."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from clonetruth.code.canonical import GRAM_BINS, GramCounts, read_grams
from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.detector import score_array, side_rows
from clonetruth.detectors.pair_batches import positions_within
from clonetruth.detectors.search import QueryScores
from clonetruth.detectors.semantic.shipped import shipped_model
from clonetruth.progress import Progress, no_progress

_DIGITS = 9
"""Scores are rounded: the last digits of sums depend on their order."""


@dataclass(frozen=True, eq=False)
class WeightedGrams:
    """Fragments as vectors of length 1: one number for each run of one to three tokens."""

    starts: Integers
    bins: Integers
    values: Floats

    @classmethod
    def of(cls, counts: GramCounts) -> WeightedGrams:
        """Weight runs by how often the fragment has them, and how rare they are in other code."""
        weights = shipped_model().gram_weights.astype(np.float64)
        values = (1 + np.log(counts.counts)) * weights[counts.bins]
        row = np.repeat(np.arange(len(counts)), np.diff(counts.starts))
        norms = np.sqrt(np.bincount(row, values * values, minlength=len(counts)))
        return cls(counts.starts, counts.bins, values / norms[row])

    @property
    def known(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which fragments have tokens."""
        return np.diff(self.starts) > 0

    def cosines(self, left: Integers, right: Integers) -> Floats:
        """The cosine of each pair."""
        found = np.zeros(len(left))
        dense = np.zeros(GRAM_BINS)
        order = np.argsort(left, kind="stable")
        firsts = np.flatnonzero(np.diff(left[order], prepend=-1))
        for rows in np.split(order, firsts[1:]) if len(order) else ():
            own = slice(*self.starts[[left[rows[0]], left[rows[0]] + 1]])
            dense[self.bins[own]] = self.values[own]
            others = right[rows]
            lengths = self.starts[others + 1] - self.starts[others]
            at = np.repeat(self.starts[others], lengths) + positions_within(lengths)
            products = dense[self.bins[at]] * self.values[at]
            found[rows] = np.bincount(np.repeat(np.arange(len(rows)), lengths), products, minlength=len(rows))
            dense[self.bins[own]] = 0.0
        return np.clip(np.round(found, _DIGITS), 0.0, 1.0)


@dataclass(frozen=True)
class NGrams:
    """The cosine of tf-idf vectors of token 1-grams to 3-grams, as they are written, without punctuation.

    How rare a run is comes from the background that ships with `semantic`, never from the fragments of the call.
    """

    name: str = "ngrams"
    description: str = field(default="Cosine of runs of one to three tokens, rare runs counting more.", repr=False)
    default_threshold: float | None = 0.3

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a fragment is empty or in an unknown language."""
        left, right = side_rows(fragments, pairs)
        grams = self._read(fragments, processes, progress)
        values = grams.cosines(np.minimum(left, right), np.maximum(left, right))
        return score_array(values, grams.known[left] & grams.known[right])

    def query_scores(self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None) -> QueryScores:
        """See `detectors.search.query_scores`."""
        grams = self._read(fragments, processes, progress)
        size = fragments.num_rows

        def scores(queries: Integers) -> Floats:
            one, other = np.repeat(queries, size), np.tile(np.arange(size), len(queries))
            found = grams.cosines(one, other)
            found[~(grams.known[one] & grams.known[other])] = np.nan
            return found.reshape(len(queries), size)

        return scores

    def _read(self, fragments: pa.Table, processes: int, progress: Progress | None) -> WeightedGrams:
        report = progress or no_progress
        texts, languages = fragments["text"].to_pylist(), fragments["language"].to_pylist()
        parts = []
        for part in read_grams(texts, languages, processes=processes):
            parts.append(part)
            report("Reading code", len(part), len(texts))
        return WeightedGrams.of(GramCounts.joined(parts))


NGRAMS = NGrams()
