"""The set that the papers warn of: it has their shape, and the audit reports it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from clonetruth.audit import audit_benchmark
from clonetruth.build.assumed_negatives import AssumedNegativesParameters, derive_assumed_negatives
from clonetruth.cli import cli
from clonetruth.errors import InputError
from clonetruth.model import Role
from clonetruth.store import Benchmark, open_benchmark
from tests.build.drafts import Draft


@pytest.fixture
def parent(tmp_path: Path) -> Benchmark:
    draft = Draft().functionality("f", 2, 6, 3).functionality("g", 1, 5, 2)
    return draft.member("f-p0", "g", Role.TAGGED_TRUE, "minor").create(tmp_path / "parent")


def test_all_pairs_within_a_part_are_labelled_by_functionality(parent: Benchmark, tmp_path: Path) -> None:
    report = derive_assumed_negatives(parent, tmp_path / "made", AssumedNegativesParameters(8, 3, 3))
    made = open_benchmark(report.path)
    rows = made.sql(
        "SELECT p.claimed_part AS part, g.value AS value, l.id AS left, r.id AS right FROM pairs p "
        "JOIN judgements g ON p.pair = g.pair JOIN fragments l ON p.left = l.fragment "
        "JOIN fragments r ON p.right = r.fragment WHERE g.judge = 'rule:assumed-negatives'"
    ).to_pylist()
    assert {part: sum(row["part"] == part for row in rows) for part in ("train", "valid", "test")} == {
        "train": 8 * 7 // 2,
        "valid": 3,
        "test": 3,
    }
    sides = {row["part"]: {row["left"], row["right"]} for row in rows}
    assert not sides["valid"] & sides["test"]
    assert all("-n" not in row["left"] and "-n" not in row["right"] for row in rows), "tagged false is not listed"
    assert all((row["value"] == "clone") == (row["left"][0] == row["right"][0]) for row in rows)
    assert any("listed for several functionalities" in warning for warning in report.warnings)
    found = {one.code: one.severity for one in audit_benchmark(made).findings}
    assert found["CT101"] == "error"
    assert {"CT105", "CT118"} <= found.keys()


def test_pairs_can_be_drawn_and_the_seed_divides(parent: Benchmark, tmp_path: Path) -> None:
    drawn = derive_assumed_negatives(parent, tmp_path / "a", AssumedNegativesParameters(8, 3, 3, pairs=2))
    assert drawn.counts["pairs"] == 6
    other = derive_assumed_negatives(parent, tmp_path / "b", AssumedNegativesParameters(8, 3, 3, pairs=2, seed=1))
    assert open_benchmark(drawn.path).content_hash != open_benchmark(other.path).content_hash


def test_too_few_methods_are_refused(parent: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="The parts ask for 9,134 methods, and 14 are an exemplar or tagged true"):
        derive_assumed_negatives(parent, tmp_path / "made")
    with pytest.raises(InputError, match="No part has two methods"):
        AssumedNegativesParameters(1, 1, 1)
    command = ["build", "assumed-negatives", str(parent.path), "-o", str(tmp_path / "made"), "--train", "4"]
    done = CliRunner().invoke(cli, [*command, "--valid", "2", "--test", "2"], catch_exceptions=False)
    assert done.exit_code == 0
    assert "train" in done.output
