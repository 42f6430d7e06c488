"""Import of a BigCloneBench-sized export: ``python -m bench.bench_import [csv|parquet] [PAIRS]``.

Generates the tables of BigCloneBench's database at full size (43 functionalities, 73,319 functions, 8,584,153 clones of
which 54 % belong to one functionality, 279,032 false positives) in a temporary folder, and imports them in a new
process. Prints wall-clock seconds, CPU seconds and peak memory.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from bench.measurement import machine, measure, peak_memory

FUNCTIONALITIES = 43
FUNCTIONS = 73_319
CLONES = 8_584_153
FALSE_POSITIVES = 279_032
LARGEST = 0.54
CHUNK = 500_000

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sizes:
    """The number of rows to generate."""

    functions: int = FUNCTIONS
    clones: int = CLONES
    false_positives: int = FALSE_POSITIVES


def write_export(folder: Path, kind: str, sizes: Sizes, seed: int = 1) -> None:
    """Write the four tables of a synthetic BigCloneBench, as `csv` or `parquet`."""
    random = np.random.default_rng(seed)
    ids = np.sort(random.choice(23_000_000, sizes.functions, replace=False))
    lines = random.integers(5, 60, sizes.functions)
    start = random.integers(1, 900, sizes.functions)
    names = list(range(2, 2 + FUNCTIONALITIES))
    _write(
        folder / f"functionalities.{kind}",
        kind,
        [
            pa.table(
                {
                    "id": names,
                    "name": [f"Functionality {name}" for name in names],
                    "description": [f"What number {name} does." for name in names],
                    "search_heuristic": ["none"] * FUNCTIONALITIES,
                }
            )
        ],
    )
    _write(
        folder / f"functions.{kind}",
        kind,
        [
            pa.table(
                {
                    "name": [f"{number}.java" for number in random.integers(1, 2_500_000, sizes.functions)],
                    "type": random.choice(["selected", "default"], sizes.functions).tolist(),
                    "startline": start,
                    "endline": start + lines,
                    "id": ids,
                    "normalized_size": lines,
                    "project": [f"project_{number}" for number in random.integers(0, 25_000, sizes.functions)],
                    "tokens": lines * 8,
                    "internal": np.zeros(sizes.functions, dtype=bool),
                }
            )
        ],
    )
    shares = np.array([LARGEST, *((1 - LARGEST) * random.dirichlet(np.ones(FUNCTIONALITIES - 1)))])
    bounds = np.concatenate([[0], np.cumsum(np.sqrt(shares) / np.sqrt(shares).sum())]) * sizes.functions
    members = random.permutation(ids)
    for table, count in (("clones", sizes.clones), ("false_positives", sizes.false_positives)):
        chunks = (
            _pairs(random, min(CHUNK, count - done), shares, bounds, members, full=table == "clones")
            for done in range(0, count, CHUNK)
        )
        _write(folder / f"{table}.{kind}", kind, chunks)


def _pairs(
    random: np.random.Generator,
    count: int,
    shares: npt.NDArray[np.float64],
    bounds: npt.NDArray[np.float64],
    members: Integers,
    *,
    full: bool,
) -> pa.Table:
    """Rows of `clones` (all columns) or `false_positives`."""
    functionality = random.choice(FUNCTIONALITIES, count, p=shares)
    low = bounds[functionality].astype(np.int64)
    width = np.maximum(bounds[functionality + 1].astype(np.int64) - low, 2)
    one = members[(low + random.integers(0, width)) % len(members)]
    two = members[(low + random.integers(0, width)) % len(members)]
    columns = {
        "function_id_one": one,
        "function_id_two": two,
        "functionality_id": functionality + 2,
        "type": random.choice(["tagged-tagged", "exemplar-tagged"], count).tolist(),
        "syntactic_type": random.choice([1, 2, 3], count, p=[0.004, 0.001, 0.995]),
        "similarity_line": random.beta(2, 9, count),
        "similarity_token": random.beta(3, 7, count),
        "min_judges": random.integers(1, 4, count),
        "min_confidence": random.integers(1, 4, count),
    }
    if full:
        sizes = random.integers(3, 400, (6, count))
        names = ("min_size", "max_size", "min_pretty_size", "max_pretty_size", "min_tokens", "max_tokens")
        columns |= dict(zip(names, sizes, strict=True))
        columns["internal"] = np.zeros(count, dtype=bool)
    return pa.table(columns)


def _write(path: Path, kind: str, chunks: Iterable[pa.Table]) -> None:
    writer: pa_csv.CSVWriter | pq.ParquetWriter | None = None
    for chunk in chunks:
        if writer is None:
            make = pa_csv.CSVWriter if kind == "csv" else pq.ParquetWriter
            writer = make(str(path), chunk.schema)
        writer.write_table(chunk)
    if writer is not None:
        writer.close()


def _import(folder: Path, results: multiprocessing.queues.Queue[str]) -> None:
    from clonetruth.sources import import_dataset

    measured = measure(lambda: import_dataset("bigclonebench", [folder], output=folder.parent / "benchmark"))
    counts = ", ".join(f"{count:,} {table}" for table, count in measured.result.counts.items())
    results.put(
        f"{measured.wall:.1f} s, {measured.cpu:.1f} CPU s, {peak_memory():.2f} GB peak: {counts}; "
        f"skipped {sum(measured.result.reasons.values()):,}"
    )


def main() -> None:
    """Generate, import, print."""
    kind = sys.argv[1] if len(sys.argv) > 1 else "csv"
    sizes = Sizes(clones=int(sys.argv[2])) if len(sys.argv) > 2 else Sizes()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "export")
        folder.mkdir()
        write_export(folder, kind, sizes)
        size = sum(file.stat().st_size for file in folder.iterdir()) / 1024**3
        print(f"generated {size:.2f} GB of {kind}")
        # A separate process: the memory of the generation must not count towards the import.
        context = multiprocessing.get_context("spawn")
        results = context.Queue()
        process = context.Process(target=_import, args=(folder, results))
        process.start()
        process.join()
        print(results.get() if process.exitcode == 0 else "the import failed")


if __name__ == "__main__":
    main()
