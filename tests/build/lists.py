"""Benchmarks in the manner of CodeXGLUE: lists of labelled pairs whose functionalities were dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

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
    PairValue,
    Role,
)
from clonetruth.store import Benchmark

RULE = Judge("rule:lists", JudgeKind.RULE, "The lists")


@dataclass(frozen=True)
class Listed:
    """A benchmark of lists, and what was dropped from it.

    Attributes:
        benchmark: the benchmark.
        truth: the functionality of each fragment; fragments that have none are missing.
    """

    benchmark: Benchmark
    truth: Mapping[str, str]

    def table(self, path: Path, share: float = 0.3) -> Path:
        """A table of members that names some of each functionality."""
        seen: dict[str, int] = {}
        rows = ["function_id,functionality_id,name"]
        for identity, functionality in self.truth.items():
            number = seen[functionality] = seen.get(functionality, 0) + 1
            if number * share % 1 < share:
                rows.append(f"{identity},{functionality},Does {functionality}")
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        return path


def random_text(random: np.random.Generator) -> str:
    """A function that shares hardly any word with others."""
    return "void f() { " + " ".join(f"w{number}();" for number in random.integers(0, 10**6, 15)) + " }"


def listed(folder: Path, sizes: Mapping[str, int], strangers: int = 0, pairs: int = 8, seed: int = 0) -> Listed:
    """Fragments with and without a functionality, each in about `pairs` positive and negative pairs.

    The members of a functionality are in positive pairs with each other, and in negative ones with all others.
    """
    random = np.random.default_rng(seed)
    groups = [name for name, size in sizes.items() for _ in range(size)] + [None] * strangers
    ids = [str(1_000_000 + number) for number in range(len(groups))]
    rows: dict[tuple[str, str], PairValue] = {}
    for position, group in enumerate(groups):
        same = [other for other, theirs in enumerate(groups) if theirs == group and other != position]
        others = [other for other, theirs in enumerate(groups) if theirs != group or group is None]
        if group is not None:
            _draw(rows, ids, position, random.permutation(same)[: pairs // 2], PairValue.CLONE)
        _draw(rows, ids, position, random.permutation(others)[: pairs // 2], PairValue.NOT_CLONE)
    benchmark = create(folder, [Fragment(identity, "java", random_text(random)) for identity in ids], rows)
    return Listed(benchmark, {one: group for one, group in zip(ids, groups, strict=True) if group is not None})


def _draw(
    rows: dict[tuple[str, str], PairValue], ids: Sequence[str], position: int, others: np.ndarray, value: PairValue
) -> None:
    for other in others.tolist():
        if other != position:
            left, right = sorted((ids[position], ids[other]))
            rows[left, right] = value


def create(
    folder: Path,
    fragments: Sequence[Fragment],
    rows: Mapping[tuple[str, str], PairValue],
    memberships: Sequence[Membership] = (),
    name: str = "lists",
) -> Benchmark:
    """The benchmark folder of fragments and labelled pairs."""
    card = Card(name, "1", "Lists.", "MIT", "Nobody", "shares-functionality", ("java",))
    functionalities = dict.fromkeys(one.functionality for one in memberships)
    return Benchmark.create(
        folder,
        Dataset(
            card=card,
            fragments=fragments,
            functionalities=[Functionality(one, f"Does {one}") for one in functionalities],
            memberships=memberships,
            pairs=[Pair(*pair) for pair in rows],
            judges=[RULE],
            judgements=[
                Judgement(RULE.id, card.criterion, value, pair=number) for number, value in enumerate(rows.values())
            ],
        ),
    )


def knowing(folder: Path, members: Mapping[str, str], texts: Mapping[str, str] | None = None) -> Benchmark:
    """Another benchmark with known functionalities, with other texts if given."""
    fragments = [Fragment(one, "java", (texts or {}).get(one, "")) for one in members]
    memberships = [Membership(one, functionality, Role.EXEMPLAR) for one, functionality in members.items()]
    return create(folder, fragments, {}, memberships, name="knowing")
