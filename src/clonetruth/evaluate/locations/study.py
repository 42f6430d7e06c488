"""The study that settles a tool's precision: a stratified sample of what it reports, ready to be judged."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.formats.reports.report import REPORTED
from clonetruth.model import CRITERIA, Subject
from clonetruth.stats.sample_size import Allocation, plan_sample, sample_size
from clonetruth.store import Benchmark, Engine, TableLike, build_manifest
from clonetruth.store.hashing import hash_parquet
from clonetruth.store.parquet import parquet_file
from clonetruth.store.results import Measurement
from clonetruth.store.sampling import count_strata, draw_sample
from clonetruth.store.study import StudiedBenchmark, Study, StudyPlan, StudyStratum, write_study
from clonetruth.store.study_estimate import stratified_share
from clonetruth.store.study_protocol import Protocol
from clonetruth.store.study_tables import SUBJECTS

_NAMED_SQL = """
SELECT {columns},
    concat(
        left_path, ':', CAST(left_first_line AS STRING), '-', CAST(left_last_line AS STRING), ' ',
        right_path, ':', CAST(right_first_line AS STRING), '-', CAST(right_last_line AS STRING)
    ) AS place
FROM reported
"""
"""The reported pairs; an optional column that is missing is NULL."""

_POPULATION_SQL = """
WITH numbered AS (
    SELECT n.*,
        concat(place, '#', CAST(row_number() OVER (PARTITION BY place ORDER BY score, pair) AS STRING)) AS id,
        least(left_last_line - left_first_line, right_last_line - right_first_line) + 1 AS lines
    FROM named n
)
SELECT p.*, concat(CASE WHEN pair IS NULL THEN 'not in the benchmark' ELSE 'in the benchmark' END, ', ', {class})
    AS stratum
FROM numbered p
"""
"""The reported pairs with a stratum and a unique id, even where a pair is reported twice."""

_SCORE_CLASS = """
    CASE WHEN score IS NULL THEN 'no score' ELSE concat(
        'score decile ',
        lpad(CAST(
            ntile(10) OVER (PARTITION BY CASE WHEN score IS NULL THEN 1 ELSE 0 END ORDER BY score, id) AS STRING
        ), 2, '0')
    ) END"""

_SIZE_CLASS = (
    "CASE WHEN lines < 10 THEN 'below 10 lines' WHEN lines < 30 THEN '10 to 29 lines' ELSE '30 lines or more' END"
)

_SUBJECTS_SQL = """
WITH places AS (
    SELECT path, first_line, last_line, min(fragment) AS fragment
    FROM fragments
    WHERE path IS NOT NULL
    GROUP BY path, first_line, last_line
)
SELECT CAST(row_number() OVER (ORDER BY md5(concat(d.id, CAST(s.seed AS STRING))), d.id) - 1 AS BIGINT) AS subject,
    d.stratum AS stratum, d.weight AS weight, d.extra AS extra, p.pair AS pair, p.score AS score,
    l.id AS left_id, p.left_path AS left_path, p.left_first_line AS left_first_line,
    p.left_last_line AS left_last_line, l.language AS left_language, l.text AS left_text,
    r.id AS right_id, p.right_path AS right_path, p.right_first_line AS right_first_line,
    p.right_last_line AS right_last_line, r.language AS right_language, r.text AS right_text
FROM drawn d
CROSS JOIN seeds s
JOIN population p ON d.id = p.id
LEFT JOIN places a
    ON p.left_path = a.path AND p.left_first_line = a.first_line AND p.left_last_line = a.last_line
LEFT JOIN places b
    ON p.right_path = b.path AND p.right_first_line = b.first_line AND p.right_last_line = b.last_line
LEFT JOIN fragments l ON a.fragment = l.fragment
LEFT JOIN fragments r ON b.fragment = r.fragment
ORDER BY subject
"""
"""The drawn pairs in the order of judging, which mixes the strata, with the texts of fragments at their locations."""


@dataclass(frozen=True)
class ReportedStudyOptions:
    """The options of a study of reported pairs.

    Attributes:
        title: the title that people see.
        criterion: what the judges are asked (default: the criterion of the benchmark's card).
        confidence: confidence level of the interval.
        margin: half the width of the interval.
        size: number of pairs to draw (default: what the margin needs).
        allocation: how they are allocated to strata.
        cover: draw at least one pair of each stratum.
        seed: random seed; another seed gives another sample.
    """

    title: str = "Precision of the reported clones"
    criterion: str | None = None
    confidence: float = 0.95
    margin: float = 0.05
    size: int | None = None
    allocation: Allocation = Allocation.LARGEST_REMAINDER
    cover: bool = True
    seed: int = 0


def study_of_reported(
    benchmark: Benchmark, reported: TableLike, path: str | os.PathLike[str], options: ReportedStudyOptions | None = None
) -> Study:
    """Draw a stratified sample of what a tool reports, and write it as a study folder.

    The strata are whether the benchmark has the pair, and the decile of the score, or the number of lines of the
    smaller side where the tool gives no score.

    Args:
        benchmark: where texts come from; a location that is not one of its fragments has no text.
        reported: the reported pairs with the columns of `REPORTED`, paths as in the benchmark, and optionally `pair`,
            the benchmark's pair that was matched.
        path: the folder to create; it must not exist.
        options: the options of the study.

    Raises:
        InputError: nothing is reported, a column is missing, the sample is larger than the population, or the folder
            exists.
    """
    chosen = options or ReportedStudyOptions()
    criterion = chosen.criterion or benchmark.card.criterion
    if criterion not in CRITERIA:
        raise InputError(f"There is no criterion '{criterion}'.", hint=f"Known: {', '.join(CRITERIA)}.")
    if CRITERIA[criterion].subject is not Subject.PAIR:
        raise InputError(f"'{criterion}' is not a criterion for pairs.", hint="Tools report pairs.")
    with tempfile.TemporaryDirectory(prefix="clonetruth-study-") as folder:
        population = _population(benchmark.engine, reported, Path(folder))
        strata = count_strata(benchmark.engine, population)
        total = sum(strata.values())
        if not total:
            raise InputError("Nothing is reported: there is nothing to judge.")
        size = sample_size(total, chosen.confidence, chosen.margin) if chosen.size is None else chosen.size
        plan = plan_sample(strata, size, chosen.allocation, cover=chosen.cover)
        subjects = benchmark.sql(
            _SUBJECTS_SQL,
            population=population,
            drawn=draw_sample(benchmark.engine, population, plan, chosen.seed),
            seeds=pa.table({"seed": pa.array([chosen.seed], pa.int64())}),
        )
        manifest = build_manifest(
            {
                "benchmark": benchmark.content_hash,
                "reported": hash_parquet([population], [*REPORTED.names, "pair"]),
            },
            {**asdict(chosen), "criterion": criterion},
            chosen.seed,
        )
    return write_study(
        Path(path),
        StudyPlan(
            title=chosen.title,
            criterion=criterion,
            protocol=Protocol("precision", "Are these two fragments clones of each other?"),
            population="the pairs that the tool reports",
            population_size=total,
            confidence=chosen.confidence,
            margin=chosen.margin if chosen.size is None else None,
            allocation=str(chosen.allocation),
            seed=chosen.seed,
            strata=tuple(StudyStratum(one.name, one.population, one.drawn, one.extra) for one in plan),
            manifest=manifest,
            benchmark=StudiedBenchmark(benchmark.card.name, benchmark.card.version, benchmark.content_hash),
        ),
        subjects,
    )


def study_precision(study: Study, answers: Mapping[int, bool], confidence: float = 0.95) -> Measurement:
    """Estimate the precision from a judged study of reported pairs, weighted to all reported pairs.

    Args:
        study: a study that `study_of_reported` wrote.
        answers: for each judged subject, whether it is a clone. The judged subjects of a stratum represent the others;
            a stratum without any is left out.
        confidence: confidence level of the interval.

    Raises:
        InputError: an answer is about a subject that the study does not have.
    """
    return stratified_share(study, answers, name="precision", confidence=confidence)


def _population(engine: Engine, reported: TableLike, folder: Path) -> Path:
    """Write the reported pairs with ids and strata to a Parquet file in the folder."""
    named = folder / "named.parquet"
    wanted = {field.name: field.type for field in (*REPORTED, SUBJECTS.field("pair"))}
    given = set(_columns(reported))
    for field in REPORTED:
        if not field.nullable and field.name not in given:
            raise InputError(f"The reported pairs have no column '{field.name}'.")
    kinds = {pa.float64(): "DOUBLE", pa.int64(): "BIGINT"}
    columns = ", ".join(
        name if name in given else f"CAST(NULL AS {kinds[kind]}) AS {name}" for name, kind in wanted.items()
    )
    engine.write(_NAMED_SQL.format(columns=columns), {"reported": reported}, named)
    scored = engine.sql("SELECT count(score) AS scores FROM named", {"named": named})["scores"][0].as_py()
    text = _POPULATION_SQL.replace("{class}", _SCORE_CLASS if scored else _SIZE_CLASS)
    population = folder / "population.parquet"
    engine.write(text, {"named": named}, population)
    return population


def _columns(table: TableLike) -> list[str]:
    if isinstance(table, pa.Table):
        names: list[str] = table.schema.names
        return names
    with parquet_file(table if isinstance(table, Path) else table[0]) as file:
        found: list[str] = file.schema_arrow.names
    return found
