"""What a judge sees next: training, then subjects in an order of their own, with attention checks among them.

Everything is computed from the plan, the judges and the votes that stand; nothing is stored. A judge who comes back
goes on where they left. Each open subject belongs to the judges who rank highest for it by hash (rendezvous hashing):
somebody who joins late takes a fair part of what is left, somebody who leaves gives theirs to all others, and nobody
else's work moves. Whoever is through with their own helps with what others have not done yet.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from clonetruth.labelling.rounds import Plan, Roll
from clonetruth.labelling.shuffling import draw, shuffled
from clonetruth.store.ballots import BallotKind, CastVote, InvitedJudge, ItemKey, ItemKind

_JUDGES_KEPT = 256


class Purpose(StrEnum):
    """Why an item is shown. A judge learns of training only: an attention check looks like a subject."""

    TRAINING = "training"
    ATTENTION = "attention"
    SUBJECT = "subject"


@dataclass(frozen=True)
class Item:
    """What a judge sees next, and whether with the right side on the left."""

    key: ItemKey
    purpose: Purpose
    swapped: bool


@dataclass(frozen=True)
class Progress:
    """How far a judge is.

    Attributes:
        done: subjects and checks judged.
        left: those that wait for this judge, skipped ones included. Helping others is not counted.
        skipped: those put off, and not judged since.
    """

    done: int
    left: int
    skipped: int


def is_swapped(plan: Plan, judge: str, item: ItemKey) -> bool:
    """Whether a judge sees the sides of an item swapped: for half of the items, always the same."""
    return item.kind is not ItemKind.METHOD and draw(plan.seed, "sides", judge, *item) < 0.5


def next_item(roll: Roll, judge: InvitedJudge, own: Sequence[CastVote]) -> Item | None:
    """What a judge sees next.

    Args:
        roll: the judges of the study and what stands of their votes.
        judge: who asks.
        own: what the judge did and did not take back (`BallotBox.votes_of`).

    Returns:
        The item, or None where there is nothing for this judge, now or at all.
    """
    found = next(_queue(roll, judge, _Desk.of(own)), None)
    if found is None:
        return None
    key, purpose = found
    return Item(key, purpose, is_swapped(roll.plan, judge.id, key))


def progress(roll: Roll, judge: InvitedJudge, own: Sequence[CastVote]) -> Progress:
    """How far a judge is; the arguments are those of `next_item`."""
    desk = _Desk.of(own)
    left = sum(is_own for _, is_own in _open(roll, judge, desk))
    if left:
        left += sum(check not in desk.judged for check in (*roll.plan.training, *roll.plan.attention))
    return Progress(len(desk.judged), left, len(desk.skipped))


@dataclass(frozen=True)
class _Desk:
    """What a judge has judged, and when they last put off what they have not."""

    judged: frozenset[ItemKey]
    skipped: Mapping[ItemKey, int]

    @staticmethod
    def of(own: Sequence[CastVote]) -> _Desk:
        judged = frozenset(cast.vote.item for cast in own if cast.vote.kind is BallotKind.VOTE)
        skips = {cast.vote.item: cast.sequence for cast in own if cast.vote.kind is BallotKind.SKIP}
        return _Desk(judged, {item: sequence for item, sequence in skips.items() if item not in judged})

    def put_off_last(self, items: Iterable[ItemKey]) -> list[ItemKey]:
        """The items in their order, but the skipped ones behind the others, the longest put off first."""
        return sorted(items, key=lambda item: self.skipped.get(item, 0))


def _queue(roll: Roll, judge: InvitedJudge, desk: _Desk) -> Iterator[tuple[ItemKey, Purpose]]:
    """All that waits for a judge, in order. It is computed only as far as it is read."""
    if judge.id not in roll.members(judge.group):
        return
    for item in desk.put_off_last(item for item in roll.plan.training if item not in desk.judged):
        yield item, Purpose.TRAINING
    put_off: dict[ItemKey, Purpose] = {}
    for item in _attention_due(roll, judge, desk):
        if item in desk.skipped:
            put_off[item] = Purpose.ATTENTION
        else:
            yield item, Purpose.ATTENTION
    helping: list[ItemKey] = []
    for item, is_own in _open(roll, judge, desk):
        if not is_own:
            helping.append(item)
        elif item in desk.skipped:
            put_off[item] = Purpose.SUBJECT
        else:
            yield item, Purpose.SUBJECT
    for item in desk.put_off_last(put_off):
        yield item, put_off[item]
    for item in desk.put_off_last(helping):
        yield item, Purpose.SUBJECT


def _open(roll: Roll, judge: InvitedJudge, desk: _Desk) -> Iterator[tuple[ItemKey, bool]]:
    """The subjects that this judge may judge now, in the judge's order, and whether each is the judge's own.

    It is when the judge is among the highest of those who may judge it, as many as are wanting.
    """
    ranks = {other: _ranks(roll.plan, other) for other in roll.members(judge.group)}
    for item in _order(roll.plan, judge.id, _likely(roll.plan, len(ranks))):
        if item in desk.judged:
            continue
        turn = roll.turn(item)
        if judge.id in turn.free:
            own = ranks[judge.id][item]
            higher = (other for other in turn.free if ranks[other][item] > own)
            # Not counted to the end: with many judges, as many as are wanting are found soon.
            yield item, sum(1 for _ in islice(higher, turn.wanting)) < turn.wanting


def _attention_due(roll: Roll, judge: InvitedJudge, desk: _Desk) -> list[ItemKey]:
    """The attention checks whose place has come: one at a drawn place in each stretch of the judge's work."""
    plan = roll.plan
    if not plan.attention:
        return []
    done = sum(item.kind is not ItemKind.CHECK for item in desk.judged)
    stretch = _expected(roll, judge) / len(plan.attention)
    checks = shuffled(plan.attention, plan.seed, "attention", judge.id)
    return [
        item
        for at, item in enumerate(checks)
        if item not in desk.judged and done >= math.floor(stretch * (at + draw(plan.seed, "place", judge.id, at)))
    ]


def _expected(roll: Roll, judge: InvitedJudge) -> float:
    """How many subjects a judge can expect: an equal part of what their group has to judge."""
    plan = roll.plan
    share = sum(group.share for group in plan.groups if group.name == judge.group) if plan.groups else 1.0
    return len(plan.subjects) * share * min(1.0, plan.overlap / max(1, len(roll.members(judge.group))))


@lru_cache(maxsize=_JUDGES_KEPT)
def _ranks(plan: Plan, judge: str) -> Mapping[ItemKey, float]:
    return {item: draw(plan.seed, "rank", judge, *item) for item in plan.subjects}


@lru_cache(maxsize=_JUDGES_KEPT)
def _order(plan: Plan, judge: str, likely: float) -> tuple[ItemKey, ...]:
    """The subjects in a judge's order: all pairs before the first method, since changing the question costs time.

    The share that is most likely the judge's own comes first, and is found soon. Within it the order is not by rank:
    all who rank high for a subject would see it early, and tire on the same ones.
    """
    ranks = _ranks(plan, judge)
    return tuple(
        sorted(
            plan.subjects,
            key=lambda item: (
                item.kind is ItemKind.METHOD,
                ranks[item] < 1 - likely,
                draw(plan.seed, "order", judge, *item),
            ),
        )
    )


def _likely(plan: Plan, judges: int) -> float:
    """A share of the subjects that holds nearly all of a judge's own; it changes only when the judges double."""
    return min(1.0, 2 * plan.overlap / (1 << (judges.bit_length() - 1))) if judges else 1.0
