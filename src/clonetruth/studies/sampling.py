"""Drawing a study: a stratified sample of a benchmark's pairs, with everything that judges need to see."""

from __future__ import annotations

import math
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, Subject
from clonetruth.options.declaration import verb
from clonetruth.options.study import SampleStudyOptions
from clonetruth.progress import Progress, no_progress
from clonetruth.stats.sample_size import Allocation, StratumPlan, plan_sample, sample_size
from clonetruth.store import Benchmark, build_manifest, open_benchmark
from clonetruth.store.hashing import hash_file
from clonetruth.store.sampling import count_strata, draw_sample
from clonetruth.store.study import PilotStudy, StudiedBenchmark, Study, StudyPlan, StudyStratum, write_study
from clonetruth.store.study_tables import CHECKS, FUNCTIONALITIES, SUBJECTS
from clonetruth.store.votes import read_consent
from clonetruth.studies.blindness import find_leaks, write_report
from clonetruth.studies.checks import draw_checks
from clonetruth.studies.functions import FUNCTIONS_SQL, write_functions
from clonetruth.studies.pilot import describe_pilot
from clonetruth.studies.population import PopulationDesign, write_population
from clonetruth.studies.protocols import ChosenProtocol, check_functionalities, choose_protocol, with_training_items
from clonetruth.studies.specifications import described, read_specifications
from clonetruth.studies.study_folder import open_study, open_votes
from clonetruth.verdicts.latest_judgements import asked_criteria
from clonetruth.verdicts.policies import DEFAULT, judge_verdicts

SUBJECTS_SQL = """
SELECT CAST(row_number() OVER (ORDER BY md5(concat(d.id, CAST(s.seed AS STRING))), d.id) - 1 AS BIGINT) AS subject,
    d.stratum AS stratum, d.weight AS weight, d.extra AS extra, p.pair AS pair, f.id AS functionality,
    o.label AS label, l.id AS left_id, l.path AS left_path, l.first_line AS left_first_line,
    l.last_line AS left_last_line, l.language AS left_language, nullif(l.text, '') AS left_text,
    r.id AS right_id, r.path AS right_path, r.first_line AS right_first_line, r.last_line AS right_last_line,
    r.language AS right_language, nullif(r.text, '') AS right_text
FROM drawn d
CROSS JOIN seeds s
JOIN population o ON d.id = o.id
JOIN pairs p ON o.pair = p.pair
JOIN fragments l ON p.left = l.fragment
JOIN fragments r ON p.right = r.fragment
LEFT JOIN functionalities f ON p.functionality = f.functionality
ORDER BY subject
"""
"""The drawn pairs in a random order, which mixes the strata."""

METHODS_SQL = """
WITH sides AS (
    SELECT left_id AS id, functionality, stratum, weight, extra FROM subjects
    UNION ALL
    SELECT right_id AS id, functionality, stratum, weight, extra FROM subjects
),
methods AS (
    SELECT id, functionality, min(stratum) AS stratum, sum(weight) AS weight,
        min(CASE WHEN extra THEN 1 ELSE 0 END) = 1 AS extra
    FROM sides
    WHERE functionality IS NOT NULL
    GROUP BY id, functionality
)
SELECT CAST(row_number() OVER (
        ORDER BY md5(concat(m.id, m.functionality, CAST(s.seed AS STRING))), m.id, m.functionality
    ) - 1 AS BIGINT) AS method,
    m.id AS fragment_id, m.functionality AS functionality, f.language AS language, f.text AS text,
    m.stratum AS stratum, m.weight AS weight, m.extra AS extra
FROM methods m
CROSS JOIN seeds s
JOIN fragments f ON m.id = f.id
ORDER BY method
"""
"""The methods of the drawn pairs, each once per functionality, in a separate random order."""

FUNCTIONALITIES_SQL = """
SELECT f.id AS id, f.name AS name, f.specification AS specification, t.text AS exemplar
FROM functionalities f
JOIN (SELECT DISTINCT functionality FROM subjects WHERE functionality IS NOT NULL) d ON f.id = d.functionality
LEFT JOIN (
    SELECT m.functionality AS functionality, x.text AS text, x.fragment AS fragment
    FROM memberships m
    JOIN fragments x ON m.fragment = x.fragment
    WHERE m.role = 'exemplar'
) t ON f.functionality = t.functionality
ORDER BY f.functionality, t.fragment
"""
"""The functionalities of the drawn pairs, one row per exemplar."""

SPREADS_SQL = """
SELECT o.stratum AS stratum, sum(CASE WHEN v.verdict = 'clone' THEN 1 ELSE 0 END) AS clones,
    sum(CASE WHEN v.verdict IN ('clone', 'not-clone') THEN 1 ELSE 0 END) AS known
FROM population o
LEFT JOIN concluded v ON o.pair = v.pair
GROUP BY o.stratum
ORDER BY o.stratum
"""
"""The earlier verdicts on each stratum."""

_STEPS = "finding, drawing and reading the pairs"


@dataclass(frozen=True)
class SampleDesign:
    """How to draw a study. It is recorded: its digest identifies the configuration of the sample.

    Attributes:
        protocol: the question, and who judges what.
        population: the pairs to draw from, and their strata.
        title: the title of the study.
        confidence: confidence level of the interval that the sample size is planned for.
        margin: half the width of that interval.
        size: the number of pairs (default: as many as the margin needs).
        allocation: how the pairs are allocated to strata. Neyman allocation estimates the spread of each stratum from
            earlier judgements.
        cover: draw at least one pair of each stratum; the extra ones are marked.
        methods: let the judges judge the methods of the pairs as well.
        seed: the random seed.
        max_per_judge: the number of subjects that each judge may judge (default: any number).
        consent: the text that judges must agree to, in Markdown (default: none).
        pilot: the pilot of the study (default: none).
        gold: a file with pairs of the population whose answer is known (default: pairs with a settled verdict).
        specifications: names and specifications of functionalities, by id or name, that replace the benchmark's.
    """

    protocol: ChosenProtocol
    population: PopulationDesign = field(default_factory=PopulationDesign)
    title: str | None = None
    confidence: float = 0.95
    margin: float = 0.05
    size: int | None = None
    allocation: Allocation = Allocation.LARGEST_REMAINDER
    cover: bool = False
    methods: bool = False
    seed: int = 0
    max_per_judge: int | None = None
    consent: str | None = None
    pilot: PilotStudy | None = None
    gold: str | None = None
    specifications: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)


@verb(SampleStudyOptions)
def sample_study(options: SampleStudyOptions, *, progress: Progress | None = None) -> Study:
    """Draw a stratified sample of a benchmark's pairs for judges, and write it as a study folder.

    Args:
        progress: called after each step.

    Returns:
        The study.

    Raises:
        InputError: no pair fulfils the condition, the sample is larger than the population, the folder exists, or
            `methods` is set and the pairs have no functionality; or `require_blind` is set and judges are not blind.
        UnknownNameError: the policy or the protocol is unknown.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="my-study", n=5, seed=1)
        >>> study.subjects.num_rows
        5
    """
    benchmark = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    chosen = _protocol(options, benchmark)
    pilot, without = _pilot(options, benchmark, chosen)
    design = SampleDesign(
        protocol=chosen,
        population=PopulationDesign(
            options.where, options.policy, options.criterion, options.rule, options.stratify, without
        ),
        title=options.title,
        confidence=options.confidence,
        margin=options.margin,
        size=options.n,
        allocation=Allocation(options.allocation),
        cover=options.cover,
        methods=options.methods,
        seed=options.seed,
        max_per_judge=options.max_per_judge,
        consent=None if options.consent is None else _consent(options.consent),
        pilot=pilot,
        gold=None if options.gold is None else str(options.gold),
        specifications={} if options.specifications is None else read_specifications(options.specifications),
    )
    if CRITERIA[design.protocol.criterion].subject is Subject.FRAGMENT:
        return draw_function_study(benchmark, options.output, design, progress=progress)
    study = _draw(benchmark, options.output, design, progress)
    report = find_leaks(study)
    if design.protocol.protocol.show_functionality and any(leak.source == "specification" for leak in report.leaks):
        # What the pages can hide, they hide.
        shutil.rmtree(study.path)
        hidden = replace(design.protocol.protocol, show_functionality=False)
        study = _draw(
            benchmark, options.output, replace(design, protocol=replace(design.protocol, protocol=hidden)), None
        )
        report = replace(
            find_leaks(study), neutralised=tuple(leak for leak in report.leaks if leak.source == "specification")
        )
    if options.require_blind and not report.is_blind:
        shutil.rmtree(study.path)
        raise InputError(f"The judges would not be blind: {report.problem}", hint="--require-blind was asked for.")
    write_report(report, study.path)
    return study


def _draw(benchmark: Benchmark, path: Path, design: SampleDesign, progress: Progress | None) -> Study:
    if not design.protocol.protocol.training:
        return draw_study(benchmark, path, design, progress=progress)
    from clonetruth.sources import embedded

    with tempfile.TemporaryDirectory(prefix="clonetruth-known-") as folder:
        known = embedded.build(Path(folder) / "embedded")
        return draw_study(benchmark, path, design, known=known, progress=progress)


def _protocol(options: SampleStudyOptions, benchmark: Benchmark) -> ChosenProtocol:
    chosen = choose_protocol(options.protocol or benchmark.card.criterion)
    if options.attentive is None:
        return chosen
    return replace(chosen, protocol=replace(chosen.protocol, attentive=options.attentive))


def draw_study(
    benchmark: Benchmark,
    path: str | os.PathLike[str],
    options: SampleDesign,
    *,
    known: Benchmark | None = None,
    progress: Progress | None = None,
) -> Study:
    """Draw a stratified sample of a benchmark's pairs, and write it as a study folder.

    Args:
        benchmark: the benchmark.
        path: the new folder; it must not exist.
        options: how to draw.
        known: a benchmark with executed fragments, for training pairs where the population has too few known ones.
        progress: called after each step.

    Raises:
        InputError: no pair fulfils the condition, the sample is larger than the population, the folder exists, or
            `methods` is set and the pairs have no functionality.
    """
    report = progress or no_progress
    with tempfile.TemporaryDirectory(prefix="clonetruth-study-") as folder:
        population = Path(folder) / "population.parquet"
        if not write_population(benchmark, options.population, population):
            raise InputError(
                "No pair fulfils the condition.",
                where=options.population.where,
                hint=f"Verdicts come from the policy '{options.population.policy}'.",
            )
        report(_STEPS, 1, 3)
        strata = count_strata(benchmark.engine, population)
        plan = _plan(benchmark, population, strata, options)
        seeds = pa.table({"seed": pa.array([options.seed], pa.int64())})
        drawn = draw_sample(benchmark.engine, population, plan, options.seed)
        report(_STEPS, 1, 3)
        subjects = benchmark.sql(SUBJECTS_SQL, drawn=drawn, population=population, seeds=seeds)
        checks, protocol = draw_checks(
            benchmark, population, subjects, options.protocol, options.seed, options.gold, known
        )
    methods = None
    if options.methods or protocol.sitting:
        methods = benchmark.sql(METHODS_SQL, subjects=subjects, seeds=seeds)
        check_functionalities(protocol, subjects, methods)
    checks = with_training_items(checks, protocol)
    report(_STEPS, 1, 3)
    return write_study(
        Path(path),
        replace(_study_plan(benchmark, options, plan), protocol=protocol),
        subjects,
        methods=methods,
        functionalities=described(
            drawn_functionalities(benchmark, subjects, checks), options.specifications, "specifications"
        ),
        checks=checks if checks.num_rows else None,
        consent=options.consent,
    )


def _pilot(
    options: SampleStudyOptions, benchmark: Benchmark, chosen: ChosenProtocol
) -> tuple[PilotStudy | None, tuple[int, ...]]:
    """What is recorded of the pilot, and the pairs that are left to it."""
    if options.pilot is None:
        return None, ()
    if CRITERIA[chosen.criterion].subject is Subject.FRAGMENT:
        raise InputError("A study of single functions cannot have a pilot.", where=options.pilot)
    pilot, excluded = open_study(options.pilot), options.pilot_pairs == "exclude"
    votes = open_votes(pilot, options.votes)
    found = describe_pilot(pilot, benchmark, chosen, options.seed, excluded=excluded, votes=votes)
    return found, tuple(sorted(pilot.subjects["pair"].to_pylist())) if excluded else ()


def _consent(path: Path) -> str:
    consent = read_consent(path)
    if consent is None:
        raise InputError("The consent text is empty.", where=path)
    return consent.text


def draw_function_study(
    benchmark: Benchmark, path: str | os.PathLike[str], options: SampleDesign, *, progress: Progress | None = None
) -> Study:
    """Draw a stratified sample of a benchmark's functions, each in a functionality, and write it as a study folder.

    Args:
        benchmark: the benchmark.
        path: the new folder; it must not exist.
        options: how to draw.
        progress: called after each step.

    Raises:
        InputError: no function fulfils the condition, the sample is larger than the population, the folder exists, or
            the allocation needs earlier verdicts on pairs.
    """
    report = progress or no_progress
    if options.allocation is Allocation.NEYMAN:
        raise InputError("Neyman allocation needs pairs; choose another allocation for single functions.")
    with tempfile.TemporaryDirectory(prefix="clonetruth-study-") as folder:
        population = Path(folder) / "population.parquet"
        if not write_functions(benchmark, options.population, population):
            raise InputError("No function with a functionality fulfils the condition.", where=options.population.where)
        report(_STEPS, 1, 3)
        plan = _plan(benchmark, population, count_strata(benchmark.engine, population), options)
        seeds = pa.table({"seed": pa.array([options.seed], pa.int64())})
        drawn = draw_sample(benchmark.engine, population, plan, options.seed)
        report(_STEPS, 1, 3)
        methods = benchmark.sql(FUNCTIONS_SQL, drawn=drawn, population=population, seeds=seeds)
    checks = with_training_items(CHECKS.empty_table(), options.protocol.protocol)
    report(_STEPS, 1, 3)
    return write_study(
        Path(path),
        _study_plan(benchmark, options, plan),
        SUBJECTS.empty_table(),
        methods=methods,
        functionalities=described(
            drawn_functionalities(benchmark, methods, checks), options.specifications, "specifications"
        ),
        checks=checks if checks.num_rows else None,
        consent=options.consent,
    )


def _plan(
    benchmark: Benchmark, population: Path, strata: Mapping[str, int], options: SampleDesign
) -> tuple[StratumPlan, ...]:
    total = sum(strata.values())
    size = sample_size(total, options.confidence, options.margin) if options.size is None else options.size
    spreads = None
    if options.allocation is Allocation.NEYMAN:
        spreads = _spreads(benchmark, population, options.protocol.criterion)
    return plan_sample(strata, size, options.allocation, spreads=spreads, cover=options.cover)


def _spreads(benchmark: Benchmark, population: Path, criterion: str) -> dict[str, float]:
    """√(p(1 − p)) of each stratum, where p is the share of clones among earlier verdicts.

    One further verdict of each kind is added to each stratum (Laplace smoothing): a stratum about which little is known
    may still vary.
    """
    if criterion not in asked_criteria(benchmark):
        raise InputError(
            f"Neyman allocation needs earlier judgements, and there are none under '{criterion}'.",
            where=benchmark.path,
            hint="Judge a small study first and export it to the benchmark, or choose another allocation.",
        )
    verdicts = judge_verdicts(benchmark, DEFAULT.name, criterion).path
    rows = benchmark.sql(SPREADS_SQL, population=population, concluded=verdicts).to_pylist()
    shares = {row["stratum"]: (row["clones"] + 1) / (row["known"] + 2) for row in rows}
    return {name: math.sqrt(share * (1 - share)) for name, share in shares.items()}


def drawn_functionalities(benchmark: Benchmark, subjects: pa.Table, checks: pa.Table) -> pa.Table:
    """The functionalities of drawn pairs or methods and of checks, with the columns of `FUNCTIONALITIES`."""
    ids = pa.array([*subjects["functionality"].to_pylist(), *checks["functionality_id"].to_pylist()], pa.string())
    functionalities: dict[str, dict[str, object]] = {}
    exemplars: dict[str, list[str]] = {}
    for row in benchmark.sql(FUNCTIONALITIES_SQL, subjects=pa.table({"functionality": ids})).to_pylist():
        texts = exemplars.setdefault(row["id"], [])
        # Datasets repeat a seed function for each pair that was made of it.
        if row["exemplar"] and row["exemplar"] not in texts:
            texts.append(row["exemplar"])
        functionalities[row["id"]] = {name: row[name] for name in ("id", "name", "specification")}
    return pa.Table.from_pylist(
        [{**row, "exemplars": exemplars[name]} for name, row in functionalities.items()], schema=FUNCTIONALITIES
    )


def _study_plan(benchmark: Benchmark, options: SampleDesign, plan: tuple[StratumPlan, ...]) -> StudyPlan:
    card, population = benchmark.card, options.population
    inputs = {"benchmark": benchmark.content_hash, "judgements": benchmark.judgements_hash}
    if options.gold is not None:
        inputs["gold"] = hash_file(Path(options.gold))
    is_of_functions = CRITERIA[options.protocol.criterion].subject is Subject.FRAGMENT
    subjects = "functions with a functionality" if is_of_functions else "pairs"
    where = f" for which {population.where}" if population.where else ""
    pilot = f", without {len(population.without):,} of the pilot" if population.without else ""
    verdicts = f" (verdicts: policy {population.policy})" if "verdict" in (population.where or "") else ""
    return StudyPlan(
        title=options.title or f"Labels of {card.name}",
        criterion=options.protocol.criterion,
        protocol=options.protocol.protocol,
        population=f"the {subjects} of {card.name} {card.version}{where}{pilot}{verdicts}",
        population_size=sum(stratum.population for stratum in plan),
        confidence=options.confidence,
        margin=options.margin if options.size is None else None,
        allocation=str(options.allocation),
        seed=options.seed,
        strata=tuple(StudyStratum(one.name, one.population, one.drawn, one.extra) for one in plan),
        manifest=build_manifest(inputs, asdict(replace(options, gold=None)), options.seed),
        benchmark=StudiedBenchmark(card.name, card.version, benchmark.content_hash),
        max_per_judge=options.max_per_judge,
        pilot=options.pilot,
    )
