"""A benchmark of BigCloneBench's full size, evaluated by DuckDB and by a real Spark cluster: the same numbers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from clonetruth.evaluate.locations.evaluation import evaluate_locations
from clonetruth.evaluate.locations.reported import ReportFiles
from clonetruth.formats.reports.bigcloneeval import FORMAT
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.store.spark import APPLICATION, SparkEngine

pytest.importorskip("pyspark", reason="the extra 'spark' is not installed")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)


@pytest.mark.slow
@pytest.mark.timeout(2400)
def test_a_cluster_evaluates_the_full_scale_set(tmp_path: Path) -> None:
    from bench.bench_evaluate import write_report
    from bench.bench_import import CLONES, FALSE_POSITIVES, Sizes, write_export
    from bench.spark_cluster import spark_cluster

    export = tmp_path / "export"
    export.mkdir()
    write_export(export, "parquet", Sizes())
    path = import_dataset("bigclonebench", [export], output=tmp_path / "benchmark").path
    report = tmp_path / "report.csv"
    write_report(path, report, 200_000)
    expected = evaluate_locations(
        Benchmark.open(path, engine=DuckDBEngine(memory_limit="2GB")), ReportFiles([report], FORMAT), "synthetic"
    )
    with spark_cluster(workers=2, memory="2g") as cluster:
        try:
            remote = Benchmark.open(path, engine=SparkEngine(cluster.master, memory_limit="1800MB"))
            assert remote.counts["pairs"] == CLONES + FALSE_POSITIVES
            found = evaluate_locations(remote, ReportFiles([report], FORMAT), "synthetic")
        finally:
            APPLICATION.stop()
    assert found.recall == expected.recall
    assert found.headline == expected.headline
    assert found.measurement("recall").value > 0  # type: ignore[union-attr,operator]
