"""Resolving a study: from what its judges say to a verdict on each subject, and what is still open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from clonetruth.model import VerdictValue
from clonetruth.store.study import Study
from clonetruth.store.study_judgements import SubjectKind, read_study_judgements
from clonetruth.verdicts.latest_judgements import LatestJudgements, conclude, voices_of_study
from clonetruth.verdicts.policies import POLICIES

Votes = tuple[pa.Table, pa.Table]
"""Judges and judgements that stand outside the study folder's parts: the votes of the ballot box."""


@dataclass(frozen=True)
class OpenSubject:
    """A subject that judges spoke of and that has no verdict.

    Attributes:
        subject: its number.
        reason: why it is open.
        answers: what each judge says.
    """

    subject: int
    reason: str
    answers: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class ResolvedSubjects:
    """The verdicts on pairs or on methods.

    Attributes:
        verdicts: `subject`, `verdict`, `confidence`, `judgements`, `reason`, a row for each subject of the study. Of a
            method, `clone` says that it implements the functionality as its main purpose.
        counts: how many subjects have each verdict.
        judged: the subjects that somebody spoke of.
        open: those of them without a verdict.
    """

    verdicts: pa.Table
    counts: Mapping[str, int]
    judged: int
    open: tuple[OpenSubject, ...]


@dataclass(frozen=True, eq=False)
class Resolution:
    """What a policy concludes from all judgements of a study; `methods` is None where none were drawn."""

    policy: str
    criterion: str
    assumptions: tuple[str, ...]
    pairs: ResolvedSubjects
    methods: ResolvedSubjects | None


def resolve_study(study: Study, policy: str = "adjudicated", votes: Votes | None = None) -> Resolution:
    """Conclude on every subject of a study.

    Args:
        study: the study.
        policy: a name in `POLICIES`.
        votes: those of the ballot box.

    Raises:
        UnknownNameError: there is no such policy.
        InputError: the policy needs more than judgements on the subjects.
    """
    rules = POLICIES[policy]
    judges, judgements = read_study_judgements(study.path, votes)
    pairs, methods = (voices_of_study(study, judges, judgements, kind) for kind in SubjectKind)
    return Resolution(
        policy=rules.name,
        criterion=study.plan.criterion,
        assumptions=rules.assumptions,
        pairs=_resolved(pairs, policy),
        methods=_resolved(methods, policy) if study.methods.num_rows else None,
    )


def _resolved(voices: LatestJudgements, policy: str) -> ResolvedSubjects:
    verdicts = conclude(voices.as_pairs(), policy).rename_columns(
        ["subject", "verdict", "confidence", "judgements", "reason"]
    )
    answers: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for row in voices.rows.to_pylist():
        answers[row["subject"]][row["judge"]] = row["value"]
    found = verdicts["verdict"].to_pylist()
    return ResolvedSubjects(
        verdicts=verdicts,
        counts={str(value): found.count(value) for value in VerdictValue},
        judged=len(answers),
        open=tuple(
            OpenSubject(row["subject"], row["reason"], answers[row["subject"]])
            for row in verdicts.to_pylist()
            if row["verdict"] == VerdictValue.UNKNOWN and row["subject"] in answers
        ),
    )
