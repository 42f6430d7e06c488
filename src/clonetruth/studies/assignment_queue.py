"""The next item of every judge of a study, kept up to date while votes arrive.

A page must not count all votes of a study again: a vote changes the turn of one subject, and nothing else. Everything
is computed again only when a judge joins, leaves or expires, or has judged all that they may.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from clonetruth.store.votes import CastVote, InvitedJudge, ItemKey, VoteUpdates
from clonetruth.studies.assignment import AssignedItem, Assignment, JudgeProgress, Workload
from clonetruth.studies.rounds import Eligibility, RoundPlan


@dataclass(frozen=True)
class NextItem:
    """The next item of a judge, and their progress.

    Attributes:
        item: what they see next; None if there is nothing for them, now or at all.
        workload: how far they are.
        median_seconds: their median time per item after training; None before the first vote with a known time.
        undoable: the key of the last thing they did, which they can take back.
        spent: whether they have judged as many subjects as their quota permits.
    """

    item: AssignedItem | None
    workload: Workload
    median_seconds: float | None
    undoable: str | None
    spent: bool = False


def _now() -> datetime:
    return datetime.now(UTC)


class VoteSource(Protocol):
    """The part of `VoteStore` that `Assigner` needs."""

    def judges(self) -> tuple[InvitedJudge, ...]:
        """Everybody who was ever invited."""
        ...

    def updates(self, after: int) -> VoteUpdates:
        """The votes that came after a sequence number."""
        ...


class Assigner:
    """Assigns the subjects of a study to judges. It is thread-safe, and sees the votes of other processes too.

    Args:
        plan: what the judges have to judge.
        votes: the study's vote store.
        clock: gives the current time.
    """

    def __init__(self, plan: RoundPlan, votes: VoteSource, clock: Callable[[], datetime] = _now) -> None:
        self._votes = votes
        self._clock = clock
        self._lock = threading.Lock()
        self._plan = plan
        updates = votes.updates(0)
        self._forget(updates.withdrawals)
        self._add(updates)
        self._assignment = Assignment(Eligibility(plan, votes.judges(), self._current_votes, clock()))

    def next_item(self, judge: InvitedJudge) -> NextItem:
        """The next item of a judge at this moment.

        Raises:
            UnavailableError: the vote database did not answer.
        """
        with self._lock:
            self._update()
            progress = self._progress[judge.id]
            return NextItem(
                item=self._assignment.next_item(judge, progress),
                workload=self._assignment.workload(judge, progress),
                median_seconds=progress.median_seconds,
                undoable=progress.undoable,
                spent=judge.id in self._assignment.eligibility.spent,
            )

    @contextmanager
    def current(self) -> Iterator[tuple[Assignment, Mapping[str, JudgeProgress]]]:
        """The assignment and what each judge has done, at this moment; neither changes before the end of the block.

        Raises:
            UnavailableError: the vote database did not answer.
        """
        with self._lock:
            self._update()
            yield self._assignment, self._progress

    def _forget(self, withdrawals: int) -> None:
        """Begin again without votes; `withdrawals` is the number of judges who have withdrawn."""
        self._withdrawals = withdrawals
        self._last_sequence = 0
        self._current_votes: dict[ItemKey, Mapping[str, CastVote]] = {}
        training = self._plan.training
        self._progress: dict[str, JudgeProgress] = defaultdict(lambda: JudgeProgress(training=training))

    def _update(self) -> None:
        """Add the votes since the last update; after a withdrawal, read all that are left."""
        judges, now = self._votes.judges(), self._clock()
        updates = self._votes.updates(self._last_sequence)
        withdrew = updates.withdrawals != self._withdrawals
        if withdrew:
            self._forget(updates.withdrawals)
            updates = self._votes.updates(0)
        self._add(updates)
        eligibility = self._assignment.eligibility
        spent = {
            judge.id
            for judge in judges
            if judge.quota is not None and self._assignment.judged_subjects(self._progress[judge.id]) >= judge.quota
        }
        if withdrew or spent != eligibility.spent or not eligibility.is_current(judges, now):
            self._assignment = Assignment(Eligibility(eligibility.plan, judges, self._current_votes, now))
            return
        for item in updates.current.keys() & eligibility.plan.positions.keys():
            self._assignment.assign(item)

    def _add(self, updates: VoteUpdates) -> None:
        self._current_votes.update(updates.current)
        for cast in updates.rows:
            self._progress[cast.vote.judge].add(cast)
            self._last_sequence = cast.sequence
