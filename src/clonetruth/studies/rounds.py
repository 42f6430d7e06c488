"""Which judges may vote on a subject: k judges of one group, and then perhaps another group.

Without groups, all judges form one group. With groups the rounds follow GPTCloneBench (III-C2): each group judges its
share of the subjects; a subject that it leaves undecided goes to another group, once; a subject that is still undecided
goes to the panel. A group that lost members and can no longer give a subject its k votes passes it to the next group.
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
from clonetruth.store.votes import CastVote, InvitedJudge, ItemKey, ItemKind, JudgeRole, VotesByItem

# Reproducible random numbers: drawn by hash, the same on every machine and after every restart.

T = TypeVar("T")

_RANGE = 2**64


def draw(*key: object) -> float:
    """A random number in [0, 1), determined by the key."""
    return int.from_bytes(hashlib.blake2b(_encode(key), digest_size=8).digest(), "big") / _RANGE


def draws(count: int, *key: object) -> array[int]:
    """`count` random 64-bit integers, determined by the key and computed in one hash."""
    numbers = array("Q", hashlib.shake_128(_encode(key)).digest(8 * count))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def shuffled(items: Iterable[T], *key: object) -> list[T]:
    """The items in a random order, determined by the key; the parts of a tuple are hashed one by one."""
    return sorted(items, key=lambda item: draw(*key, *(item if isinstance(item, tuple) else (item,))))


def _encode(key: Iterable[object]) -> bytes:
    # The separator occurs in no part, so that ("a", "bc") and ("ab", "c") are different keys.
    return "\x1f".join(map(str, key)).encode("utf-8", "surrogatepass")


_ROUNDS = 2
_ALL_JUDGES = JudgeGroup("", 1.0)
_NO_MEMBERS: tuple[frozenset[str], int] = (frozenset(), 0)


@dataclass(frozen=True, eq=False)
class RoundPlan:
    """What the judges have to judge, and how it is divided among them.

    Attributes:
        seed: the random seed of all orders and draws.
        subjects: the pairs and methods; a judge gets all pairs before the first method.
        overlap: the number of judges (of one group) per subject.
        groups: the groups with their shares; empty if every judge may get every subject.
        panel: the group of adjudicators who decide the subjects that stay undecided.
        training: checks that come first, in this order.
        attention: checks that are mixed with the subjects.
    """

    seed: int
    subjects: tuple[ItemKey, ...]
    overlap: int = 2
    groups: tuple[JudgeGroup, ...] = ()
    panel: str | None = None
    training: tuple[ItemKey, ...] = ()
    attention: tuple[ItemKey, ...] = ()

    @cached_property
    def positions(self) -> Mapping[ItemKey, int]:
        """The position of each subject in `subjects`."""
        return {item: position for position, item in enumerate(self.subjects)}

    @cached_property
    def rotations(self) -> Mapping[ItemKey, tuple[str, ...]]:
        """The groups of each subject in the order of their turns; the shares determine the first one."""
        groups = self.groups or (_ALL_JUDGES,)
        names = [group.name for group in groups]
        rotations: dict[ItemKey, tuple[str, ...]] = {}
        for kind in (ItemKind.PAIR, ItemKind.METHOD):
            mixed = shuffled([item for item in self.subjects if item.kind is kind], self.seed, "groups")
            # Rounding the cumulative shares leaves no gaps, and each part differs from its share by less than one.
            borders = [round(len(mixed) * share) for share in accumulate(group.share for group in groups)]
            for name, start, end in zip(names, [0, *borders], borders, strict=False):
                others = [other for other in names if other != name]
                for item in mixed[start:end]:
                    rotations[item] = (name, *shuffled(others, self.seed, "rotation", *item))
        return rotations

    @cached_property
    def distinct_rotations(self) -> frozenset[tuple[str, ...]]:
        """All rotations that occur."""
        return frozenset(self.rotations.values())


def plan_rounds(study: Study) -> RoundPlan:
    """Make the plan that a study's protocol asks for."""
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
    """The state of a subject: votes are missing, all judges agree, they differ, or it stayed undecided."""

    OPEN = "open"
    AGREED = "agreed"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Turn:
    """The state of a subject, and who may vote on it next.

    Attributes:
        outcome: its state.
        eligible: the judges who may vote on it now; empty if it is not open.
        missing: the number of votes that are still missing.
    """

    outcome: SubjectOutcome
    eligible: frozenset[str] = frozenset()
    missing: int = 0


@dataclass(frozen=True, eq=False)
class Eligibility:
    """Which judges may vote on which subjects at one time.

    Attributes:
        plan: what the judges have to judge.
        judges: everybody who was ever invited.
        current_votes: the current votes, by item.
        now: the time; judges whose link has expired by then cannot vote.
    """

    plan: RoundPlan
    judges: Sequence[InvitedJudge]
    current_votes: VotesByItem
    now: datetime

    @cached_property
    def _groups(self) -> Mapping[str, str]:
        """The group of each judge, by id."""
        voters = (judge for judge in self.judges if judge.role is JudgeRole.JUDGE)
        if not self.plan.groups:
            return {judge.id: _ALL_JUDGES.name for judge in voters}
        return {judge.id: judge.group for judge in voters if judge.group is not None}

    @cached_property
    def _members(self) -> Mapping[str, tuple[frozenset[str], int]]:
        """For each group, the members who can still vote, and the number of all members ever invited."""
        active = {judge.id for judge in self.judges if judge.active(self.now)}
        members: dict[str, set[str]] = {}
        for judge, group in self._groups.items():
            members.setdefault(group, set()).add(judge)
        return {group: (frozenset(invited & active), len(invited)) for group, invited in members.items()}

    @cached_property
    def _turns_without_votes(self) -> Mapping[tuple[str, ...], Turn]:
        """The turn of a subject without votes, by its rotation: most subjects of a young study are alike."""
        return {rotation: self._turn(rotation, {}) for rotation in self.plan.distinct_rotations}

    @cached_property
    def voters(self) -> frozenset[str]:
        """Everybody who can still vote, in any group."""
        return frozenset().union(*(active for active, _ in self._members.values()))

    def is_current(self, judges: Sequence[InvitedJudge], now: datetime) -> bool:
        """Whether the same people can vote at a later time, given the judges at that time."""
        return judges == self.judges and not any(self.now < judge.expires <= now for judge in judges)

    def members(self, group: str | None) -> frozenset[str]:
        """The members of a group who can still vote."""
        return self._members.get((group or "") if self.plan.groups else _ALL_JUDGES.name, _NO_MEMBERS)[0]

    def turn(self, item: ItemKey) -> Turn:
        """The state of a subject, and who may vote on it next."""
        rotation, votes = self.plan.rotations[item], self.current_votes.get(item)
        return self._turn(rotation, votes) if votes else self._turns_without_votes[rotation]

    def _turn(self, rotation: Sequence[str], votes: Mapping[str, CastVote]) -> Turn:
        by_group: dict[str, list[str | None]] = {}
        for judge, cast in votes.items():
            if judge in self._groups:
                by_group.setdefault(self._groups[judge], []).append(cast.vote.value)
        rounds = 0
        passed_on: Turn | None = None
        for group in rotation:
            values = by_group.get(group, [])
            active, invited = self._members.get(group, _NO_MEMBERS)
            missing = self.plan.overlap - len(values)
            if missing <= 0:
                if PairValue.UNDECIDED not in values:
                    return Turn(SubjectOutcome.AGREED if len(set(values)) == 1 else SubjectOutcome.DIFFERENT)
                rounds += 1
                if rounds == _ROUNDS:
                    return Turn(SubjectOutcome.UNDECIDED)
                continue
            eligible = active - votes.keys()
            if len(eligible) >= missing or invited < self.plan.overlap:
                return Turn(SubjectOutcome.OPEN, eligible, missing)
            passed_on = passed_on or Turn(SubjectOutcome.OPEN, eligible, missing)
        return passed_on or Turn(SubjectOutcome.UNDECIDED)

    def open_disagreements(self, adjudicator: InvitedJudge, decided: Mapping[ItemKey, CastVote]) -> tuple[ItemKey, ...]:
        """The subjects that await a decision.

        Args:
            adjudicator: the adjudicator. The panel gets the subjects that stayed undecided; other adjudicators also
                get those on which judges differ.
            decided: the decisions so far.
        """
        wanted = {SubjectOutcome.UNDECIDED}
        if self.plan.panel is None or adjudicator.group != self.plan.panel:
            wanted.add(SubjectOutcome.DIFFERENT)
        judged = (item for item in self.plan.subjects if item in self.current_votes and item not in decided)
        return tuple(item for item in judged if self.turn(item).outcome in wanted)
