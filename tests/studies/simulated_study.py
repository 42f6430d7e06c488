"""A simulated study without pages and without a database: judges join, vote, skip, undo and leave."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from clonetruth.store.votes import CastVote, InvitedJudge, ItemKey, ItemKind, JudgeRole, Vote, VoteKind, VoteUpdates
from clonetruth.store.votes.current_votes import CurrentVotes
from clonetruth.studies.assignment import AssignedItem, Workload
from clonetruth.studies.assignment_queue import Assigner, NextItem
from clonetruth.studies.rounds import Eligibility, RoundPlan

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def pairs(count: int) -> tuple[ItemKey, ...]:
    return tuple(ItemKey(ItemKind.PAIR, number) for number in range(count))


def methods(count: int) -> tuple[ItemKey, ...]:
    return tuple(ItemKey(ItemKind.METHOD, number) for number in range(count))


def checks(*numbers: int) -> tuple[ItemKey, ...]:
    return tuple(ItemKey(ItemKind.CHECK, number) for number in numbers)


class SimulatedStudy:
    """A study in progress."""

    def __init__(self, plan: RoundPlan) -> None:
        self.plan = plan
        self.people: dict[str, InvitedJudge] = {}
        self._votes = CurrentVotes()
        self._keys = 0
        self._assigner = Assigner(plan, self, lambda: NOW)

    def join(self, name: str, group: str | None = None, role: JudgeRole = JudgeRole.JUDGE) -> None:
        self.people[name] = InvitedJudge(name, name, role, group, NOW, NOW + timedelta(days=1), None, name)

    def leave(self, name: str) -> None:
        self.people[name] = replace(self.people[name], revoked=NOW)

    def limit(self, name: str, quota: int) -> None:
        self.people[name] = replace(self.people[name], quota=quota)

    def withdraw(self, name: str) -> None:
        del self.people[name]
        left = [cast for cast in self._votes.updates(0).rows if cast.vote.judge != name]
        self._votes = CurrentVotes(self._votes.withdrawals + 1)
        for cast in left:
            self._votes.add(cast)

    @property
    def active(self) -> list[str]:
        return [name for name, judge in self.people.items() if judge.active(NOW)]

    @property
    def eligibility(self) -> Eligibility:
        return Eligibility(self.plan, self.judges(), self._votes.current(VoteKind.VOTE), NOW)

    def judges(self) -> tuple[InvitedJudge, ...]:
        return tuple(self.people.values())

    def updates(self, after: int) -> VoteUpdates:
        return self._votes.updates(after)

    def next_item(self, name: str) -> NextItem:
        return self._assigner.next_item(self.people[name])

    def own(self, name: str) -> tuple[CastVote, ...]:
        return self._votes.of_judge(name)

    def next(self, name: str) -> AssignedItem | None:
        return self.next_item(name).item

    def workload(self, name: str) -> Workload:
        return self.next_item(name).workload

    def vote(self, name: str, item: ItemKey, value: str | None = "clone", seconds: float | None = None) -> str:
        """Vote, or skip if there is no value; returns the key of the vote."""
        kind = VoteKind.SKIP if value is None else VoteKind.VOTE
        self._keys += 1
        return self._add(Vote(f"k{self._keys}", name, item, value, kind, seconds=seconds))

    def undo(self, name: str, item: ItemKey, key: str) -> None:
        self._add(Vote(f"undo:{key}", name, item, None, VoteKind.UNDO, undoes=key))

    def decide(self, name: str, item: ItemKey) -> None:
        self._add(Vote(f"k{self._votes.last}", name, item, "clone", VoteKind.ADJUDICATION))

    def disagreements(self, name: str) -> tuple[ItemKey, ...]:
        decided = self._votes.current(VoteKind.ADJUDICATION)
        return self.eligibility.open_disagreements(
            self.people[name], {item: next(iter(votes.values())) for item, votes in decided.items()}
        )

    def work(self, name: str, value: str = "clone", limit: int = 10**6) -> list[AssignedItem]:
        """Let a judge vote until nothing is left; returns what they saw, in order."""
        seen: list[AssignedItem] = []
        while len(seen) < limit and (item := self.next(name)) is not None:
            seen.append(item)
            self.vote(name, item.key, value)
        return seen

    def voters(self, item: ItemKey) -> set[str]:
        return set(self._votes.current(VoteKind.VOTE).get(item, {}))

    def _add(self, vote: Vote) -> str:
        self._votes.add(CastVote(self._votes.last + 1, NOW, vote))
        return vote.key
