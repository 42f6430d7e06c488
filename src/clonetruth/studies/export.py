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
from clonetruth.store import Benchmark
from clonetruth.store.schemas import TABLES, incoming_schema
from clonetruth.store.study import Study
from clonetruth.store.study_estimate import StudyEstimate, write_estimate
from clonetruth.store.study_judgements import SubjectKind, read_study_judgements
from clonetruth.studies.resolution import Votes

_SAID_SQL = """
SELECT g.judge AS judge, g.criterion AS criterion, g.value AS value, g.pair AS pair, f.id AS fragment,
    u.id AS functionality, g.confidence AS confidence, g.reason AS reason, g.evidence AS evidence, g.time AS time
FROM judgements g
JOIN spoke s ON g.judge = s.judge
LEFT JOIN fragments f ON g.fragment = f.fragment
LEFT JOIN functionalities u ON g.functionality = u.functionality
"""
"""What the judges of a study have said in the benchmark already."""

_COLUMNS = (
    *("judge", "criterion", "value", "pair", "fragment", "functionality"),
    *("confidence", "reason", "evidence", "time"),
)


@dataclass(frozen=True)
class StudyExport:
    """What an export did.

    Attributes:
        benchmark: the benchmark folder.
        judges: the judges of the study who said something.
        added: judgements that are new to the benchmark.
        known: judgements that it had already.
        left_out: judgements on pairs that are none of the benchmark's.
        estimate: the file of the estimate; None where none was given.
    """

    benchmark: Path
    judges: int
    added: int
    known: int
    left_out: int
    estimate: Path | None


def export_study(
    study: Study,
    benchmark: Benchmark,
    *,
    votes: Votes | None = None,
    estimate: StudyEstimate | None = None,
    names: bool = False,
) -> StudyExport:
    """Add all judgements of a study to its benchmark. Doing so twice adds nothing twice.

    Args:
        study: the study.
        benchmark: the benchmark that it was drawn from.
        votes: those of the ballot box.
        estimate: what the study found of the labels; it goes into the benchmark's results.
        names: keep the names of people; unless told, they are known by their pseudonyms alone.

    Raises:
        InputError: the study was drawn from another benchmark, or a judge is known there with another definition.
    """
    studied = study.plan.benchmark
    if studied is not None and studied.content_hash != benchmark.content_hash:
        raise InputError(
            f"The study was drawn from {studied.name} {studied.version}, and this is another content.",
            where=benchmark.path,
            hint="Export to the benchmark that the sample was drawn from.",
        )
    judges, judgements = read_study_judgements(study.path, votes)
    rows = list(_rows(study, judgements))
    spoke = pa.table({"judge": pa.array(sorted({row["judge"] for row in rows}), pa.string())})
    said = {tuple(row[name] for name in _COLUMNS) for row in benchmark.sql(_SAID_SQL, spoke=spoke).to_pylist()}
    new = [row for row in rows if tuple(row[name] for name in _COLUMNS) not in said]
    if new:
        heard = judges.filter(pc.is_in(judges["judge"], value_set=spoke["judge"].combine_chunks()))
        given = heard if names else _pseudonymous(heard)
        benchmark.append_judgements(given, pa.Table.from_pylist(new, schema=incoming_schema("judgements")))
    return StudyExport(
        benchmark=benchmark.path,
        judges=spoke.num_rows,
        added=len(new),
        known=len(rows) - len(new),
        left_out=judgements.num_rows - len(rows),
        estimate=None if estimate is None else write_estimate(estimate, benchmark.path),
    )


def _rows(study: Study, judgements: pa.Table) -> Iterator[dict[str, Any]]:
    """The judgements in the benchmark's terms, in the order in which they were given."""
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
    """People by their pseudonym alone."""
    person = pc.equal(judges["kind"], str(JudgeKind.PERSON))
    hidden = judges.set_column(
        judges.schema.get_field_index("name"), "name", pc.if_else(person, judges["judge"], judges["name"])
    )
    return hidden.cast(TABLES["judges"].schema)
