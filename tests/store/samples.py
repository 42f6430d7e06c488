"""A small benchmark that the tests of the store are about."""

from __future__ import annotations

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
    Recipe,
    Role,
)
from clonetruth.store import Benchmark, DuckDBEngine

ENGINE = DuckDBEngine()

CARD = Card(
    name="small",
    version="1.0",
    description="Three ways to sum, one to copy.",
    licence="MIT",
    citation="Nobody, 2026",
    criterion="shares-functionality",
    languages=("java", "python"),
    known_flaws=("It is small.",),
)

FRAGMENTS = (
    Fragment("sum/1", "java", "int sum(int[] a) { int s = 0; for (int x : a) s += x; return s; }", name="sum"),
    Fragment("sum/2", "python", "def total(xs):\n    return sum(xs)\n", project="p", path="a.py"),
    Fragment("sum/3", "java", "", FragmentKind.FILE, first_line=1, last_line=9),
    Fragment("copy", "java", "void copy(char[] a) { /* naïve – 複製 */ }"),
)

FUNCTIONALITIES = (Functionality("4", "sum", "Sums numbers.", "sum|total"), Functionality("9", "copy"))

MEMBERSHIPS = (
    Membership("sum/1", "4", Role.EXEMPLAR),
    Membership("sum/2", "4", Role.TAGGED_TRUE),
    Membership("copy", "9", Role.TAGGED_FALSE),
)

PAIRS = (
    Pair("sum/2", "sum/1", "4", "T4", 0.25, 0.5, "both", "train"),
    Pair("sum/1", "sum/2"),
    Pair("copy", "sum/3", claimed_part="test"),
)

RULE = Judge("small-rule", JudgeKind.RULE, "The rule of small", settings={"b": [1, "ü"], "a": None})
ADA = Judge("ada", JudgeKind.PERSON, "Ada", "A developer")

JUDGEMENTS = (
    Judgement("small-rule", "shares-functionality", "clone", pair=0, source_row=7),
    Judgement("small-rule", "shares-functionality", "not-clone", pair=2, confidence=0.5, reason="apart"),
    Judgement(
        "small-rule",
        "implements-functionality",
        "major",
        fragment="sum/1",
        functionality="4",
        evidence="log",
        time="2026-03-04T05:06:07.000008+02:00",
    ),
)


def dataset(**changes: Any) -> Dataset:
    """The small dataset, with some of its parts replaced."""
    parts: dict[str, Any] = {
        "card": CARD,
        "fragments": FRAGMENTS,
        "functionalities": FUNCTIONALITIES,
        "memberships": MEMBERSHIPS,
        "pairs": PAIRS,
        "judges": (RULE,),
        "judgements": JUDGEMENTS,
    }
    return Dataset(**{**parts, **changes})


def small(path: Path, **changes: Any) -> Benchmark:
    """The small benchmark, made at `path`."""
    return Benchmark.create(path, dataset(**changes), engine=ENGINE)


def derived_recipe() -> Recipe:
    """A recipe for a benchmark that is derived from another."""
    return Recipe("keep", {"share": 0.5})


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too, with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
