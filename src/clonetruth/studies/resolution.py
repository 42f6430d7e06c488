"""Resolving a study: from its judges' answers to a verdict on each subject, and the subjects that are still open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from clonetruth.model import MemberValue, VerdictValue
from clonetruth.options.declaration import verb
from clonetruth.options.study import ResolveStudyOptions
from clonetruth.store.study import Study
from clonetruth.store.study_judgements import SubjectKind, read_study_judgements
from clonetruth.studies.consistency import UnusualClone, find_unusual_clones
from clonetruth.studies.round_counts import RoundCount, count_rounds
from clonetruth.studies.rounds import plan_rounds
from clonetruth.studies.study_folder import Votes, open_study, open_votes, without_judges
from clonetruth.verdicts.latest_judgements import LatestJudgements, conclude_verdicts, latest_study_judgements
from clonetruth.verdicts.policies import POLICIES


@dataclass(frozen=True)
class OpenSubject:
    """A judged subject without a verdict.

    Attributes:
        subject: its number.
        reason: why it is open.
        answers: the answer of each judge.
    """

    subject: int
    reason: str
    answers: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class ResolvedSubjects:
    """The verdicts on pairs or on methods.

    Attributes:
        verdicts: `subject`, `verdict`, `confidence`, `judgements`, `reason`, one row per subject of the study. For a
            method, `clone` means that its label is a positive one, `major` in most protocols: it implements the
            functionality as its main purpose.
        counts: the number of subjects with each verdict.
        judged: the number of subjects with at least one judgement.
        open: those of them without a verdict.
    """

    verdicts: pa.Table
    counts: Mapping[str, int]
    judged: int
    open: tuple[OpenSubject, ...]


@dataclass(frozen=True, eq=False)
class Resolution:
    """The verdicts of a policy on a study.

    Attributes:
        policy: the policy.
        criterion: what was asked.
        assumptions: what must be stated next to its numbers.
        pairs: the verdicts on pairs.
        methods: the verdicts on methods; None if the study has no methods.
        unusual: clones whose methods the same judge labelled otherwise than clones usually are.
        positive_labels: the labels of a method that count as `clone`.
        rounds: what the groups concluded, round by round; empty if the protocol has no groups.
    """

    policy: str
    criterion: str
    assumptions: tuple[str, ...]
    pairs: ResolvedSubjects
    methods: ResolvedSubjects | None
    unusual: tuple[UnusualClone, ...] = ()
    positive_labels: tuple[str, ...] = (MemberValue.MAJOR,)
    rounds: tuple[RoundCount, ...] = ()


@verb(ResolveStudyOptions)
def resolve_study(options: ResolveStudyOptions) -> Resolution:
    """Find the verdict on each subject of a study, and the subjects that are still open.

    Returns:
        The verdicts on pairs and on methods, with the open subjects and the answers on them.

    Raises:
        UnknownNameError: there is no such policy.
        InputError: the folder is not a study, or the policy needs more than judgements on the subjects.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="resolved-study", n=5)
        >>> clonetruth.resolve_study(study, "majority").pairs.counts["clone"]
        0
    """
    study = open_study(options.study)
    return resolve_subjects(study, options.policy, open_votes(study, options.votes))


def resolve_subjects(
    study: Study, policy: str = "adjudicated", votes: Votes | None = None, without: Collection[str] = ()
) -> Resolution:
    """Find the verdict on every subject of a study.

    Args:
        study: the study.
        policy: a name in `POLICIES`.
        votes: the votes of the vote store (`read_votes`).
        without: judges whose judgements are left out.

    Raises:
        UnknownNameError: there is no such policy.
        InputError: the policy needs more than judgements on the subjects.
    """
    rules, positive = POLICIES[policy], study.plan.protocol.positive_labels
    judges, judgements = without_judges(read_study_judgements(study.path, votes), without)
    pairs, methods = (latest_study_judgements(study, judges, judgements, kind) for kind in SubjectKind)
    return Resolution(
        policy=rules.name,
        criterion=study.plan.criterion,
        assumptions=rules.assumptions,
        pairs=_resolved(pairs, policy),
        methods=_resolved(methods, policy, positive) if study.methods.num_rows else None,
        positive_labels=positive,
        unusual=find_unusual_clones(study, pairs, methods),
        rounds=count_rounds(plan_rounds(study), pairs),
    )


def _resolved(
    judgements: LatestJudgements, policy: str, positive: Sequence[str] = (MemberValue.MAJOR,)
) -> ResolvedSubjects:
    verdicts = conclude_verdicts(judgements.as_pairs(positive), policy).rename_columns(
        ["subject", "verdict", "confidence", "judgements", "reason"]
    )
    answers: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for row in judgements.rows.to_pylist():
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
