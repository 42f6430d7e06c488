"""`clonetruth build` as a process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.model import Judgement, Pair
from tests.build.contests import contest, solutions
from tests.build.drafts import Draft, flawed
from tests.cli.running import run


def test_pairs_and_the_repaired_benchmark(tmp_path: Path) -> None:
    Draft().functionality("f", 2, 3, 2).functionality("g", 1, 2, 1).create(tmp_path / "parent")
    ran = run("build", "bcb-pairs", tmp_path / "parent", "-o", tmp_path / "pairs", "--json")
    assert ran.code == 0
    assert ran.json["counts"]["pairs"] == 10 + 4 + 3 + 1
    ran = run("build", "confidence-bcb", tmp_path / "parent", "-o", tmp_path / "made", "--no-merge", "--cap", "4")
    assert ran.code == 0, ran.err
    assert "Compared with the paper" in ran.out
    assert "256.6" in ran.out
    assert json.loads((tmp_path / "made" / "results" / "build.json").read_text())["parameters"]["cap"] == 4


def test_contests(tmp_path: Path) -> None:
    contest(tmp_path / "c", {"a": solutions("a", 3), "b": solutions("b", 3)}, problems_disjoint=False)
    ran = run("build", "contest", tmp_path / "c", "-o", tmp_path / "made", "--at-least", "2", "--positives", "4")
    assert ran.code == 0
    assert "does not call its problems disjoint" in ran.err
    ran = run("build", "contest", tmp_path / "c", "-o", tmp_path / "other")
    assert ran.code == 3
    assert "lower --at-least" in ran.err


def test_a_plan_is_applied(tmp_path: Path) -> None:
    flawed(tmp_path / "parent")
    plan = tmp_path / "plan.json"
    plan.write_text(run("audit", tmp_path / "parent", "--fix-plan").out)
    ran = run("build", "apply", plan, tmp_path / "parent", "-o", tmp_path / "made", "--code", "CT110", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["counts"]["pairs"] == 6


def test_the_quality_of_labels(tmp_path: Path) -> None:
    draft = Draft().functionality("f", 0, 2, 0)
    draft.pairs = [Pair("f-p0", "f-p1", "f", claimed_type="T4")]
    draft.judgements.append(Judgement("ann", "shares-functionality", "clone", pair=0))
    draft.create(tmp_path / "judged")
    ran = run("build", "label-quality", tmp_path / "judged", "--json")
    assert ran.json["groups"][0] == {"group": "above 0.2", "pairs": 1, "clones": 1, "unknown": 0}
    ran = run("build", "label-quality", tmp_path / "judged")
    assert "100.0%" in ran.out


@pytest.mark.parametrize(
    "arguments",
    [("bcb-pairs",), ("confidence-bcb", "--judges", "0"), ("confidence-bcb", "--threshold", "2"), ("contest",)],
)
def test_bad_input_is_explained(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    Draft().functionality("f", 0, 2, 1).create(tmp_path / "parent")
    ran = run("build", arguments[0], tmp_path / "parent", "-o", tmp_path / "made", *arguments[1:])
    assert ran.code == 3
    assert ran.err.startswith("error:")
    assert [path.name for path in tmp_path.iterdir()] == ["parent"]
