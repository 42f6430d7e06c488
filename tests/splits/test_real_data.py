"""Views on real benchmarks: nothing leaks, the ratio is near, and little is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.audit import audit_benchmark
from clonetruth.sources import import_dataset
from clonetruth.splits import SplitSpec, create_split, verify_split
from clonetruth.store import Benchmark

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def code_jam(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    folder = tmp_path_factory.mktemp("gcj") / "gcj"
    import_dataset("gcj", [shared_data / "gcj" / "data.jsonl.gz", shared_data / "gcj" / "valid.txt.gz"], output=folder)
    return Benchmark.open(folder)


@pytest.mark.parametrize(
    ("view", "kept"), [("random", 1.0), ("cross-project", 0.98), ("cross-functionality", 0.98), ("cross-all", 0.6)]
)
def test_views_on_code_jam(code_jam: Benchmark, view: str, kept: float) -> None:
    made = create_split(code_jam, SplitSpec(view, seed=1, policy="members"))
    sizes = [one.fragments for one in made.parts.values()]
    assert sum(sizes) >= kept * 1444
    assert sum(sizes) + sum(made.left_out.values()) == 1444
    assert sizes[0] / sum(sizes) == pytest.approx(0.6, abs=0.15)
    assert all(0 < one.clones < one.pairs for one in made.parts.values())
    verify_split(code_jam, made.name)


def test_the_audit_finds_nothing_in_the_splits_that_are_there(code_jam: Benchmark) -> None:
    assert code_jam.names("splits")
    assert audit_benchmark(code_jam, select=("CT501", "CT502", "CT503", "CT504")).findings == ()
