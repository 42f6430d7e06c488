"""Evaluation of tools that report locations: recall as BigCloneEval measures it, and what is known of precision.

This believes the benchmark's own labels (the policy `origin`) by definition.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from clonetruth.errors import InputError
from clonetruth.evaluate.behaviours import Behaviour
from clonetruth.evaluate.intervals import clustered
from clonetruth.evaluate.matchers import Coverage, Matcher
from clonetruth.evaluate.precision import precision_bounds
from clonetruth.evaluate.recall import SCOPES, SEPARATE_TYPES, TYPE_NAMES, Tally, layout, tallies
from clonetruth.evaluate.recall_sql import (
    FLAGS,
    KNOWN_SQL,
    REFERENCE_FROM_CLAIMS,
    REFERENCE_FROM_MEASURES,
    REPEATED_SQL,
    counts_sql,
    hits_sql,
)
from clonetruth.evaluate.reported import Progress, ReportFiles, Staged, fragment_places, stage_report
from clonetruth.evaluate.selection import Selection
from clonetruth.store import Benchmark, TableLike, build_manifest
from clonetruth.store.hashing import hash_file
from clonetruth.store.results import (
    BenchmarkIdentity,
    Group,
    Measurement,
    PolicyUse,
    Result,
    ResultKind,
    Stratum,
)
from clonetruth.truth import judge_verdicts

NO_FUNCTIONALITY = "(none)"


@dataclass(frozen=True)
class LocationOptions:
    """What to look for, and what counts as found.

    Attributes:
        selection: which pairs of the benchmark.
        matcher: when a reported fragment stands for one of the benchmark.
        behaviour: which program's numbers are the headline; both are computed where both are defined.
        rule: the measures to sort pairs by, for a benchmark whose source publishes no claims.
    """

    selection: Selection = field(default_factory=Selection)
    matcher: Matcher = field(default_factory=Coverage)
    behaviour: Behaviour = Behaviour.REPAIRED
    rule: str | None = None


@dataclass(frozen=True)
class _Reference:
    """Where the pairs to be found come from."""

    sql: str
    condition: str
    tables: Mapping[str, TableLike]


def evaluate_locations(
    benchmark: Benchmark,
    report: ReportFiles,
    detector: str,
    options: LocationOptions | None = None,
    *,
    progress: Progress | None = None,
) -> Result:
    """Measure what a tool's report finds of a benchmark.

    Args:
        benchmark: the benchmark; its fragments must have files and lines.
        report: the report.
        detector: the tool's name.
        options: what to look for, and what counts as found.
        progress: told of rows as they come.

    Raises:
        InputError: the report cannot be read, or the setting has no sense for this benchmark.
    """
    chosen = options or LocationOptions()
    conditions, notes = _conditions(chosen)
    reference = _reference(benchmark, chosen)
    places = fragment_places(benchmark)
    with tempfile.TemporaryDirectory(prefix="clonetruth-report-") as folder:
        staged = stage_report(report, places, Path(folder, "reported.parquet"), progress or (lambda *_: None))
        hits = Path(folder, "hits.parquet")
        tables = {"reported": staged.path, "places": places.table}
        benchmark.engine.write(hits_sql(conditions), tables, hits)
        return _Finding(benchmark, report, detector, chosen, staged, hits, reference, conditions).result(notes)


def _conditions(options: LocationOptions) -> tuple[dict[Behaviour, str], list[str]]:
    """The matcher in every behaviour that is defined; what the other one lacks is a note."""
    conditions = {}
    notes = []
    for behaviour in Behaviour:
        try:
            options.selection.condition(behaviour)
            conditions[behaviour] = options.matcher.condition(behaviour)
        except InputError as error:
            if behaviour is options.behaviour:
                raise
            notes.append(error.what)
    return conditions, notes


def _reference(benchmark: Benchmark, options: LocationOptions) -> _Reference:
    condition = options.selection.condition(Behaviour.REPAIRED)
    if benchmark.names("claims"):
        claims = benchmark.parquet(f"claims/{benchmark.names('claims')[0]}")
        # BigCloneEval sums inter- and intra-project pairs, and a pair of unknown project is neither.
        known = "a.project IS NOT NULL AND b.project IS NOT NULL"
        return _Reference(REFERENCE_FROM_CLAIMS, f"{condition} AND {known}", {"claims": claims})
    measures = benchmark.measure_names()
    rule = options.rule or (measures[0] if measures else None)
    if rule is None:
        raise InputError(
            "The pairs of the benchmark are not measured, so that their clone types are unknown.",
            where=benchmark.path,
            hint="Run `clonetruth classify` on it first.",
        )
    for name, _ in options.selection.filters():
        if not name.endswith("_lines") or "pretty" in name:
            raise InputError(
                f"The benchmark publishes nothing that the filter '{name.replace('_', '-')}' could use.",
                where=benchmark.path,
                hint="Only the number of lines can be filtered by here.",
            )
    tables: dict[str, TableLike] = {
        "measures": benchmark.parquet(f"measures/{rule}"),
        "verdicts": judge_verdicts(benchmark, "origin").table,
    }
    return _Reference(REFERENCE_FROM_MEASURES, condition, tables)


@dataclass(frozen=True)
class _Finding:
    """A matched report, about to become a result."""

    benchmark: Benchmark
    report: ReportFiles
    detector: str
    options: LocationOptions
    staged: Staged
    hits: Path
    reference: _Reference
    conditions: Mapping[Behaviour, str]

    def result(self, notes: Iterable[str]) -> Result:
        counted = self._count()
        tally = counted[self.options.behaviour]
        found = _total(tally)
        return Result(
            kind=ResultKind.LOCATIONS,
            detector=self.detector,
            benchmark=BenchmarkIdentity(
                self.benchmark.card.name,
                self.benchmark.card.version,
                self.benchmark.content_hash,
            ),
            policy=PolicyUse(
                name="origin",
                criterion=self.benchmark.card.criterion,
                counted=found[1],
                unknown=0,
                assumptions=("The benchmark's own labels are believed: recall is of what its rule calls clones.",),
            ),
            setting=self._setting(),
            headline=(*_headline(tally), *self._precision()),
            manifest=build_manifest(
                {
                    "benchmark": self.benchmark.content_hash,
                    **{f"report {path.name}": hash_file(path) for path in self.report.paths},
                },
                self._setting(),
            ),
            strata=tuple(_strata(tally, self._functionalities())),
            recall={
                str(one): {"imported_pairs": self.staged.pairs, **layout(part, self.options.selection.min_similarity)}
                for one, part in counted.items()
            },
            notes=(*notes, *self.staged.log.notes),
            warnings=tuple(self._warnings(found)),
        )

    def _setting(self) -> dict[str, Any]:
        selection = self.options.selection
        return {
            "matcher": str(self.options.matcher),
            "behaviour": str(self.options.behaviour),
            "similarity": str(selection.similarity),
            "min_similarity": selection.min_similarity,
            **dict(selection.filters()),
        }

    def _functionalities(self) -> dict[int | None, tuple[str, str]]:
        rows = self.benchmark.sql("SELECT functionality, id, name FROM functionalities ORDER BY functionality")
        named: dict[int | None, tuple[str, str]] = {
            row["functionality"]: (row["id"], row["name"]) for row in rows.to_pylist()
        }
        if "measures" in self.reference.tables:
            named[None] = (NO_FUNCTIONALITY, "no functionality")
        return named

    def _count(self) -> dict[Behaviour, Tally]:
        text = counts_sql(self.reference.sql, self.reference.condition, self.options.selection.similarity)
        rows = self.benchmark.sql(text, hits=self.hits, **self.reference.tables)
        ids = {key: identity for key, (identity, _) in self._functionalities().items()}
        return tallies(rows, ids, self.options.selection, self.conditions)

    def _precision(self) -> tuple[Measurement, ...]:
        text = KNOWN_SQL.format(reference=self.reference.sql, flag=FLAGS[self.options.behaviour])
        known = self.benchmark.sql(text, hits=self.hits, **self.reference.tables).to_pylist()[0]
        bounds = precision_bounds(self.staged.pairs, known["known_true"], known["known_false"])
        return bounds.lower, bounds.upper, bounds.judged

    def _warnings(self, found: tuple[int, int]) -> Iterable[str]:
        staged = self.staged
        if not staged.pairs:
            yield "The report is empty."
        if staged.log.skipped:
            path, line, why = staged.log.first[0]
            place = f"{path.name}, line {line}" if line is not None else path.name
            yield f"{staged.log.skipped:,} bad rows of the report were left out; the first: {place}: {why}."
        if staged.outside:
            yield (
                f"{staged.outside:,} of {staged.pairs:,} reported pairs have a fragment in a file that the benchmark "
                "does not have."
            )
        tables: dict[str, TableLike] = {"reported": staged.path}
        distinct = self.benchmark.engine.sql(REPEATED_SQL, tables)["distinct_pairs"][0].as_py()
        repeated = staged.pairs - staged.outside - distinct
        if repeated > 0:
            yield f"{repeated:,} reported pairs repeat another one."
        if not found[1]:
            yield "No pair of the benchmark passes the filters."


def _total(tally: Tally, types: Iterable[str] = SEPARATE_TYPES) -> tuple[int, int]:
    cells = [tally.cell(name) for name in types]
    return sum(detected for detected, _ in cells), sum(pairs for _, pairs in cells)


def _headline(tally: Tally) -> Iterable[Measurement]:
    yield _recall("recall", tally, SEPARATE_TYPES)
    yield _recall("recall-type-1-to-3", tally, SEPARATE_TYPES[:-1], "without weak Type-3 and Type-4")
    for name in SEPARATE_TYPES:
        yield _recall(f"recall-{name}", tally, (name,))


def _recall(name: str, tally: Tally, types: Iterable[str], note: str | None = None) -> Measurement:
    """Recall over some classes, with an interval that takes functionalities as clusters."""
    counts = tally.by_functionality(types)
    detected, pairs = counts.sum(axis=0).tolist()
    filled = counts[counts[:, 1] > 0]
    if not pairs:
        return Measurement(name, None, successes=detected, n=0, note="no pair of this kind")
    # The published program's muddle of averages can find more than there is.
    interval = clustered(filled[:, 0].tolist(), filled[:, 1].tolist()) if np.all(filled[:, 0] <= filled[:, 1]) else None
    if interval is None:
        why = "fewer than two functionalities have such pairs, so there is no interval between them"
        return Measurement(name, detected / pairs, successes=detected, n=pairs, note=note or why)
    return Measurement(
        name,
        detected / pairs,
        interval.low,
        interval.high,
        successes=detected,
        n=pairs,
        method=f"functionalities as clusters ({len(filled)})",
        note=note,
    )


def _strata(tally: Tally, functionalities: Mapping[int | None, tuple[str, str]]) -> Iterable[Stratum]:
    types = [Group(TYPE_NAMES[name], (_recall("recall", tally, (name,)),)) for name in TYPE_NAMES]
    yield Stratum("clone type", tuple(types), "Type-2 is the sum of its two kinds.")
    names = [f"{start}-{start + 5}" for start in range(0, 100, 5)]
    regions = [Group(f"{name} %", (_recall("recall", tally, (name,)),)) for name in names]
    yield Stratum("similarity", tuple(regions), "Type-3 and Type-4, lower bound included, upper bound not.")
    scopes = [
        Group(f"{scope}-project" if scope != "unknown" else "unknown project", (_share(tally, scope=scope),))
        for scope in SCOPES
    ]
    yield Stratum("project relation", tuple(one for one in scopes if one.measurements[0].n))
    groups = [Group(name, (_share(tally, functionality=identity),)) for identity, name in functionalities.values()]
    yield Stratum("functionality", tuple(one for one in groups if one.measurements[0].n))


def _share(tally: Tally, *, scope: str | None = None, functionality: str | None = None) -> Measurement:
    scopes = (scope,) if scope else SCOPES
    cells = [tally.cell(name, scopes, functionality) for name in SEPARATE_TYPES]
    detected, pairs = sum(one for one, _ in cells), sum(one for _, one in cells)
    return Measurement("recall", detected / pairs if pairs else None, successes=detected, n=pairs)
