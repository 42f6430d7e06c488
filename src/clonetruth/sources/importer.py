"""Import a dataset's own files into a benchmark folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from clonetruth.errors import CloneTruthError, InputError
from clonetruth.model import Dataset
from clonetruth.options.declaration import verb
from clonetruth.options.sources import ImportOptions
from clonetruth.progress import Progress, no_progress
from clonetruth.sources.registry import SOURCES
from clonetruth.sources.source import ImportLog, Skipped
from clonetruth.store import Benchmark

T = TypeVar("T")

_TABLES = ("fragments", "functionalities", "memberships", "pairs", "judges", "judgements")
_PROGRESS_EVERY = 1000


@dataclass(frozen=True)
class ImportReport:
    """The outcome of an import.

    Args:
        source: the source's name.
        path: the benchmark folder.
        content_hash: the benchmark's content hash.
        counts: the number of rows in each table.
        rows_read: the number of rows read from the files, by kind.
        reasons: the number of unusable rows, by reason.
        skipped: the unusable rows with their locations (the first thousand for each reason).
    """

    source: str
    path: Path
    content_hash: str
    counts: Mapping[str, int]
    rows_read: Mapping[str, int]
    reasons: Mapping[str, int]
    skipped: tuple[Skipped, ...]

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
    name = recognise(options.paths) if options.source == "auto" else options.source
    log = ImportLog(strict=options.strict)
    columns = {"left": options.left, "right": options.right, "label": options.label}
    given = {**(options.option or {}), **{role: column for role, column in columns.items() if column is not None}}
    dataset = SOURCES[name].read(options.paths, given, log)
    counted = _Counted(progress or no_progress)
    benchmark = Benchmark.create(options.output, counted.dataset(dataset))
    _verify(benchmark, counted.rows)
    return ImportReport(
        source=name,
        path=benchmark.path,
        content_hash=benchmark.content_hash,
        counts=benchmark.counts,
        rows_read=dict(log.rows_read),
        reasons=dict(log.reasons),
        skipped=tuple(log.skipped),
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
    """Counts the rows of a dataset while they are written, and reports progress."""

    def __init__(self, progress: Progress) -> None:
        self.rows: dict[str, int] = {}
        self._progress = progress

    def dataset(self, dataset: Dataset) -> Dataset:
        return replace(dataset, **{table: self._rows(table, getattr(dataset, table)) for table in _TABLES})

    def _rows(self, table: str, content: Any) -> Any:
        batches = content.to_batches() if hasattr(content, "to_batches") else content
        return self._iterate(table, batches)

    def _iterate(self, table: str, content: Iterable[T]) -> Iterator[T]:
        self.rows[table] = waiting = 0
        for item in content:
            count = getattr(item, "num_rows", 1)
            self.rows[table] += count
            waiting += count
            if waiting >= _PROGRESS_EVERY:
                self._progress(f"Reading {table}", waiting, 0)
                waiting = 0
            yield item


def _verify(benchmark: Benchmark, rows: Mapping[str, int]) -> None:
    """Check that the folder holds exactly the rows that were read."""
    wrong = {table: (rows[table], benchmark.counts[table]) for table in rows if rows[table] != benchmark.counts[table]}
    assert not wrong, f"rows read and rows stored differ: {wrong}"
