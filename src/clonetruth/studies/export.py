"""Exporting a study: its judgements become judgements of the benchmark, and its estimate one of its results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import JudgeKind
from clonetruth.options.declaration import verb
from clonetruth.options.study import ExportStudyOptions
from clonetruth.store import Benchmark, open_benchmark
from clonetruth.store.schemas import TABLES, incoming_schema
from clonetruth.store.study import Study
from clonetruth.store.study_estimate import StudyEstimate, write_estimate
from clonetruth.store.study_judgements import SubjectKind, read_study_judgements
from clonetruth.studies.estimation import estimate_labels
from clonetruth.studies.resolution import resolve_subjects
from clonetruth.studies.study_folder import Votes, open_study, open_votes

_KNOWN_SQL = """
SELECT g.judge AS judge, g.criterion AS criterion, g.value AS value, g.pair AS pair, f.id AS fragment,
    u.id AS functionality, g.confidence AS confidence, g.reason AS reason, g.evidence AS evidence, g.time AS time
FROM judgements g
JOIN exported s ON g.judge = s.judge
LEFT JOIN fragments f ON g.fragment = f.fragment
LEFT JOIN functionalities u ON g.functionality = u.functionality
"""
"""The judgements of the study's judges that the benchmark already has."""

_COLUMNS = (
    *("judge", "criterion", "value", "pair", "fragment", "functionality"),
    *("confidence", "reason", "evidence", "time"),
)


@dataclass(frozen=True)
class StudyExport:
    """The outcome of an export.

    Attributes:
        benchmark: the benchmark folder.
        judges: the number of the study's judges with a judgement.
        added: judgements that are new to the benchmark.
        known: judgements that it already had.
        left_out: judgements on pairs that do not belong to the benchmark.
        estimate: the file of the estimate; None if none was given.
    """

    benchmark: Path
    judges: int
    added: int
    known: int
    left_out: int
    estimate: Path | None


@verb(ExportStudyOptions)
def export_study(options: ExportStudyOptions) -> StudyExport:
    """Add the judgements of a study and its estimate of label errors to its benchmark.

    A second export adds nothing twice.

    Returns:
        The number of judgements that were added, known before, or left out, and the file of the estimate.

    Raises:
        InputError: the folder is not a study, the study was drawn from another benchmark, or the benchmark has a judge
            of the same id with another definition.
        UnknownNameError: there is no such policy.

    Example:
        >>> _ = clonetruth.import_dataset("embedded", output="judged-benchmark")
        >>> study = clonetruth.sample_study("judged-benchmark", output="exported-study", n=5)
        >>> clonetruth.export_study(study, to="judged-benchmark").added
        0
    """
    study = open_study(options.study)
    votes = open_votes(study, options.votes, names=options.names)
    estimate = estimate_labels(study, resolve_subjects(study, options.policy, votes))
    return export_judgements(study, open_benchmark(options.to), votes=votes, estimate=estimate, names=options.names)


def export_judgements(
    study: Study,
    benchmark: Benchmark,
    *,
    votes: Votes | None = None,
    estimate: StudyEstimate | None = None,
    names: bool = False,
) -> StudyExport:
    """Add all judgements of a study to its benchmark. A second export adds nothing twice.

    Args:
        study: the study.
        benchmark: the benchmark that it was drawn from.
        votes: the votes of the vote store (`read_votes`).
        estimate: the study's estimate of label errors, to be written to the benchmark's results.
        names: keep the names of people (default: only their pseudonyms).

    Raises:
        InputError: the study was drawn from another benchmark, or the benchmark has a judge of the same id with
            another definition.
    """
    studied = study.plan.benchmark
    if studied is not None and studied.content_hash != benchmark.content_hash:
        raise InputError(
            f"The study was drawn from {studied.name} {studied.version}; this benchmark has other content.",
            where=benchmark.path,
            hint="Export to the benchmark that the sample was drawn from.",
        )
    judges, judgements = read_study_judgements(study.path, votes)
    rows = list(_rows(study, judgements))
    exported = pa.table({"judge": pa.array(sorted({row["judge"] for row in rows}), pa.string())})
    known = {tuple(row[name] for name in _COLUMNS) for row in benchmark.sql(_KNOWN_SQL, exported=exported).to_pylist()}
    new = [row for row in rows if tuple(row[name] for name in _COLUMNS) not in known]
    if new:
        chosen = judges.filter(pc.is_in(judges["judge"], value_set=exported["judge"].combine_chunks()))
        table = pa.Table.from_pylist(new, schema=incoming_schema("judgements"))
        benchmark.append_judgements(chosen if names else _pseudonymous(chosen), table)
    return StudyExport(
        benchmark=benchmark.path,
        judges=exported.num_rows,
        added=len(new),
        known=len(rows) - len(new),
        left_out=judgements.num_rows - len(rows),
        estimate=None if estimate is None else write_estimate(estimate, benchmark.path),
    )


def _rows(study: Study, judgements: pa.Table) -> Iterator[dict[str, Any]]:
    """The judgements in the benchmark's terms, in the order of judging."""
    pairs = study.subjects["pair"].to_pylist()
    methods = study.methods.select(["fragment_id", "functionality"]).to_pylist()
    for row in judgements.sort_by("sequence").to_pylist():
        subject: dict[str, Any] = {"pair": None, "fragment": None, "functionality": None}
        if row["subject_kind"] == SubjectKind.METHOD:
            method = methods[row["subject"]]
            subject.update(fragment=method["fragment_id"], functionality=method["functionality"])
        elif pairs[row["subject"]] is None:
            continue
        else:
            subject["pair"] = pairs[row["subject"]]
        yield {name: subject.get(name, row.get(name)) for name in _COLUMNS}


def _pseudonymous(judges: pa.Table) -> pa.Table:
    """The judges, with pseudonyms instead of people's names."""
    person = pc.equal(judges["kind"], str(JudgeKind.PERSON))
    hidden = judges.set_column(
        judges.schema.get_field_index("name"), "name", pc.if_else(person, judges["judge"], judges["name"])
    )
    return hidden.cast(TABLES["judges"].schema)
