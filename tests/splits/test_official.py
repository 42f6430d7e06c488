"""Official splits by name: CodeXGLUE's parts of POJ-104."""

from __future__ import annotations

from pathlib import Path

import pytest

import clonetruth
from clonetruth.errors import InputError
from clonetruth.sources import import_dataset
from clonetruth.splits import SplitSpec, create_split, ensure_split, verify_split
from clonetruth.splits.official import COPY
from clonetruth.store import Benchmark
from tests.build.contests import contest, solutions

PROBLEMS = ("1", "64", "65", "80", "81", "104")


def poj(folder: Path) -> Benchmark:
    """Problems at the ends of the parts. Their texts are the same; problem 81 is stored twice."""
    problems = {name: solutions("p", 3) for name in PROBLEMS}
    problems["81"] *= 2
    return contest(folder, problems, pairs=(), problems_disjoint=False)


def test_the_parts_are_those_of_codexglue(tmp_path: Path) -> None:
    benchmark = poj(tmp_path / "poj")
    split = clonetruth.split_benchmark(benchmark, "codexglue")
    assert split.name == "codexglue"
    assert {part: one.fragments for part, one in split.parts.items()} == {"train": 6, "valid": 6, "test": 6}
    assert dict(split.left_out) == {COPY: 3}
    rows = benchmark.sql(
        "SELECT u.id AS problem, min(s.part) AS first, max(s.part) AS last FROM s JOIN memberships m "
        "ON s.fragment = m.fragment JOIN functionalities u ON m.functionality = u.functionality "
        "WHERE s.part <> 'left-out' GROUP BY u.id",
        s=benchmark.parquet("splits/codexglue"),
    ).to_pylist()
    parts = {row["problem"]: row["first"] for row in rows if row["first"] == row["last"]}
    assert parts == dict(zip(PROBLEMS, ["train", "train", "valid", "valid", "test", "test"], strict=True))
    verify_split(benchmark, "codexglue")


def test_an_evaluation_names_the_view_without_a_split(tmp_path: Path) -> None:
    benchmark = poj(tmp_path / "poj")
    result = clonetruth.evaluate_detector(
        detector="tokens", on=benchmark, policy="members", task="retrieval", view="codexglue", part="test"
    ).result
    assert (result.setting["queries"], result.setting["fragments"]) == (6, 6)
    ensure_split(benchmark, "codexglue")
    ensure_split(benchmark, "random-0")
    assert benchmark.names("splits") == ["codexglue"]


def test_other_benchmarks_and_folds_are_refused(tmp_path: Path) -> None:
    other = contest(tmp_path / "other", {"1": solutions("a", 2), "105": solutions("b", 2)}, pairs=())
    with pytest.raises(InputError, match=r"problems 1 to 104 of POJ-104, .* has the functionality .105."):
        create_split(other, SplitSpec("codexglue"))
    with pytest.raises(InputError, match="has no folds: its parts are given"):
        create_split(other, SplitSpec("codexglue", folds=5, fold=1))


@pytest.mark.slow
def test_poj104(tmp_path: Path, shared_data: Path) -> None:
    import_dataset("codexglue-poj104", [shared_data / "poj104" / "poj104.jsonl.xz"], output=tmp_path / "poj")
    split = create_split(Benchmark.open(tmp_path / "poj"), SplitSpec("codexglue", both_classes=False))
    # 55, 12 and 17 of 64, 16 and 24 problems, 500 programs each; problems 65 and 81 are there twice.
    assert {part: (one.functionalities, one.fragments) for part, one in split.parts.items()} == {
        "train": (55, 27_500),
        "valid": (12, 6_000),
        "test": (17, 8_500),
    }
    assert dict(split.left_out) == {COPY: 1_000}
