"""A real cluster: a master and two workers evaluate what DuckDB evaluates."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.store import Benchmark, DuckDBEngine, spark
from clonetruth.store.spark import APPLICATION, SparkEngine
from clonetruth.verdicts import judge_verdicts
from tests.evaluate.sample_benchmark import sample_benchmark, scored

pytest.importorskip("pyspark", reason="the extra 'spark' is not installed")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)


QUICK = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
"""A cluster for a few rows: what starts quickly."""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_cluster_evaluates_as_duckdb_does(tmp_path: Path) -> None:
    from bench.spark_cluster import spark_cluster

    rows = pa.table({"number": range(200_000), "group": [number % 7 for number in range(200_000)]})
    numbers = tmp_path / "numbers.parquet"
    pq.write_table(rows, numbers, row_group_size=20_000)
    text = 'SELECT "group" AS class, count(*) AS n, sum(number) AS whole FROM t GROUP BY "group" ORDER BY class'
    local = sample_benchmark(tmp_path)
    options = PairsOptions(policy="origin", part="test", baselines=())
    expected = evaluate_pairs(local, scored(tmp_path), options)
    shutil.rmtree(local.path / "verdicts")

    with spark_cluster(workers=2, memory="700m") as cluster:
        engine = SparkEngine(cluster.master, memory_limit="500MB", settings=QUICK)
        try:
            assert engine.sql(text, {"t": numbers}).equals(DuckDBEngine().sql(text, {"t": numbers}))
            written = engine.write("SELECT number FROM t ORDER BY number DESC", {"t": numbers}, tmp_path / "w.parquet")
            assert written == 200_000
            assert pq.read_table(tmp_path / "w.parquet")["number"].to_pylist() == list(range(199_999, -1, -1))
            remote = Benchmark.open(local.path, engine=engine)
            result = evaluate_pairs(remote, scored(tmp_path), options)
            assert result.headline == expected.headline
            assert result.strata == expected.strata
            assert judge_verdicts(remote, "origin").counts == judge_verdicts(local, "origin").counts
            # Both workers did some of it.
            executors = sorted(cluster.folder.glob("work-*/app-*/*"))
            assert {path.parent.parent.name for path in executors} == {"work-0", "work-1"}
        finally:
            APPLICATION.stop()
    assert not cluster.folder.exists()
    assert all(_gone(process) for process in cluster.processes)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_master_without_workers_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from bench.spark_cluster import spark_cluster

    monkeypatch.setattr(spark, "WORKER_SECONDS", 2.0)
    with spark_cluster(workers=0) as cluster, pytest.raises(InputError, match="provides no worker"):
        SparkEngine(cluster.master).sql("SELECT 1 AS x", {})


def _gone(process: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
