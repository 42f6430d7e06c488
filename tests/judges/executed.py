"""Small benchmarks of Python functions, for the judge that runs them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from clonetruth.execution.literal_calls import calls_of_json, write_calls
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    FunctionalityDomain,
    FunctionalityTest,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    Role,
)
from clonetruth.store import Benchmark

PERMITTED = json.dumps(
    [
        {
            "name": "a",
            "domain": {"kind": "list", "of": {"kind": "integer", "min": -99, "max": 99}, "min": 0, "max": 9},
        }
    ]
)
SUM = "def total(a):\n    return sum(a)\n"
LOOP = "def add_up(a):\n    n = 0\n    for x in a:\n        n += x\n    return n\n"
ABSOLUTE = "def total(a):\n    return sum(abs(x) for x in a)\n"
LOUD = "def total(a):\n    n = sum(a)\n    print('total', n)\n    return n\n"
BROKEN = "def total(:\n"
CONSTANT = "def nothing(a):\n    return 0\n"

PAIRS = [
    (SUM, LOOP, "clone"),
    (SUM, ABSOLUTE, "clone"),
    (SUM, SUM, "clone"),
    (LOOP, BROKEN, "not-clone"),
    (SUM, LOUD, "clone"),
    (LOOP, ABSOLUTE, "not-clone"),
    (CONSTANT, CONSTANT + "\n", None),
]
"""Left, right, and what the dataset says."""


def make_benchmark(
    path: Path,
    pairs: list[tuple[str, str, str | None]] | None = None,
    *,
    criterion: str = "equivalent-behaviour",
    tests: bool = False,
    language: str = "python",
    calls: str | None = None,
) -> Benchmark:
    """A benchmark of pairs of texts; with `tests` or with `calls`, of one functionality with tests."""
    chosen = PAIRS if pairs is None else pairs
    texts = list(dict.fromkeys(text for left, right, _ in chosen for text in (left, right)))
    ids = {text: f"f{number}" for number, text in enumerate(texts)}
    domains = [FunctionalityDomain("sum", PERMITTED)] if tests and calls is None else []
    tests = tests or calls is not None
    calls = calls or write_calls(calls_of_json([[[[1, 2, 3]], 6], [[[-1, -2]], -3], [[[]], 0]]))
    dataset = Dataset(
        card=Card("tiny", "1", "A test.", "MIT", "none", criterion, (language,)),
        fragments=[Fragment(ids[text], language, text) for text in texts],
        functionalities=[Functionality("sum", "Sum", "Add numbers.")] if tests else [],
        memberships=[Membership(ids[text], "sum", Role.TAGGED_TRUE) for text in texts] if tests else [],
        pairs=[Pair(ids[left], ids[right], "sum" if tests else None) for left, right, _ in chosen],
        judges=[Judge("rule:tiny", JudgeKind.RULE, "The dataset")],
        judgements=[
            Judgement("rule:tiny", criterion, label, pair=number)
            for number, (_, _, label) in enumerate(chosen)
            if label is not None
        ],
        tests=[FunctionalityTest("sum", calls=calls)] if tests else [],
        domains=domains,
    )
    return Benchmark.create(path, dataset)


def executed_judgements(path: Path) -> list[dict[str, Any]]:
    """The judgements of the judge 'execution', in the order of the pairs."""
    text = "SELECT * FROM judgements WHERE judge = 'execution' ORDER BY pair, fragment, functionality"
    rows: list[dict[str, Any]] = Benchmark.open(path).sql(text).to_pylist()
    return rows


def values(path: Path) -> dict[int, str]:
    """The value of each judged pair, each of which is judged once."""
    rows = [row for row in executed_judgements(path) if row["pair"] is not None]
    counts = Counter(row["pair"] for row in rows)
    assert set(counts.values()) <= {1}, counts
    return {row["pair"]: row["value"] for row in rows}
