"""The judges of a study as its owner sees them: who may enter, how far they are, how attentive they are."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from clonetruth.store.study import Study
from clonetruth.store.votes import CastVote, InvitedJudge, ItemKey, JudgeRole, VoteKind, VoteStore
from clonetruth.studies.assignment import Assignment, JudgeProgress
from clonetruth.studies.rounds import Eligibility, plan_of


class Access(StrEnum):
    """Whether a personal link works."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True)
class JudgeStatus:
    """A judge of a study.

    Attributes:
        judge: the pseudonym in votes.
        name: the person's name.
        role: what they may do.
        group: the group they judge with.
        access: whether their link works.
        expires: until when.
        done: items judged or decided.
        left: items that wait for them: subjects and checks, or disagreements.
        skipped: items put off.
        attention: attention checks answered.
        attentive: those of them answered as known.
        median_seconds: for a vote; None before the first whose time is known.
        last: when they last did something.
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


def roster(study: Study, box: VoteStore, now: datetime | None = None) -> tuple[JudgeStatus, ...]:
    """Everybody who was ever invited, in that order.

    Args:
        study: the study.
        box: its ballot box.
        now: the time that counts; the clock's unless told.
    """
    roll = Eligibility(plan_of(study), box.judges(), box.standing(), now or datetime.now(UTC))
    assignment = Assignment(roll)
    decided = box.adjudications()
    expected = dict(enumerate(study.checks["expected"].to_pylist()))
    return tuple(_status(assignment, judge, box.votes_of(judge.id), decided, expected) for judge in roll.judges)


def _status(
    assignment: Assignment,
    judge: InvitedJudge,
    own: Sequence[CastVote],
    decided: Mapping[ItemKey, CastVote],
    expected: Mapping[int, str],
) -> JudgeStatus:
    roll = assignment.roll
    how_far = assignment.progress(judge, JudgeProgress(own))
    done, left = how_far.done, how_far.left
    if judge.role is JudgeRole.ADJUDICATOR:
        done = len({cast.vote.item for cast in own if cast.vote.kind is VoteKind.ADJUDICATION})
        left = len(roll.open_disagreements(judge, decided))
    checks = {cast.vote.item: cast.vote.value for cast in own if cast.vote.item in roll.plan.attention}
    seconds = [cast.vote.seconds for cast in own if cast.vote.seconds is not None]
    return JudgeStatus(
        judge=judge.id,
        name=judge.name,
        role=judge.role,
        group=judge.group,
        access=_access(judge, roll.now),
        expires=judge.expires,
        done=done,
        left=left,
        skipped=how_far.skipped,
        attention=len(checks),
        attentive=sum(value == expected[item.number] for item, value in checks.items()),
        median_seconds=statistics.median(seconds) if seconds else None,
        last=own[-1].time if own else None,
    )


def _access(judge: InvitedJudge, now: datetime) -> Access:
    if judge.revoked is not None:
        return Access.REVOKED
    return Access.ACTIVE if judge.active(now) else Access.EXPIRED
