"""A study as its owner sees it: the judges' progress, their agreement, and the estimated label errors so far."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, PairValue
from clonetruth.options.declaration import verb
from clonetruth.options.study import DescribeStudyOptions, ListJudgesOptions
from clonetruth.store.study import Study
from clonetruth.store.study_estimate import StudyEstimate
from clonetruth.store.votes import (
    CastVote,
    InvitedJudge,
    ItemKey,
    ItemKind,
    JudgeRole,
    VoteKind,
    VoteStore,
    open_vote_store,
    votes_as_tables,
)
from clonetruth.studies.agreement import AgreementReport, study_agreement
from clonetruth.studies.assignment import Assignment, JudgeProgress
from clonetruth.studies.estimation import estimate_labels
from clonetruth.studies.resolution import resolve_subjects
from clonetruth.studies.rounds import Eligibility, SubjectOutcome, plan_rounds
from clonetruth.studies.study_folder import Votes, open_study

POLICY = "adjudicated"
"""The policy of the dashboard: where judges differ, the adjudicator's decision counts."""


class Access(StrEnum):
    """Whether a personal link works."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True)
class JudgeStatus:
    """The progress of an invited judge.

    Attributes:
        judge: the pseudonym in votes.
        name: the person's name.
        role: what they may do.
        group: the group they judge with.
        access: whether their link works.
        expires: when the link expires.
        done: items judged or decided.
        left: items that wait for them: subjects and checks, or disagreements.
        skipped: items skipped, and not judged since.
        attention: attention checks answered.
        attentive: those of them answered correctly.
        median_seconds: the median time per vote; None before the first vote with a known time.
        last: the time of the last vote.
    """

    judge: str
    name: str
    role: JudgeRole
    group: str | None
    access: Access
    expires: datetime
    done: int
    left: int
    skipped: int
    attention: int
    attentive: int
    median_seconds: float | None
    last: datetime | None


@dataclass(frozen=True)
class StudyStage:
    """The progress on a set of subjects.

    Attributes:
        name: which subjects: all pairs, all methods, or the pairs of a functionality.
        subjects: their number.
        judged: those that have all their votes.
        agreed: those of them on which all judges agree.
        differ: those on which judges differ, or which stayed undecided.
        decided: those of these that an adjudicator decided.
    """

    name: str
    subjects: int
    judged: int
    agreed: int
    differ: int
    decided: int


@dataclass(frozen=True)
class StudyOverview:
    """The state of a study.

    Attributes:
        judges: the invited judges and their progress.
        kinds: the progress on pairs and on methods.
        functionalities: the progress on the pairs of each functionality; empty if the study has none.
        agreement: the judges' agreement; None while no two judges share a subject.
        estimate: the estimated label errors; None if the criterion has no verdicts of clone and not clone.
    """

    judges: tuple[JudgeStatus, ...]
    kinds: tuple[StudyStage, ...]
    functionalities: tuple[StudyStage, ...]
    agreement: AgreementReport | None
    estimate: StudyEstimate | None


@verb(DescribeStudyOptions)
def describe_study(options: DescribeStudyOptions) -> Study:
    """Read a study: what it asks, and how its sample was drawn.

    Returns:
        The study, with its plan and the tables of its subjects, methods, functionalities and checks.

    Raises:
        InputError: the folder is not a study, or it is damaged.

    Example:
        >>> _ = clonetruth.sample_study("my-benchmark", output="described-study", n=5)
        >>> clonetruth.describe_study("described-study").plan.strata[0].drawn
        5
    """
    return open_study(options.study)


@verb(ListJudgesOptions)
def list_judges(options: ListJudgesOptions) -> tuple[JudgeStatus, ...]:
    """List the people who were invited to a study, and their progress.

    Returns:
        The people in the order of invitation.

    Raises:
        InputError: the folder is not a study.
        UnavailableError: the database of votes cannot be opened.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="listed-study", n=5)
        >>> _ = clonetruth.invite_judge(study, "Ada")
        >>> [(judge.name, judge.done, judge.left) for judge in clonetruth.list_judges(study)]
        [('Ada', 0, 5)]
    """
    study = open_study(options.study)
    with open_vote_store(study.path, options.votes) as vote_store:
        return judge_statuses(study, vote_store)


def judge_statuses(study: Study, vote_store: VoteStore, now: datetime | None = None) -> tuple[JudgeStatus, ...]:
    """The progress of everybody who was ever invited, in the order of invitation.

    Args:
        study: the study.
        vote_store: where its votes are kept.
        now: the time (default: now).
    """
    eligibility = Eligibility(
        plan_rounds(study), vote_store.judges(), vote_store.current_votes(), now or datetime.now(UTC)
    )
    assignment = Assignment(eligibility)
    decided = vote_store.adjudications()
    expected = dict(enumerate(study.checks["expected"].to_pylist()))
    return tuple(
        _status(assignment, judge, vote_store.votes_of(judge.id), decided, expected) for judge in eligibility.judges
    )


def _status(
    assignment: Assignment,
    judge: InvitedJudge,
    own: Sequence[CastVote],
    decided: Mapping[ItemKey, CastVote],
    expected: Mapping[int, str],
) -> JudgeStatus:
    eligibility = assignment.eligibility
    workload = assignment.workload(judge, JudgeProgress(own))
    done, left = workload.done, workload.left
    if judge.role is JudgeRole.ADJUDICATOR:
        done = len({cast.vote.item for cast in own if cast.vote.kind is VoteKind.ADJUDICATION})
        left = len(eligibility.open_disagreements(judge, decided))
    checks = {cast.vote.item: cast.vote.value for cast in own if cast.vote.item in eligibility.plan.attention}
    seconds = [cast.vote.seconds for cast in own if cast.vote.seconds is not None]
    return JudgeStatus(
        judge=judge.id,
        name=judge.name,
        role=judge.role,
        group=judge.group,
        access=_access(judge, eligibility.now),
        expires=judge.expires,
        done=done,
        left=left,
        skipped=workload.skipped,
        attention=len(checks),
        attentive=sum(value == expected[item.number] for item, value in checks.items()),
        median_seconds=statistics.median(seconds) if seconds else None,
        last=own[-1].time if own else None,
    )


def _access(judge: InvitedJudge, now: datetime) -> Access:
    if judge.revoked is not None:
        return Access.REVOKED
    return Access.ACTIVE if judge.active(now) else Access.EXPIRED


def study_overview(study: Study, vote_store: VoteStore) -> StudyOverview:
    """The state of a study at this moment."""
    votes = votes_as_tables(vote_store, study.plan)
    eligibility = Eligibility(plan_rounds(study), vote_store.judges(), vote_store.current_votes(), datetime.now(UTC))
    outcomes = {item: eligibility.turn(item).outcome for item in eligibility.plan.subjects}
    decided = vote_store.adjudications().keys()
    names = dict(zip(*(study.functionalities[name].to_pylist() for name in ("id", "name")), strict=True))
    groups: dict[str, list[ItemKey]] = {}
    for number, functionality in enumerate(study.subjects["functionality"].to_pylist()):
        if functionality is not None:
            groups.setdefault(names.get(functionality, functionality), []).append(ItemKey(ItemKind.PAIR, number))

    def stage(name: str, items: Sequence[ItemKey]) -> StudyStage:
        states = [outcomes[item] for item in items]
        differing = [item for item in items if outcomes[item] in (SubjectOutcome.DIFFERENT, SubjectOutcome.UNDECIDED)]
        return StudyStage(
            name=name,
            subjects=len(items),
            judged=len(items) - states.count(SubjectOutcome.OPEN),
            agreed=states.count(SubjectOutcome.AGREED),
            differ=len(differing),
            decided=len(decided & set(differing)),
        )

    kinds = {
        "pairs": [item for item in outcomes if item.kind is ItemKind.PAIR],
        "methods": [item for item in outcomes if item.kind is ItemKind.METHOD],
    }
    return StudyOverview(
        judges=judge_statuses(study, vote_store),
        kinds=tuple(stage(name, items) for name, items in kinds.items() if items),
        functionalities=tuple(stage(name, items) for name, items in sorted(groups.items())),
        agreement=_agreement(study, votes),
        estimate=_estimate(study, votes),
    )


def _agreement(study: Study, votes: Votes) -> AgreementReport | None:
    try:
        return study_agreement(study, votes=votes)
    except InputError:
        # No two judges share a subject yet.
        return None


def _estimate(study: Study, votes: Votes) -> StudyEstimate | None:
    if CRITERIA[study.plan.criterion].values != tuple(PairValue):
        return None
    return estimate_labels(study, resolve_subjects(study, POLICY, votes))
