"""Whose turn a subject is: k judges of one group, where the protocol has groups, and then perhaps others.

Without groups, all judges are one group. With groups it goes as in GPTCloneBench (III-C2): each group judges its share
of the subjects; what it leaves undecided is put before another group, once; what is still undecided then is for the
panel. A group that lost members and can no longer give a subject its k votes hands it on to the next group.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from clonetruth.model import PairValue
from clonetruth.store.study import Study
from clonetruth.store.study_protocol import JudgeGroup
from clonetruth.store.study_tables import CheckKind
from clonetruth.store.votes import CastVote, InvitedJudge, ItemKey, ItemKind, JudgeRole, Standing

# Chance that can be repeated: draws and orders by hash, the same on every machine and after every restart.

T = TypeVar("T")

_RANGE = 2**64


def draw(*about: object) -> float:
    """A number from 0 up to but not 1, drawn for whatever is named."""
    return int.from_bytes(hashlib.blake2b(_name(about), digest_size=8).digest(), "big") / _RANGE


def draws(count: int, *about: object) -> array[int]:
    """So many whole numbers of 64 bits, drawn for whatever is named: as many as there are subjects, in one hash."""
    numbers = array("Q", hashlib.shake_128(_name(about)).digest(8 * count))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def shuffled(items: Iterable[T], *about: object) -> list[T]:
    """The items in an order drawn for whatever is named; tuples count by their parts."""
    return sorted(items, key=lambda item: draw(*about, *(item if isinstance(item, tuple) else (item,))))


def _name(about: Iterable[object]) -> bytes:
    # The separator is in no name, so that ("a", "bc") and ("ab", "c") are two draws.
    return "\x1f".join(map(str, about)).encode("utf-8", "surrogatepass")


_ROUNDS = 2
_EVERYBODY = JudgeGroup("", 1.0)
_NOBODY: tuple[frozenset[str], int] = (frozenset(), 0)


@dataclass(frozen=True, eq=False)
class RoundPlan:
    """What is shared out among judges, and how.

    Attributes:
        seed: of every order and draw.
        subjects: the pairs and methods; a judge gets all pairs before the first method.
        overlap: how many judges (of one group) judge a subject.
        groups: the groups with their shares; none where every judge may get every subject.
        panel: the group of adjudicators who decide what stays undecided.
        training: checks that come first, in this order.
        attention: checks that are mixed among the subjects.
    """

    seed: int
    subjects: tuple[ItemKey, ...]
    overlap: int = 2
    groups: tuple[JudgeGroup, ...] = ()
    panel: str | None = None
    training: tuple[ItemKey, ...] = ()
    attention: tuple[ItemKey, ...] = ()

    @cached_property
    def places(self) -> Mapping[ItemKey, int]:
        """Where each subject stands among the subjects."""
        return {item: place for place, item in enumerate(self.subjects)}

    @cached_property
    def rotations(self) -> Mapping[ItemKey, tuple[str, ...]]:
        """For each subject the groups in the order in which it is their turn; the first is by the shares."""
        groups = self.groups or (_EVERYBODY,)
        names = [group.name for group in groups]
        found: dict[ItemKey, tuple[str, ...]] = {}
        for kind in (ItemKind.PAIR, ItemKind.METHOD):
            mixed = shuffled([item for item in self.subjects if item.kind is kind], self.seed, "groups")
            # Every border is rounded for itself, so that the parts meet and differ from the shares by less than one.
            borders = [round(len(mixed) * share) for share in accumulate(group.share for group in groups)]
            for name, start, end in zip(names, [0, *borders], borders, strict=False):
                others = [other for other in names if other != name]
                for item in mixed[start:end]:
                    found[item] = (name, *shuffled(others, self.seed, "rotation", *item))
        return found

    @cached_property
    def distinct_rotations(self) -> frozenset[tuple[str, ...]]:
        """The rotations that there are."""
        return frozenset(self.rotations.values())


def plan_of(study: Study) -> RoundPlan:
    """The plan that a study's protocol asks for."""
    protocol = study.plan.protocol
    checks: dict[str, list[ItemKey]] = {kind: [] for kind in CheckKind}
    for number, kind in zip(study.checks["check"].to_pylist(), study.checks["kind"].to_pylist(), strict=True):
        checks[kind].append(ItemKey(ItemKind.CHECK, number))
    return RoundPlan(
        seed=study.plan.seed,
        subjects=(
            *(ItemKey(ItemKind.PAIR, number) for number in range(study.subjects.num_rows)),
            *(ItemKey(ItemKind.METHOD, number) for number in range(study.methods.num_rows)),
        ),
        overlap=protocol.overlap,
        groups=protocol.groups,
        panel=protocol.panel,
        training=tuple(checks[CheckKind.TRAINING]),
        attention=tuple(checks[CheckKind.ATTENTION]),
    )


class SubjectOutcome(StrEnum):
    """How far a subject is: votes are wanting, all agree, judges differ, or it stayed undecided."""

    OPEN = "open"
    AGREED = "agreed"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Turn:
    """Whose turn a subject is.

    Attributes:
        outcome: how far it is.
        free: who may vote on it now; empty where it is not open.
        wanting: how many of them are needed.
    """

    outcome: SubjectOutcome
    free: frozenset[str] = frozenset()
    wanting: int = 0


@dataclass(frozen=True, eq=False)
class Eligibility:
    """The judges of a study at one time, and what stands of their votes.

    Attributes:
        plan: what is shared out.
        judges: everybody who was ever invited.
        standing: the votes that stand.
        now: who has expired by then is no longer counted on.
    """

    plan: RoundPlan
    judges: Sequence[InvitedJudge]
    standing: Standing
    now: datetime

    @cached_property
    def _groups(self) -> Mapping[str, str]:
        """The group of each judge, by id."""
        voters = (judge for judge in self.judges if judge.role is JudgeRole.JUDGE)
        if not self.plan.groups:
            return {judge.id: _EVERYBODY.name for judge in voters}
        return {judge.id: judge.group for judge in voters if judge.group is not None}

    @cached_property
    def _members(self) -> Mapping[str, tuple[frozenset[str], int]]:
        """For each group those who can still vote, and how many there ever were."""
        able = {judge.id for judge in self.judges if judge.active(self.now)}
        members: dict[str, set[str]] = {}
        for judge, group in self._groups.items():
            members.setdefault(group, set()).add(judge)
        return {group: (frozenset(ever & able), len(ever)) for group, ever in members.items()}

    @cached_property
    def _untouched(self) -> Mapping[tuple[str, ...], Turn]:
        """Whose turn a subject without votes is, by its rotation: most subjects of a young study are alike."""
        return {rotation: self._turn(rotation, {}) for rotation in self.plan.distinct_rotations}

    @cached_property
    def voters(self) -> frozenset[str]:
        """Everybody who can still vote, in whichever group."""
        return frozenset().union(*(able for able, _ in self._members.values()))

    def holds(self, judges: Sequence[InvitedJudge], now: datetime) -> bool:
        """Whether the same people can vote at a later time, if these are the judges by then."""
        return judges == self.judges and not any(self.now < judge.expires <= now for judge in judges)

    def members(self, group: str | None) -> frozenset[str]:
        """Who can vote together with a judge of this group."""
        return self._members.get((group or "") if self.plan.groups else _EVERYBODY.name, _NOBODY)[0]

    def turn(self, item: ItemKey) -> Turn:
        """Whose turn a subject is."""
        rotation, votes = self.plan.rotations[item], self.standing.get(item)
        return self._turn(rotation, votes) if votes else self._untouched[rotation]

    def _turn(self, rotation: Sequence[str], votes: Mapping[str, CastVote]) -> Turn:
        by_group: dict[str, list[str | None]] = {}
        for judge, cast in votes.items():
            if judge in self._groups:
                by_group.setdefault(self._groups[judge], []).append(cast.vote.value)
        rounds = 0
        handed_on: Turn | None = None
        for group in rotation:
            said = by_group.get(group, [])
            able, ever = self._members.get(group, _NOBODY)
            wanting = self.plan.overlap - len(said)
            if wanting <= 0:
                if PairValue.UNDECIDED not in said:
                    return Turn(SubjectOutcome.AGREED if len(set(said)) == 1 else SubjectOutcome.DIFFERENT)
                rounds += 1
                if rounds == _ROUNDS:
                    return Turn(SubjectOutcome.UNDECIDED)
                continue
            free = able - votes.keys()
            if len(free) >= wanting or ever < self.plan.overlap:
                return Turn(SubjectOutcome.OPEN, free, wanting)
            handed_on = handed_on or Turn(SubjectOutcome.OPEN, free, wanting)
        return handed_on or Turn(SubjectOutcome.UNDECIDED)

    def open_disagreements(self, adjudicator: InvitedJudge, decided: Mapping[ItemKey, CastVote]) -> tuple[ItemKey, ...]:
        """The subjects that wait for a decision.

        Args:
            adjudicator: who asks. The panel gets what stayed undecided; others also that on which judges differ.
            decided: the decisions so far.
        """
        wanted = {SubjectOutcome.UNDECIDED}
        if self.plan.panel is None or adjudicator.group != self.plan.panel:
            wanted.add(SubjectOutcome.DIFFERENT)
        judged = (item for item in self.plan.subjects if item in self.standing and item not in decided)
        return tuple(item for item in judged if self.turn(item).outcome in wanted)
