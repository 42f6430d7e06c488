"""Five tasks of a notebook, from Python only: no command line, and no file between two steps."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import clonetruth
from clonetruth.store import Benchmark

COPIED = """
def mean_of_known(values):
    total = 0
    count = 0
    for value in values:
        if value is None:
            continue
        total = total + value
        count = count + 1
    if count == 0:
        return None
    return total / count
"""


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """The embedded benchmark, as a notebook imports it."""
    folder = str(tmp_path_factory.mktemp("notebook") / "benchmark")
    clonetruth.import_dataset("embedded", output=folder)
    return clonetruth.Benchmark.open(folder)


def same_words(left: str, right: str) -> float:
    """A detector that a person writes into a cell."""
    words, others = set(left.split()), set(right.split())
    return len(words & others) / len(words | others)


def same_length(fragments: pa.Table, pairs: pa.Table) -> list[float]:
    """A detector that scores all pairs at once."""
    assert fragments.column_names == ["key", "language", "text"]
    assert pairs.column_names == ["left", "right"]
    sizes = {row["key"]: len(row["text"]) for row in fragments.to_pylist()}
    return [
        min(sizes[left], sizes[right]) / max(sizes[left], sizes[right])
        for left, right in zip(pairs["left"].to_pylist(), pairs["right"].to_pylist(), strict=True)
    ]


def test_import_and_verdicts(benchmark: Benchmark) -> None:
    verdicts = clonetruth.judge_verdicts(benchmark)
    assert dict(verdicts.counts) == {"clone": 509, "not-clone": 663, "unknown": 0}
    assert verdicts.table.num_rows == 1172
    assert "509" in repr(verdicts)
    assert "<table" in verdicts._repr_html_()
    assert "embedded" in repr(benchmark)
    assert "<table" in benchmark._repr_html_()


def test_audit(benchmark: Benchmark) -> None:
    before = sorted(path for path in benchmark.path.rglob("*"))
    report = clonetruth.audit_benchmark(benchmark, select=["CT1", "CT2"], processes=1)
    assert report.findings
    assert all(finding.code.startswith(("CT1", "CT2")) for finding in report.findings)
    assert report.to_arrow()["code"].to_pylist() == [finding.code for finding in report.findings]
    assert "<table" in report._repr_html_()
    assert sorted(path for path in benchmark.path.rglob("*")) == before, "nothing is written without being asked"


def test_evaluate_own_scores(benchmark: Benchmark) -> None:
    result = clonetruth.evaluate_detector(same_words, on=benchmark, threshold=0.5)
    f1 = result["f1"]
    assert f1.value is not None
    assert f1.low is not None
    assert f1.high is not None
    assert f1.low <= f1.value <= f1.high
    assert result.to_arrow().column_names[:3] == ["detector", "metric", "value"]
    assert result.to_dict()["same_words"]["detector"] == "same_words"
    assert result.result.to_arrow().column_names[:2] == ["metric", "value"]
    assert "<table" in result._repr_html_()

    rows = benchmark.sql(
        "SELECT l.id AS left_id, r.id AS right_id, l.text AS left_text, r.text AS right_text FROM pairs p "
        'JOIN fragments l ON p."left" = l.fragment JOIN fragments r ON p."right" = r.fragment'
    ).to_pylist()
    scores = {(row["left_id"], row["right_id"]): same_words(row["left_text"], row["right_text"]) for row in rows}
    columns = {
        "left": [left for left, _ in scores],
        "right": [right for _, right in scores],
        "score": list(scores.values()),
    }
    for predictions in (scores, pa.table(columns), pd.DataFrame(columns)):
        other = clonetruth.evaluate_detector(predictions, on=benchmark, threshold=0.5)
        assert other["f1"].value == f1.value

    batched = clonetruth.evaluate_detector(same_length, batch=True, on=benchmark, threshold=0.9)
    assert batched["recall"].value is not None


def test_find_clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(COPIED, encoding="utf-8")
    report = clonetruth.find_clones(str(tmp_path), min_tokens=20)
    (found,) = report.classes
    assert found.strongest == "T1"
    assert [Path(member.path).name for member in found.members] == ["a.py", "b.py"]
    assert "mean_of_known" in found._repr_html_()
    assert "1 clone class" in repr(report)


def test_sample_a_study_and_read_its_agreement(benchmark: Benchmark, tmp_path: Path) -> None:
    study = clonetruth.sample_study(benchmark, output=tmp_path / "study", n=12, seed=1)
    subjects = range(study.subjects.num_rows)
    study.add_answers("ann", {subject: "clone" if subject % 2 else "not-clone" for subject in subjects})
    study.add_answers("bob", {subject: "clone" if subject % 3 else "not-clone" for subject in subjects})
    agreement = clonetruth.measure_agreement(study)
    assert agreement.pairs is not None
    assert agreement.pairs.judges == ("ann", "bob")
    assert agreement.pairs.subjects == 12
    estimate = clonetruth.estimate_study(study)
    assert repr(estimate)
    assert "ann" in repr(agreement)
