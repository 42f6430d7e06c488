"""What detectors find of mutants, by operator: ``python -m bench.mutation_table SOURCE SYSTEM [DETECTOR]…``.

Mutants of the functions of SOURCE are placed into a copy of SYSTEM, another folder of source code; every detector looks
at all of that, and its report is measured as `clonetruth evaluate` does it. Without names, all finders and all external
tools that are installed. Prints the table that docs/mutation.md carries.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from bench.measuring import machine, measure
from clonetruth.build.inject import InjectOptions, build_inject
from clonetruth.build.mutants import MutantOptions, build_mutants
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

FOR_EACH_OPERATOR = 40
"""Mutants, about."""

TYPES = {"T1": "Type-1", "T2": "Type-2", "T3": "Type-3"}


class PairTable:
    """A report that is a Parquet file with the columns of `REPORTED`."""

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
            import_dataset("folder", [injected.path / SYSTEM], Path(folder, "functions")).path
        ).table("fragments")
        print(f"{machine()}; {source.name} in {system.name}, {functions.num_rows:,} functions", flush=True)
        results: list[Result] = []
        for name in names or installed():
            try:
                found = measure(partial(reported, name, functions, injected.path / SYSTEM))
            except InputError as error:
                print(f"{name} is left out: {error}", file=sys.stderr)
                continue
            report = Path(folder, f"{len(results)}.parquet")
            pq.write_table(found.result, report)
            results.append(evaluate_locations(injected, ReportFiles([report], PairTable()), name))
            print(f"{name}: {found.result.num_rows:,} pairs, {found.cpu:.1f} CPU s", file=sys.stderr, flush=True)
        print("\n".join(table(results)))


def construct(source: Path, system: Path, folder: Path) -> Benchmark:
    """The mutants of a source tree in the files of a system."""
    functions = Benchmark.open(
        import_dataset("folder", [source], folder / "source", options={"name": source.name}).path
    )
    options = MutantOptions(originals=FOR_EACH_OPERATOR * len(OPERATORS))
    mutants = build_mutants(functions, folder / "mutants", options)
    placed = build_inject(Benchmark.open(mutants.path), folder / "injected", InjectOptions(system))
    return Benchmark.open(placed.path)


def installed() -> list[str]:
    """The finders, and the external tools that can be run."""
    return [*FINDERS, *(name for name, tool in EXTERNAL_TOOLS.items() if tool.program() is not None)]


def reported(name: str, functions: pa.Table, system: Path) -> pa.Table:
    """What a detector reports of a system."""
    known, parameters = split_parameters(name)
    if known not in FINDERS:
        files = {path.relative_to(system).as_posix(): path for path in source_files([system])}
        return external_pairs(files, external_tool(name))
    batches = FINDERS[known].with_parameters(**parameters).find(functions, processes=available_cores())
    pairs = [
        pa.RecordBatch.from_arrays(
            [*_places(functions, batch["left"]), *_places(functions, batch["right"]), batch["score"]], schema=REPORTED
        )
        for batch in batches
    ]
    return pa.Table.from_batches(pairs, REPORTED)


def _places(functions: pa.Table, keys: pa.Array) -> list[pa.Array]:
    """The places of functions; their keys count them from 0."""
    rows = functions.select(["path", "first_line", "last_line"]).take(keys).combine_chunks()
    return [column.combine_chunks() for column in rows.columns]


def table(results: Sequence[Result]) -> Iterator[str]:
    """The recall of each detector by operator and type, in percent, and its unit precision."""
    strata = [next(one for one in result.strata if one.by == OPERATOR) for result in results]
    columns = [{group.name: group for group in stratum.groups} for stratum in strata]
    yield f"| | pairs | {' | '.join(result.detector for result in results)} |"
    yield f"| --- | ---: |{' ---: |' * len(results)}"
    for kind, title in TYPES.items():
        # Not every language has a place for every operator.
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
