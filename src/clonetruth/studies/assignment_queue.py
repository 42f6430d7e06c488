"""What every judge of a study has before them, kept at hand while votes arrive.

A page must not count all votes of a study: a vote changes whose turn one subject is, and nothing else. All is counted
anew only when a judge joins, leaves or expires.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from clonetruth.store.votes import CastVote, InvitedJudge, ItemKey, VoteUpdates
from clonetruth.studies.assignment import AssignedItem, Assignment, JudgeAdvance, JudgeProgress
from clonetruth.studies.rounds import Eligibility, RoundPlan


@dataclass(frozen=True)
class NextItem:
    """What a judge has before them.

    Attributes:
        item: what they see next; None where there is nothing for them, now or at all.
        progress: how far they are.
        median_seconds: what a subject took them; None before the first whose time is known.
        last: the key of what they did last and can take back.
    """

    item: AssignedItem | None
    progress: JudgeAdvance
    median_seconds: float | None
    last: str | None


def _now() -> datetime:
    return datetime.now(UTC)


class VoteSource(Protocol):
    """What a dealer asks of a ballot box (`BallotBox`)."""

    def judges(self) -> tuple[InvitedJudge, ...]:
        """Everybody who was ever invited."""
        ...

    def news(self, after: int) -> VoteUpdates:
        """What came after a row, by its sequence number."""
        ...


class Assigner:
    """Deals out the subjects of a study. Many threads may ask; votes of other processes count too.

    Args:
        plan: what is shared out.
        ballots: the study's ballot box.
        clock: what time it is.
    """

    def __init__(self, plan: RoundPlan, ballots: VoteSource, clock: Callable[[], datetime] = _now) -> None:
        self._ballots = ballots
        self._clock = clock
        self._lock = threading.Lock()
        self._counted = 0
        self._standing: dict[ItemKey, Mapping[str, CastVote]] = {}
        self._desks: dict[str, JudgeProgress] = defaultdict(JudgeProgress)
        self._assignment = Assignment(Eligibility(plan, ballots.judges(), self._standing, clock()))

    def hand(self, judge: InvitedJudge) -> NextItem:
        """What a judge has before them at this moment.

        Raises:
            UnavailableError: the database of votes did not answer.
        """
        with self._lock:
            self._catch_up()
            desk = self._desks[judge.id]
            return NextItem(
                item=self._assignment.next_item(judge, desk),
                progress=self._assignment.progress(judge, desk),
                median_seconds=desk.median_seconds,
                last=desk.last,
            )

    def _catch_up(self) -> None:
        """Count in what happened since the last time."""
        judges, now = self._ballots.judges(), self._clock()
        news = self._ballots.news(self._counted)
        self._standing.update(news.standing)
        for cast in news.rows:
            self._desks[cast.vote.judge].add(cast)
            self._counted = cast.sequence
        roll = self._assignment.roll
        if not roll.holds(judges, now):
            self._assignment = Assignment(Eligibility(roll.plan, judges, self._standing, now))
            return
        for item in news.standing.keys() & roll.plan.places.keys():
            self._assignment.deal(item)
