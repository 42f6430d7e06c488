"""Import: from a dataset's own files to a benchmark folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from clonetruth.errors import CloneTruthError, InputError
from clonetruth.model import Dataset
from clonetruth.progress import Progress, no_progress
from clonetruth.sources.registry import SOURCES
from clonetruth.sources.source import ImportLog, Skipped
from clonetruth.store import Benchmark

T = TypeVar("T")

_TABLES = ("fragments", "functionalities", "memberships", "pairs", "judges", "judgements")
_TELL_EVERY = 1000


@dataclass(frozen=True)
class ImportReport:
    """What an import did.

    Args:
        source: the source's name.
        path: the benchmark folder.
        content_hash: of what is in it.
        counts: rows of each table.
        rows_read: what was read from the files, by kind.
        reasons: rows that could not be used, by reason.
        skipped: those rows with their places (the first thousand for each reason).
    """

    source: str
    path: Path
    content_hash: str
    counts: Mapping[str, int]
    rows_read: Mapping[str, int]
    reasons: Mapping[str, int]
    skipped: tuple[Skipped, ...]


def import_dataset(
    source: str,
    paths: Sequence[Path],
    output: Path,
    *,
    options: Mapping[str, Any] | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Import a dataset into a new benchmark folder.

    Args:
        source: its name in the registry, or `auto`.
        paths: its files and folders.
        output: the folder to make; nothing may be there.
        options: the source's own options.
        strict: make the first row that cannot be used an error.
        progress: told of rows as they come.

    Raises:
        InputError: nothing in the files can be used. No folder is left behind.
    """
    for path in paths:
        if not path.exists():
            raise InputError("There is no such file or folder.", where=path)
    name = recognise(paths) if source == "auto" else source
    log = ImportLog(strict=strict)
    dataset = SOURCES[name].read(paths, dict(options or {}), log)
    counted = _Counted(progress or no_progress)
    benchmark = Benchmark.create(output, counted.dataset(dataset))
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


def recognise(paths: Sequence[Path]) -> str:
    """The one source whose files these are.

    Raises:
        InputError: none, or several; the message says what was seen.
    """
    seen = {name: words for name in SOURCES if (words := _sighting(name, paths))}
    if len(seen) == 1:
        return next(iter(seen))
    where = ", ".join(map(str, paths))
    if not seen:
        raise InputError(
            f"No known format was recognised. Seen: {_look(paths)}.",
            where=where,
            hint="Name the source (see `clonetruth sources`): `table` reads any pairs, `folder` any tree of sources.",
        )
    words = "; ".join(f"{name} ({what})" for name, what in seen.items())
    raise InputError(f"Several sources fit: {words}.", where=where, hint="Name the one that is meant.")


def _sighting(name: str, paths: Sequence[Path]) -> str | None:
    """What a source sees at the paths. A file that it cannot read is not its own, and may be another's."""
    try:
        return SOURCES[name].recognise(paths)
    except CloneTruthError:
        return None


def _look(paths: Sequence[Path]) -> str:
    """A few words on what is at the paths."""
    found = []
    for path in paths[:5]:
        if path.is_dir():
            names = sorted(entry.name for entry in path.iterdir())
            found.append(f"a folder with {len(names)} entries ({', '.join(names[:5])})")
        else:
            with path.open("rb") as file:
                found.append(f"a file that begins with {file.read(40)!r}")
    return "; ".join(found)


class _Counted:
    """Counts the rows of a dataset on their way into the folder, and tells how far it is."""

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
            if waiting >= _TELL_EVERY:
                self._progress(f"Reading {table}", waiting, 0)
                waiting = 0
            yield item


def _verify(benchmark: Benchmark, rows: Mapping[str, int]) -> None:
    """The folder must hold exactly what was read."""
    wrong = {table: (rows[table], benchmark.counts[table]) for table in rows if rows[table] != benchmark.counts[table]}
    assert not wrong, f"rows read and rows stored differ: {wrong}"
