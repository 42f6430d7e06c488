"""A detector made of an embedder: pair scores, scores in batches, retrieval and candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.detectors.detector import score_array, side_rows
from clonetruth.detectors.embedding.cosines import cosines_with_all, pair_cosines, unit_vectors
from clonetruth.detectors.embedding.embedder import EmbeddedTexts, Embedder, Integers, Vectors32
from clonetruth.detectors.embedding.neighbours import nearest_rows
from clonetruth.detectors.embedding.vector_cache import VectorCache
from clonetruth.detectors.search import QueryScores
from clonetruth.errors import InputError
from clonetruth.progress import Progress, no_progress

_STORED = 256
"""Fragments after which vectors are written to the cache: a killed run loses no more than these."""


@dataclass(frozen=True, eq=False)
class EmbeddingDetector:
    """Scores a pair by the cosine of its two vectors.

    Attributes:
        embedder: makes the vectors.
        default_threshold: see `Detector`; cosines of different encoders have different scales, so there is none.
        cache: the folder of stored vectors (default: in the user's cache).
    """

    embedder: Embedder
    default_threshold: float | None = None
    cache: Path | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """See `Detector`."""
        return self.embedder.name

    @property
    def description(self) -> str:
        """See `Detector`."""
        return self.embedder.description

    @property
    def digest(self) -> str:
        """The digest of the model, which manifests record."""
        return self.embedder.digest

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a text is blank."""
        (scores,) = self.score_batches(fragments, [pairs], processes=processes, progress=progress)
        return scores

    def score_batches(
        self, fragments: pa.Table, batches: Iterable[pa.Table], *, processes: int = 1, progress: Progress | None = None
    ) -> Iterator[pa.DoubleArray]:
        """See `detectors.detector.BatchDetector`: the fragments are embedded once, the pairs need not fit in memory."""
        units = None
        for pairs in batches:
            left, right = side_rows(fragments, pairs)
            if units is None:
                units = self.units(fragments, progress=progress)
            values = pair_cosines(units, left, right)
            yield score_array(np.nan_to_num(values), ~np.isnan(values))

    def query_scores(self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None) -> QueryScores:
        """See `detectors.search.query_scores`."""
        return cosines_with_all(self.units(fragments, progress=progress))

    def nearest(
        self, fragments: pa.Table, count: int = 40, *, exact: bool | None = None, progress: Progress | None = None
    ) -> tuple[Integers, Integers]:
        """The rows of each fragment and of its nearest ones, each pair once: candidates for another detector.

        Args:
            fragments: the columns of `FRAGMENTS`.
            count: the number of neighbours of each fragment.
            exact: whether to compare all fragments (default: up to `neighbours.EXACT_ROWS` of them).
            progress: receives progress reports.
        """
        return nearest_rows(self.units(fragments, progress=progress), count, exact=exact, progress=progress)

    def remarks(self, fragments: pa.Table) -> tuple[str, ...]:
        """What a reader of the scores should know: how many fragments the encoder did not read to the end."""
        limit = self.embedder.limit
        if limit is None or not fragments.num_rows:
            return ()
        tokens = self.embedded(fragments).tokens
        cut, total = int(np.count_nonzero(tokens > limit)), len(tokens)
        return (
            f"{self.name} reads the first {limit:,} subword tokens of a fragment: {cut:,} of {total:,} fragments "
            f"({cut / total:.1%}) were truncated.",
        )

    def units(self, fragments: pa.Table, *, progress: Progress | None = None) -> Vectors32:
        """The vectors of fragments with length 1; NaN for a blank text."""
        units: Vectors32 = unit_vectors(self.embedded(fragments, progress=progress).vectors)
        return units

    def embedded(self, fragments: pa.Table, *, progress: Progress | None = None) -> EmbeddedTexts:
        """The vectors of fragments and their numbers of subword tokens; each distinct text is embedded once.

        Raises:
            InputError: the encoder gives no finite numbers, or fails.
        """
        report = progress or no_progress
        texts: list[str] = fragments["text"].to_pylist()
        store = VectorCache(self.embedder.digest, self.embedder.width, self.cache)
        vectors = np.full((len(texts), self.embedder.width), np.nan, np.float32)
        tokens = np.zeros(len(texts), np.int64)
        for row, (vector, count) in store.read(texts).items():
            vectors[row], tokens[row] = vector, count
        known = np.isfinite(vectors).all(axis=1)
        rows: dict[str, list[int]] = {}
        for row in np.flatnonzero(~known).tolist():
            if texts[row].strip():
                rows.setdefault(texts[row], []).append(row)
        # Sorted, so that texts of similar length share a batch.
        new = sorted(rows, key=len)
        report("Embedding fragments", len(texts) - len(new), len(texts))
        for first in range(0, len(new), _STORED):
            some = new[first : first + _STORED]
            embedded = EmbeddedTexts.joined(list(self.embedder.embed(some)), self.embedder.width)
            if len(embedded) != len(some) or not embedded.known.all():
                raise InputError(
                    f"The encoder '{self.name}' gave no finite vector for a text.",
                    where=self.name,
                    hint="The weights may be damaged, or of a half-precision model that overflows.",
                )
            store.write(some, embedded)
            for at, text in enumerate(some):
                vectors[rows[text]], tokens[rows[text]] = embedded.vectors[at], embedded.tokens[at]
            report("Embedding fragments", len(some), len(texts))
        return EmbeddedTexts(vectors, tokens)
