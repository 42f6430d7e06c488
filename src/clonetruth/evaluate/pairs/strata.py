"""Strata: the pairs of an evaluation in groups, by what the benchmark knows about them; and macro averages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from clonetruth.code import TYPE_MEANINGS
from clonetruth.evaluate.measurement import measure
from clonetruth.evaluate.operators import OPERATOR, pair_operators
from clonetruth.evaluate.pairs.pair_set import PairSubjects
from clonetruth.stats.clusters import LEAST_CLUSTERS, few_clusters, spread_between
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import RATES, Floats, Integers, cells
from clonetruth.store import Benchmark
from clonetruth.store.results import Measurement, MeasurementGroup, Stratum

# Macro averages: every functionality counts equally, however many pairs it has.

_AVERAGED = ("precision", "recall", "f1")


def macro(outcomes: Outcomes, confidence: float = 0.95) -> tuple[Measurement, ...]:
    """The mean over functionalities of precision, recall and F1, each over those where it is defined.

    A functionality with half of all pairs dominates every number that counts pairs. Pairs without a known functionality
    are in none of the means.

    Returns:
        `macro-precision`, `macro-recall` and `macro-f1`, whose n is the number of functionalities; nothing where no
        functionality is known. There is no interval where the functionalities show no spread: for fewer than three, or
        where all agree on a value between 0 and 1.
    """
    if outcomes.cluster is None or not (outcomes.cluster >= 0).any():
        return ()
    inside = outcomes.cluster >= 0
    kinds = cells(outcomes.predicted, outcomes.truth)[inside]
    flat = np.bincount(outcomes.cluster[inside] * 4 + kinds)
    counts: Floats = np.pad(flat, (0, -len(flat) % 4)).reshape(-1, 4).astype(np.float64)
    outside = int(np.count_nonzero(~inside))
    return tuple(_mean(name, RATES[name].value(counts), outside, confidence) for name in _AVERAGED)


def _mean(name: str, values: Floats, outside: int, confidence: float) -> Measurement:
    defined = values[~np.isnan(values)]
    count = len(defined)
    mean = float(defined.mean()) if count else None
    notes = [f"{outside:,} pairs without a known functionality are left out"] if outside else []
    spread = spread_between((defined - mean) / count, np.ones(count)) if mean is not None else None
    if mean is None or spread is None or not spread.shows(mean):
        few = f"fewer than {LEAST_CLUSTERS} functionalities"
        notes.append(f"no interval: {few if spread is None else 'all functionalities agree'}")
        return Measurement(f"macro-{name}", mean, n=count, note="; ".join(notes))
    interval = spread.interval(mean, confidence)
    notes += filter(None, [few_clusters(spread.effective, "functionalities")])
    return Measurement(
        f"macro-{name}",
        mean,
        interval.low,
        interval.high,
        n=count,
        method=f"{confidence:.0%}, {spread.in_words('over functionalities')}",
        note="; ".join(notes) or None,
    )


# Groups of pairs.

CLAIMED_TYPE = "clone type (claimed)"
"""The name of the grouping by the type that the source claims."""

FRAGMENTS_SQL = """
SELECT language, project,
    CASE WHEN length(trim(text)) = 0 THEN 0
        ELSE 1 + CAST(length(text) AS BIGINT) - length(replace(text, chr(10), '')) END AS lines
FROM fragments ORDER BY fragment
"""

CLAIMED_TYPES_SQL = "SELECT pair, claimed_type AS type FROM pairs WHERE claimed_type IS NOT NULL ORDER BY pair"
MEASURED_TYPES_SQL = "SELECT pair, clone_type AS type FROM measured WHERE clone_type IS NOT NULL ORDER BY pair"

_RATIO_BOUNDS = (0.25, 0.5, 0.75)
_RATIO_NAMES = ("below 1/4", "1/4 to 1/2", "1/2 to 3/4", "3/4 to 1", "a text is missing")
_RELATION_NAMES = ("same project", "different projects", "unknown")
_ONLY_CLONES, _ONLY_OTHERS = ("recall",), ("specificity",)


@dataclass(frozen=True)
class StratumGrouping:
    """Pairs in groups.

    Attributes:
        by: what they are grouped by.
        codes: the group of each pair, as a position in `names`.
        names: the groups, in the order in which they are shown.
        note: what a reader must know.
    """

    by: str
    codes: Integers
    names: Sequence[str]
    note: str | None = None


def groupings(benchmark: Benchmark, subjects: PairSubjects) -> list[StratumGrouping]:
    """The groupings that divide the pairs: one group with all pairs is not a stratum."""
    fragments = _Fragments(benchmark)
    candidates = [
        _by_operator(benchmark, subjects),
        _by_type(benchmark, subjects, CLAIMED_TYPE, CLAIMED_TYPES_SQL, "no type claimed"),
        *(
            _by_type(benchmark, subjects, f"clone type (measured, {rule})", MEASURED_TYPES_SQL, "not measured", rule)
            for rule in benchmark.measure_names()
        ),
        _by_functionality(benchmark, subjects),
        fragments.by_language(subjects),
        fragments.by_size(subjects),
        fragments.by_project(subjects),
    ]
    return [one for one in candidates if (one.codes != one.codes[0]).any()]


def strata(
    outcomes: Outcomes, grouped: Sequence[StratumGrouping], names: Sequence[str], confidence: float
) -> list[Stratum]:
    """Measure each group.

    Where a group has only clones, or only non-clones, numbers that follow by construction are left out; where there are
    decisions, so are the metrics of scores.

    Args:
        outcomes: the predictions and verdicts.
        grouped: the groupings of the same pairs.
        names: the metrics that are defined for the evaluation.
        confidence: confidence level of the intervals.
    """
    decided = [name for name in names if name in RATES]
    if decided:
        outcomes, names = replace(outcomes, score=None), decided
    return [Stratum(one.by, tuple(_groups(outcomes, one, names, confidence)), one.note) for one in grouped]


def _groups(
    outcomes: Outcomes, grouping: StratumGrouping, names: Sequence[str], confidence: float
) -> list[MeasurementGroup]:
    # Small integer types are sorted in a fraction of the time.
    codes = grouping.codes.astype(np.min_scalar_type(len(grouping.names)))
    order = np.argsort(codes, kind="stable")
    bounds = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=len(grouping.names)))])
    groups = []
    for code, name in enumerate(grouping.names):
        rows = order[bounds[code] : bounds[code + 1]]
        if not len(rows):
            continue
        part = outcomes.select(rows)
        clones = int(np.count_nonzero(part.truth))
        wanted = _ONLY_OTHERS if not clones else _ONLY_CLONES if clones == len(rows) else names
        kept = [metric for metric in wanted if metric in names]
        note = None if 0 < clones < len(rows) else "only clones" if clones else "only non-clones"
        groups.append(MeasurementGroup(name, measured(part, kept, confidence), len(rows), clones, note))
    return groups


def measured(outcomes: Outcomes, names: Sequence[str], confidence: float, seed: int = 0) -> tuple[Measurement, ...]:
    """Some of the metrics of `measure`."""
    return tuple(one for one in measure(outcomes, confidence, seed) if one.name in names) if names else ()


def _by_operator(benchmark: Benchmark, subjects: PairSubjects) -> StratumGrouping:
    rows = pair_operators(benchmark)
    names, operators = _codes(rows["operator"])
    codes = np.full(benchmark.counts["pairs"], len(names), dtype=np.int64)
    codes[rows["pair"].to_numpy()] = operators
    return StratumGrouping(OPERATOR, codes[subjects.pair], [*names, "not constructed"])


def _by_type(
    benchmark: Benchmark, subjects: PairSubjects, by: str, text: str, absent: str, rule: str | None = None
) -> StratumGrouping:
    tables = {} if rule is None else {"measured": benchmark.parquet(f"measures/{rule}")}
    rows = benchmark.sql(text, **tables)
    types = rows["type"].combine_chunks().dictionary_encode()
    used = types.dictionary.to_pylist()
    known = list(TYPE_MEANINGS)
    names = sorted(used, key=lambda name: (known.index(name) if name in known else len(known), name))
    place = np.array([names.index(name) for name in used], dtype=np.int64)
    codes = np.full(benchmark.counts["pairs"], len(names), dtype=np.int64)
    codes[rows["pair"].to_numpy()] = place[types.indices.to_numpy()]
    return StratumGrouping(by, codes[subjects.pair], [*names, absent])


def _by_functionality(benchmark: Benchmark, subjects: PairSubjects) -> StratumGrouping:
    names = benchmark.sql("SELECT name FROM functionalities ORDER BY functionality")["name"].to_pylist()
    codes = np.where(subjects.cluster < 0, len(names), subjects.cluster)
    note = (
        "A pair for which the source names no functionality counts for that of its left fragment, if that has only one."
    )
    return StratumGrouping("functionality", codes, [*names, "none"], note)


class _Fragments:
    """Languages, projects and sizes of the fragments, by their dense key."""

    def __init__(self, benchmark: Benchmark) -> None:
        rows = benchmark.sql(FRAGMENTS_SQL)
        self._languages, self._language = _codes(rows["language"])
        _, self._project = _codes(rows["project"])
        self._lines = rows["lines"].to_numpy()

    def by_language(self, subjects: PairSubjects) -> StratumGrouping:
        a, b = self._language[subjects.left], self._language[subjects.right]
        known = len(self._languages)
        names = [
            one if one == other else " – ".join(sorted((one, other)))
            for one in self._languages
            for other in self._languages
        ]
        return StratumGrouping("language", np.minimum(a, b) * known + np.maximum(a, b), names)

    def by_size(self, subjects: PairSubjects) -> StratumGrouping:
        a, b = self._lines[subjects.left], self._lines[subjects.right]
        smaller, larger = np.minimum(a, b), np.maximum(a, b)
        ratio = np.divide(smaller, larger, out=np.ones(len(a)), where=larger > 0)
        codes = np.where(smaller > 0, np.searchsorted(_RATIO_BOUNDS, ratio, side="right"), len(_RATIO_NAMES) - 1)
        return StratumGrouping(
            "size ratio", codes, _RATIO_NAMES, "Lines of the shorter text ÷ lines of the longer one."
        )

    def by_project(self, subjects: PairSubjects) -> StratumGrouping:
        a, b = self._project[subjects.left], self._project[subjects.right]
        codes = np.where((a < 0) | (b < 0), 2, np.where(a == b, 0, 1))
        return StratumGrouping("project", codes, _RELATION_NAMES)


def _codes(column: pa.ChunkedArray) -> tuple[list[str], Integers]:
    """The distinct values of a column, and the position of each row's value among them; -1 for null."""
    encoded = column.combine_chunks().dictionary_encode()
    return encoded.dictionary.to_pylist(), encoded.indices.fill_null(-1).to_numpy().astype(np.int64)
