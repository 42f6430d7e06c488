"""Extending a study: more pairs of the same population, so that the sample is the larger one of the same design.

Within a stratum, pairs are drawn in the order of a hash of key and seed, so a larger sample contains the smaller one.
An extension draws the larger sample, keeps the numbers (and so the votes) of the pairs that the study has, and appends
the others. Weights follow from the larger sample: every pair of a stratum had the same chance to be drawn.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.options.declaration import verb
from clonetruth.options.study import ExtendStudyOptions
from clonetruth.stats.sample_size import Allocation, StratumPlan, plan_sample, sample_size
from clonetruth.store import Benchmark, open_benchmark
from clonetruth.store.sampling import count_strata, draw_sample
from clonetruth.store.study import Study, StudyExtension, StudyPlan, StudyStratum, replace_study, study_identity
from clonetruth.store.study_tables import FUNCTIONALITIES, METHODS, SUBJECTS
from clonetruth.studies.population import PopulationDesign, write_population
from clonetruth.studies.sampling import METHODS_SQL, SUBJECTS_SQL, drawn_functionalities
from clonetruth.studies.study_folder import open_study


@verb(ExtendStudyOptions)
def extend_study(options: ExtendStudyOptions) -> Study:
    """Draw more pairs for a study. Its pairs keep their numbers, and its votes stay.

    Returns:
        The study, with the old pairs and the new ones. Servers of the study must be started again.

    Raises:
        InputError: the folder is not a study, the benchmark or the population changed since the sample was drawn, too
            few pairs are left, or the design cannot be extended.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="extended-study", n=5)
        >>> clonetruth.extend_study(study, "my-benchmark", n=3).subjects.num_rows
        8
    """
    benchmark = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    return extend_sample(open_study(options.study), benchmark, options.n)


def extend_sample(study: Study, benchmark: Benchmark, more: int) -> Study:
    """Extend the sample of a study by a number of pairs; see `extend_study`.

    Where the larger allocation would give a stratum fewer pairs than it has (by largest remainders that can happen), it
    keeps what it has, so that the sample may have a few pairs more than asked for.
    """
    plan = study.plan
    configuration = plan.manifest.configuration
    if plan.is_of_functions:
        raise InputError("A study of single functions cannot be extended.", where=study.path, hint="Draw a new study.")
    if plan.benchmark is None or "population" not in configuration:
        raise InputError(
            "This study does not record how its sample was drawn.", where=study.path, hint="Draw a new study."
        )
    if plan.benchmark.content_hash != benchmark.content_hash:
        raise InputError(
            f"The study was drawn from {plan.benchmark.name} {plan.benchmark.version}; this benchmark has changed.",
            where=benchmark.path,
            hint="Extend it from the benchmark that the sample was drawn from.",
        )
    if plan.allocation == Allocation.NEYMAN:
        raise InputError(
            "A sample by Neyman allocation cannot be extended: the judgements that its strata were planned from have "
            "changed with the study's own.",
            where=study.path,
            hint="Draw a new study with another seed.",
        )
    with tempfile.TemporaryDirectory(prefix="clonetruth-extension-") as folder:
        population = Path(folder) / "population.parquet"
        write_population(benchmark, _population(configuration["population"]), population)
        before = tuple(StratumPlan(one.name, one.population, one.drawn - one.extra, one.extra) for one in plan.strata)
        _check_unchanged(study, benchmark, population, before)
        strata = {one.name: one.population for one in plan.strata}
        after = _larger(before, strata, _planned(plan, configuration) + more, plan, bool(configuration["cover"]))
        seeds = pa.table({"seed": pa.array([plan.seed], pa.int64())})
        drawn = draw_sample(benchmark.engine, population, after, plan.seed)
        found = benchmark.sql(SUBJECTS_SQL, drawn=drawn, population=population, seeds=seeds)
    subjects = _appended(study.subjects, found, ("pair",), "subject", SUBJECTS)
    methods = study.methods
    if methods.num_rows:
        found = benchmark.sql(METHODS_SQL, subjects=subjects, seeds=seeds)
        methods = _appended(methods, found, ("fragment_id", "functionality"), "method", METHODS)
    extension = StudyExtension(more, study.subjects.num_rows, study.methods.num_rows)
    return replace_study(
        study,
        replace(
            plan,
            margin=None,
            strata=tuple(StudyStratum(one.name, one.population, one.drawn, one.extra) for one in after),
            identity=study_identity(study.path),
            extensions=(*plan.extensions, extension),
        ),
        subjects=subjects,
        methods=methods,
        functionalities=_functionalities(study, benchmark, subjects),
    )


def _population(recorded: Mapping[str, Any]) -> PopulationDesign:
    values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in recorded.items()}
    return PopulationDesign(**values)


def _planned(plan: StudyPlan, configuration: Mapping[str, Any]) -> int:
    """The number of pairs that was asked for so far."""
    size = configuration["size"]
    if size is None:
        size = sample_size(plan.population_size, configuration["confidence"], configuration["margin"])
    return int(size) + sum(one.more for one in plan.extensions)


def _larger(
    before: Sequence[StratumPlan], strata: Mapping[str, int], size: int, plan: StudyPlan, cover: bool
) -> tuple[StratumPlan, ...]:
    """The allocation of the larger sample; no stratum has fewer pairs than before."""
    planned = plan_sample(strata, size, Allocation(plan.allocation))
    sizes = [max(one.size, earlier.size) for one, earlier in zip(planned, before, strict=True)]
    return tuple(
        replace(one, size=number, extra=int(cover and not number and one.population > 0))
        for one, number in zip(planned, sizes, strict=True)
    )


def _check_unchanged(study: Study, benchmark: Benchmark, population: Path, before: tuple[StratumPlan, ...]) -> None:
    """Refuse if the sample that the study has would not be drawn again: then the larger one would not contain it."""
    strata = {one.name: one.population for one in before if one.population}
    same = count_strata(benchmark.engine, population) == strata
    if same:
        drawn = draw_sample(benchmark.engine, population, before, study.plan.seed)
        same = sorted(drawn["id"].to_pylist()) == sorted(map(str, study.subjects["pair"].to_pylist()))
    if not same:
        raise InputError(
            "The population of the study has changed since its sample was drawn, so the sample cannot be extended.",
            where=benchmark.path,
            hint="Its condition depends on verdicts or measures, and these are others now: judgements were added or "
            "measures replaced. Extend a study before it is exported, or draw a new one.",
        )


def _appended(old: pa.Table, found: pa.Table, key: tuple[str, ...], number: str, schema: pa.Schema) -> pa.Table:
    """The old rows with their numbers and the new weights, then the new rows in their order."""
    rows = {tuple(row[name] for name in key): row for row in found.to_pylist()}
    keys = [tuple(row[name] for name in key) for row in old.select(list(key)).to_pylist()]
    changed = ("stratum", "weight", "extra")
    kept = [
        {**row, **{name: rows[one][name] for name in changed}} for one, row in zip(keys, old.to_pylist(), strict=True)
    ]
    known = set(keys)
    new = [row for one, row in rows.items() if one not in known]
    numbered = [{**row, number: place} for place, row in enumerate([*kept, *new])]
    return pa.Table.from_pylist(numbered, schema=schema)


def _functionalities(study: Study, benchmark: Benchmark, subjects: pa.Table) -> pa.Table:
    """The functionalities that the study has, as they are shown to judges, and those of new pairs."""
    found = drawn_functionalities(benchmark, subjects, study.checks)
    rows = {row["id"]: row for table in (found, study.functionalities) for row in table.to_pylist()}
    return pa.Table.from_pylist(list(rows.values()), schema=FUNCTIONALITIES)
