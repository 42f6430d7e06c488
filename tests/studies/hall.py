"""A hall of judges without a web and without a database: who asks, votes, skips, undoes, joins and leaves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from clonetruth.store.votes import BallotKind, CastVote, InvitedJudge, ItemKey, ItemKind, JudgeRole, News, Vote
from clonetruth.store.votes.current_votes import Tally
from clonetruth.studies.assignment import Item, Progress
from clonetruth.studies.assignment_queue import Dealer, Hand
from clonetruth.studies.rounds import Plan, Roll

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def pairs(count: int) -> tuple[ItemKey, ...]:
    return tuple(ItemKey(ItemKind.PAIR, number) for number in range(count))


def methods(count: int) -> tuple[ItemKey, ...]:
    return tuple(ItemKey(ItemKind.METHOD, number) for number in range(count))


def checks(*numbers: int) -> tuple[ItemKey, ...]:
    return tuple(ItemKey(ItemKind.CHECK, number) for number in numbers)


class Hall:
    """A study under way."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.people: dict[str, InvitedJudge] = {}
        self._tally = Tally()
        self._dealer = Dealer(plan, self, lambda: NOW)

    def join(self, name: str, group: str | None = None, role: JudgeRole = JudgeRole.JUDGE) -> None:
        self.people[name] = InvitedJudge(name, name, role, group, NOW, NOW + timedelta(days=1), None, name)

    def leave(self, name: str) -> None:
        one = self.people[name]
        self.people[name] = InvitedJudge(one.id, one.name, one.role, one.group, NOW, one.expires, NOW, name)

    @property
    def active(self) -> list[str]:
        return [name for name, judge in self.people.items() if judge.active(NOW)]

    @property
    def roll(self) -> Roll:
        return Roll(self.plan, self.judges(), self._tally.standing(BallotKind.VOTE), NOW)

    def judges(self) -> tuple[InvitedJudge, ...]:
        return tuple(self.people.values())

    def news(self, after: int) -> News:
        return self._tally.news(after)

    def hand(self, name: str) -> Hand:
        return self._dealer.hand(self.people[name])

    def own(self, name: str) -> tuple[CastVote, ...]:
        return self._tally.of_judge(name)

    def next(self, name: str) -> Item | None:
        return self.hand(name).item

    def progress(self, name: str) -> Progress:
        return self.hand(name).progress

    def say(self, name: str, item: ItemKey, value: str | None = "clone", seconds: float | None = None) -> str:
        """Vote, or skip where there is no value; the key of what was said."""
        kind = BallotKind.SKIP if value is None else BallotKind.VOTE
        return self._add(Vote(f"k{self._tally.last}", name, item, value, kind, seconds=seconds))

    def undo(self, name: str, item: ItemKey, key: str) -> None:
        self._add(Vote(f"undo:{key}", name, item, None, BallotKind.UNDO, undoes=key))

    def decide(self, name: str, item: ItemKey) -> None:
        self._add(Vote(f"k{self._tally.last}", name, item, "clone", BallotKind.ADJUDICATION))

    def disagreements(self, name: str) -> tuple[ItemKey, ...]:
        decided = self._tally.standing(BallotKind.ADJUDICATION)
        return self.roll.open_disagreements(
            self.people[name], {item: next(iter(said.values())) for item, said in decided.items()}
        )

    def work(self, name: str, value: str = "clone", most: int = 10**6) -> list[Item]:
        """Let a judge vote until nothing is left; what they saw, in order."""
        seen: list[Item] = []
        while len(seen) < most and (item := self.next(name)) is not None:
            seen.append(item)
            self.say(name, item.key, value)
        return seen

    def voters(self, item: ItemKey) -> set[str]:
        return set(self._tally.standing(BallotKind.VOTE).get(item, {}))

    def _add(self, vote: Vote) -> str:
        self._tally.add(CastVote(self._tally.last + 1, NOW, vote))
        return vote.key
