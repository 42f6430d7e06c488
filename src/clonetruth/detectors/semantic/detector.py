"""`semantic`: compares what fragments look like in 24 views with what unrelated code looks like."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pyarrow as pa

from clonetruth.code import Language, lexed_tokens
from clonetruth.code.canonical import ViewCounts, read_views
from clonetruth.code.prefix_join import distinct_numbers
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.detector import FRAGMENTS, score_array, side_rows
from clonetruth.detectors.embedding.neighbours import nearest_rows
from clonetruth.detectors.pair_batches import Matches
from clonetruth.detectors.search import QueryScores
from clonetruth.detectors.semantic.background import Background, Integers
from clonetruth.detectors.semantic.behaviour import (
    ExchangedOutputs,
    FragmentOutputs,
    OutputFrequencies,
    run_fragments,
)
from clonetruth.detectors.semantic.shipped import ShippedModel, shipped_model
from clonetruth.detectors.semantic.similarity import SemanticFragments
from clonetruth.detectors.semantic.view_model import Floats, OutputModel, ViewModel, probabilities
from clonetruth.detectors.tokenized import Items
from clonetruth.errors import MissingExtraError
from clonetruth.progress import Progress, no_progress

_REMEMBERED = 20_000
"""Fragments whose features a process remembers: evaluations ask several times about the same ones."""


THRESHOLD = 0.365378
"""The lowest score of a clone: that of the shipped model, which a test compares."""
FIND_THRESHOLD = 0.98
"""The lowest score that a search reports: where one in 200 of the compared pairs is a clone, a pair with this score
is as likely one as not. The scores are probabilities where one in five is."""
EXACT_FRAGMENTS = 2_000
"""Up to this number of fragments, a finder compares all pairs; above, each fragment with its nearest ones."""
NEAREST = 40
"""Candidates for each fragment, by a search over a projection of all views to 256 numbers (`nearest_rows`)."""
_SCORED = 100_000
_BLOCK = 200_000
"""Pairs of queries and fragments that are compared at once: bounds memory."""
_EQUAL = 1e6
"""The log-odds of pairs whose views are all equal."""


class _CountCache:
    """The features of fragments that were read before."""

    def __init__(self) -> None:
        self._known: dict[bytes, ViewCounts] = {}

    def read(self, texts: Sequence[str], languages: Sequence[str], processes: int, report: Progress) -> ViewCounts:
        keys = [
            hashlib.sha256(f"{name}\0{text}".encode(errors="replace")).digest()
            for name, text in zip(languages, texts, strict=True)
        ]
        new = {key: row for row, key in enumerate(keys) if key not in self._known}
        if len(self._known) + len(new) > _REMEMBERED:
            self._known.clear()
            new = {key: row for row, key in enumerate(keys)}
        rows = list(new.values())
        parts = []
        shown = [texts[row] for row in rows], [languages[row] for row in rows]
        for part in read_views(*shown, processes=processes if len(rows) > 1_000 else 1):
            parts.append(part)
            report("Reading code", len(part), len(rows))
        if len(new) == len(keys) and len(keys) > _REMEMBERED:
            return ViewCounts.joined(parts)
        counts = ViewCounts.joined(parts)
        for at, key in enumerate(new):
            self._known[key] = counts.take(np.array([at]))
        return ViewCounts.joined([self._known[key] for key in keys])


_CACHE = _CountCache()


def read_counts(fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None) -> ViewCounts:
    """The features of fragments (the columns of `FRAGMENTS`); those of earlier calls are remembered."""
    texts, languages = fragments["text"].to_pylist(), fragments["language"].to_pylist()
    return _CACHE.read(texts, languages, processes, progress or no_progress)


@dataclass(frozen=True, eq=False)
class SemanticScorer:
    """Scores pairs with a background and a model.

    Attributes:
        background: what other code looks like.
        model: the weights of the views.
        frequencies: how common outputs are in other code; None if fragments are not run.
        revision: how outputs change what the views say.
        exchanges: whether the programs of a pair also run on inputs of each other's form, where pairs are scored.
    """

    background: Background
    model: ViewModel
    frequencies: OutputFrequencies | None = None
    revision: OutputModel = field(default_factory=OutputModel.silent)
    exchanges: bool = False

    def prepared(
        self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> SemanticFragments:
        """Read fragments (the columns of `FRAGMENTS`)."""
        counts = read_counts(fragments, processes=processes, progress=progress)
        return SemanticFragments.of(counts, fragments["language"].to_pylist(), self.background)

    def score(
        self,
        fragments: pa.Table,
        pairs: pa.Table,
        *,
        processes: int = 1,
        progress: Progress | None = None,
        ran: pa.Table | None = None,
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a fragment has no feature: an empty text, an unknown language.

        Args:
            fragments: the columns of `FRAGMENTS`.
            pairs: the columns of `PAIRS`.
            processes: the number of worker processes.
            progress: receives progress reports.
            ran: the fragments as they are run (default: as they are read).
        """
        left, right = side_rows(fragments, pairs)
        left, right = np.minimum(left, right), np.maximum(left, right)
        used, rows = np.unique(np.concatenate([left, right]), return_inverse=True)
        table = fragments.take(used)
        own = self.prepared(table, processes=processes, progress=progress)
        a, b = rows[: len(left)], rows[len(left) :]
        similarities, same = own.similarities(a, b, self.model.used)
        odds = self.model.log_odds(similarities)
        if self.frequencies is not None:
            sources = _sources(table if ran is None else ran.take(used))
            given = run_fragments(sources, processes=processes, progress=progress)
            exchanged = None
            if self.exchanges:
                exchanged = ExchangedOutputs.of(sources, given, a, b, processes=processes, progress=progress)
            odds = self.revision.revised(odds, *FragmentOutputs.of(given, self.frequencies).columns(a, b, exchanged))
        return score_array(probabilities(odds, same), own.known[a] & own.known[b])

    def query_scores(
        self,
        fragments: pa.Table,
        *,
        processes: int = 1,
        progress: Progress | None = None,
        ran: pa.Table | None = None,
    ) -> QueryScores:
        """Score queries against all fragments (see `detectors.search.query_scores`); `ran` as in `score`.

        Programs do not run on inputs of each other's form here: each would run on those of all.
        """
        own = self.prepared(fragments, processes=processes, progress=progress)
        outputs = None
        if self.frequencies is not None:
            sources = _sources(fragments if ran is None else ran)
            given = run_fragments(sources, processes=processes, progress=progress)
            outputs = FragmentOutputs.of(given, self.frequencies)
        height = max(1, _BLOCK // max(len(own), 1))

        def scores(queries: Integers) -> Floats:
            found = np.full((len(queries), len(own)), np.nan)
            for first in range(0, len(queries), height):
                rows = queries[first : first + height]
                similarities, same = own.against_all(rows, self.model.used)
                odds = self.model.log_odds(similarities)
                if outputs is not None:
                    one, other = (part.reshape(-1) for part in np.meshgrid(rows, np.arange(len(own)), indexing="ij"))
                    odds = self.revision.revised(odds.reshape(-1), *outputs.columns(one, other)).reshape(odds.shape)
                # Log-odds rank as probabilities do, and do not tie near 1.
                odds = np.where(same, _EQUAL, odds)
                known = own.known[rows][:, None] & own.known[None, :]
                found[first : first + height] = np.where(known, odds, np.nan)
            return found

        return scores


def _sources(fragments: pa.Table) -> list[tuple[str, str]]:
    """Language and text of fragments."""
    return list(zip(fragments["language"].to_pylist(), fragments["text"].to_pylist(), strict=True))


@dataclass(frozen=True)
class SemanticDetector(ClassicalDetector):
    """The shipped detector: works without training, in eight languages and across them."""

    name: str = "semantic"
    description: str = field(
        default="Probability of a clone, by the similarity of 24 views of the code, compared with unrelated code.",
        repr=False,
    )
    default_threshold: float = THRESHOLD
    across_languages: bool = field(default=True, repr=False)

    @property
    def find_threshold(self) -> float:
        """See `ClassicalDetector.find_threshold`: few pairs of a code base are clones."""
        return FIND_THRESHOLD

    @property
    def training_fragments(self) -> frozenset[str]:
        """Hashes of the fragments that the model was trained on (`shipped.fragment_hash`)."""
        return shipped_model().training

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `FragmentReader.read`: the language and the text, if there is any token."""
        if language is None or not any(lexed_tokens(text, language)):
            return None
        return language.name.encode(), text.encode(errors="replace")

    def compare(self, distinct: Iterable[Items]) -> SemanticComparison:
        """See `ClassicalDetector.compare`."""
        return SemanticComparison(list(distinct))

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a fragment is empty or in an unknown language."""
        return shipped_scorer().score(fragments, pairs, processes=processes, progress=progress)

    def query_scores(self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None) -> QueryScores:
        """See `SemanticScorer.query_scores`."""
        return shipped_scorer().query_scores(fragments, processes=processes, progress=progress)


class SemanticComparison:
    """Distinct fragments, ready to be compared: the finder's side of `semantic`."""

    def __init__(self, distinct: Sequence[Items]) -> None:
        names, texts = ([item[at].decode(errors="replace") for item in distinct] for at in (0, 1))
        columns = [np.arange(len(texts)), pa.array(names, pa.string()), pa.array(texts, pa.string())]
        self._scorer = shipped_scorer()
        self._own = self._scorer.prepared(pa.table(columns, schema=FRAGMENTS))

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `PairComparison.scores`; 0 where a fragment has nothing to compare."""
        model = self._scorer.model
        one, other = np.minimum(left, right), np.maximum(left, right)
        values = model.probabilities(*self._own.similarities(one, other, model.used))
        known = self._own.known
        return np.where(known[left] & known[right], values, 0.0)

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `PairComparison.matches`: all pairs of up to `EXACT_FRAGMENTS`, else each fragment's nearest ones."""
        count = len(self._own)
        for left, right in self._candidates(report):
            codes = distinct_numbers(np.minimum(left, right) * count + np.maximum(left, right))
            one, other = codes // max(count, 1), codes % max(count, 1)
            yield Matches(one, other, self.scores(one, other)).at_least(threshold)

    def _candidates(self, report: Progress) -> Iterator[tuple[Integers, Integers]]:
        count = len(self._own)
        if count <= EXACT_FRAGMENTS:
            for row in range(count):
                report("Comparing fragments", 1, count)
                yield np.full(count - row - 1, row), np.arange(row + 1, count)
            return
        left, right = self._nearest(report)
        for first in range(0, len(left), _SCORED):
            yield left[first : first + _SCORED], right[first : first + _SCORED]

    def _nearest(self, report: Progress) -> tuple[Integers, Integers]:
        """Each fragment with its nearest ones. A pair may be found from both sides; it is there once."""
        index = self._own.index(self._scorer.model.weights)
        lengths = np.linalg.norm(index, axis=1, keepdims=True)
        units = np.where(lengths > 0, index / np.maximum(lengths, 1e-9), np.nan).astype(np.float32)
        try:
            return nearest_rows(units, NEAREST, progress=report)
        except MissingExtraError:
            return nearest_rows(units, NEAREST, exact=True, progress=report)  # the same, and slower


@cache
def shipped_scorer() -> SemanticScorer:
    """The shipped background and weights."""
    model: ShippedModel = shipped_model()
    return SemanticScorer(model.background, model.model)


SEMANTIC = SemanticDetector()
