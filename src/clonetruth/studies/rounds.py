"""Which judges may vote on a subject: k judges of one group, and then perhaps another group, and who decides the rest.

Without groups, all judges form one group. With groups, each judges its share of the subjects. The protocol says what
happens to a subject on which the judges of a group differ, or which one of them leaves undecided: it goes to another
group, never to the same one twice, and in the end to an adjudicator, a discussion, a panel, or nobody
(`store.study_protocol.Settlement`). A group that lost members and can no longer give a subject its k votes passes it to
the next group.

Where the methods of a pair are judged in the same sitting, the pair is the subject, and its methods come along.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property, partial
from itertools import accumulate
from typing import TypeVar

from clonetruth.errors import InputError
from clonetruth.model import PairValue
from clonetruth.store.study import Study
from clonetruth.store.study_protocol import JudgeGroup, Settlement
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
        repeats: number of pairs that a judge sees a second time.
        different: what happens, in order, where the judges of a subject differ.
        undecided: what happens, in order, where one of them is undecided.
        quorum: number of people who must take part in a joint decision.
        sittings: the left and the right method of each pair and check whose methods are judged first; empty if methods
            are separate subjects.
        extended: for each kind, the numbers of the subjects with which an extension of the sample begins.
    """

    seed: int
    subjects: tuple[ItemKey, ...]
    overlap: int = 2
    groups: tuple[JudgeGroup, ...] = ()
    panel: str | None = None
    training: tuple[ItemKey, ...] = ()
    attention: tuple[ItemKey, ...] = ()
    repeats: int = 0
    different: tuple[Settlement, ...] = (Settlement.ADJUDICATOR,)
    undecided: tuple[Settlement, ...] = (Settlement.NEXT_GROUP, Settlement.ADJUDICATOR)
    quorum: int = 1
    sittings: Mapping[ItemKey, tuple[ItemKey, ItemKey]] = field(default_factory=dict)
    extended: Mapping[ItemKind, tuple[int, ...]] = field(default_factory=dict)

    def steps(self, item: ItemKey, swapped: bool = False) -> tuple[ItemKey, ...]:
        """What is asked about a subject or check, in order: its methods as the judge sees them, then itself."""
        methods = self.sittings.get(item, ())
        return (*(methods[::-1] if swapped else methods), item)

    @cached_property
    def sittings_of(self) -> Mapping[ItemKey, tuple[ItemKey, ...]]:
        """The sittings in which a method is judged, by method."""
        found: dict[ItemKey, list[ItemKey]] = {}
        for item, methods in self.sittings.items():
            for method in dict.fromkeys(methods):
                found.setdefault(method, []).append(item)
        return {method: tuple(items) for method, items in found.items()}

    def settlement(self, outcome: SubjectOutcome) -> tuple[Settlement, ...]:
        """What happens to a subject with an outcome, in order."""
        return {SubjectOutcome.DIFFERENT: self.different, SubjectOutcome.UNDECIDED: self.undecided}.get(outcome, ())

    @cached_property
    def positions(self) -> Mapping[ItemKey, int]:
        """The position of each subject in `subjects`."""
        return {item: position for position, item in enumerate(self.subjects)}

    @cached_property
    def pairs(self) -> int:
        """The number of subjects that are pairs."""
        return sum(item.kind is ItemKind.PAIR for item in self.subjects)

    @cached_property
    def rotations(self) -> Mapping[ItemKey, tuple[str, ...]]:
        """The groups of each subject in the order of their turns; the shares determine the first one."""
        groups = self.groups or (_ALL_JUDGES,)
        names = [group.name for group in groups]
        rotations: dict[ItemKey, tuple[str, ...]] = {}
        # Each extension is divided apart: a subject that a group has begun to judge stays with it.
        batches: dict[tuple[ItemKind, int], list[ItemKey]] = {}
        for item in self.subjects:
            batches.setdefault((item.kind, bisect_right(self.extended.get(item.kind, ()), item.number)), []).append(
                item
            )
        for batch in batches.values():
            mixed = shuffled(batch, self.seed, "groups")
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
    pairs = tuple(ItemKey(ItemKind.PAIR, number) for number in range(study.subjects.num_rows))
    methods = tuple(ItemKey(ItemKind.METHOD, number) for number in range(study.methods.num_rows))
    return RoundPlan(
        seed=study.plan.seed,
        subjects=pairs if protocol.sitting else pairs + methods,
        overlap=protocol.overlap,
        groups=protocol.groups,
        panel=protocol.panel,
        training=tuple(checks[CheckKind.TRAINING]),
        attention=tuple(checks[CheckKind.ATTENTION]),
        repeats=protocol.repeats,
        different=protocol.different,
        undecided=protocol.undecided,
        quorum=protocol.quorum,
        extended={
            ItemKind.PAIR: tuple(one.subjects for one in study.plan.extensions),
            ItemKind.METHOD: tuple(one.methods for one in study.plan.extensions),
        },
        sittings=_sittings(study, [item for items in checks.values() for item in items]) if protocol.sitting else {},
    )


def _sittings(study: Study, checks: Iterable[ItemKey]) -> dict[ItemKey, tuple[ItemKey, ItemKey]]:
    """The methods of pairs and checks. A pair without a functionality has none: only the pair is asked about."""
    method = partial(ItemKey, ItemKind.METHOD)
    return {
        **{
            ItemKey(ItemKind.PAIR, pair): (method(left), method(right))
            for pair, (left, right) in study.methods_of_pairs.items()
        },
        **{
            item: (ItemKey(ItemKind.CHECK_LEFT, item.number), ItemKey(ItemKind.CHECK_RIGHT, item.number))
            for item in checks
        },
    }


@dataclass(frozen=True)
class SettlementRule:
    """How a subject is decided.

    Attributes:
        by: an adjudicator, a discussion or a panel.
        quorum: number of people who must take part.
        candidates: the people who may take part in a joint decision; empty if one adjudicator decides.
    """

    by: Settlement
    quorum: int
    candidates: tuple[InvitedJudge, ...]


class SubjectOutcome(StrEnum):
    """The state of a subject: votes are missing, all judges agree, they differ, or it stayed undecided."""

    OPEN = "open"
    AGREED = "agreed"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


def group_outcome(values: Collection[str | None]) -> SubjectOutcome:
    """The outcome of a group that has given all its votes on a subject."""
    if PairValue.UNDECIDED in values:
        return SubjectOutcome.UNDECIDED
    return SubjectOutcome.AGREED if len(set(values)) == 1 else SubjectOutcome.DIFFERENT


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
        active = {judge.id for judge in self.judges if judge.active(self.now)} - self.spent
        members: dict[str, set[str]] = {}
        for judge, group in self._groups.items():
            members.setdefault(group, set()).add(judge)
        return {group: (frozenset(invited & active), len(invited)) for group, invited in members.items()}

    @cached_property
    def spent(self) -> frozenset[str]:
        """The judges who have judged as many subjects as their quota permits. Their other subjects go to others."""
        quotas = {judge.id: judge.quota for judge in self.judges if judge.quota is not None}
        if not quotas:
            return frozenset()
        subjects = (votes for item, votes in self.current_votes.items() if item in self.plan.positions)
        judged = Counter(judge for votes in subjects for judge in votes)
        return frozenset(judge for judge, quota in quotas.items() if judged[judge] >= quota)

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
        ended = Turn(SubjectOutcome.UNDECIDED)
        passed_on: Turn | None = None
        for group in rotation:
            values = by_group.get(group, [])
            active, invited = self._members.get(group, _NO_MEMBERS)
            missing = self.plan.overlap - len(values)
            if missing <= 0:
                outcome = group_outcome(values)
                ended = Turn(outcome)
                if self.plan.settlement(outcome).count(Settlement.NEXT_GROUP) <= rounds:
                    return ended
                rounds += 1
                continue
            eligible = active - votes.keys()
            if len(eligible) >= missing or invited < self.plan.overlap:
                return Turn(SubjectOutcome.OPEN, eligible, missing)
            passed_on = passed_on or Turn(SubjectOutcome.OPEN, eligible, missing)
        return passed_on or ended

    def open_disagreements(self, adjudicator: InvitedJudge, decided: Mapping[ItemKey, CastVote]) -> tuple[ItemKey, ...]:
        """The subjects that await a decision in which an adjudicator may take part.

        Args:
            adjudicator: the adjudicator. The panel gets what the protocol leaves to it, and subjects that stayed
                undecided; other adjudicators get what the protocol leaves to an adjudicator or a discussion.
            decided: the decisions so far.
        """
        wanted = {outcome for outcome in SubjectOutcome if self._may_decide(adjudicator, outcome)}
        judged = (item for item in self.plan.subjects if item in self.current_votes and item not in decided)
        return tuple(item for item in judged if self.turn(item).outcome in wanted)

    def _may_decide(self, adjudicator: InvitedJudge, outcome: SubjectOutcome) -> bool:
        steps = self.plan.settlement(outcome)
        if not steps or steps[-1] is Settlement.EXCLUDE:
            return False
        of_panel = self.plan.panel is not None and adjudicator.group == self.plan.panel
        if steps[-1] is Settlement.PANEL:
            return of_panel
        return not of_panel or outcome is SubjectOutcome.UNDECIDED

    def check_decision(self, adjudicator: InvitedJudge, item: ItemKey, participants: Collection[str]) -> None:
        """Refuse a decision that the protocol does not leave to these people.

        Args:
            adjudicator: who records it.
            item: the subject.
            participants: ids of everybody who took part; empty if one adjudicator decides alone.

        Raises:
            InputError: the adjudicator may not decide the subject, too few people took part, or somebody who may not.
        """
        outcome, rule = self.turn(item).outcome, self.settlement_rule(item)
        if self.plan.settlement(outcome) and not self._may_decide(adjudicator, outcome):
            raise InputError(f"You cannot decide this subject: the protocol says '{rule.by}'.")
        if set(participants) - {one.id for one in rule.candidates}:
            raise InputError("Somebody who may not take part in this decision is named as a participant.")
        if rule.candidates and len(set(participants)) < rule.quorum:
            raise InputError(
                f"A decision by {rule.by} needs at least {rule.quorum} participants; {len(set(participants))} named.",
                hint="Name everybody who took part.",
            )

    def settlement_rule(self, item: ItemKey) -> SettlementRule:
        """Who decides a subject: one adjudicator, or several people together, and who can be among them.

        Panels consist of the panel's adjudicators. A discussion is open to the judges of the subject and to all other
        judges and adjudicators, the judges of the subject first.
        """
        steps = self.plan.settlement(self.turn(item).outcome)
        by = steps[-1] if steps else Settlement.ADJUDICATOR
        active = [judge for judge in self.judges if judge.active(self.now)]
        if by is Settlement.PANEL:
            members = [one for one in active if one.role is JudgeRole.ADJUDICATOR and one.group == self.plan.panel]
            return SettlementRule(by, self.plan.quorum, tuple(members))
        if by is not Settlement.DISCUSSION:
            return SettlementRule(by, 1, ())
        people = [one for one in active if one.role is not JudgeRole.OWNER]
        voted = self.current_votes.get(item, {})
        return SettlementRule(by, max(2, self.plan.quorum), tuple(sorted(people, key=lambda one: one.id not in voted)))
