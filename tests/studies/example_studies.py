"""A labelled benchmark in small, studies of it, and judges who answer."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    Role,
)
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.store.study import Study
from clonetruth.studies import PopulationDesign, SampleDesign, choose_protocol, draw_study

ENGINE = DuckDBEngine()
CARD = Card("small", "1", "Labelled pairs.", "MIT", "Nobody", "shares-functionality", ("java",))
RULE = Judge("rule:small", JudgeKind.RULE, "The dataset's rule")
SIZES = {"copy": 10, "hash": 5, "sort": 2}


def labelled_benchmark(path: Path, **changes: Any) -> Benchmark:
    """Fragments of three functionalities: pairs within one are labelled clones (45, 10 and 1), four across are not."""
    fragments = [
        Fragment(f"{name}-{number}", "java", f"void {name}{number}() {{ }}", path=f"{name}/{number}.java", project=name)
        for name, size in SIZES.items()
        for number in range(size)
    ]
    within = [
        Pair(f"{name}-{left}", f"{name}-{right}", name)
        for name, size in SIZES.items()
        for left, right in combinations(range(size), 2)
    ]
    across = [Pair(f"copy-{number}", f"hash-{number}") for number in range(4)]
    labels = [
        Judgement(RULE.id, CARD.criterion, "clone" if number < len(within) else "not-clone", pair=number)
        for number in range(len(within) + len(across))
    ]
    parts: dict[str, Any] = {
        "card": CARD,
        "fragments": fragments,
        "functionalities": [Functionality(name, name.title(), f"Must {name}.") for name in SIZES],
        "memberships": [
            Membership(one.id, str(one.project), Role.EXEMPLAR if one.id.endswith(("-0", "-1")) else Role.TAGGED_TRUE)
            for one in fragments
        ],
        "pairs": [*within, *across],
        "judges": [RULE],
        "judgements": labels,
    }
    return Benchmark.create(path, Dataset(**{**parts, **changes}), engine=ENGINE)


def sample_study(benchmark: Benchmark, path: Path, protocol: str = "same-main-purpose", **options: Any) -> Study:
    """A study of the benchmark; options of the population come with the others."""
    population = {
        name: options.pop(name) for name in ("where", "policy", "criterion", "rule", "stratify") if name in options
    }
    chosen = SampleDesign(choose_protocol(protocol), PopulationDesign(**population), **options)
    return draw_study(benchmark, path, chosen)


def add_answers(
    study: Study,
    judge: str,
    answers: Mapping[int, str],
    *,
    kind: JudgeKind = JudgeKind.PERSON,
    on: str = "pair",
    **settings: Any,
) -> int:
    """A judge answers; `settings` may hold a role."""
    return study.add_answers(judge, answers, name=judge.title(), kind=kind, on=on, **settings)
