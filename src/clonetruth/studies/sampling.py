"""Drawing a study: a stratified sample of a benchmark's pairs, with everything that judges need to see."""

from __future__ import annotations

import hashlib
import math
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.model import PairValue
from clonetruth.options.declaration import verb
from clonetruth.options.study import SampleStudyOptions
from clonetruth.progress import Progress, no_progress
from clonetruth.stats.sample_size import Allocation, StratumPlan, plan_sample, sample_size
from clonetruth.store import Benchmark, build_manifest, open_benchmark
from clonetruth.store.sampling import count_strata, draw_sample
from clonetruth.store.study import StudiedBenchmark, Study, StudyPlan, StudyStratum, write_study
from clonetruth.store.study_protocol import Protocol
from clonetruth.store.study_tables import CHECKS, FUNCTIONALITIES, CheckKind
from clonetruth.studies.population import PopulationDesign, write_population
from clonetruth.studies.protocols import ChosenProtocol, choose_protocol
from clonetruth.verdicts.latest_judgements import asked_criteria
from clonetruth.verdicts.policies import DEFAULT, judge_verdicts

# Checks: pairs with a known answer, to train judges and to test their attention.
#
# They come from a benchmark whose fragments were executed: two implementations of one functionality that gave equal
# results are clones, and implementations of two different functionalities are not. The answer is clear enough to hold
# under every criterion about what code does.

_FUNCTIONAL = ("shares-functionality", "same-main-purpose", "functionally-similar", "equivalent-behaviour")

_EXECUTED_SQL = """
SELECT DISTINCT f.id AS id, f.language AS language, f.text AS text, u.id AS functionality, u.name AS name,
    u.specification AS specification
FROM judgements g
JOIN judges j ON g.judge = j.judge
JOIN fragments f ON g.fragment = f.fragment
JOIN functionalities u ON g.functionality = u.functionality
WHERE j.kind = 'execution' AND g.criterion = 'implements-functionality' AND g.value = 'major'
ORDER BY functionality, id
"""

Row = dict[str, Any]


def draw_checks(known: Benchmark, protocol: Protocol, criterion: str, languages: Sequence[str], seed: int) -> pa.Table:
    """Draw the training and attention pairs that a protocol asks for, half of them clones.

    Args:
        known: a benchmark whose fragments were executed, such as the embedded one.
        protocol: gives the number of pairs.
        criterion: the criterion of the study.
        languages: the languages of the study; fragments in these are preferred.
        seed: the random seed.

    Returns:
        The pairs, with the columns of `CHECKS`.

    Raises:
        InputError: the criterion is not about what code does, or there are too few known pairs.
    """
    needed = protocol.training + protocol.attention
    if not needed:
        return CHECKS.empty_table()
    if criterion not in _FUNCTIONAL:
        raise InputError(
            f"No pairs with a known answer to '{criterion}' are available.",
            hint="Set `training` and `attention` of the protocol to 0.",
        )
    rows = known.sql(_EXECUTED_SQL).to_pylist()
    preferred = [row for row in rows if row["language"] in languages] or rows
    clones, others = list(_clones(preferred, seed)), list(_non_clones(preferred, seed))
    drawn = [pair for both in zip(clones, others, strict=False) for pair in both][:needed]
    if len(drawn) < needed:
        raise InputError(f"The protocol needs {needed} known pairs, but there are only {len(drawn)}.", where=known.path)
    kinds = [CheckKind.TRAINING] * protocol.training + [CheckKind.ATTENTION] * protocol.attention
    return pa.Table.from_pylist(
        [
            {
                "check": number,
                "kind": str(kind),
                "left_language": left["language"],
                "left_text": left["text"],
                "right_language": right["language"],
                "right_text": right["text"],
                "expected": str(expected),
                "feedback": feedback,
                "functionality": left["name"],
                "specification": left["specification"],
            }
            for number, (kind, (left, right, expected, feedback)) in enumerate(zip(kinds, drawn, strict=True))
        ],
        schema=CHECKS,
    )


def _clones(rows: Sequence[Row], seed: int) -> Iterator[tuple[Row, Row, PairValue, str]]:
    """Two implementations of each functionality in one language, then two more of each, and so on."""
    groups = defaultdict(list)
    for row in _shuffled(rows, seed):
        groups[row["functionality"], row["language"]].append(row)
    depth = max((len(group) // 2 for group in groups.values()), default=0)
    for level in range(depth):
        for group in groups.values():
            if len(group) >= 2 * level + 2:
                left, right = group[2 * level : 2 * level + 2]
                yield (
                    left,
                    right,
                    PairValue.CLONE,
                    f"Both do the same: {left['name']}. Executed on inputs, they agreed.",
                )


def _non_clones(rows: Sequence[Row], seed: int) -> Iterator[tuple[Row, Row, PairValue, str]]:
    """Neighbours with different functionalities in a shuffled order."""
    for left, right in pairwise(_shuffled(rows, seed + 1)):
        if left["functionality"] != right["functionality"] and left["language"] == right["language"]:
            yield left, right, PairValue.NOT_CLONE, f"They do different things: {left['name']} and {right['name']}."


def _shuffled(rows: Sequence[Row], seed: int) -> list[Row]:
    return sorted(rows, key=lambda row: hashlib.md5(f"{row['id']}{seed}".encode()).hexdigest())


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


@verb(SampleStudyOptions)
def sample_study(options: SampleStudyOptions, *, progress: Progress | None = None) -> Study:
    """Draw a stratified sample of a benchmark's pairs for judges, and write it as a study folder.

    Args:
        progress: called after each step.

    Returns:
        The study.

    Raises:
        InputError: no pair fulfils the condition, the sample is larger than the population, the folder exists, or
            `methods` is set and the pairs have no functionality.
        UnknownNameError: the policy or the protocol is unknown.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="my-study", n=5, seed=1)
        >>> study.subjects.num_rows
        5
    """
    benchmark = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    design = SampleDesign(
        protocol=choose_protocol(options.protocol or benchmark.card.criterion),
        population=PopulationDesign(options.where, options.policy, options.criterion, options.rule, options.stratify),
        title=options.title,
        confidence=options.confidence,
        margin=options.margin,
        size=options.n,
        allocation=Allocation(options.allocation),
        cover=options.cover,
        methods=options.methods,
        seed=options.seed,
    )
    protocol = design.protocol.protocol
    if not protocol.training and not protocol.attention:
        return draw_study(benchmark, options.output, design, progress=progress)
    from clonetruth.sources import embedded

    with tempfile.TemporaryDirectory(prefix="clonetruth-known-") as folder:
        known = embedded.build(Path(folder) / "embedded")
        return draw_study(benchmark, options.output, design, known=known, progress=progress)


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
        known: a benchmark with executed fragments, for training and attention pairs; needed only if the protocol asks
            for them.
        progress: called after each step.

    Raises:
        InputError: no pair fulfils the condition, the sample is larger than the population, the folder exists, or
            `methods` is set and the pairs have no functionality.
    """
    protocol = options.protocol.protocol
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
    methods = benchmark.sql(METHODS_SQL, subjects=subjects, seeds=seeds) if options.methods else None
    if methods is not None and not methods.num_rows:
        raise InputError("The methods cannot be judged: the drawn pairs have no functionality.")
    checks = None
    if protocol.training or protocol.attention:
        if known is None:
            raise InputError(
                "The protocol asks for training or attention pairs, but no benchmark with known answers was given."
            )
        languages = sorted({*subjects["left_language"].to_pylist(), *subjects["right_language"].to_pylist()})
        checks = draw_checks(known, protocol, options.protocol.criterion, languages, options.seed)
    report(_STEPS, 1, 3)
    return write_study(
        Path(path),
        _study_plan(benchmark, options, plan),
        subjects,
        methods=methods,
        functionalities=_functionalities(benchmark, subjects),
        checks=checks,
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


def _functionalities(benchmark: Benchmark, subjects: pa.Table) -> pa.Table:
    functionalities: dict[str, dict[str, object]] = {}
    exemplars: dict[str, list[str]] = {}
    for row in benchmark.sql(FUNCTIONALITIES_SQL, subjects=subjects).to_pylist():
        texts = exemplars.setdefault(row["id"], [])
        if row["exemplar"]:
            texts.append(row["exemplar"])
        functionalities[row["id"]] = {name: row[name] for name in ("id", "name", "specification")}
    return pa.Table.from_pylist(
        [{**row, "exemplars": exemplars[name]} for name, row in functionalities.items()], schema=FUNCTIONALITIES
    )


def _study_plan(benchmark: Benchmark, options: SampleDesign, plan: tuple[StratumPlan, ...]) -> StudyPlan:
    card, population = benchmark.card, options.population
    inputs = {"benchmark": benchmark.content_hash, "judgements": benchmark.judgements_hash}
    where = f" for which {population.where}" if population.where else ""
    verdicts = f" (verdicts: policy {population.policy})" if "verdict" in (population.where or "") else ""
    return StudyPlan(
        title=options.title or f"Labels of {card.name}",
        criterion=options.protocol.criterion,
        protocol=options.protocol.protocol,
        population=f"the pairs of {card.name} {card.version}{where}{verdicts}",
        population_size=sum(stratum.population for stratum in plan),
        confidence=options.confidence,
        margin=options.margin if options.size is None else None,
        allocation=str(options.allocation),
        seed=options.seed,
        strata=tuple(StudyStratum(one.name, one.population, one.drawn, one.extra) for one in plan),
        manifest=build_manifest(inputs, asdict(options), options.seed),
        benchmark=StudiedBenchmark(card.name, card.version, benchmark.content_hash),
    )
