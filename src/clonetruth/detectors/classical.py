"""The base of the classical detectors: read every fragment once, then compare the items that were read.

A scorer scores any pair it is given; a finder must not enumerate all pairs. One comparison object does both, so that a
finder reports exactly the pairs that its scorer puts at the threshold or above.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.detector import FRAGMENTS, score_array, side_rows
from clonetruth.detectors.finder import FinderOptions
from clonetruth.detectors.pair_batches import Matches, found_pairs
from clonetruth.detectors.spec import check_parameters
from clonetruth.detectors.tokenized import ALL_SIZES, FragmentReader, Items, Tokenized
from clonetruth.errors import InputError
from clonetruth.progress import Progress, no_progress


class PairComparison(Protocol):
    """Distinct item tuples, ready to be compared. Each is identified by its position."""

    def scores(self, left: Integers, right: Integers) -> Floats:
        """The similarity of each pair, in [0, 1]; the two sides are always distinct."""
        ...

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """All pairs of distinct items whose score reaches the threshold, each pair once."""
        ...


@dataclass(frozen=True)
class ClassicalDetector(FragmentReader):
    """A detector that scores given pairs and finds pairs; subclasses define the items and their comparison.

    Attributes:
        name: the registry name.
        description: the meaning of its score, in one sentence.
        default_threshold: the lowest score of a clone.
        across_languages: whether it compares fragments in different languages.
        parameters: the fields that a user may set, with their permitted values (class attribute).
    """

    name: str
    description: str = field(repr=False)
    default_threshold: float
    across_languages: bool = field(default=False, repr=False)
    parameters: ClassVar[dict[str, tuple[str, ...]]] = {}

    @property
    def find_threshold(self) -> float:
        """The lowest score of a pair that a search reports by default."""
        return self.default_threshold

    @abstractmethod
    def compare(self, distinct: Iterable[Items]) -> PairComparison:
        """Prepare distinct items for comparison."""

    def with_parameters(self, **values: str) -> Self:
        """Return a copy with other parameters.

        Raises:
            InputError: an unknown parameter, or a value that it does not permit.
        """
        check_parameters(f"the detector '{self.name}'", self.parameters, values)
        changes: dict[str, Any] = {**values}
        return replace(self, **changes)

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a side has no items, and across languages if not supported."""
        left, right = side_rows(fragments, pairs)
        tokenized = Tokenized(fragments, self, ALL_SIZES, processes)
        comparison = self.compare(tokenized.distinct(progress or no_progress))
        a, b = tokenized.ids[left], tokenized.ids[right]
        known = (a >= 0) & (b >= 0)
        if not self.across_languages:
            codes = fragments["language"].combine_chunks().dictionary_encode().indices.to_numpy()
            known &= codes[left] == codes[right]
        values = np.ones(len(left))
        different = known & (a != b)
        values[different] = comparison.scores(a[different], b[different])
        return score_array(values, known)

    def query_scores(
        self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> Callable[[Integers], Floats]:
        """See `search.query_scores`: the scores of `score`, with each fragment read once."""
        tokenized = Tokenized(fragments, self, ALL_SIZES, processes)
        comparison = self.compare(tokenized.distinct(progress or no_progress))
        ids, count = tokenized.ids, int(tokenized.ids.max(initial=-1)) + 1
        codes = fragments["language"].combine_chunks().dictionary_encode().indices.to_numpy()

        def scores(queries: Integers) -> Floats:
            matrix = np.full((len(queries), len(ids)), np.nan)
            read = np.flatnonzero(ids[queries] >= 0)
            by_item = _against(comparison, ids[queries[read]], count)
            for row, own in zip(read.tolist(), by_item, strict=True):
                known = ids >= 0 if self.across_languages else (ids >= 0) & (codes == codes[queries[row]])
                matrix[row, known] = own[ids[known]]
            return matrix

        return scores

    def find(
        self,
        fragments: pa.Table,
        options: FinderOptions | None = None,
        *,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """See `Finder.find`."""
        _check(fragments)
        return self._find(fragments, options or FinderOptions(), processes, progress or no_progress)

    def _find(
        self, fragments: pa.Table, options: FinderOptions, processes: int, report: Progress
    ) -> Iterator[pa.RecordBatch]:
        threshold = self.find_threshold if options.threshold is None else options.threshold
        for part in [fragments] if self.across_languages else _by_language(fragments):
            tokenized = Tokenized(part, self, options, processes)
            comparison = self.compare(tokenized.distinct(report))
            keys = part["fragment"].to_numpy()
            yield from found_pairs(keys, tokenized.ids, comparison.matches(threshold, report))


def _against(comparison: PairComparison, chosen: Integers, count: int) -> Floats:
    """The scores of some of `count` distinct items with each of them, a row for each; 1 with itself."""
    against = getattr(comparison, "against", None)
    if against is not None:
        scores: Floats = against(chosen)
    else:
        scores = np.ones((len(chosen), count))
        different = np.arange(count) != chosen[:, None]
        row, other = np.nonzero(different)
        scores[different] = comparison.scores(chosen[row], other)
    scores[np.arange(len(chosen)), chosen] = 1.0
    return scores


def _check(fragments: pa.Table) -> None:
    missing = [name for name in FRAGMENTS.names if name not in fragments.column_names]
    if missing:
        raise InputError(f"The table of fragments has no column '{missing[0]}'.", where="fragments")
    empty = [name for name in FRAGMENTS.names if fragments[name].null_count]
    if empty:
        raise InputError(f"A fragment has no '{empty[0]}'.", where="fragments", hint="Remove such rows.")
    if (np.diff(fragments["fragment"].to_numpy()) <= 0).any():
        raise InputError(
            "The keys of the fragments are not in ascending order.", where="fragments", hint="Sort by 'fragment'."
        )


def _by_language(fragments: pa.Table) -> Iterator[pa.Table]:
    languages = fragments["language"].combine_chunks().dictionary_encode()
    codes = languages.indices.to_numpy()
    for code in range(len(languages.dictionary)):
        yield fragments.filter(pa.array(codes == code))
