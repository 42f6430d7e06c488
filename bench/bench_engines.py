"""Where Spark begins to pay off: shared queries on DuckDB and on Spark, on this machine.

Run as `python -m bench.bench_engines [--rows 100000 1000000 10000000] [--cluster]`. Prints wall-clock seconds and their
ratio; the start of Spark is measured separately. With --cluster, Spark is a master and two workers on this machine.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bench.measurement import machine, measure
from bench.spark_cluster import spark_cluster
from clonetruth.code import available_cores
from clonetruth.stats.sample_size import plan_sample
from clonetruth.store import DuckDBEngine, Engine, TableLike
from clonetruth.store.sampling import draw_sample
from clonetruth.store.spark import SparkEngine
from clonetruth.verdicts.policy_sql import VOTES_SQL

_CLASSES = "SELECT claimed_type, functionality, count(*) AS pairs FROM pairs GROUP BY claimed_type, functionality"


@dataclass(frozen=True)
class Workload:
    """Tables of one size, as in a benchmark."""

    tables: Mapping[str, TableLike]
    population: Path
    strata: Mapping[str, int]


def make_workload(folder: Path, rows: int) -> Workload:
    """Pairs with two judgements each, and the same pairs as a population to sample from."""
    random = np.random.default_rng(rows)
    pair = np.arange(rows)
    left, right = (random.integers(0, max(rows // 100, 10), rows) for _ in range(2))
    types = np.array(["T1", "T2", "VST3", "ST3", "MT3", "WT3/T4"])[random.integers(0, 6, rows)]
    pairs = pa.table(
        {
            "pair": pair,
            "left": left,
            "right": right,
            "pair_key": np.minimum(left, right) * 4294967296 + np.maximum(left, right),
            "functionality": random.integers(0, 43, rows),
            "claimed_type": types,
        }
    )
    judgements = pa.table(
        {
            "judge": np.array(["ada", "bob"])[np.arange(2 * rows) % 2],
            "criterion": np.full(2 * rows, "shares-functionality"),
            "value": np.array(["clone", "not-clone", "undecided"])[random.integers(0, 3, 2 * rows)],
            "pair": np.repeat(pair, 2),
            "time": pa.nulls(2 * rows, pa.timestamp("us", tz="UTC")),
            "sequence": np.arange(2 * rows),
        }
    )
    population = pa.table({"id": pair.astype(str), "stratum": types})
    for name, table in {"pairs": pairs, "judgements": judgements, "population": population}.items():
        pq.write_table(table, folder / f"{name}.parquet", row_group_size=131_072)
    names, counts = np.unique(types, return_counts=True)
    return Workload(
        {
            "pairs": folder / "pairs.parquet",
            "judgements": folder / "judgements.parquet",
            "judges": pa.table({"judge": ["ada", "bob"], "kind": ["person", "person"]}),
            "joint": pa.table({"judge": ["ada", "bob"], "member": ["ada", "bob"]}),
            "asked": pa.table({"criterion": ["shares-functionality"]}),
            "counted": pa.table({"kind": ["person"]}),
        },
        folder / "population.parquet",
        dict(zip(names.tolist(), counts.tolist(), strict=True)),
    )


def _classes(engine: Engine, workload: Workload, folder: Path) -> None:
    engine.sql(_CLASSES, {"pairs": workload.tables["pairs"]})


def _sample(engine: Engine, workload: Workload, folder: Path) -> None:
    draw_sample(engine, workload.population, plan_sample(workload.strata, 400), seed=1)


def _verdicts(engine: Engine, workload: Workload, folder: Path) -> None:
    engine.write(VOTES_SQL, workload.tables, folder / "verdicts.parquet")


WORK: Mapping[str, Callable[[Engine, Workload, Path], None]] = {
    "count pairs by class": _classes,
    "draw a sample of 400": _sample,
    "write all verdicts": _verdicts,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000, 10_000_000])
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--cluster", action="store_true")
    call = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-engines-")))
        if call.cluster:
            master = stack.enter_context(spark_cluster(workers=2, memory="3g")).master
            spark = SparkEngine(master, memory_limit="2GB")
        else:
            spark = SparkEngine(f"local[{available_cores()}]", memory_limit=call.memory)
        started = measure(lambda: spark.sql("SELECT 1 AS one", {}))
        print(f"{machine()}; starting Spark and its first query: {started.wall:.1f} s")
        print(f"{'':24}{'pairs':>12}{'DuckDB':>10}{'Spark':>10}{'Spark ÷ DuckDB':>18}")
        duckdb = DuckDBEngine(memory_limit=call.memory)
        for rows in call.rows:
            workload = make_workload(folder, rows)
            for name, work in WORK.items():
                ours, theirs = (_best(work, engine, workload, folder) for engine in (duckdb, spark))
                print(f"{name:24}{rows:>12,}{ours:>9.2f}s{theirs:>9.2f}s{theirs / ours:>18.1f}", flush=True)


def _best(work: Callable[[Engine, Workload, Path], None], engine: Engine, workload: Workload, folder: Path) -> float:
    """The faster of two runs: the first one compiles."""
    return min(measure(lambda: work(engine, workload, folder)).wall for _ in range(2))


if __name__ == "__main__":
    main()
