"""A study and its judges as its owner sees them; `live_overview` has the numbers of the dashboard."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from clonetruth.options.declaration import verb
from clonetruth.options.study import DescribeStudyOptions, ListJudgesOptions
from clonetruth.store.study import Study
from clonetruth.store.votes import (
    CastVote,
    InvitedJudge,
    ItemKey,
    JudgeChecks,
    JudgeRole,
    VoteKind,
    VoteStore,
    count_checks,
    open_vote_store,
)
from clonetruth.studies.assignment import Assignment, JudgeProgress
from clonetruth.studies.rounds import Eligibility, plan_rounds
from clonetruth.studies.study_folder import open_study


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
        attention: attention checks and repeats answered.
        attentive: those of them answered as expected, or as the first time.
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
    checks = {one.judge: one for one in count_checks(study, vote_store)}
    return tuple(
        judge_status(assignment, judge, JudgeProgress(vote_store.votes_of(judge.id)), decided, checks.get(judge.id))
        for judge in eligibility.judges
    )


def judge_status(
    assignment: Assignment,
    judge: InvitedJudge,
    progress: JudgeProgress,
    decided: Mapping[ItemKey, CastVote],
    checks: JudgeChecks | None,
) -> JudgeStatus:
    """The progress of one judge.

    Args:
        assignment: the open subjects, assigned to judges.
        judge: the judge.
        progress: what they have done.
        decided: the decisions so far.
        checks: how they answered the checks.
    """
    eligibility, own = assignment.eligibility, progress.own
    workload = assignment.workload(judge, progress)
    done, left = workload.done, workload.left
    if judge.role is JudgeRole.ADJUDICATOR:
        done = len({cast.vote.item for cast in own if cast.vote.kind is VoteKind.ADJUDICATION})
        left = len(eligibility.open_disagreements(judge, decided))
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
        attention=checks.answered if checks else 0,
        attentive=checks.passed if checks else 0,
        median_seconds=statistics.median(seconds) if seconds else None,
        last=own[-1].time if own else None,
    )


def _access(judge: InvitedJudge, now: datetime) -> Access:
    if judge.revoked is not None:
        return Access.REVOKED
    return Access.ACTIVE if judge.active(now) else Access.EXPIRED
