"""The judgements of a study: append-only parts, in addition to the votes in the vote store.

    judges/<part>.parquet       the new judges
    judgements/<part>.parquet   their judgements

The judges of a part are written first, so that no judgement is ever visible without its judge.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.arrow_files import read_parquet
from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, JudgeKind
from clonetruth.parsing import parse_json
from clonetruth.store.atomic import new_file, sync
from clonetruth.store.judges import unique_judges
from clonetruth.store.parquet import ParquetSink, conform
from clonetruth.store.schemas import TABLES, TIMESTAMP
from clonetruth.store.study import Study, read_study
from clonetruth.store.study_protocol import METHOD_CRITERION


class SubjectKind(StrEnum):
    """What a judgement of a study is about."""

    PAIR = "pair"
    METHOD = "method"


STUDY_JUDGEMENTS = pa.schema(
    [
        pa.field("judge", pa.string(), nullable=False),
        pa.field("subject_kind", pa.string(), nullable=False),
        pa.field("subject", pa.int64(), nullable=False),
        pa.field("criterion", pa.string(), nullable=False),
        pa.field("value", pa.string(), nullable=False),
        pa.field("confidence", pa.float64()),
        pa.field("reason", pa.string()),
        pa.field("evidence", pa.string()),
        pa.field("time", TIMESTAMP),
        pa.field("sequence", pa.int64(), nullable=False),
    ]
)
"""One judge's answer on one subject: a pair by its `subject`, or a method by its `method`. If a judge answers a subject
twice, the later answer counts: by `time`, then by `sequence`."""

STUDY_JUDGES = TABLES["judges"].schema
"""The judges, as a benchmark has them."""

_INCOMING = pa.schema([field for field in STUDY_JUDGEMENTS if field.name != "sequence"])


def append_study_judgements(folder: Path, judges: pa.Table, judgements: pa.Table) -> int:
    """Add judgements, and any new judges, atomically as a new part.

    Args:
        folder: the study folder.
        judges: the judges, with the columns of `STUDY_JUDGES`; known ones may be repeated or left out.
        judgements: with the columns of `STUDY_JUDGEMENTS`; `sequence` is assigned here, nullable ones may be missing.

    Returns:
        The number of judgements added.

    Raises:
        InputError: the definition of a known judge differs, or a judgement has an unknown judge or subject, another
            criterion than the study's, or an answer that it does not permit.
    """
    study = read_study(folder)
    known, stored = read_study_judgements(folder)
    new = unique_judges(judges.to_batches(), known)
    given = judgements.drop_columns(["sequence"]) if "sequence" in judgements.column_names else judgements
    rows = pa.Table.from_batches([conform(batch, _INCOMING) for batch in given.to_batches()], schema=_INCOMING)
    _check(study, pa.concat_tables([known, new]), rows)
    # The clock in microseconds, but later than every stored judgement in case the clock was set back.
    base = max(time.time_ns() // 1000, (pc.max(stored["sequence"]).as_py() or -1) + 1)
    numbers = pa.array([base] * rows.num_rows, pa.int64())
    rows = rows.append_column(STUDY_JUDGEMENTS.field("sequence"), numbers)
    part = f"part-{base:017d}-{secrets.token_hex(8)}.parquet"
    for name, table, schema in (("judges", new, STUDY_JUDGES), ("judgements", rows, STUDY_JUDGEMENTS)):
        if table.num_rows:
            with new_file(folder / name / part) as unfinished, ParquetSink(unfinished, schema) as sink:
                for batch in table.to_batches():
                    sink.write(batch)
    return len(numbers)


def add_study_answers(
    study: Study,
    judge: str,
    answers: Mapping[int, str],
    *,
    name: str,
    kind: JudgeKind,
    on: str,
    settings: Mapping[str, Any],
) -> int:
    """Add one judge's answers to a study; see `Study.add_answers`."""
    criterion = study.plan.criterion if on == SubjectKind.PAIR else METHOD_CRITERION
    who = {
        "judge": judge,
        "kind": str(kind),
        "name": name,
        "description": None,
        "settings": json.dumps(dict(settings)),
    }
    judgements = {
        "judge": [judge] * len(answers),
        "subject_kind": [on] * len(answers),
        "subject": pa.array(answers.keys(), pa.int64()),
        "criterion": [criterion] * len(answers),
        "value": pa.array(answers.values(), pa.string()),
    }
    judges = pa.Table.from_pylist([who], schema=STUDY_JUDGES)
    return append_study_judgements(study.path, judges, pa.table(judgements))


def read_study_judgements(
    folder: Path, votes: tuple[pa.Table, pa.Table] | None = None, study: Study | None = None
) -> tuple[pa.Table, pa.Table]:
    """All judges and judgements of a study.

    Args:
        folder: the study folder.
        votes: judges and judgements stored elsewhere, such as in the vote store, with the same schemas.
        study: the study, if it is open already.

    Returns:
        The judges, with the columns of `STUDY_JUDGES`, and the judgements, with those of `STUDY_JUDGEMENTS`.

    Raises:
        InputError: a part is damaged, a judge has two definitions, or a judgement does not belong to the study.
    """
    judges, judgements = (
        _read_parts(folder / name, schema)
        for name, schema in (("judges", STUDY_JUDGES), ("judgements", STUDY_JUDGEMENTS))
    )
    if votes is not None:
        judges = pa.concat_tables([judges, unique_judges(votes[0].to_batches(), judges)])
        judgements = pa.concat_tables([judgements, votes[1].select(STUDY_JUDGEMENTS.names).cast(STUDY_JUDGEMENTS)])
    _check(study or read_study(folder), judges, judgements)
    return judges, judgements


def erase_study_judge(study: Study, who: str) -> tuple[int, int]:
    """Erase a person, by id or name, from the parts of a study folder.

    Decisions on subjects that the person answered are erased too: those of adjudicators and owners, and joint ones that
    list the person (`speaks_for`).

    Returns:
        The number of answers of the person that were erased, and of decisions of others.
    """
    judges = _read_parts(study.path / "judges", STUDY_JUDGES).to_pylist()
    person = {row["judge"] for row in judges if row["kind"] == JudgeKind.PERSON and who in (row["judge"], row["name"])}
    if not person:
        return 0, 0
    deciding = {row["judge"] for row in judges if _decides(_settings(row), person)} - person
    answered = {
        (row["subject_kind"], row["subject"])
        for row in _read_parts(study.path / "judgements", STUDY_JUDGEMENTS).to_pylist()
        if row["judge"] in person
    }
    answers = decisions = 0
    # The judgements first: a process that is killed leaves a judge without judgements, who can still be erased.
    for file in sorted((study.path / "judgements").glob("*.parquet")):
        rows = _read_part(file, STUDY_JUDGEMENTS).to_pylist()
        own = [row for row in rows if row["judge"] in person]
        weighing = [
            row for row in rows if row["judge"] in deciding and (row["subject_kind"], row["subject"]) in answered
        ]
        answers, decisions = answers + len(own), decisions + len(weighing)
        _rewrite(file, rows, [row for row in rows if row not in own and row not in weighing], STUDY_JUDGEMENTS)
    for file in sorted((study.path / "judges").glob("*.parquet")):
        rows = _read_part(file, STUDY_JUDGES).to_pylist()
        _rewrite(file, rows, [_without(row, person) for row in rows if row["judge"] not in person], STUDY_JUDGES)
    return answers, decisions


def _settings(judge: Mapping[str, Any]) -> dict[str, Any]:
    try:
        settings = parse_json(judge["settings"])
    except ValueError:
        settings = None
    return settings if isinstance(settings, dict) else {}


def _decides(settings: Mapping[str, Any], person: set[str]) -> bool:
    return settings.get("role") in ("adjudicator", "owner") or bool(person & set(settings.get("speaks_for", ())))


def _without(judge: dict[str, Any], person: set[str]) -> dict[str, Any]:
    """The judge, without the person among those who decided together."""
    settings = _settings(judge)
    if not person & set(settings.get("speaks_for", ())):
        return judge
    settings["speaks_for"] = [one for one in settings["speaks_for"] if one not in person]
    return {**judge, "settings": json.dumps(settings)}


def _rewrite(file: Path, before: list[dict[str, Any]], after: list[dict[str, Any]], schema: pa.Schema) -> None:
    if before == after:
        return
    if not after:
        file.unlink()
        sync(file.parent)
        return
    with new_file(file) as unfinished, ParquetSink(unfinished, schema) as sink:
        for batch in pa.Table.from_pylist(after, schema=schema).to_batches():
            sink.write(batch)


def _read_parts(folder: Path, schema: pa.Schema) -> pa.Table:
    return pa.concat_tables(
        [schema.empty_table(), *(_read_part(file, schema) for file in sorted(folder.glob("*.parquet")))]
    )


def _read_part(file: Path, schema: pa.Schema) -> pa.Table:
    batches = [conform(batch, schema, where=str(file)) for batch in read_parquet(file).to_batches()]
    return pa.Table.from_batches(batches, schema=schema)


def _check(study: Study, judges: pa.Table, judgements: pa.Table) -> None:
    """Refuse judgements that do not belong to this study, or answers that it does not permit."""
    undefined = set(judgements["judge"].unique().to_pylist()) - set(judges["judge"].to_pylist())
    if undefined:
        raise InputError(f"The judge '{min(undefined)}' is not defined.", where=study.path)
    asked = {
        SubjectKind.PAIR: (study.plan.criterion, study.subjects.num_rows),
        SubjectKind.METHOD: (METHOD_CRITERION, study.methods.num_rows),
    }
    kinds = judgements["subject_kind"]
    unknown = set(kinds.unique().to_pylist()) - set(asked)
    if unknown:
        raise InputError(f"A judgement is on a '{min(unknown)}'.", where=study.path, hint="Known: pair, method.")
    for kind, (criterion, count) in asked.items():
        rows = judgements.filter(pc.equal(kinds, str(kind)))
        others = set(rows["criterion"].unique().to_pylist()) - {criterion}
        if others:
            raise InputError(
                f"A judgement on a {kind} is under the criterion '{min(others)}'; the study asks '{criterion}'.",
                where=study.path,
            )
        wrong = set(rows["value"].unique().to_pylist()) - set(CRITERIA[criterion].values)
        if wrong:
            raise InputError(
                f"The criterion '{criterion}' does not permit the answer '{min(wrong)}'.", where=study.path
            )
        span = pc.min_max(rows["subject"]).as_py()
        if span["min"] is not None and not 0 <= span["min"] <= span["max"] < count:
            raise InputError(
                f"A judgement is on the {kind} {span['min'] if span['min'] < 0 else span['max']}, but there are only "
                f"{count}.",
                where=study.path,
            )
