"""Evaluation of a clone report on a BigCloneBench-sized benchmark: ``python -m bench.bench_evaluate [PAIRS …]``.

Generates a synthetic BigCloneBench at full size (see `bench_import`) and a report with the given number of pairs
(default: 1 million and 10 million): functions of the benchmark, unchanged, shifted, cut and extended, in clone pairs
and other pairs, and locations in unknown files. Reads and evaluates each report, with the full report in both
behaviours, in a separate process. Prints CPU seconds, wall-clock seconds, peak memory, and the ratio to BigCloneEval's
CPU seconds where they were measured.

``--memory-limit 4GB`` limits DuckDB, which then spills; ``--keep FOLDER`` keeps the generated files for the next run.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from bench.bench_import import Sizes, write_export
from bench.measurement import machine, measure, peak_memory

CHUNK = 1_000_000
BIGCLONEEVAL_CPU_SECONDS = {1_000_000: (51 + 2_600, 51 + 3_450)}
"""Import and full-range evaluation; the latter is estimated from runs on parts (docs/performance.md)."""


def write_report(benchmark: Path, target: Path, pairs: int, seed: int = 1) -> None:
    """Write a plausible report in BigCloneEval's format."""
    random = np.random.default_rng(seed)
    fragments = pq.read_table(benchmark / "fragments.parquet", columns=["path", "first_line", "last_line"])
    folders, files = np.array([path.split("/") for path in fragments["path"].to_pylist()], dtype=object).T
    spans = [fragments[name].to_numpy() for name in ("first_line", "last_line")]
    known = pq.read_table(benchmark / "pairs.parquet", columns=["left", "right"])
    sides = [known[name].to_numpy() for name in ("left", "right")]
    options = pa_csv.WriteOptions(include_header=False, quoting_style="none")
    with pa_csv.CSVWriter(target, _REPORT, write_options=options) as writer:
        for done in range(0, pairs, CHUNK):
            count = min(CHUNK, pairs - done)
            real = random.random(count) < 0.6
            chosen = random.integers(0, known.num_rows, count)
            columns: list[pa.Array] = []
            for side in sides:
                fragment = np.where(real, side[chosen], random.integers(0, len(files), count))
                shift = random.choice([0, 0, 0, 1, -1, 3, 8], (2, count))
                names = files[fragment]
                names[random.random(count) < 0.05] = "elsewhere.java"
                columns += [
                    pa.array(folders[fragment], pa.string()),
                    pa.array(names, pa.string()),
                    pa.array(spans[0][fragment] + shift[0], pa.int32()),
                    pa.array(spans[1][fragment] + shift[1], pa.int32()),
                ]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=_REPORT))


_REPORT = pa.schema(
    [
        (f"{name}_{side}", pa.string() if name in ("folder", "file") else pa.int32())
        for side in (1, 2)
        for name in ("folder", "file", "start", "end")
    ]
)


def _evaluate(
    benchmark: Path, report: Path, memory_limit: str | None, results: multiprocessing.queues.Queue[str]
) -> None:
    from clonetruth.evaluate.locations.evaluation import evaluate_locations
    from clonetruth.evaluate.locations.reported import ReportFiles
    from clonetruth.formats.reports.bigcloneeval import FORMAT
    from clonetruth.store import Benchmark, DuckDBEngine

    engine = DuckDBEngine(memory_limit=memory_limit)
    measured = measure(
        lambda: evaluate_locations(Benchmark.open(benchmark, engine=engine), ReportFiles([report], FORMAT), "synthetic")
    )
    imported = measured.result.recall["repaired"]["imported_pairs"]
    shipped, repaired = (
        measured.result.recall[one]["overall"]["types"]["all"]["T1"][2] for one in ("as-shipped", "repaired")
    )
    line = (
        f"{imported:,} reported pairs: {measured.cpu:.1f} CPU s, {measured.wall:.1f} s, {peak_memory():.2f} GB peak; "
        f"Type-1 recall {shipped:.3f} as shipped, {repaired:.3f} repaired"
    )
    if imported in BIGCLONEEVAL_CPU_SECONDS:
        low, high = (seconds / measured.cpu for seconds in BIGCLONEEVAL_CPU_SECONDS[imported])
        line += f"; BigCloneEval : clonetruth = {low:.0f} to {high:.0f} : 1"
    results.put(line)


def main() -> None:
    """Generate, evaluate, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--memory-limit")
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    print(machine())
    with ExitStack() as stack:
        folder = arguments.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        benchmark = _benchmark(folder)
        for pairs in arguments.pairs:
            report = folder / f"report-{pairs}.csv"
            if not report.exists():
                write_report(benchmark, report, pairs)
            # A separate process: the memory of the generation must not count towards the evaluation.
            context = multiprocessing.get_context("spawn")
            results = context.Queue()
            process = context.Process(target=_evaluate, args=(benchmark, report, arguments.memory_limit, results))
            process.start()
            process.join()
            print(results.get() if process.exitcode == 0 else "the evaluation failed", flush=True)


def _benchmark(folder: Path) -> Path:
    from clonetruth.sources import import_dataset

    benchmark = folder / "benchmark"
    if not benchmark.exists():
        export = folder / "export"
        export.mkdir(parents=True)
        write_export(export, "parquet", Sizes())
        import_dataset("bigclonebench", [export], output=benchmark)
    return benchmark


if __name__ == "__main__":
    main()
