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
from clonetruth.judges.protocol import LLMProtocol
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
class LLMOutcome:
    """What a judge has said in a study.

    Attributes:
        judge: the judge's id.
        criterion: the criterion that the answers count under.
        asked: the criterion that the words of the prompt ask for.
        subjects: the subjects that all runs have answers to.
        added: those whose judgement is new.
        values: how many subjects have which value.
        unjudged: subjects without a judgement: not one answer could be read, or there is no majority and the criterion
            knows no `undecided`.
        malformed: runs whose answer could not be read.
        position_bias: what the order of the sides changes; None where only one order was asked.
    """

    judge: str
    criterion: str
    asked: str
    subjects: int
    added: int
    values: Mapping[str, int]
    unjudged: int
    malformed: int
    position_bias: PositionBias | None


def criterion_for(study: Study, protocol: LLMProtocol) -> str:
    """The criterion that answers count under: on pairs the study's, whatever the words of the prompt ask for.

    A study compares judges on one question; how a judge was asked it stands in the judge's settings, and where the
    prompt asks for something else, the report says so.

    Raises:
        InputError: the answers are none to the study's criterion.
    """
    criterion = study.plan.criterion if protocol.subject is Subject.PAIR else protocol.criterion
    values = CRITERIA[criterion].values
    if strange := sorted(set(protocol.answers.values()) - set(values)):
        raise InputError(
            f"The study asks '{criterion}', and '{strange[0]}' is no answer to that.",
            where=study.path,
            hint=f"Choose a protocol whose answers are among {', '.join(values)}: the study's own is `study`.",
        )
    return criterion


def record(study: Study, judge: Judge, criterion: str, conclusions: Mapping[int, Conclusion]) -> LLMOutcome:
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
    said = {subject: one for subject, one in conclusions.items() if one.value in CRITERIA[criterion].values}
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
        for subject, one in sorted(said.items())
        if subject not in known
    ]
    if rows:
        judges = pa.Table.from_batches(incoming.batches("judges", [judge]))
        append_study_judgements(study.path, judges, pa.Table.from_pylist(rows, schema=_GIVEN))
    return LLMOutcome(
        judge=judge.id,
        criterion=criterion,
        asked=str(judge.settings["criterion"]),
        subjects=len(conclusions),
        added=len(rows),
        values=Counter(one.value for one in said.values() if one.value),
        unjudged=len(conclusions) - len(said),
        malformed=sum(one.malformed for one in conclusions.values()),
        position_bias=position_bias(list(conclusions.values())),
    )
