"""What a judge sees next: training first, then subjects in the judge's own order, mixed with attention checks.

Everything follows from the plan, the judges and the current votes; nothing is stored, and a judge who comes back
continues where they left. Each open subject belongs to the judges who rank highest for it by hash (rendezvous hashing):
a judge who joins late takes a fair part of what is left, the subjects of a judge who leaves go to all others, and
nobody else's work moves. A judge who has finished their own subjects helps with those of others.
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


class JudgeProgress:
    """What a judge has done so far; votes are added as they arrive.

    Args:
        own: what the judge did so far and did not take back (`VoteStore.votes_of`).

    Attributes:
        judged: the items that the judge has voted on.
        judged_subjects: the number of them that are not checks.
        skipped: the items that were skipped and not judged since, with the sequence number of the last skip.
    """

    def __init__(self, own: Iterable[CastVote] = ()) -> None:
        self._recount(own)

    def add(self, cast: CastVote) -> None:
        """Add what the judge did next; an undo takes back the vote that it names."""
        vote = cast.vote
        if vote.kind is VoteKind.UNDO:
            self._recount([one for one in self._own if one.vote.key != vote.undoes])
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
    def undoable(self) -> str | None:
        """The key of the last thing that the judge did and did not take back."""
        return self._own[-1].vote.key if self._own else None

    @property
    def median_seconds(self) -> float | None:
        """The median time per subject; None before the first vote with a known time."""
        # `statistics.median` would sort a list that is already sorted.
        middle = len(self._seconds) // 2
        return (self._seconds[middle] + self._seconds[~middle]) / 2 if self._seconds else None

    def skipped_last(self, items: Iterable[ItemKey]) -> list[ItemKey]:
        """The items in their order, with the skipped ones at the end, the one skipped longest ago first."""
        return sorted(items, key=lambda item: self.skipped.get(item, 0))

    def _recount(self, own: Iterable[CastVote]) -> None:
        """Count again from the beginning."""
        self.judged: set[ItemKey] = set()
        self.judged_subjects = 0
        self.skipped: dict[ItemKey, int] = {}
        self._own: list[CastVote] = []
        self._seconds: list[float] = []
        for cast in own:
            self.add(cast)


_SortKey = tuple[bool, int, ItemKey]


class ItemPurpose(StrEnum):
    """Why an item is shown. Judges see only which items are training: an attention check looks like a subject."""

    TRAINING = "training"
    ATTENTION = "attention"
    SUBJECT = "subject"


@dataclass(frozen=True)
class AssignedItem:
    """What a judge sees next, and whether its sides are swapped."""

    key: ItemKey
    purpose: ItemPurpose
    swapped: bool


@dataclass(frozen=True)
class Workload:
    """The items of a judge.

    Attributes:
        done: subjects and checks judged.
        left: those that wait for this judge, skipped ones included. Help with others' subjects is not counted.
        skipped: those skipped, and not judged since.
    """

    done: int
    left: int
    skipped: int


def is_swapped(plan: RoundPlan, judge: str, item: ItemKey) -> bool:
    """Whether a judge sees the sides of an item swapped: for half of the items, always the same ones."""
    return item.kind is not ItemKind.METHOD and draw(plan.seed, "sides", judge, *item) < 0.5


class Assignment:
    """The open subjects, assigned to judges. A subject is assigned again when a vote on it changes.

    Args:
        eligibility: the judges of the study and their current votes.
    """

    def __init__(self, eligibility: Eligibility) -> None:
        self.eligibility = eligibility
        plan = eligibility.plan
        subjects = len(plan.subjects)
        self._ranks = {judge: draws(subjects, plan.seed, "rank", judge) for judge in eligibility.voters}
        # Not ordered by rank: all who rank high for a subject would see it early, and tire on the same ones.
        self._orders = {judge: draws(subjects, plan.seed, "order", judge) for judge in eligibility.voters}
        self._in_order = cache(self._all_in_order)
        self._attention = cache(self._attention_positions)
        self._turns: dict[ItemKey, Turn] = {}
        self._owners: dict[ItemKey, frozenset[str]] = {}
        # The judges' own subjects, each list in its judge's order.
        self._own: dict[str, list[_SortKey]] = defaultdict(list)
        for item in plan.subjects:
            self.assign(item)

    def assign(self, item: ItemKey) -> None:
        """Assign a subject to the eligible judges who rank highest for it, one for each missing vote."""
        turn = self._turns[item] = self.eligibility.turn(item)
        number = self.eligibility.plan.positions[item]
        owners = frozenset(nlargest(turn.missing, turn.eligible, key=lambda judge: self._ranks[judge][number]))
        before = self._owners.get(item, frozenset())
        for judge in owners - before:
            insort(self._own[judge], self._sort_key(judge, item))
        for judge in before - owners:
            own = self._own[judge]
            del own[bisect_left(own, self._sort_key(judge, item))]
        self._owners[item] = owners

    def next_item(self, judge: InvitedJudge, progress: JudgeProgress) -> AssignedItem | None:
        """What a judge sees next; None if there is nothing, now or at all."""
        following = next(self._queue(judge, progress), None)
        if following is None:
            return None
        key, purpose = following
        return AssignedItem(key, purpose, is_swapped(self.eligibility.plan, judge.id, key))

    def workload(self, judge: InvitedJudge, progress: JudgeProgress) -> Workload:
        """How many items a judge has done, and how many are left."""
        plan = self.eligibility.plan
        left = len(self._own.get(judge.id, ()))
        if left:
            left += sum(check not in progress.judged for check in (*plan.training, *plan.attention))
        return Workload(len(progress.judged), left, len(progress.skipped))

    def _sort_key(self, judge: str, item: ItemKey) -> _SortKey:
        """The position of a subject in a judge's order.

        All pairs come before the first method, because switching between the two questions costs time.
        """
        return item.kind is ItemKind.METHOD, self._orders[judge][self.eligibility.plan.positions[item]], item

    def _all_in_order(self, judge: str) -> tuple[ItemKey, ...]:
        return tuple(sorted(self.eligibility.plan.subjects, key=lambda item: self._sort_key(judge, item)))

    def _queue(self, judge: InvitedJudge, progress: JudgeProgress) -> Iterator[tuple[ItemKey, ItemPurpose]]:
        """Everything that waits for a judge, in order, computed lazily."""
        if judge.id not in self.eligibility.members(judge.group):
            return
        training = (item for item in self.eligibility.plan.training if item not in progress.judged)
        for item in progress.skipped_last(training):
            yield item, ItemPurpose.TRAINING
        skipped: dict[ItemKey, ItemPurpose] = {}
        for item in self._attention_due(judge, progress):
            if item in progress.skipped:
                skipped[item] = ItemPurpose.ATTENTION
            else:
                yield item, ItemPurpose.ATTENTION
        for _, _, item in self._own[judge.id]:
            if item in progress.skipped:
                skipped[item] = ItemPurpose.SUBJECT
            else:
                yield item, ItemPurpose.SUBJECT
        for item in progress.skipped_last(skipped):
            yield item, skipped[item]
        skipped_of_others = []
        for item in self._subjects_of_others(judge):
            if item in progress.skipped:
                skipped_of_others.append(item)
            else:
                yield item, ItemPurpose.SUBJECT
        for item in progress.skipped_last(skipped_of_others):
            yield item, ItemPurpose.SUBJECT

    def _subjects_of_others(self, judge: InvitedJudge) -> Iterator[ItemKey]:
        """The subjects of other judges that this judge may judge now, in the judge's order."""
        for item in self._in_order(judge.id):
            if judge.id in self._turns[item].eligible and judge.id not in self._owners[item]:
                yield item

    def _attention_due(self, judge: InvitedJudge, progress: JudgeProgress) -> list[ItemKey]:
        """The attention checks that are due: one at a random position in each stretch of the judge's work."""
        checks = self._attention(judge.id)
        stretch = self._expected_subjects(judge) / max(1, len(checks))
        return [
            item
            for item, position in checks
            if item not in progress.judged and progress.judged_subjects >= math.floor(stretch * position)
        ]

    def _attention_positions(self, judge: str) -> tuple[tuple[ItemKey, float], ...]:
        """A judge's attention checks in order, each with its position, counted in stretches of work."""
        plan = self.eligibility.plan
        checks = shuffled(plan.attention, plan.seed, "attention", judge)
        return tuple((item, at + draw(plan.seed, "place", judge, at)) for at, item in enumerate(checks))

    def _expected_subjects(self, judge: InvitedJudge) -> float:
        """The number of subjects that a judge can expect: an equal part of what their group has to judge."""
        plan = self.eligibility.plan
        share = sum(group.share for group in plan.groups if group.name == judge.group) if plan.groups else 1.0
        members = max(1, len(self.eligibility.members(judge.group)))
        return len(plan.subjects) * share * min(1.0, plan.overlap / members)
