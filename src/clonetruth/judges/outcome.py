"""A judge's conclusions become judgements of the study: one per subject, under the study's criterion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.judges.majority import UNDECIDED, Conclusion, PositionBias, position_bias
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

_INCOMING = pa.schema([field for field in STUDY_JUDGEMENTS if field.name != "sequence"])


@dataclass(frozen=True)
class LLMOutcome:
    """The judgements of an LLM judge in a study.

    Attributes:
        judge: the judge's id.
        criterion: the criterion that the answers count under.
        asked: the criterion that the prompt asks for.
        subjects: number of subjects whose runs are all answered.
        added: number of new judgements.
        values: number of subjects by value.
        decided: number of subjects with another value than `undecided`.
        unjudged: number of subjects without a judgement: no answer could be parsed, or there is no majority and the
            criterion does not permit `undecided`.
        malformed: number of runs whose answer could not be parsed.
        position_bias: the effect of the order of the sides; None if only one order was asked.
    """

    judge: str
    criterion: str
    asked: str
    subjects: int
    added: int
    values: Mapping[str, int]
    decided: int
    unjudged: int
    malformed: int
    position_bias: PositionBias | None


def criterion_for(study: Study, protocol: LLMProtocol) -> str:
    """The criterion that answers count under: on pairs the study's, whatever the prompt asks for.

    A study compares judges on one question. The judge's settings record how it was asked, and the report says so if the
    prompt asks for something else.

    Raises:
        InputError: the study's criterion does not permit the protocol's answers.
    """
    criterion = study.plan.criterion if protocol.subject is Subject.PAIR else protocol.criterion
    values = CRITERIA[criterion].values
    if unknown := sorted(set(protocol.answers.values()) - set(values)):
        raise InputError(
            f"The study asks '{criterion}', which does not permit the answer '{unknown[0]}'.",
            where=study.path,
            hint=f"Choose a protocol whose answers are among {', '.join(values)}, such as the study's own, `study`.",
        )
    return criterion


def record_judgements(study: Study, judge: Judge, criterion: str, conclusions: Mapping[int, Conclusion]) -> LLMOutcome:
    """Add those judgements of a judge that the study does not have yet, or has with another value or confidence.

    The latter happens when answers were asked for again, or can be read by now; the later judgement counts.

    Args:
        study: the study.
        judge: the judge.
        criterion: the criterion that the answers count under.
        conclusions: the judge's conclusion on each subject.
    """
    kind = SubjectKind.PAIR if CRITERIA[criterion].subject is Subject.PAIR else SubjectKind.METHOD
    _, stored = read_study_judgements(study.path)
    own = stored.filter(pc.and_(pc.equal(stored["judge"], judge.id), pc.equal(stored["subject_kind"], str(kind))))
    own = own.sort_by("sequence")
    subjects, values, shares = (own[name].to_pylist() for name in ("subject", "value", "confidence"))
    known = dict(zip(subjects, zip(values, shares, strict=True), strict=True))
    valid = {subject: one for subject, one in conclusions.items() if one.value in CRITERIA[criterion].values}
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
        for subject, one in sorted(valid.items())
        if known.get(subject) != (one.value, one.confidence)
    ]
    if rows:
        judges = pa.Table.from_batches(incoming.batches("judges", [judge]))
        append_study_judgements(study.path, judges, pa.Table.from_pylist(rows, schema=_INCOMING))
    return LLMOutcome(
        judge=judge.id,
        criterion=criterion,
        asked=str(judge.settings["criterion"]),
        subjects=len(conclusions),
        added=len(rows),
        values=Counter(one.value for one in valid.values() if one.value),
        decided=sum(one.value != UNDECIDED for one in valid.values()),
        unjudged=len(conclusions) - len(valid),
        malformed=sum(one.malformed for one in conclusions.values()),
        position_bias=position_bias(list(conclusions.values())),
    )
