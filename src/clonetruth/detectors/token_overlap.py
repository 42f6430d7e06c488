"""Bags of tokens that overlap, as in SourcererCC; the join runs in memory, on workers, or as SQL on an engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa

from clonetruth.code import Bags, Language, OverlapPairs, lexed_tokens, overlap_parts, words
from clonetruth.code.overlap import Integers, required_overlap
from clonetruth.code.remote_join import join_remotely
from clonetruth.code.remote_workers import RemoteWorkers
from clonetruth.code.similarity import Floats
from clonetruth.detectors import word_bags
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.pair_batches import Matches
from clonetruth.detectors.tokenized import Items
from clonetruth.progress import Progress

if TYPE_CHECKING:
    from clonetruth.store import Engine


_PAIRS = 100_000
"""Pairs scored per step: bounds memory."""

# The overlap join for data larger than memory or for a cluster. The rule and the prefix bound are those of
# `clonetruth.code.overlap`; the bitmap is left out, since engines have their own ways to scan many rows.

_JOIN = """
    WITH holders AS (
        SELECT element, count(*) AS bags FROM elements GROUP BY element
    ),
    ordered AS (
        SELECT e.bag, e.element, e.size, n.need,
            row_number() OVER (PARTITION BY e.bag ORDER BY h.bags, e.element) AS place
        FROM elements e JOIN holders h ON h.element = e.element JOIN needs n ON n.size = e.size
    ),
    prefixes AS (
        SELECT bag, element, size, need FROM ordered WHERE place <= size - need + 1
    ),
    candidates AS (
        SELECT DISTINCT a.bag AS larger, b.bag AS smaller, a.need
        FROM prefixes a JOIN prefixes b ON b.element = a.element
        WHERE b.size >= a.need AND (b.size < a.size OR (b.size = a.size AND b.bag < a.bag))
    )
    SELECT least(c.larger, c.smaller) AS one, greatest(c.larger, c.smaller) AS other, count(*) AS overlap
    FROM candidates c
    JOIN elements a ON a.bag = c.larger
    JOIN elements b ON b.bag = c.smaller AND b.element = a.element
    GROUP BY c.larger, c.smaller, c.need
    HAVING count(*) >= c.need
    ORDER BY one, other
"""


def join_on_engine(sets: Bags, threshold: float, engine: Engine) -> OverlapPairs:
    """All pairs of sets that share at least ⌈threshold × the larger size⌉ elements; each pair once, sorted.

    Args:
        sets: bags without duplicate tokens.
        threshold: in (0, 1].
        engine: the engine that runs the join.
    """
    sizes = np.unique(sets.sizes)
    bag = np.repeat(np.arange(len(sets)), sets.sizes)
    elements = {"bag": bag, "element": sets.tokens.astype(np.int64), "size": sets.sizes[bag]}
    tables = {
        "elements": pa.table(elements),
        "needs": pa.table({"size": sizes, "need": required_overlap(sizes, threshold)}),
    }
    found = engine.sql(_JOIN, tables)
    left, right, overlap = (found[name].to_numpy() for name in ("one", "other", "overlap"))
    return OverlapPairs(left, right, overlap)


@dataclass(frozen=True)
class TokenOverlap(ClassicalDetector):
    """SourcererCC (Sajnani et al., ICSE 2016): compares how often each token occurs, and ignores their order.

    Attributes:
        units: `words` (as SourcererCC: no punctuation or operators, but words inside strings) or `tokens` (all).
    """

    name: str = "tokens"
    description: str = field(
        default="Words that both fragments share, counted with multiplicity ÷ words of the larger fragment.", repr=False
    )
    default_threshold: float = 0.7
    units: str = "words"
    parameters: ClassVar[dict[str, tuple[str, ...]]] = {"units": ("words", "tokens")}

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `FragmentReader.read`."""
        tokens = words(text, language) if self.units == "words" else lexed_tokens(text, language)
        return numbered_tokens(tokens) or None

    def compare(self, distinct: Iterable[Items]) -> OverlapComparison:
        """See `ClassicalDetector.compare`."""
        return OverlapComparison(Bags.of(distinct))


def numbered_tokens(tokens: Iterable[bytes]) -> Items:
    """The tokens, sorted. Each repeat of a token becomes a separate item, which turns the bag into a set."""
    counts = Counter(tokens)
    repeats = (b"%s\0%d" % (token, k) for token, count in counts.items() if count > 1 for k in range(1, count))
    return tuple(sorted([*counts, *repeats]))


class OverlapComparison:
    """Compares sets by their overlap, relative to the larger set."""

    def __init__(self, bags: Bags) -> None:
        self._bags = bags
        self._sizes = bags.sizes

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `PairComparison.scores`."""
        tokens, offsets = self._bags.tokens, self._bags.offsets
        token_count = int(tokens.max(initial=0)) + 1
        owners = np.repeat(np.arange(len(self._bags)), self._sizes)
        ascending = np.sort(owners * token_count + tokens) % token_count
        sets = word_bags.WordBags(offsets, ascending.astype(np.int32), token_count)
        shared = [
            sets.shared(left[start : start + _PAIRS], right[start : start + _PAIRS]).sizes
            for start in range(0, len(left), _PAIRS)
        ]
        return np.concatenate([np.empty(0), *shared]) / np.maximum(self._sizes[left], self._sizes[right])

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `PairComparison.matches`."""
        _, parts = overlap_parts(
            self._bags,
            threshold,
            distinct=True,
            progress=lambda done, total: report("Comparing fragments", done, total),
        )
        yield from map(self._matches, parts)

    def matches_on(self, engine: Engine, threshold: float, report: Progress) -> Iterator[Matches]:
        """As `matches`, with the join run by the workers of an engine or, if it has none, as SQL."""
        if isinstance(engine, RemoteWorkers):
            join = partial(join_remotely, engine, report)
            yield from map(self._matches, overlap_parts(self._bags, threshold, distinct=True, join=join)[1])
        else:
            yield self._matches(join_on_engine(self._bags, threshold, engine))

    def _matches(self, found: OverlapPairs) -> Matches:
        larger = np.maximum(self._sizes[found.left], self._sizes[found.right])
        return Matches(found.left, found.right, found.overlap / larger)

    def matches_with(self, chosen: Integers, threshold: float) -> Iterator[Matches]:
        """The matches that involve at least one of a few chosen items."""
        sizes = self._sizes
        need = required_overlap(sizes, threshold)
        done = np.zeros(len(sizes), dtype=bool)
        for one in chosen.tolist():
            done[one] = True
            shared = self._shared_with(np.array([one]))[0]
            others = np.flatnonzero((shared >= np.maximum(need, need[one])) & ~done)
            larger = np.maximum(sizes[others], sizes[one])
            yield Matches(np.full(len(others), one), others, shared[others] / larger)

    def against(self, chosen: Integers) -> Floats:
        """The score of each chosen bag with every bag, a row for each."""
        return self._shared_with(chosen) / np.maximum(self._sizes, self._sizes[chosen][:, None])

    def _shared_with(self, chosen: Integers) -> Integers:
        """How many tokens each bag shares with each of the chosen ones.

        One pass over all tokens counts for several chosen bags, each in its own bits of a number.
        """
        tokens, offsets = self._bags.tokens, self._bags.offsets
        bits = 16 if int(self._sizes.max(initial=0)) < 1 << 16 else 32
        shared = np.empty((len(chosen), len(self._sizes)), dtype=np.int64)
        marked = np.zeros(int(tokens.max(initial=-1)) + 1, dtype=np.uint64)
        for first in range(0, len(chosen), 64 // bits):
            lanes = list(enumerate(chosen[first : first + 64 // bits].tolist()))
            for lane, one in lanes:
                marked[tokens[offsets[one] : offsets[one + 1]]] += np.uint64(1 << lane * bits)
            # No bag is empty, so that `reduceat` sums each bag separately.
            sums = np.add.reduceat(marked[tokens], offsets[:-1])
            for lane, one in lanes:
                shared[first + lane] = (sums >> np.uint64(lane * bits)) & np.uint64((1 << bits) - 1)
                marked[tokens[offsets[one] : offsets[one + 1]]] = 0
        return shared


TOKENS = TokenOverlap()
