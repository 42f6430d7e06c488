"""Reads reported pairs, resolves their paths to the benchmark's files, and stages them as Parquet for the matcher."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.code import source_files
from clonetruth.errors import InputError
from clonetruth.formats.reports import REPORTED, ReadingLog, ReportFormat
from clonetruth.formats.reports.paths import PathResolver
from clonetruth.progress import Progress
from clonetruth.store import Benchmark
from clonetruth.store.parquet import ParquetSink
from clonetruth.store.schemas import SYSTEM

STAGED = pa.schema(
    [
        ("row", pa.int64()),
        ("left_file", pa.int32()),
        ("left_first", pa.int32()),
        ("left_last", pa.int32()),
        ("right_file", pa.int32()),
        ("right_first", pa.int32()),
        ("right_last", pa.int32()),
    ]
)

NAMED = REPORTED.append(pa.field("row", pa.int64()))


@dataclass(frozen=True)
class LocationTable:
    """The locations of a benchmark's fragments.

    Attributes:
        paths: the benchmark's files, each once: those of fragments, then others that came with it.
        table: `fragment`, `file` (position in `paths`), `first` and `last` line.
        system: whether the files came with the benchmark, so that a tool may have read them in any folder.
    """

    paths: pa.Array
    table: pa.Table
    system: bool = False


def fragment_places(benchmark: Benchmark) -> LocationTable:
    """The locations of the fragments that have one.

    Raises:
        InputError: no fragment has a location.
    """
    rows = benchmark.sql(
        "SELECT fragment, path, CAST(first_line AS BIGINT) AS first, CAST(last_line AS BIGINT) AS last FROM fragments "
        "WHERE path IS NOT NULL AND first_line IS NOT NULL AND last_line IS NOT NULL ORDER BY fragment"
    ).combine_chunks()
    if not rows.num_rows:
        raise InputError(
            "No fragment of the benchmark has a file and lines, so locations cannot be matched.",
            where=benchmark.path,
            hint="Evaluate predictions for its pairs instead (left, right, score).",
        )
    encoded = rows["path"].combine_chunks().dictionary_encode()
    files = encoded.indices.cast(pa.int32())
    system = benchmark.path / SYSTEM
    paths = pa.concat_arrays([encoded.dictionary, _other_files(system, encoded.dictionary.to_pylist())])
    return LocationTable(paths, rows.drop_columns("path").append_column("file", files), system.is_dir())


def _other_files(system: Path, known: Sequence[str]) -> pa.Array:
    """The files that came with the benchmark and contain none of its fragments."""
    files = source_files([system]) if system.is_dir() else ()
    names = {path.relative_to(system).as_posix() for path in files} - set(known)
    return pa.array(sorted(names), pa.string())


@dataclass(frozen=True)
class Staged:
    """A report that is ready to be matched.

    Attributes:
        path: the Parquet file with the columns of `STAGED`.
        named: the Parquet file of the same rows with the columns of `REPORTED` and `row`, if it was requested.
        pairs: number of reported pairs.
        outside: number of those with a fragment in a file that the benchmark does not have.
        log: what happened while reading.
    """

    path: Path
    named: Path | None
    pairs: int
    outside: int
    log: ReadingLog


@dataclass(frozen=True)
class ReportFiles:
    """A report as the user gives it.

    Attributes:
        paths: its files.
        format: its format.
        strict: raise an error at the first bad row.
        root: the folder that the tool was run on, which is cut off its paths.
    """

    paths: Sequence[Path]
    format: ReportFormat
    strict: bool = False
    root: str | None = None


def stage_report(
    report: ReportFiles, places: LocationTable, folder: Path, progress: Progress, *, with_names: bool = False
) -> Staged:
    """Read a report into a Parquet file of numbers in a folder, and with `with_names` into one with file names.

    BigCloneEval's own format names files exactly as the benchmark does, except if the files came with the benchmark;
    the paths of other tools are resolved.

    Raises:
        InputError: the report cannot be read; with `strict`, also for a bad row.
    """
    log = ReadingLog(strict=report.strict)
    exact = report.format.name == "bigcloneeval" and not places.system
    resolver = None if exact else PathResolver(places.paths.to_pylist(), report.root)
    outside = 0
    target, named = folder / "reported.parquet", folder / "named.parquet" if with_names else None
    with ExitStack() as stack:
        sink = stack.enter_context(ParquetSink(target, STAGED, staged=True))
        names = stack.enter_context(ParquetSink(named, NAMED, staged=True)) if named else None
        for read in report.format.read(report.paths, log):
            batch = read if resolver is None else resolver.resolve(read)
            rows = pa.array(np.arange(sink.rows, sink.rows + batch.num_rows))
            columns = {"row": rows}
            if names is not None:
                names.write(batch.append_column("row", rows))
            for side in ("left", "right"):
                files = pc.fill_null(pc.index_in(batch.column(f"{side}_path"), value_set=places.paths), -1)
                columns |= {
                    f"{side}_file": files,
                    f"{side}_first": batch.column(f"{side}_first_line"),
                    f"{side}_last": batch.column(f"{side}_last_line"),
                }
            unknown = pc.or_(pc.less(columns["left_file"], 0), pc.less(columns["right_file"], 0))
            outside += pc.sum(unknown).as_py() or 0
            sink.write(pa.RecordBatch.from_pydict(columns, schema=STAGED))
            progress("Reading the report", batch.num_rows, 0)
    if resolver is not None and resolver.ambiguous.paths:
        log.notes.append(
            f"{resolver.ambiguous.paths:,} paths of the report match several files of the benchmark and were not "
            f"resolved; the first: {resolver.ambiguous.examples[0]}."
        )
    return Staged(target, named, sink.rows, outside, log)
