"""What a judge concluded becomes judgements of the study: once for each subject, under a criterion that was meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.judges.majority import Conclusion, PositionBias, position_bias
from clonetruth.model import CRITERIA, Judge, Subject
from clonetruth.store import incoming
from clonetruth.store.study import Study
from clonetruth.store.study_judgements import (
    STUDY_JUDGEMENTS,
    SubjectKind,
    append_study_judgements,
    read_study_judgements,
)

_GIVEN = pa.schema([field for field in STUDY_JUDGEMENTS if field.name != "sequence"])


@dataclass(frozen=True)
class Outcome:
    """What a judge has said in a study.

    Attributes:
        judge: the judge's id.
        criterion: the criterion that the answers count under.
        asked: the criterion that the words of the prompt ask for.
        subjects: the subjects that all runs have answers to.
        added: those whose judgement is new.
        values: how many subjects have which value.
        illegible: subjects on which not one answer could be read; they get no judgement.
        malformed: runs whose answer could not be read.
        position_bias: what the order of the sides changes; None where only one order was asked.
    """

    judge: str
    criterion: str
    asked: str
    subjects: int
    added: int
    values: Mapping[str, int]
    illegible: int
    malformed: int
    position_bias: PositionBias | None


def criterion_for(study: Study, asked: str, meant: str | None) -> str:
    """The criterion that answers count under.

    Args:
        study: the study.
        asked: what the words of the prompt ask for.
        meant: what the user wants it to be taken for.

    Raises:
        InputError: the study asks for another, and the user has not said that this is meant.
    """
    if CRITERIA[asked].subject is Subject.FRAGMENT:
        return asked
    wanted = study.plan.criterion
    if wanted in (asked, meant):
        return wanted
    raise InputError(
        f"The study asks '{wanted}', and the prompt '{meant or asked}'.",
        where=study.path,
        hint=f"Choose another protocol, or count the answers under the study's criterion: --criterion {wanted}",
    )


def record(study: Study, judge: Judge, criterion: str, conclusions: Mapping[int, Conclusion]) -> Outcome:
    """Add the judgements of a judge that the study does not have yet.

    Args:
        study: the study.
        judge: the judge.
        criterion: what the answers count under.
        conclusions: what the judge says of each subject.
    """
    kind = SubjectKind.PAIR if CRITERIA[criterion].subject is Subject.PAIR else SubjectKind.METHOD
    _, there = read_study_judgements(study.path)
    own = there.filter(pc.and_(pc.equal(there["judge"], judge.id), pc.equal(there["subject_kind"], str(kind))))
    known = set(own["subject"].to_pylist())
    rows = [
        {
            "judge": judge.id,
            "subject_kind": str(kind),
            "subject": subject,
            "criterion": criterion,
            "value": one.value,
            "confidence": one.confidence,
            "reason": one.reason,
            "evidence": one.evidence,
            "time": datetime.fromisoformat(one.time) if one.time else None,
        }
        for subject, one in sorted(conclusions.items())
        if one.value is not None and subject not in known
    ]
    if rows:
        judges = pa.Table.from_batches(incoming.batches("judges", [judge]))
        append_study_judgements(study.path, judges, pa.Table.from_pylist(rows, schema=_GIVEN))
    return Outcome(
        judge=judge.id,
        criterion=criterion,
        asked=str(judge.settings["criterion"]),
        subjects=len(conclusions),
        added=len(rows),
        values=Counter(one.value for one in conclusions.values() if one.value is not None),
        illegible=sum(one.value is None for one in conclusions.values()),
        malformed=sum(one.malformed for one in conclusions.values()),
        position_bias=position_bias(list(conclusions.values())),
    )
