"""Exporting a study: its judgements become judgements of the benchmark, and its estimate one of its results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from clonetruth.store.study import Study, study_identity
from clonetruth.store.study_estimate import StudyEstimate, write_estimate
from clonetruth.store.study_judgements import SubjectKind, read_study_judgements
from clonetruth.store.votes import open_vote_store, read_checks
from clonetruth.studies.estimation import estimate_with_checks
from clonetruth.studies.study_folder import Votes, open_study, open_votes

_COLUMNS = tuple(name for name in incoming_schema("judgements").names if name != "sequence")


@dataclass(frozen=True)
class StudyExport:
    """The outcome of an export.

    Attributes:
        benchmark: the benchmark folder.
        judges: the number of the study's judges with a judgement.
        added: judgements that are new to the benchmark.
        known: judgements that it already had.
        removed: judgements of earlier exports that the study no longer has: undone, changed or withdrawn.
        outdated: judgements of the study's judges that it no longer has, in parts of the benchmark that the export may
            not change: `attach` or an earlier release wrote them.
        left_out: judgements on pairs that do not belong to the benchmark.
        estimate: the file of the estimate; None if none was given.
    """

    benchmark: Path
    judges: int
    added: int
    known: int
    removed: int
    outdated: int
    left_out: int
    estimate: Path | None


@verb(ExportStudyOptions)
def export_study(options: ExportStudyOptions) -> StudyExport:
    """Bring the judgements of a study and its estimate of label errors into its benchmark.

    Afterwards the benchmark has the judgements that the study has now: a second export adds nothing twice, and removes
    what was undone since the first.

    Returns:
        The number of judgements that were added, known before, removed, or left out, and the file of the estimate.

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
    estimate = None
    if not study.plan.is_of_functions:
        estimate = estimate_with_checks(study, options.policy, votes, read_checks(study, options.votes))
    with open_vote_store(study.path, options.votes) as vote_store:
        withdrawn, consented = len(vote_store.withdrawals()), len(vote_store.consents())
    return export_judgements(
        study,
        open_benchmark(options.to),
        votes=votes,
        estimate=estimate,
        names=options.names,
        notes={"withdrawn": withdrawn, "consented": consented},
    )


def export_judgements(
    study: Study,
    benchmark: Benchmark,
    *,
    votes: Votes | None = None,
    estimate: StudyEstimate | None = None,
    names: bool = False,
    notes: Mapping[str, int] | None = None,
) -> StudyExport:
    """Make the judgements of a study in its benchmark those that the study has now.

    Args:
        study: the study.
        benchmark: the benchmark that it was drawn from.
        votes: the votes of the vote store (`read_votes`).
        estimate: the study's estimate of label errors, to be written to the benchmark's results.
        names: keep the names of people (default: only their pseudonyms).
        notes: numbers of people that explain those of the judgements, recorded with them.

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
    rows = pa.Table.from_pylist(list(_rows(study, judgements)), schema=incoming_schema("judgements"))
    chosen = judges.filter(pc.is_in(judges["judge"], value_set=rows["judge"].unique()))
    change = benchmark.replace_study_judgements(
        study_identity(study.path),
        chosen if names else _pseudonymous(chosen),
        rows,
        {"study": study.plan.title, **(notes or {})},
    )
    return StudyExport(
        benchmark=benchmark.path,
        judges=chosen.num_rows,
        added=change.added,
        known=change.known,
        removed=change.removed,
        outdated=change.outdated,
        left_out=judgements.num_rows - rows.num_rows,
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
