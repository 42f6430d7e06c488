"""What groups of judges concluded, round by round, as GPTCloneBench reports it: true, false, disputed, undecided."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from clonetruth.model import PairValue
from clonetruth.store.votes import ItemKey, ItemKind
from clonetruth.studies.rounds import RoundPlan, SubjectOutcome, group_outcome
from clonetruth.verdicts.latest_judgements import LatestJudgements
from clonetruth.verdicts.policies import deciding_judges, judge_roles


@dataclass(frozen=True)
class RoundCount:
    """The pairs that a group judged in one round, or that were decided together in the end.

    Attributes:
        round: the number of the round, from 1; 0 for joint decisions.
        group: the group; the empty text for joint decisions.
        pairs: number of pairs in this round.
        true: all members said clone.
        false: all members said not-clone.
        disputed: the members differ; the pair is neither a clone nor a non-clone.
        undecided: a member was undecided.
        open: answers are missing.
    """

    round: int
    group: str
    pairs: int
    true: int
    false: int
    disputed: int
    undecided: int
    open: int


def count_rounds(plan: RoundPlan, judgements: LatestJudgements) -> tuple[RoundCount, ...]:
    """Count the pairs of each group in each round, and the decisions; nothing if the plan has no groups.

    Args:
        plan: the plan of the rounds.
        judgements: the latest judgements on pairs.
    """
    if not plan.groups:
        return ()
    teams = {row["judge"]: row["team"] for row in judge_roles(judgements.judges)["teams"].to_pylist()}
    deciding = set(deciding_judges(judgements.judges))
    answers: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    decisions: dict[int, set[str]] = defaultdict(set)
    for row in judgements.as_pairs().rows.select(["subject", "judge", "value"]).to_pylist():
        if row["judge"] in deciding:
            decisions[row["subject"]].add(row["value"])
        elif row["judge"] in teams:
            answers[row["subject"]][teams[row["judge"]]].append(row["value"])
    counts: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    for item in plan.subjects:
        if item.kind is ItemKind.PAIR:
            for key, state in _course(plan, item, answers[item.number]):
                counts[key][state] += 1
    for values in decisions.values():
        counts[0, ""][_state(list(values), 1)] += 1
    return tuple(
        RoundCount(number, group, states.total(), *(states[state] for state in _STATES))
        for (number, group), states in sorted(
            counts.items(), key=lambda one: (one[0][0] or len(plan.groups) + 1, one[0][1])
        )
    )


_STATES = ("true", "false", "disputed", "undecided", "open")


def _course(plan: RoundPlan, item: ItemKey, answers: dict[str, list[str]]) -> list[tuple[tuple[int, str], str]]:
    """The groups that judged a pair, with the round and what they concluded."""
    judged = [group for group in plan.rotations[item] if answers.get(group)] or [plan.rotations[item][0]]
    return [
        ((number, group), _state(answers.get(group, []), plan.overlap)) for number, group in enumerate(judged, start=1)
    ]


def _state(values: Sequence[str], needed: int) -> str:
    if len(values) < needed:
        return "open"
    outcome = group_outcome(values)
    if outcome is SubjectOutcome.AGREED:
        return "true" if values[0] == PairValue.CLONE else "false"
    return "disputed" if outcome is SubjectOutcome.DIFFERENT else "undecided"
