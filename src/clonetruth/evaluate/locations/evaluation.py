"""Evaluates tools that report locations: recall as BigCloneEval measures it, and what is known about precision.

By definition this believes the benchmark's own labels (the policy `origin`), except for constructed pairs: what was
checked when a pair was made is evidence, and the policy `default` counts it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.evaluate.labels.precision import precision_bounds, precision_of
from clonetruth.evaluate.locations.construction import MatchedReport, unit_measures
from clonetruth.evaluate.locations.matchers import CoverageMatcher, Matcher
from clonetruth.evaluate.locations.recall import RecallCounts, count_recall, layout
from clonetruth.evaluate.locations.recall_sql import (
    FLAGS,
    KNOWN_SQL,
    LABELS_FROM_CLAIMS,
    LABELS_FROM_VERDICTS,
    REFERENCE_FROM_CLAIMS,
    REFERENCE_FROM_MEASURES,
    REPEATED_SQL,
    REPORTED_SQL,
    counts_sql,
    hits_sql,
)
from clonetruth.evaluate.locations.recall_summary import CONFIDENCE, RecallSummary
from clonetruth.evaluate.locations.reported import ReportFiles, Staged, fragment_places, stage_report
from clonetruth.evaluate.locations.selection import Behaviour, Selection
from clonetruth.evaluate.locations.study import ReportedStudyOptions, study_of_reported
from clonetruth.evaluate.operators import operator_names
from clonetruth.progress import Progress
from clonetruth.store import Benchmark, TableLike, build_manifest
from clonetruth.store.hashing import hash_file
from clonetruth.store.results import BenchmarkIdentity, Measurement, PolicyUse, Result, ResultKind, Stratum
from clonetruth.verdicts import judge_verdicts
from clonetruth.verdicts.policies import DEFAULT, ORIGIN, Policy

NO_FUNCTIONALITY = "(none)"


@dataclass(frozen=True)
class LocationOptions:
    """Which pairs to find, and what counts as found.

    Attributes:
        selection: which pairs of the benchmark.
        matcher: when a reported fragment matches one of the benchmark.
        behaviour: which program's numbers are the headline; both are computed where both are defined.
        rule: the measures that give the clone types, for a benchmark whose source publishes no claims.
    """

    selection: Selection = field(default_factory=Selection)
    matcher: Matcher = field(default_factory=CoverageMatcher)
    behaviour: Behaviour = Behaviour.REPAIRED
    rule: str | None = None


@dataclass(frozen=True)
class StudyRequest:
    """The study folder to write, and the options of the study."""

    path: Path
    options: ReportedStudyOptions = field(default_factory=ReportedStudyOptions)


@dataclass(frozen=True)
class _Reference:
    """Where the reference pairs and the labels of all pairs come from, and which policy the labels follow."""

    pairs: str
    labels: str
    tables: Mapping[str, TableLike]
    policy: Policy


def evaluate_locations(
    benchmark: Benchmark,
    report: ReportFiles,
    detector: str,
    options: LocationOptions | None = None,
    *,
    study: StudyRequest | None = None,
    progress: Progress | None = None,
) -> Result:
    """Measure which pairs of a benchmark a tool's report finds.

    Args:
        benchmark: the benchmark; its fragments must have files and lines.
        report: the report.
        detector: the tool's name.
        options: which pairs to find, and what counts as found.
        study: write the sample of the reported pairs that would settle the precision.
        progress: called as rows are read.

    Raises:
        InputError: the report cannot be read, or the benchmark lacks what an option needs.
    """
    chosen = options or LocationOptions()
    conditions, notes = _conditions(chosen)
    reference = _reference(benchmark, chosen)
    places = fragment_places(benchmark)
    with tempfile.TemporaryDirectory(prefix="clonetruth-report-") as folder:
        staged = stage_report(report, places, Path(folder), progress or (lambda *_: None), with_names=study is not None)
        hits = Path(folder, "hits.parquet")
        tables = {"reported": staged.path, "places": places.table}
        benchmark.engine.write(hits_sql(conditions), tables, hits)
        if study is not None and staged.named is not None:
            text = REPORTED_SQL.format(flag=FLAGS[chosen.behaviour])
            reported = benchmark.sql(text, named=staged.named, hits=hits)
            study_of_reported(benchmark, reported, study.path, study.options)
        matched = MatchedReport(staged.path, hits, places, conditions[chosen.behaviour], FLAGS[chosen.behaviour])
        return _Evaluation(benchmark, report, detector, chosen, staged, matched, reference, conditions).result(notes)


def _conditions(options: LocationOptions) -> tuple[dict[Behaviour, str], list[str]]:
    """The matcher's condition in every behaviour that is defined, and notes on the other one."""
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
        pairs = REFERENCE_FROM_CLAIMS.format(condition=condition)
        return _Reference(pairs, LABELS_FROM_CLAIMS, {"claims": claims}, ORIGIN)
    measures = benchmark.measure_names()
    rule = options.rule or (measures[0] if measures else None)
    if rule is None:
        raise InputError(
            "The pairs of the benchmark are not measured, so their clone types are unknown.",
            where=benchmark.path,
            hint="Run `clonetruth classify` on it first.",
        )
    for name, _ in options.selection.filters():
        if not name.endswith("_lines") or "pretty" in name:
            raise InputError(
                f"The benchmark publishes nothing that the filter '{name.replace('_', '-')}' could use.",
                where=benchmark.path,
                hint="Here only the number of lines can be filtered.",
            )
    policy = DEFAULT if operator_names(benchmark) else ORIGIN
    tables: dict[str, TableLike] = {
        "measures": benchmark.parquet(f"measures/{rule}"),
        "verdicts": judge_verdicts(benchmark, policy.name).path,
    }
    return _Reference(REFERENCE_FROM_MEASURES.format(condition=condition), LABELS_FROM_VERDICTS, tables, policy)


@dataclass(frozen=True)
class _Evaluation:
    """A matched report, from which a result is computed."""

    benchmark: Benchmark
    report: ReportFiles
    detector: str
    options: LocationOptions
    staged: Staged
    matched: MatchedReport
    reference: _Reference
    conditions: Mapping[Behaviour, str]

    def result(self, notes: Iterable[str]) -> Result:
        counted = self._count()
        everything = layout(counted[self.options.behaviour])
        # Without functionalities there are no clusters, rather than one with everything in it.
        clusters = everything["functionalities"] if self.benchmark.counts["functionalities"] else {}
        summary = RecallSummary(everything["overall"], clusters)
        policy = self.reference.policy
        unit, operators = self._unit_measures()
        return Result(
            kind=ResultKind.LOCATIONS,
            detector=self.detector,
            benchmark=BenchmarkIdentity(
                self.benchmark.card.name,
                self.benchmark.card.version,
                self.benchmark.content_hash,
            ),
            policy=PolicyUse(policy.name, self.benchmark.card.criterion, summary.pairs, 0, policy.assumptions),
            setting=self._setting(),
            headline=(*summary.headline(), *self._precision(), *unit),
            manifest=build_manifest(
                {
                    "benchmark": self.benchmark.content_hash,
                    **{f"report {path.name}": hash_file(path) for path in self.report.paths},
                },
                {**self._setting(), "confidence": CONFIDENCE},
            ),
            strata=(*operators, *summary.strata(dict(self._functionalities().values()))),
            recall={
                str(one): {"imported_pairs": self.staged.pairs, **layout(part, self.options.selection.min_similarity)}
                for one, part in counted.items()
            },
            notes=(*notes, *self.staged.log.notes),
            warnings=(*self._warnings(summary.pairs), *summary.few_clusters()),
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

    def _count(self) -> dict[Behaviour, RecallCounts]:
        text = counts_sql(self.reference.pairs, self.options.selection.similarity)
        rows = self.benchmark.sql(text, hits=self.matched.hits, **self.reference.tables)
        ids = {key: identity for key, (identity, _) in self._functionalities().items()}
        return count_recall(rows, ids, self.options.selection, self.conditions)

    def _unit_measures(self) -> tuple[tuple[Measurement, ...], tuple[Stratum, ...]]:
        verdicts = self.reference.tables.get("verdicts")
        return ((), ()) if verdicts is None else unit_measures(self.benchmark, self.matched, verdicts)

    def _precision(self) -> tuple[Measurement, ...]:
        text = KNOWN_SQL.format(labels=self.reference.labels, flag=FLAGS[self.options.behaviour])
        known = self.benchmark.sql(text, hits=self.matched.hits, **self.reference.tables).to_pylist()[0]
        bounds = precision_bounds(self.staged.pairs, known["known_true"], known["known_false"])
        sampled = precision_of(self.benchmark, self.detector)
        return (*(() if sampled is None else (sampled,)), bounds.lower, bounds.upper, bounds.judged)

    def _warnings(self, pairs: int) -> Iterable[str]:
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
        if not pairs:
            yield "No pair of the benchmark passes the filters."
