"""Recall of mutants by operator: ``python -m bench.mutation_table SOURCE SYSTEM [DETECTOR]…``.

Injects mutants of the functions in SOURCE into a copy of SYSTEM, another folder of source code, runs every detector on
the whole, and evaluates its report as `clonetruth evaluate` does. By default, runs all finders and all installed
external tools. Prints the table in docs/mutation.md.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from bench.measurement import machine, measure
from clonetruth.build.inject import InjectionParameters, derive_injection
from clonetruth.build.mutants import MutantParameters, derive_mutants
from clonetruth.code import available_cores, source_files
from clonetruth.code.mutation import OPERATORS
from clonetruth.detectors import FINDERS
from clonetruth.detectors.spec import split_parameters
from clonetruth.errors import InputError
from clonetruth.evaluate.locations.evaluation import evaluate_locations
from clonetruth.evaluate.locations.reported import ReportFiles
from clonetruth.evaluate.operators import OPERATOR
from clonetruth.formats.reports import REPORTED, ReadingLog
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from clonetruth.store.results import Result
from clonetruth.store.schemas import SYSTEM
from clonetruth.tools import EXTERNAL_TOOLS, external_pairs, external_tool

MUTANTS_PER_OPERATOR = 40
"""The approximate number of mutants for each operator."""

TYPES = {"T1": "Type-1", "T2": "Type-2", "T3": "Type-3"}


class PairTable:
    """A report format: Parquet with the columns of `REPORTED`."""

    name = "pair-table"
    description = "Parquet with the columns of reported pairs"

    def recognise(self, paths: Sequence[Path]) -> bool:
        """See `ReportFormat.recognise`."""
        return False

    def read(self, paths: Sequence[Path], log: ReadingLog) -> Iterator[pa.RecordBatch]:
        """See `ReportFormat.read`."""
        for path in paths:
            yield from pq.ParquetFile(path).iter_batches()


def main(source: Path, system: Path, names: Sequence[str]) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        injected = construct(source, system, Path(folder))
        functions = Benchmark.open(
            import_dataset("folder", [injected.path / SYSTEM], output=Path(folder, "functions")).path
        ).table("fragments")
        print(f"{machine()}; {source.name} in {system.name}, {functions.num_rows:,} functions", flush=True)
        results: list[Result] = []
        for name in names or installed():
            try:
                found = measure(partial(reported, name, functions, injected.path / SYSTEM))
            except InputError as error:
                print(f"{name} is skipped: {error}", file=sys.stderr)
                continue
            report = Path(folder, f"{len(results)}.parquet")
            pq.write_table(found.result, report)
            results.append(evaluate_locations(injected, ReportFiles([report], PairTable()), name))
            print(f"{name}: {found.result.num_rows:,} pairs, {found.cpu:.1f} CPU s", file=sys.stderr, flush=True)
        print("\n".join(table(results)))


def construct(source: Path, system: Path, folder: Path) -> Benchmark:
    """Inject the mutants of a source tree into the files of a system."""
    functions = Benchmark.open(
        import_dataset("folder", [source], output=folder / "source", option={"name": source.name}).path
    )
    options = MutantParameters(originals=MUTANTS_PER_OPERATOR * len(OPERATORS))
    mutants = derive_mutants(functions, folder / "mutants", options)
    placed = derive_injection(Benchmark.open(mutants.path), folder / "injected", InjectionParameters(system))
    return Benchmark.open(placed.path)


def installed() -> list[str]:
    """The finders, and the external tools that are installed."""
    return [*FINDERS, *(name for name, tool in EXTERNAL_TOOLS.items() if tool.program() is not None)]


def reported(name: str, functions: pa.Table, system: Path) -> pa.Table:
    """The pairs that a detector reports on a system."""
    known, parameters = split_parameters(name)
    if known not in FINDERS:
        files = {path.relative_to(system).as_posix(): path for path in source_files([system])}
        return external_pairs(files, external_tool(name))
    batches = FINDERS[known].with_parameters(**parameters).find(functions, processes=available_cores())
    pairs = [
        pa.RecordBatch.from_arrays(
            [*_locations(functions, batch["left"]), *_locations(functions, batch["right"]), batch["score"]],
            schema=REPORTED,
        )
        for batch in batches
    ]
    return pa.Table.from_batches(pairs, REPORTED)


def _locations(functions: pa.Table, keys: pa.Array) -> list[pa.Array]:
    """The locations of functions; their keys are consecutive from 0."""
    rows = functions.select(["path", "first_line", "last_line"]).take(keys).combine_chunks()
    return [column.combine_chunks() for column in rows.columns]


def table(results: Sequence[Result]) -> Iterator[str]:
    """The recall of each detector by operator and type, in percent, and its unit precision."""
    strata = [next(one for one in result.strata if one.by == OPERATOR) for result in results]
    columns = [{group.name: group for group in stratum.groups} for stratum in strata]
    yield f"| | pairs | {' | '.join(result.detector for result in results)} |"
    yield f"| --- | ---: |{' ---: |' * len(results)}"
    for kind, title in TYPES.items():
        # Not every operator applies to every language.
        names = [name for name, one in OPERATORS.items() if one.clone_type == kind and name in columns[0]]
        for name in names:
            cells = [column[name].measurements[0].value for column in columns]
            yield _row(f"`{name}`", columns[0][name].pairs, cells)
        every = [[column[name].measurements[0] for name in names] for column in columns]
        shares = [sum(one.successes or 0 for one in some) / sum(one.n or 0 for one in some) for some in every]
        yield _row(f"**{title}**", sum(one.n or 0 for one in every[0]), shares)
    near = [column["near-miss"].measurements[0] for column in columns]
    yield _row("near misses left alone", near[0].n, [one.value for one in near])
    units = [result.measurement("unit-precision") for result in results]
    yield _row("unit precision", None, [None if one is None else one.value for one in units])


def _row(name: str, pairs: int | None, cells: Sequence[float | None]) -> str:
    shown = " | ".join("–" if cell is None else f"{100 * cell:.0f}" for cell in cells)
    return f"| {name} | {'' if pairs is None else pairs} | {shown} |"


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
