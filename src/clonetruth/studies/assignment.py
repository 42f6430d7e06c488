"""What a judge sees next: training, then subjects in an order of their own, with attention checks among them.

Everything follows from the plan, the judges and the votes that stand; nothing is stored. A judge who comes back
goes on where they left. Each open subject belongs to the judges who rank highest for it by hash (rendezvous hashing):
somebody who joins late takes a fair part of what is left, somebody who leaves gives theirs to all others, and nobody
else's work moves. Whoever is through with their own helps with what others have not done yet.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from heapq import nlargest

from clonetruth.store.votes import CastVote, InvitedJudge, ItemKey, ItemKind, VoteKind
from clonetruth.studies.rounds import Eligibility, RoundPlan, Turn, draw, draws, shuffled

# What one judge has done so far: judged, put off, and how fast.


class JudgeProgress:
    """What a judge has done; votes are counted in as they arrive.

    Args:
        own: what the judge did so far and did not take back (`BallotBox.votes_of`).

    Attributes:
        judged: the items that the judge has voted on.
        judged_subjects: how many of them are no checks.
        skipped: the items that were put off and not judged since, and when: the number of the last skip.
    """

    def __init__(self, own: Iterable[CastVote] = ()) -> None:
        self._count(own)

    def add(self, cast: CastVote) -> None:
        """Count in what the judge did next; an undo takes back what it names."""
        vote = cast.vote
        if vote.kind is VoteKind.UNDO:
            self._count([one for one in self._own if one.vote.key != vote.undoes])
            return
        self._own.append(cast)
        if vote.kind is VoteKind.SKIP and vote.item not in self.judged:
            self.skipped[vote.item] = cast.sequence
        elif vote.kind is VoteKind.VOTE:
            is_subject = vote.item.kind is not ItemKind.CHECK
            self.judged_subjects += is_subject and vote.item not in self.judged
            self.judged.add(vote.item)
            self.skipped.pop(vote.item, None)
            if is_subject and vote.seconds is not None:
                insort(self._seconds, vote.seconds)

    @property
    def last(self) -> str | None:
        """The key of what the judge did last, and did not take back."""
        return self._own[-1].vote.key if self._own else None

    @property
    def median_seconds(self) -> float | None:
        """The median time for a subject; None before the first whose time is known."""
        # Not by `statistics`, which would sort what is in order.
        middle = len(self._seconds) // 2
        return (self._seconds[middle] + self._seconds[~middle]) / 2 if self._seconds else None

    def put_off_last(self, items: Iterable[ItemKey]) -> list[ItemKey]:
        """The items in their order, but the skipped ones behind the others, the longest put off first."""
        return sorted(items, key=lambda item: self.skipped.get(item, 0))

    def _count(self, own: Iterable[CastVote]) -> None:
        """Count from the beginning."""
        self.judged: set[ItemKey] = set()
        self.judged_subjects = 0
        self.skipped: dict[ItemKey, int] = {}
        self._own: list[CastVote] = []
        self._seconds: list[float] = []
        for cast in own:
            self.add(cast)


_Place = tuple[bool, int, ItemKey]


class ItemPurpose(StrEnum):
    """Why an item is shown. A judge learns of training only: an attention check looks like a subject."""

    TRAINING = "training"
    ATTENTION = "attention"
    SUBJECT = "subject"


@dataclass(frozen=True)
class AssignedItem:
    """What a judge sees next, and whether with the right side on the left."""

    key: ItemKey
    purpose: ItemPurpose
    swapped: bool


@dataclass(frozen=True)
class JudgeAdvance:
    """How far a judge is.

    Attributes:
        done: subjects and checks judged.
        left: those that wait for this judge, skipped ones included. Helping others is not counted.
        skipped: those put off, and not judged since.
    """

    done: int
    left: int
    skipped: int


def is_swapped(plan: RoundPlan, judge: str, item: ItemKey) -> bool:
    """Whether a judge sees the sides of an item swapped: for half of the items, always the same."""
    return item.kind is not ItemKind.METHOD and draw(plan.seed, "sides", judge, *item) < 0.5


class Assignment:
    """The open subjects, dealt out among the judges of a roll. A subject is dealt anew when a vote on it changes.

    Args:
        roll: the judges of the study, and what stands of their votes.
    """

    def __init__(self, roll: Eligibility) -> None:
        self.roll = roll
        plan = roll.plan
        subjects = len(plan.subjects)
        self._ranks = {judge: draws(subjects, plan.seed, "rank", judge) for judge in roll.voters}
        # The order is not by rank: all who rank high for a subject would see it early, and tire on the same ones.
        self._orders = {judge: draws(subjects, plan.seed, "order", judge) for judge in roll.voters}
        self._in_order = cache(self._all_in_order)
        self._attention = cache(self._attention_places)
        self._turns: dict[ItemKey, Turn] = {}
        self._owners: dict[ItemKey, frozenset[str]] = {}
        # The judges' own subjects, each in its judge's order.
        self._own: dict[str, list[_Place]] = defaultdict(list)
        for item in plan.subjects:
            self.deal(item)

    def deal(self, item: ItemKey) -> None:
        """Deal a subject out: to the judges who rank highest among those who may judge it, as many as are wanting."""
        turn = self._turns[item] = self.roll.turn(item)
        number = self.roll.plan.places[item]
        owners = frozenset(nlargest(turn.wanting, turn.free, key=lambda judge: self._ranks[judge][number]))
        before = self._owners.get(item, frozenset())
        for judge in owners - before:
            insort(self._own[judge], self._place(judge, item))
        for judge in before - owners:
            own = self._own[judge]
            del own[bisect_left(own, self._place(judge, item))]
        self._owners[item] = owners

    def next_item(self, judge: InvitedJudge, desk: JudgeProgress) -> AssignedItem | None:
        """What a judge sees next, who has done what is on the desk; None where there is nothing, now or at all."""
        found = next(self._queue(judge, desk), None)
        if found is None:
            return None
        key, purpose = found
        return AssignedItem(key, purpose, is_swapped(self.roll.plan, judge.id, key))

    def progress(self, judge: InvitedJudge, desk: JudgeProgress) -> JudgeAdvance:
        """How far a judge is who has done what is on the desk."""
        plan = self.roll.plan
        left = len(self._own.get(judge.id, ()))
        if left:
            left += sum(check not in desk.judged for check in (*plan.training, *plan.attention))
        return JudgeAdvance(len(desk.judged), left, len(desk.skipped))

    def _place(self, judge: str, item: ItemKey) -> _Place:
        """Where a subject stands in a judge's order: all pairs come before the first method, since changing the
        question costs time.
        """
        return item.kind is ItemKind.METHOD, self._orders[judge][self.roll.plan.places[item]], item

    def _all_in_order(self, judge: str) -> tuple[ItemKey, ...]:
        return tuple(sorted(self.roll.plan.subjects, key=lambda item: self._place(judge, item)))

    def _queue(self, judge: InvitedJudge, desk: JudgeProgress) -> Iterator[tuple[ItemKey, ItemPurpose]]:
        """All that waits for a judge, in order. It is computed only as far as it is read."""
        if judge.id not in self.roll.members(judge.group):
            return
        for item in desk.put_off_last(item for item in self.roll.plan.training if item not in desk.judged):
            yield item, ItemPurpose.TRAINING
        put_off: dict[ItemKey, ItemPurpose] = {}
        for item in self._attention_due(judge, desk):
            if item in desk.skipped:
                put_off[item] = ItemPurpose.ATTENTION
            else:
                yield item, ItemPurpose.ATTENTION
        for _, _, item in self._own[judge.id]:
            if item in desk.skipped:
                put_off[item] = ItemPurpose.SUBJECT
            else:
                yield item, ItemPurpose.SUBJECT
        for item in desk.put_off_last(put_off):
            yield item, put_off[item]
        skipped = []
        for item in self._helping(judge):
            if item in desk.skipped:
                skipped.append(item)
            else:
                yield item, ItemPurpose.SUBJECT
        for item in desk.put_off_last(skipped):
            yield item, ItemPurpose.SUBJECT

    def _helping(self, judge: InvitedJudge) -> Iterator[ItemKey]:
        """The subjects that a judge may judge now, and that are others' own, in the judge's order."""
        for item in self._in_order(judge.id):
            if judge.id in self._turns[item].free and judge.id not in self._owners[item]:
                yield item

    def _attention_due(self, judge: InvitedJudge, desk: JudgeProgress) -> list[ItemKey]:
        """The attention checks whose place has come: one at a drawn place in each stretch of the judge's work."""
        checks = self._attention(judge.id)
        stretch = self._expected(judge) / max(1, len(checks))
        return [
            item
            for item, place in checks
            if item not in desk.judged and desk.judged_subjects >= math.floor(stretch * place)
        ]

    def _attention_places(self, judge: str) -> tuple[tuple[ItemKey, float], ...]:
        """A judge's attention checks in their order, each with its place, counted in stretches of work."""
        plan = self.roll.plan
        checks = shuffled(plan.attention, plan.seed, "attention", judge)
        return tuple((item, at + draw(plan.seed, "place", judge, at)) for at, item in enumerate(checks))

    def _expected(self, judge: InvitedJudge) -> float:
        """How many subjects a judge can expect: an equal part of what their group has to judge."""
        plan = self.roll.plan
        share = sum(group.share for group in plan.groups if group.name == judge.group) if plan.groups else 1.0
        return len(plan.subjects) * share * min(1.0, plan.overlap / max(1, len(self.roll.members(judge.group))))
