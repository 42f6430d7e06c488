"""What the classical detectors share: they read every fragment once, and compare what they have read.

Whoever scores pairs scores any pair it is given; whoever finds pairs must not look at all of them. A comparison
does both, so that a finder reports exactly the pairs that its scorer would put at the threshold or above.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.detector import FRAGMENTS, scores, sides
from clonetruth.detectors.finder import FindOptions
from clonetruth.detectors.pair_batches import Matches, found_pairs
from clonetruth.detectors.spec import check_parameters
from clonetruth.detectors.tokenized import EVERYTHING, FragmentReader, Items, Tokenized
from clonetruth.errors import InputError
from clonetruth.progress import Progress, no_progress


class PairComparison(Protocol):
    """Different readings, ready to be compared. They are named by their place."""

    def scores(self, left: Integers, right: Integers) -> Floats:
        """How alike the sides of each pair are, in [0, 1]; the sides are different readings."""
        ...

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """All pairs of different readings with such a score or more, each once."""
        ...


@dataclass(frozen=True)
class ClassicalDetector(FragmentReader):
    """A detector that is a scorer of pairs and a finder at once; a subclass says what is read and how it compares.

    Attributes:
        name: how it is asked for.
        description: what its score is, in a sentence.
        default_threshold: the score from which it calls a pair a clone.
        across_languages: whether it compares fragments in different languages.
        parameters: the fields that a user may set, with the values that they may have (class attribute).
    """

    name: str
    description: str = field(repr=False)
    default_threshold: float
    across_languages: bool = field(default=False, repr=False)
    parameters: ClassVar[dict[str, tuple[str, ...]]] = {}

    @abstractmethod
    def compare(self, readings: Iterable[Items]) -> PairComparison:
        """Make different readings ready to be compared."""

    def with_parameters(self, **values: str) -> Self:
        """The same detector with other parameters.

        Raises:
            InputError: there is no such parameter, or it cannot have that value.
        """
        check_parameters(f"the detector '{self.name}'", self.parameters, values)
        changes: dict[str, Any] = {**values}
        return replace(self, **changes)

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a side has nothing to compare, and across languages unless it can."""
        left, right = sides(fragments, pairs)
        readings = Tokenized(fragments, self, EVERYTHING, processes)
        comparison = self.compare(readings.distinct(progress or no_progress))
        a, b = readings.which[left], readings.which[right]
        known = (a >= 0) & (b >= 0)
        if not self.across_languages:
            codes = fragments["language"].combine_chunks().dictionary_encode().indices.to_numpy()
            known &= codes[left] == codes[right]
        values = np.ones(len(left))
        different = known & (a != b)
        values[different] = comparison.scores(a[different], b[different])
        return scores(values, known)

    def find(
        self,
        fragments: pa.Table,
        options: FindOptions | None = None,
        *,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """See `Finder.find`."""
        _check(fragments)
        return self._find(fragments, options or FindOptions(), processes, progress or no_progress)

    def _find(
        self, fragments: pa.Table, options: FindOptions, processes: int, report: Progress
    ) -> Iterator[pa.RecordBatch]:
        threshold = self.default_threshold if options.threshold is None else options.threshold
        for part in [fragments] if self.across_languages else _by_language(fragments):
            readings = Tokenized(part, self, options, processes)
            comparison = self.compare(readings.distinct(report))
            keys = part["fragment"].to_numpy()
            yield from found_pairs(keys, readings.which, comparison.matches(threshold, report))


def _check(fragments: pa.Table) -> None:
    missing = [name for name in FRAGMENTS.names if name not in fragments.column_names]
    if missing:
        raise InputError(f"The table of fragments has no column '{missing[0]}'.", where="fragments")
    empty = [name for name in FRAGMENTS.names if fragments[name].null_count]
    if empty:
        raise InputError(f"A fragment has no '{empty[0]}'.", where="fragments", hint="Leave such rows out.")
    if (np.diff(fragments["fragment"].to_numpy()) <= 0).any():
        raise InputError("The keys of the fragments are not rising.", where="fragments", hint="Sort by 'fragment'.")


def _by_language(fragments: pa.Table) -> Iterator[pa.Table]:
    languages = fragments["language"].combine_chunks().dictionary_encode()
    codes = languages.indices.to_numpy()
    for code in range(len(languages.dictionary)):
        yield fragments.filter(pa.array(codes == code))
