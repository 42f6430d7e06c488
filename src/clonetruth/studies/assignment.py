"""What a judge sees next: training first, then subjects in the judge's own order, mixed with checks and repeats.

Everything follows from the plan, the judges and the current votes; nothing is stored, and a judge who comes back
continues where they left. Each open subject belongs to the judges who rank highest for it by hash (rendezvous hashing):
a judge who joins late takes a fair part of what is left, the subjects of a judge who leaves go to all others, and
nobody else's work moves. A judge who has finished their own subjects helps with those of others.

Where a sitting asks about the methods of a pair first, the judge stays with the pair until it is judged or skipped.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from heapq import nlargest

from clonetruth.store.votes import CastVote, InvitedJudge, ItemKey, ItemKind, VoteKind
from clonetruth.studies.rounds import Eligibility, RoundPlan, SubjectOutcome, Turn, draw, draws, shuffled


class JudgeProgress:
    """What a judge has done so far; votes are added as they arrive.

    Args:
        own: what the judge did so far and did not take back (`VoteStore.votes_of`).
        training: the training items, whose times do not count.

    Attributes:
        judged: the items that the judge has voted on.
        counts: the number of them of each kind.
        judged_pairs: the pairs among them, each with the number of pairs judged before it.
        repeated: the numbers of the pairs that were judged a second time.
        skipped: the items that were skipped and not judged since, with the sequence number of the last skip.
    """

    def __init__(self, own: Iterable[CastVote] = (), training: Container[ItemKey] = ()) -> None:
        self._training = training
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
            if vote.item.kind is ItemKind.REPEAT:
                self.repeated.add(vote.item.number)
            elif vote.item.kind is ItemKind.PAIR:
                self.judged_pairs.setdefault(vote.item, len(self.judged_pairs))
            self.counts[vote.item.kind] += vote.item not in self.judged
            self.judged.add(vote.item)
            self.skipped.pop(vote.item, None)
            # Attention checks count: a median that stands still would tell the judge what they are.
            if vote.item not in self._training and vote.seconds is not None:
                insort(self._seconds, vote.seconds)

    @property
    def own(self) -> Sequence[CastVote]:
        """Everything that the judge did and did not take back, in order."""
        return self._own

    @property
    def last(self) -> CastVote | None:
        """The last thing that the judge did and did not take back."""
        return self._own[-1] if self._own else None

    @property
    def undoable(self) -> str | None:
        """The key of the last thing that the judge did and did not take back."""
        return self._own[-1].vote.key if self._own else None

    @property
    def median_seconds(self) -> float | None:
        """The median time per item after training; None before the first vote with a known time."""
        # `statistics.median` would sort a list that is already sorted.
        middle = len(self._seconds) // 2
        return (self._seconds[middle] + self._seconds[~middle]) / 2 if self._seconds else None

    def skipped_last(self, items: Iterable[ItemKey]) -> list[ItemKey]:
        """The items in their order, with the skipped ones at the end, the one skipped longest ago first."""
        return sorted(items, key=lambda item: self.skipped.get(item, 0))

    def _recount(self, own: Iterable[CastVote]) -> None:
        """Count again from the beginning."""
        self.judged: set[ItemKey] = set()
        self.counts: Counter[ItemKind] = Counter()
        self.judged_pairs: dict[ItemKey, int] = {}
        self.repeated: set[int] = set()
        self.skipped: dict[ItemKey, int] = {}
        self._own: list[CastVote] = []
        self._seconds: list[float] = []
        for cast in own:
            self.add(cast)


_SortKey = tuple[bool, int, ItemKey]

_LONGEST_DISTANCE = 20
"""A pair comes again after a third of a judge's pairs, but after no more than this many."""


class ItemPurpose(StrEnum):
    """Why an item is shown. Judges see only which items are training: checks and repeats look like subjects."""

    TRAINING = "training"
    ATTENTION = "attention"
    REPEAT = "repeat"
    SUBJECT = "subject"


@dataclass(frozen=True)
class AssignedItem:
    """What a judge sees next.

    Attributes:
        key: what is asked about: a pair, a method or a check, or one side of a pair or check.
        purpose: why it is shown.
        swapped: whether its sides are swapped.
        subject: the pair, method or check that it belongs to.
    """

    key: ItemKey
    purpose: ItemPurpose
    swapped: bool
    subject: ItemKey


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
    """Whether a judge sees the sides of a pair or check swapped: for half of them, always the same ones.

    A pair that comes again has its sides the other way round.
    """
    if item.kind is ItemKind.REPEAT:
        return not is_swapped(plan, judge, ItemKey(ItemKind.PAIR, item.number))
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

    @property
    def outcomes(self) -> list[SubjectOutcome]:
        """The state of each subject, in the order of the plan."""
        return [turn.outcome for turn in self._turns.values()]

    def next_item(self, judge: InvitedJudge, progress: JudgeProgress) -> AssignedItem | None:
        """What a judge sees next; None if there is nothing, now or at all."""
        following = next(self._queue(judge, progress), None)
        if following is None:
            return None
        subject, purpose = following
        plan = self.eligibility.plan
        swapped = is_swapped(plan, judge.id, subject)
        key = next(step for step in plan.steps(subject, swapped) if step not in progress.judged or step == subject)
        return AssignedItem(key, purpose, swapped, subject)

    def workload(self, judge: InvitedJudge, progress: JudgeProgress) -> Workload:
        """How many items a judge has done, and how many are left."""
        plan = self.eligibility.plan
        left = len(self._own.get(judge.id, ()))
        if judge.quota is not None:
            left = min(left, max(0, judge.quota - self.judged_subjects(progress)))
        if left:
            left += sum(check not in progress.judged for check in (*plan.training, *plan.attention))
            left += max(0, self._repeats(judge)[0] - len(progress.repeated))
        elif judge.id in self.eligibility.members(judge.group):
            # What is due is left, even if it is a check: a counter that leaves it out would tell what it is.
            left = sum(check not in progress.judged for check in plan.training)
            left += len(self._attention_due(judge, progress)) + (self._repeat_due(judge, progress) is not None)
            left += sum(item.kind is ItemKind.REPEAT for item in progress.skipped)
        # In a sitting, a pair is done when it is judged itself.
        done = (ItemKind.PAIR, ItemKind.CHECK) if plan.sittings else tuple(ItemKind)
        return Workload(sum(progress.counts[kind] for kind in done), left, len(progress.skipped))

    def judged_subjects(self, progress: JudgeProgress) -> int:
        """How many subjects a judge has judged; in a sitting, the methods of a pair are not further subjects."""
        counted = (ItemKind.PAIR,) if self.eligibility.plan.sittings else (ItemKind.PAIR, ItemKind.METHOD)
        return sum(progress.counts[kind] for kind in counted)

    def planned_order(self, judge: InvitedJudge) -> list[ItemKey]:
        """The subjects and attention checks of a judge who judges everything, in the order of their work."""
        stretch = self._expected_subjects(judge) / max(1, len(self.eligibility.plan.attention))
        # A check comes before the subject whose turn it would be.
        places = [(math.floor(stretch * position) - 0.5, item) for item, position in self._attention(judge.id)]
        places += enumerate(self._in_order(judge.id))
        return [item for _, item in sorted(places, key=lambda one: one[0])]

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
        yield from self._unfinished_sitting(judge, progress)
        training = (item for item in self.eligibility.plan.training if item not in progress.judged)
        for item in progress.skipped_last(training):
            yield item, ItemPurpose.TRAINING
        skipped: dict[ItemKey, ItemPurpose] = {}
        for item in self._attention_due(judge, progress):
            if item in progress.skipped:
                skipped[item] = ItemPurpose.ATTENTION
            else:
                yield item, ItemPurpose.ATTENTION
        for item in progress.skipped:
            if item.kind is ItemKind.REPEAT:
                skipped[item] = ItemPurpose.REPEAT
        repeat = self._repeat_due(judge, progress)
        if repeat is not None:
            yield repeat, ItemPurpose.REPEAT
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

    def _unfinished_sitting(
        self, judge: InvitedJudge, progress: JudgeProgress
    ) -> Iterator[tuple[ItemKey, ItemPurpose]]:
        """The pair or check whose method the judge has labelled just now."""
        plan = self.eligibility.plan
        if progress.last is None or progress.last.vote.kind is not VoteKind.VOTE:
            return

        def nearness(item: ItemKey) -> tuple[object, ...]:
            answered = sum(step in progress.judged for step in plan.steps(item))
            is_own = judge.id in self._owners.get(item, ())
            return -answered, not is_own, self._sort_key(judge.id, item) if item in plan.positions else ()

        # Several pairs can share the method: the judge came from the one with most answers, and first in their order.
        for item in sorted(plan.sittings_of.get(progress.last.vote.item, ()), key=nearness):
            if item in progress.judged or item in progress.skipped:
                continue
            if item in plan.training:
                yield item, ItemPurpose.TRAINING
            elif item in plan.attention:
                yield item, ItemPurpose.ATTENTION
            elif judge.id in self._turns[item].eligible:
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
        subjects = self.judged_subjects(progress)
        return [
            item
            for item, position in checks
            if item not in progress.judged and subjects >= math.floor(stretch * position)
        ]

    def _attention_positions(self, judge: str) -> tuple[tuple[ItemKey, float], ...]:
        """A judge's attention checks in order, each with its position, counted in stretches of work."""
        plan = self.eligibility.plan
        checks = shuffled(plan.attention, plan.seed, "attention", judge)
        return tuple((item, at + draw(plan.seed, "place", judge, at)) for at, item in enumerate(checks))

    def _repeat_due(self, judge: InvitedJudge, progress: JudgeProgress) -> ItemKey | None:
        """The pair that a judge sees again now, chosen at random among those that are far enough back."""
        plan = self.eligibility.plan
        count, distance, stretch = self._repeats(judge)
        judged = len(progress.judged_pairs)
        due = sum(
            judged >= math.floor(distance + stretch * (at + draw(plan.seed, "repeat place", judge.id, at)))
            for at in range(count)
        )
        shown = progress.repeated | {item.number for item in progress.skipped if item.kind is ItemKind.REPEAT}
        if due <= len(shown):
            return None
        candidates = [
            item.number
            for item, place in progress.judged_pairs.items()
            if judged - place >= distance and item.number not in shown
        ]
        if not candidates:
            return None
        return ItemKey(ItemKind.REPEAT, min(candidates, key=lambda number: draw(plan.seed, "repeat", judge.id, number)))

    def _repeats(self, judge: InvitedJudge) -> tuple[int, int, float]:
        """How many pairs a judge sees again, after how many others at least, and the pairs from one to the next."""
        plan = self.eligibility.plan
        if not plan.repeats:
            return 0, 0, 0.0
        expected = self._expected_subjects(judge) * plan.pairs / len(plan.subjects)
        distance = max(1, min(_LONGEST_DISTANCE, int(expected / 3)))
        count = max(0, min(plan.repeats, int(expected) - distance))
        return count, distance, (expected - distance) / max(1, count)

    def _expected_subjects(self, judge: InvitedJudge) -> float:
        """The number of subjects that a judge can expect: an equal part of what their group has to judge."""
        plan = self.eligibility.plan
        share = sum(group.share for group in plan.groups if group.name == judge.group) if plan.groups else 1.0
        members = max(1, len(self.eligibility.members(judge.group)))
        expected = len(plan.subjects) * share * min(1.0, plan.overlap / members)
        return expected if judge.quota is None else min(expected, judge.quota)
