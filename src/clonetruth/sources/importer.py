"""Import a dataset's own files into a benchmark folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth import __version__
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.formats.reads import record_reads
from clonetruth.formats.streams import open_stream
from clonetruth.options.declaration import verb
from clonetruth.options.sources import ImportOptions
from clonetruth.progress import Progress, no_progress
from clonetruth.sources.accounting import FileAccount, account_for_files, check_values, refuse_nothing
from clonetruth.sources.registry import SOURCES
from clonetruth.sources.source import ImportLog, Skipped
from clonetruth.store import Benchmark, BenchmarkWriter
from clonetruth.store.exchange import is_benchmark_or_export, restore_benchmark
from clonetruth.store.incoming import Content, batches
from clonetruth.store.records import RecordFormat, write_text
from clonetruth.store.schemas import CORE

_OWN = "clonetruth"
"""The name in a report for benchmarks and exports of clonetruth, which are copied."""
_PROGRESS_EVERY = 1000


@dataclass(frozen=True)
class ImportRecord:
    """What was read and what was not; the file `records/import.json` of a benchmark.

    Attributes:
        source: the source's name.
        options: the options of the source.
        version: the version of clonetruth.
        rows_read: the number of rows read from the files, by kind.
        reasons: the number of unusable rows and values, by reason.
        skipped: the unusable rows and values with their locations (the first thousand for each reason).
        files: what became of the named files.
    """

    source: str
    options: Mapping[str, Any]
    version: str
    rows_read: Mapping[str, int]
    reasons: Mapping[str, int]
    skipped: tuple[Skipped, ...]
    files: FileAccount


IMPORT_RECORDS = RecordFormat(ImportRecord, "clonetruth-import", 1, "import record", "`clonetruth import`")


@dataclass(frozen=True)
class ImportReport(ImportRecord):
    """The outcome of an import: its record, and the benchmark.

    Attributes:
        path: the benchmark folder.
        content_hash: the benchmark's content hash.
        counts: the number of rows in each table.
    """

    path: Path
    content_hash: str
    counts: Mapping[str, int]

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark that was written, opened."""
        return Benchmark.open(self.path)


@verb(ImportOptions)
def import_dataset(options: ImportOptions, *, progress: Progress | None = None) -> ImportReport:
    """Import a dataset from its own files into a new benchmark folder.

    Args:
        progress: called with the number of rows as they are read.

    Returns:
        The counts of what was read and stored, and the rows that could not be used.

    Raises:
        InputError: a path does not exist, no source or several sources match, or the files contain nothing usable. No
            folder is left behind.
        UnknownNameError: there is no such source.

    Example:
        >>> report = clonetruth.import_dataset("embedded", output="copy-of-embedded")
        >>> report.counts["pairs"]
        1172
    """
    for path in options.paths:
        if not path.exists():
            raise InputError("There is no such file or folder.", where=path)
    if options.source in ("auto", _OWN) and any(is_benchmark_or_export(path) for path in options.paths):
        return _restore(options)
    name = recognise(options.paths) if options.source == "auto" else options.source
    columns = {"left": options.left, "right": options.right, "label": options.label, "criterion": options.criterion}
    given = {**(options.option or {}), **{role: column for role, column in columns.items() if column is not None}}
    log = ImportLog(strict=options.strict, texts_optional=given.get("texts") == "none")
    return import_files(name, options.paths, given, log, options.output, progress or no_progress)


def import_files(
    name: str,
    paths: Sequence[Path],
    given: Mapping[str, Any],
    log: ImportLog,
    output: Path,
    progress: Progress = no_progress,
) -> ImportReport:
    """Import the files of a named source into a new folder; see `import_dataset`.

    Args:
        name: the source's name.
        paths: files and folders, which exist.
        given: the options of the source.
        log: counts rows, and records unusable ones.
        output: the new benchmark folder.
        progress: called with the number of rows as they are read.
    """
    counted = _Counted(progress, log)
    with record_reads() as record:
        dataset = SOURCES[name].read(paths, given, log)
        with BenchmarkWriter(output, dataset.card, recipe=dataset.recipe) as writer:
            for table in CORE:
                writer.add(table, counted.rows_of(table, getattr(dataset, table)))
            writer.add_claims(dataset.claims)
            writer.add_tests(dataset.tests)
            writer.add_domains(dataset.domains)
            refuse_nothing(counted.rows, log, ", ".join(map(str, paths)) or None)
            files = account_for_files(paths, record, log, partial(_why_unused, name))
            stored = ImportRecord(
                source=name,
                options=given,
                version=__version__,
                rows_read=dict(log.rows_read),
                reasons=dict(log.reasons),
                skipped=tuple(log.skipped),
                files=files,
            )
            write_text(IMPORT_RECORDS.text(stored), writer.attach("records") / "import.json")
    benchmark = Benchmark.open(output)
    _verify(benchmark, counted.rows)
    return ImportReport(
        **vars(stored), path=benchmark.path, content_hash=benchmark.content_hash, counts=benchmark.counts
    )


def _restore(options: ImportOptions) -> ImportReport:
    """Copy a benchmark, or the one behind an export."""
    given = [option for option in ("left", "right", "label", "criterion", "option") if getattr(options, option)]
    if len(options.paths) != 1 or given:
        raise InputError(
            "A benchmark, or an export with its sidecar, is imported alone and without options.",
            where=", ".join(map(str, options.paths)),
            hint="Name the source to import the exported files as they are.",
        )
    benchmark = restore_benchmark(options.paths[0], options.output)
    files = sum(path.is_file() for path in options.paths[0].rglob("*"))
    return ImportReport(
        source=_OWN,
        options={},
        version=__version__,
        rows_read=benchmark.counts,
        reasons={},
        skipped=(),
        files=FileAccount(files, files, {}, ()),
        path=benchmark.path,
        content_hash=benchmark.content_hash,
        counts=benchmark.counts,
    )


def recognise(paths: Sequence[str | os.PathLike[str]]) -> str:
    """The name of the source to which the files belong.

    Raises:
        InputError: no source matches, or several do; the message describes the files.
    """
    files = [Path(path) for path in paths]
    matching = {name: description for name in SOURCES if (description := _recognised_as(name, files))}
    if len(matching) == 1:
        return next(iter(matching))
    where = ", ".join(map(str, paths))
    if not matching:
        raise InputError(
            f"No known format was recognised. Found: {_describe(files)}.",
            where=where,
            hint="Name the source (see `clonetruth sources`): `table` reads any pairs, `folder` any tree of sources.",
        )
    descriptions = "; ".join(f"{name} ({description})" for name, description in matching.items())
    raise InputError(f"Several sources match: {descriptions}.", where=where, hint="Name the source.")


def _recognised_as(name: str, paths: Sequence[Path]) -> str | None:
    """A source's description of the files. Files that it cannot read do not match; they may match another source."""
    try:
        return SOURCES[name].recognise(paths)
    except CloneTruthError:
        return None


def _why_unused(source: str, path: Path) -> str:
    """Why a file was not used: it is empty, or may belong to another dataset."""
    if _is_empty(path):
        return "the file is empty"
    others = [name for name in SOURCES if name != source and path.is_file() and _recognised_as(name, [path])]
    if not others:
        return f"'{source}' does not read this file"
    return f"'{source}' does not read this file; '{others[0]}' does: import it, or attach it to the benchmark"


def _is_empty(path: Path) -> bool:
    """Whether a file, decompressed, has no content; False if that is not known."""
    try:
        with open_stream(path) as stream:
            return not stream.read(1)
    except CloneTruthError:
        return False


def _describe(paths: Sequence[Path]) -> str:
    """A short description of the files at the paths."""
    descriptions = []
    for path in paths[:5]:
        if path.is_dir():
            names = sorted(entry.name for entry in path.iterdir())
            descriptions.append(f"a folder with {len(names)} entries ({', '.join(names[:5])})")
        else:
            with path.open("rb") as file:
                descriptions.append(f"a file that begins with {file.read(40)!r}")
    return "; ".join(descriptions)


class _Counted:
    """Checks and counts the rows of a dataset while they are written, and reports progress."""

    def __init__(self, progress: Progress, log: ImportLog) -> None:
        self.rows: dict[str, int] = {}
        self._progress = progress
        self._log = log

    def rows_of(self, table: str, content: Content) -> Iterator[pa.RecordBatch]:
        self.rows[table] = 0
        for batch in check_values(table, batches(table, self._reported(table, content)), self._log):
            self.rows[table] += batch.num_rows
            yield batch

    def _reported(self, table: str, content: Any) -> Iterator[Any]:
        waiting = 0
        for item in content.to_batches() if hasattr(content, "to_batches") else content:
            waiting += getattr(item, "num_rows", 1)
            if waiting >= _PROGRESS_EVERY:
                self._progress(f"Reading {table}", waiting, 0)
                waiting = 0
            yield item


def _verify(benchmark: Benchmark, rows: Mapping[str, int]) -> None:
    """Check that the folder holds exactly the rows that were read."""
    wrong = {table: (rows[table], benchmark.counts[table]) for table in rows if rows[table] != benchmark.counts[table]}
    assert not wrong, f"rows read and rows stored differ: {wrong}"
