"""Consensus policies: what several judges together conclude."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Pair
from clonetruth.sources import import_dataset
from clonetruth.store import TABLES, Benchmark, DuckDBEngine
from clonetruth.verdicts import POLICIES, judge_verdicts

ENGINE = DuckDBEngine()
CARD = Card("votes", "1", "Votes.", "MIT", "Nobody", "same-main-purpose", ("java",))
JUDGES = [
    *(Judge(f"person-{number}", JudgeKind.PERSON, "P") for number in range(5)),
    *(Judge(f"llm-{number}", JudgeKind.LLM, "L") for number in range(3)),
    Judge("adjudicator", JudgeKind.PERSON, "A", settings={"role": "adjudicator"}),
    Judge("both", JudgeKind.PERSON, "B", settings={"speaks_for": ["person-0", "person-1"]}),
    Judge("rule", JudgeKind.RULE, "R"),
]
ANSWERS = {"+": "clone", "-": "not-clone", "?": "undecided"}


def polled(path: Path, polls: Sequence[str]) -> Benchmark:
    """A pair for each poll like "person +-? llm ++ adjudicator -", and a last one that only the rule judges."""
    judgements = [
        Judgement(
            f"{judge}-{number}" if judge in ("person", "llm") else judge, CARD.criterion, ANSWERS[sign], pair=pair
        )
        for pair, votes in enumerate(polls)
        for judge, signs in zip(votes.split()[::2], votes.split()[1::2], strict=True)
        for number, sign in enumerate(signs)
    ]
    judgements.append(Judgement("rule", CARD.criterion, "clone", pair=len(polls)))
    fragments = [Fragment(str(number), "java", "") for number in range(len(polls) + 2)]
    pairs = [Pair("0", str(number)) for number in range(1, len(polls) + 2)]
    return Benchmark.create(
        path, Dataset(CARD, fragments, pairs=pairs, judges=JUDGES, judgements=judgements), engine=ENGINE
    )


def concluded(path: Path, policy: str, *polls: str) -> dict[str, Any]:
    """The verdict on the first poll."""
    table = judge_verdicts(polled(path / "polled", polls), policy).table
    assert table.schema.equals(TABLES["verdicts"].schema)
    first: dict[str, Any] = table.to_pylist()[0]
    return first


CASES = [
    ("majority", "person ++-", "clone", 2 / 3),
    ("majority", "person +--", "not-clone", 2 / 3),
    ("majority", "person +-", "unknown", None),
    ("majority", "person +??", "unknown", None),
    ("majority", "person ++? llm ---", "clone", 2 / 3),
    ("majority", "person +- adjudicator +", "unknown", None),
    ("unanimous", "person ++", "clone", 1.0),
    ("unanimous", "person ---", "not-clone", 1.0),
    ("unanimous", "person +", "unknown", None),
    ("unanimous", "person ++-", "unknown", None),
    ("unanimous", "person ++?", "unknown", None),
    ("adjudicated", "person ++", "clone", 1.0),
    ("adjudicated", "person +-", "unknown", None),
    ("adjudicated", "person +- adjudicator -", "not-clone", 1.0),
    ("adjudicated", "person ++ both -", "not-clone", 1.0),
    ("adjudicated", "person +- adjudicator ?", "unknown", None),
    ("adjudicated", "person + llm +", "unknown", None),
    ("experts-then-llm", "person ++ llm ---", "clone", 1.0),
    ("experts-then-llm", "person +- llm --+", "not-clone", 2 / 3),
    ("experts-then-llm", "person ? llm +", "clone", 1.0),
    ("experts-then-llm", "llm +-", "unknown", None),
]


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return polled(tmp_path_factory.mktemp("polls") / "polled", [votes for _, votes, _, _ in CASES])


@pytest.mark.parametrize("policy", sorted({case[0] for case in CASES}))
def test_what_a_policy_concludes(benchmark: Benchmark, policy: str) -> None:
    rows = judge_verdicts(benchmark, policy).table.to_pylist()
    for row, (asked, votes, verdict, confidence) in zip(rows, CASES, strict=False):
        if asked == policy:
            assert row["verdict"] == verdict, (votes, row)
            assert row["confidence"] == (None if confidence is None else pytest.approx(confidence)), (votes, row)
    # What only the dataset's rule says is unknown.
    assert (rows[-1]["verdict"], rows[-1]["confidence"], rows[-1]["judgements"]) == ("unknown", None, 0)


def test_the_reason_says_whose_votes_counted(tmp_path: Path) -> None:
    row = concluded(tmp_path, "experts-then-llm", "person +- llm --+")
    assert row["reason"] == "of 3 llms, 1 for and 2 against"
    assert row["judgements"] == 3


def test_dawid_and_skene_leave_out_undecided_answers_and_adjudicators(tmp_path: Path) -> None:
    row = concluded(tmp_path, "dawid-skene", "person ++? llm - adjudicator -")
    assert row["judgements"] == 3
    assert row["verdict"] == "clone"
    assert 0.5 < row["confidence"] < 1


def test_dawid_and_skene_do_not_decide_a_tie_of_equals(tmp_path: Path) -> None:
    row = concluded(tmp_path, "dawid-skene", "person +-")
    assert (row["verdict"], row["confidence"]) == ("unknown", None)


def test_the_experts_of_bcb406(shared_data: Path, tmp_path: Path) -> None:
    """Both true 15, both false 226, 30 to be decided; 18 finally true."""
    report = import_dataset("bcb406", [shared_data / "bcb406"], output=tmp_path / "bcb406")
    benchmark = Benchmark.open(report.path, engine=ENGINE)
    counts = {name: tuple(judge_verdicts(benchmark, name).counts.values()) for name in ("unanimous", "adjudicated")}
    assert counts == {"unanimous": (15, 226, 30), "adjudicated": (18, 253, 0)}


@pytest.mark.parametrize("name", POLICIES)
def test_policies_are_described(name: str) -> None:
    policy = POLICIES[name]
    assert policy.name == name
    assert policy.description.endswith(".")
