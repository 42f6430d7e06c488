"""A small benchmark to evaluate detectors on: three functionalities, two languages, parts and clone types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clonetruth.formats.predictions import Predictions, read_predictions
from clonetruth.model import Card, Dataset, Fragment, Functionality, Judge, JudgeKind, Judgement, Membership, Pair, Role
from clonetruth.store import Benchmark, DuckDBEngine

ENGINE = DuckDBEngine()
CARD = Card("sample", "1", "Sorts, sums and copies.", "MIT", "Nobody", "same-main-purpose", ("java", "python"))
RULE = Judge("rule", JudgeKind.RULE, "The rule")
ADA = Judge("ada", JudgeKind.PERSON, "Ada")

KINDS = ("sort", "sum", "copy")
FRAGMENTS = tuple(
    Fragment(
        f"{kind}{number}",
        "python" if number == 3 else "java",
        f"int {kind}{number}(int[] a) {{\n"
        + "    step(a);\n" * (1 + 4 * (number == 2))
        + f"    return {kind}(a);\n}}\n",
        project=("p", "q", None)[number % 3],
        path=f"{kind}/{number}.java",
        first_line=1,
        last_line=4,
    )
    for kind in KINDS
    for number in range(4)
)


def _pairs() -> list[tuple[Pair, bool]]:
    """All pairs within a functionality are clones, those of the first fragments across functionalities are not."""
    types = ("T1", "T2", "MT3", "WT3/T4", "WT3/T4", "WT3/T4")
    found = []
    for kind in KINDS:
        inside = [(a, b) for a in range(4) for b in range(a + 1, 4)]
        for (a, b), clone_type in zip(inside, types, strict=True):
            part = "valid" if (a, b) == (0, 1) else "test"
            pair = Pair(f"{kind}{a}", f"{kind}{b}", kind, clone_type, claimed_cut_rule="min", claimed_part=part)
            found.append((pair, True))
    for number in range(4):
        for kind, other in (("sort", "sum"), ("sum", "copy")):
            part = "valid" if number == 0 else "test"
            found.append((Pair(f"{kind}{number}", f"{other}{number}", claimed_part=part), False))
    return found


PAIRS = tuple(_pairs())
"""The pairs, and whether the rule calls them clones: 18 that it does, 8 that it does not."""


def sample_benchmark(folder: Path, **changes: Any) -> Benchmark:
    """The benchmark: the rule judges all pairs, Ada the first four, and she judges the first not to be a clone."""
    claims = [
        Judgement("rule", CARD.criterion, "clone" if clone else "not-clone", pair=row)
        for row, (_, clone) in enumerate(PAIRS)
    ]
    votes = [Judgement("ada", CARD.criterion, "clone" if row else "not-clone", pair=row) for row in range(4)]
    parts: dict[str, Any] = {
        "card": CARD,
        "fragments": FRAGMENTS,
        "functionalities": [Functionality(kind, kind.title()) for kind in KINDS],
        "memberships": [Membership(one.id, one.id[:-1], Role.TAGGED_TRUE) for one in FRAGMENTS],
        "pairs": [pair for pair, _ in PAIRS],
        "judges": [RULE, ADA],
        "judgements": claims + votes,
    }
    folder.mkdir(parents=True, exist_ok=True)
    return Benchmark.create(folder / "sample", Dataset(**{**parts, **changes}), engine=ENGINE)


def predictions(folder: Path, lines: str, header: str = "left,right,score") -> Predictions:
    """Predictions from lines of CSV."""
    file = folder / "tool.csv"
    file.write_text(f"{header}\n{lines}", encoding="utf-8")
    return read_predictions(file)


def scored(folder: Path, score: dict[bool, float] | None = None, *, backwards: bool = False) -> Predictions:
    """A score for every pair: by the rule's label, rising a little from pair to pair."""
    base = score or {True: 0.6, False: 0.4}
    rows = [
        (pair.right, pair.left, base[clone] + row / 1000)
        if backwards
        else (pair.left, pair.right, base[clone] + row / 1000)
        for row, (pair, clone) in enumerate(PAIRS)
    ]
    return predictions(folder, "".join(f"{left},{right},{value}\n" for left, right, value in rows))
