"""Transfer in a matrix: trained on other benchmarks, tested on this one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import clonetruth
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.evaluate.matrix.plan import MatrixPlan, TrainingSource
from clonetruth.sources import embedded
from clonetruth.store import Benchmark
from clonetruth.store.matrix import read_summary
from clonetruth.store.results import read_result


@pytest.fixture(scope="module")
def benchmarks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Benchmark, Benchmark]:
    """Two benchmarks; the second has the same texts, so that transfer to it must be warned of."""
    folder = tmp_path_factory.mktemp("transfer")
    return embedded.build(folder / "here"), embedded.build(folder / "there")


@pytest.mark.slow
def test_a_learner_is_trained_there_and_tested_here(benchmarks: tuple[Benchmark, Benchmark], tmp_path: Path) -> None:
    here, there = benchmarks
    output = tmp_path / "matrix"
    options: dict[str, Any] = {
        "views": "random",
        "levels": "0",
        "seeds": 1,
        "epochs": 3,
        "processes": 1,
        "output": output,
    }
    both = f"{there.path}+{here.path}"
    summary = clonetruth.run_matrix(here, detectors="identifiers,length", train_on=[str(there.path), both], **options)
    assert not summary.failures
    name = f"there@{there.content_hash[:8]}" if there.content_hash else ""
    together = f"{name}+here@{name[-8:]}"
    assert summary.lines() == (("identifiers", ""), ("identifiers", name), ("identifiers", together), ("length", ""))
    row = summary.row("identifiers", "random", 0, name)
    assert row is not None
    assert row.label == f"identifiers (trained on {name})"
    loss, own, other = row.transfer_loss("f1"), summary.row("identifiers", "random", 0), row.mean("f1")
    assert loss is not None
    assert own is not None
    assert other is not None
    mean = own.mean("f1")
    assert mean is not None
    assert loss.value == pytest.approx((mean.value or 0) - (other.value or 0))
    assert own.transfer_losses == ()
    assert row.cost["parameters"] > 0
    (path,) = [one for one in (output / "cells").iterdir() if "from-there" in one.name and "+here" not in one.name]
    result = read_result(path)
    assert result.setting["threshold"] == "training"
    assert result.setting["trained_on"] == name
    assert any("tested fragments are, up to white space, in the benchmarks" in one for one in result.warnings)
    assert read_summary(output / "summary.json") == summary
    page = clonetruth.write_report(summary, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "by training on other benchmarks" in page
    # The same call resumes: nothing is computed again.
    before = {one: one.stat().st_mtime_ns for one in (output / "cells").iterdir()}
    clonetruth.run_matrix(here, detectors="identifiers,length", train_on=[str(there.path), both], **options)
    assert before == {one: one.stat().st_mtime_ns for one in (output / "cells").iterdir()}


def test_impossible_transfers_are_refused(benchmarks: tuple[Benchmark, Benchmark], tmp_path: Path) -> None:
    here, there = benchmarks
    source = TrainingSource.of(str(there.path))
    with pytest.raises(InputError, match="nothing to train on other benchmarks"):
        MatrixPlan(("length",), ("random",), train_on=(source,))
    with pytest.raises(InputError, match="given twice"):
        MatrixPlan(("linear",), ("random",), train_on=(source, source))
    with pytest.raises(CloneTruthError, match="nowhere"):
        clonetruth.run_matrix(here, detectors="linear", train_on=[str(tmp_path / "nowhere")], output=tmp_path / "m")
    assert not (tmp_path / "m").exists()
