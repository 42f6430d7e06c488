"""Small contests, with solutions that an online judge accepted or rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    FragmentKind,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    Role,
)
from clonetruth.store import Benchmark

ONLINE = Judge("execution:online", JudgeKind.EXECUTION, "The online judge")
RULE = Judge("rule:lists", JudgeKind.RULE, "The lists")


def contest(
    folder: Path,
    problems: dict[str, list[str]],
    *,
    rejected: tuple[str, ...] = (),
    also: Sequence[tuple[str, str]] = (),
    pairs: Sequence[tuple[str, str]] | None = None,
    **card: Any,
) -> Benchmark:
    """Solutions by problem; each is its text, and all but the rejected ones were accepted.

    Args:
        folder: the new folder.
        problems: the texts of the solutions of each problem.
        rejected: the solutions that were rejected.
        also: solutions that were accepted for a further problem.
        pairs: the pairs that it stores (default: the first two solutions, with a label).
        card: other values of the card.
    """
    fragments, memberships, judgements = [], [], []
    for problem, texts in problems.items():
        for number, text in enumerate(texts):
            name = f"{problem}/{number}"
            fragments.append(Fragment(name, "java", text, FragmentKind.FILE, project=f"author{number}"))
            memberships.append(Membership(name, problem, Role.TAGGED_TRUE))
            value = "wrong" if name in rejected else "major"
            judgements.append(
                Judgement(ONLINE.id, "implements-functionality", value, fragment=name, functionality=problem)
            )
    for name, problem in also:
        memberships.append(Membership(name, problem, Role.TAGGED_TRUE))
        judgements.append(
            Judgement(ONLINE.id, "implements-functionality", "major", fragment=name, functionality=problem)
        )
    label = [Judgement(RULE.id, "same-main-purpose", "clone", pair=0)]
    stored = [(fragments[0].id, fragments[1].id)] if pairs is None else pairs
    default = Card(
        "contest", "1", "A contest.", "MIT", "Nobody", "same-main-purpose", ("java",), problems_disjoint=True
    )
    return Benchmark.create(
        folder,
        Dataset(
            card=replace(default, **card),
            fragments=fragments,
            functionalities=[Functionality(problem, f"Problem {problem}") for problem in problems],
            memberships=memberships,
            pairs=[Pair(left, right) for left, right in stored],
            judges=[ONLINE, RULE],
            judgements=[*judgements, *(label if pairs is None else [])],
        ),
    )


def solutions(problem: str, count: int) -> list[str]:
    """`count` different texts."""
    return [f"class S {{ int {problem}{number}; }}" for number in range(count)]
