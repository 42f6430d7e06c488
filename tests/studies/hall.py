"""A hall of judges without a web and without a database: who asks, votes, skips, undoes, joins and leaves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from clonetruth.store.votes import CastVote, InvitedJudge, ItemKey, ItemKind, JudgeRole, Vote, VoteKind, VoteUpdates
from clonetruth.store.votes.current_votes import CurrentVotes
from clonetruth.studies.assignment import AssignedItem, JudgeAdvance
from clonetruth.studies.assignment_queue import Assigner, NextItem
from clonetruth.studies.rounds import Eligibility, RoundPlan

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def pairs(count: int) -> tuple[ItemKey, ...]:
    return tuple(ItemKey(ItemKind.PAIR, number) for number in range(count))


def methods(count: int) -> tuple[ItemKey, ...]:
    return tuple(ItemKey(ItemKind.METHOD, number) for number in range(count))


def checks(*numbers: int) -> tuple[ItemKey, ...]:
    return tuple(ItemKey(ItemKind.CHECK, number) for number in numbers)


class Hall:
    """A study under way."""

    def __init__(self, plan: RoundPlan) -> None:
        self.plan = plan
        self.people: dict[str, InvitedJudge] = {}
        self._tally = CurrentVotes()
        self._dealer = Assigner(plan, self, lambda: NOW)

    def join(self, name: str, group: str | None = None, role: JudgeRole = JudgeRole.JUDGE) -> None:
        self.people[name] = InvitedJudge(name, name, role, group, NOW, NOW + timedelta(days=1), None, name)

    def leave(self, name: str) -> None:
        one = self.people[name]
        self.people[name] = InvitedJudge(one.id, one.name, one.role, one.group, NOW, one.expires, NOW, name)

    @property
    def active(self) -> list[str]:
        return [name for name, judge in self.people.items() if judge.active(NOW)]

    @property
    def roll(self) -> Eligibility:
        return Eligibility(self.plan, self.judges(), self._tally.standing(VoteKind.VOTE), NOW)

    def judges(self) -> tuple[InvitedJudge, ...]:
        return tuple(self.people.values())

    def news(self, after: int) -> VoteUpdates:
        return self._tally.news(after)

    def hand(self, name: str) -> NextItem:
        return self._dealer.hand(self.people[name])

    def own(self, name: str) -> tuple[CastVote, ...]:
        return self._tally.of_judge(name)

    def next(self, name: str) -> AssignedItem | None:
        return self.hand(name).item

    def progress(self, name: str) -> JudgeAdvance:
        return self.hand(name).progress

    def say(self, name: str, item: ItemKey, value: str | None = "clone", seconds: float | None = None) -> str:
        """Vote, or skip where there is no value; the key of what was said."""
        kind = VoteKind.SKIP if value is None else VoteKind.VOTE
        return self._add(Vote(f"k{self._tally.last}", name, item, value, kind, seconds=seconds))

    def undo(self, name: str, item: ItemKey, key: str) -> None:
        self._add(Vote(f"undo:{key}", name, item, None, VoteKind.UNDO, undoes=key))

    def decide(self, name: str, item: ItemKey) -> None:
        self._add(Vote(f"k{self._tally.last}", name, item, "clone", VoteKind.ADJUDICATION))

    def disagreements(self, name: str) -> tuple[ItemKey, ...]:
        decided = self._tally.standing(VoteKind.ADJUDICATION)
        return self.roll.open_disagreements(
            self.people[name], {item: next(iter(said.values())) for item, said in decided.items()}
        )

    def work(self, name: str, value: str = "clone", most: int = 10**6) -> list[AssignedItem]:
        """Let a judge vote until nothing is left; what they saw, in order."""
        seen: list[AssignedItem] = []
        while len(seen) < most and (item := self.next(name)) is not None:
            seen.append(item)
            self.say(name, item.key, value)
        return seen

    def voters(self, item: ItemKey) -> set[str]:
        return set(self._tally.standing(VoteKind.VOTE).get(item, {}))

    def _add(self, vote: Vote) -> str:
        self._tally.add(CastVote(self._tally.last + 1, NOW, vote))
        return vote.key
