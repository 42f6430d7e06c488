"""The persistent index of searches: what earlier searches learned about files, in a folder of the user's cache.

An index table holds what one kind of search reads from files, by their contents, so that it does not matter where a
file is or was. It consists of sealed parts: a table with its digest. Parts are written under another name and renamed,
and never changed, so that several processes can use the index at once. A damaged part is deleted. The least recently
used parts are evicted if the index grows beyond its limit.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.arrow_files import sealed_table
from clonetruth.budgets import budget
from clonetruth.code import language
from clonetruth.find.reading import ReadingPlan, in_file_order, raw_bytes
from clonetruth.find.search_result import IndexNote, SearchedFile, content_digest
from clonetruth.find.snapshot import PreviousRun, Snapshot, current_state

_FORMAT = "11"
"""The version of the format; increase it whenever the meaning of what is written changes."""
_DIGEST = 16
_MAX_PARTS = 12
"""Number of parts from which the parts of a table are merged."""
_PART, _NOTE = ".part", ".note"


@dataclass(eq=False)
class IndexFile:
    """The index folder.

    Attributes:
        folder: the folder; created when it is needed.
        limit_bytes: the maximum size.
        warnings: problems with the index; none of them makes a result wrong.
    """

    folder: Path = field(default_factory=lambda: cache_folder() / "search")
    limit_bytes: int = 2 * 1024**3
    warnings: list[str] = field(default_factory=list)

    def table(self, kind: str) -> IndexTable:
        """Return the table of a kind of search: everything that decides what is read from a file."""
        name = blake2b(f"{_FORMAT}\0{kind}".encode(), digest_size=_DIGEST).hexdigest()
        return IndexTable(self, self.folder / name)

    def evict(self) -> None:
        """Delete the least recently used files until the rest is within the limit."""
        files = []
        for path in self.folder.glob("*/*"):
            try:
                state = path.stat()
            except OSError:  # another process deleted it
                continue
            files.append((state.st_mtime, state.st_size, path))
        size = sum(file[1] for file in files)
        for _, taken, path in sorted(files):
            if size <= self.limit_bytes:
                break
            _remove(path)
            size -= taken


class IndexTable:
    """What one kind of search has read, by contents; and snapshots of runs.

    Args:
        index: its index.
        folder: the folder of its files.
    """

    def __init__(self, index: IndexFile, folder: Path) -> None:
        self._index = index
        self._folder = folder

    @cached_property
    def _parts(self) -> list[tuple[Path, pa.Table]]:
        return list(self._load())

    @cached_property
    def _rows(self) -> dict[bytes, tuple[int, int]]:
        rows: dict[bytes, tuple[int, int]] = {}
        for number, (_, table) in enumerate(self._parts):
            contents = table["content"].to_pylist()
            rows.update(zip(contents, ((number, row) for row in range(len(contents))), strict=True))
        return rows

    def keep(self) -> None:
        """Let the parts count as used now, although they are not read."""
        for path in self._folder.glob(f"*{_PART}"):
            with suppress(OSError):  # another process deleted it
                os.utime(path)

    def __contains__(self, content: bytes) -> bool:
        return content in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, contents: Sequence[bytes], schema: pa.Schema) -> pa.Table:
        """Return what was read from files with some contents, in their order."""
        positions = np.array([self._rows[content] for content in contents], dtype=np.int64).reshape(-1, 2)
        starts = np.cumsum([0, *(table.num_rows for _, table in self._parts)])
        whole = pa.concat_tables([schema.empty_table(), *(table for _, table in self._parts)])
        wanted = starts[positions[:, 0]] + positions[:, 1]
        return whole if np.array_equal(wanted, np.arange(whole.num_rows)) else whole.take(pa.array(wanted))

    def add(self, table: pa.Table) -> None:
        """Store what was read from files, by its column `content`."""
        merged = [path for path, _ in self._parts] if len(self._parts) >= _MAX_PARTS else []
        if merged:
            table = pa.concat_tables([table, *(part for _, part in self._parts)])
        if self._write(f"{secrets.token_hex(8)}{_PART}", table):
            for path in merged:
                _remove(path)
            self._index.evict()

    def snapshot(self, name: str) -> pa.Table | None:
        """Return the last snapshot with a name."""
        return self._read(self._folder / f"{name}{_NOTE}")

    def keep_snapshot(self, name: str, table: pa.Table) -> None:
        """Store a snapshot, replacing the last one with its name."""
        self._write(f"{name}{_NOTE}", table)

    def note(self, name: str) -> TableNote:
        """Return the place of a snapshot with a name."""
        return TableNote(self, name)

    def _load(self) -> Iterator[tuple[Path, pa.Table]]:
        for path in sorted(self._folder.glob(f"*{_PART}")):
            table = self._read(path)
            if table is not None:
                yield path, table

    def _read(self, path: Path) -> pa.Table | None:
        try:
            sealed = memoryview(path.read_bytes())
            os.utime(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._warn(f"A part of the index cannot be read: {error.strerror or error}.", path)
            return None
        if len(sealed) <= _DIGEST or blake2b(sealed[_DIGEST:], digest_size=_DIGEST).digest() != sealed[:_DIGEST]:
            self._warn("A damaged part of the index was deleted.", path)
            _remove(path)
            return None
        try:
            return sealed_table(sealed[_DIGEST:])
        except pa.ArrowException:
            self._warn("A part of the index that another program wrote was deleted.", path)
            _remove(path)
            return None

    def _write(self, name: str, table: pa.Table) -> bool:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        data = sink.getvalue()
        if data.size > self._index.limit_bytes:
            return False
        unfinished = self._folder / f".{secrets.token_hex(8)}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            # Not synced: a part that a crash cut off is detected as damaged, and deleted.
            with unfinished.open("wb") as file:
                file.write(blake2b(data, digest_size=_DIGEST).digest())
                file.write(data)
            unfinished.replace(self._folder / name)
        except OSError as error:
            self._warn(f"The index cannot be written: {error.strerror or error}.", self._folder)
            return False
        finally:
            # Also if Ctrl-C came; after the renaming there is nothing to remove.
            _remove(unfinished)
        return True

    def _warn(self, what: str, where: Path) -> None:
        self._index.warnings.append(f"{where}: {what}")


@dataclass(frozen=True)
class TableNote:
    """The place of a snapshot in a table of the index; see `IndexNote`."""

    table: IndexTable
    name: str

    def load(self) -> pa.Table | None:
        """See `IndexNote.load`."""
        return self.table.snapshot(self.name)

    def save(self, table: pa.Table) -> None:
        """See `IndexNote.save`."""
        self.table.keep_snapshot(self.name, table)


def _remove(path: Path) -> None:
    with suppress(OSError):  # another process deleted it, or it cannot be deleted
        path.unlink()


def cache_folder() -> Path:
    """Return the user's cache folder for clonetruth."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "clonetruth"


class Index:
    """What the index knows about the files of a search.

    Args:
        index: the index folder.
        plan: what the search reads.
        files: the files.

    Attributes:
        unknown: the positions of the files that must be read.
        unchanged: whether the last search of this kind read the same, so that its result is the result.
        previous_run: the last search of this kind; known after the files were read.
    """

    def __init__(self, index: IndexFile, plan: ReadingPlan, files: Sequence[SearchedFile]) -> None:
        self._plan = plan
        self._files = files
        self._table = index.table(_kind(plan, files))
        # The same file may be read in another language: a header, if the files around it change.
        self._paths = [os.fsencode(file.path) + f"\0{file.language}".encode() for file in files]
        self._states = [current_state(file) for file in files]
        self._name = _name(plan, [os.fsencode(file.path) for file in files])
        snapshot = self._table.snapshot(self._name)
        self._previous = Snapshot.from_table(snapshot) if snapshot else None
        self._contents = self._current_contents()
        self.previous_run: PreviousRun | None = None

    @property
    def explanations(self) -> IndexNote:
        """The place for the explanations of the clones of this search."""
        return self._table.note(f"{self._name}-words")

    @cached_property
    def unknown(self) -> list[int]:
        return [number for number, content in enumerate(self._contents) if content not in self._table]

    def _current_contents(self) -> list[bytes]:
        """The contents of files: by their states if possible, else by reading them if they may be known."""
        self.unchanged = False
        previous = self._previous
        if previous is None:
            return [_digest(file) for file in self._files] if len(self._table) else [b""] * len(self._files)
        positions = previous.positions(self._paths, self._states)
        contents = [
            _digest(file) if position < 0 else previous.contents[position]
            for position, file in zip(positions, self._files, strict=True)
        ]
        # A skipped file has no contents: it is the same only if nothing about it changed.
        self.unchanged = contents == list(previous.contents) and all(
            content or position == number
            for number, (content, position) in enumerate(zip(contents, positions, strict=True))
        )
        # A smaller budget leaves out pairs, and which ones is decided by comparing all functions.
        self.unchanged &= previous.most_pairs() <= budget().found_pairs
        return contents

    def recalled(self) -> pa.Table:
        """Return what the last search read, if nothing changed; without features."""
        assert self._previous is not None
        self._table.keep()
        self._read = self._previous.read
        self.previous_run = PreviousRun(self._previous, self._contents, self._previous.compared)
        return self._read

    def completed(self, fresh: pa.Table) -> pa.Table:
        """Return what was read from all files, after the unknown ones were read.

        Args:
            fresh: what was read from the unknown files, with the columns of `ReadingPlan.schema`.
        """
        unknown = set(self.unknown)
        known = [number for number in range(len(self._files)) if number not in unknown]
        known_rows = self._table.rows([self._contents[number] for number in known], self._plan.schema)
        known_rows = known_rows.set_column(0, self._plan.schema.field("file"), pa.array(known, pa.int32()))
        read = in_file_order(pa.concat_tables([known_rows, fresh]))
        sound = fresh.filter(pa.array([bool(content) for content in fresh["content"].to_pylist()], pa.bool_()))
        if sound.num_rows:
            self._table.add(sound)
        self._contents = read["content"].to_pylist()
        if self._previous:
            self.previous_run = PreviousRun(
                self._previous, self._contents, read["compared"].to_numpy().astype(np.int64)
            )
        self._read = read.select(self._plan.summary.names)
        return read

    def save(self, pairs: pa.Table) -> None:
        """Store the found pairs, for the next search over these files."""
        run = Snapshot(self._paths, self._states, self._contents, self._read, pairs)
        previous = self._previous
        if previous is None or (previous.paths, previous.states, previous.contents) != (
            run.paths,
            run.states,
            run.contents,
        ):
            self._table.keep_snapshot(self._name, run.to_table())


def _digest(file: SearchedFile) -> bytes:
    data = raw_bytes(file)
    return b"" if isinstance(data, str) else content_digest(data, file.language)


def _kind(plan: ReadingPlan, files: Sequence[SearchedFile]) -> str:
    """Everything that decides what is read from a file, except its contents."""
    grammars = {language(name).grammar.partition(":")[0] for name in {file.language for file in files}}
    packages = ["clonetruth", "tree-sitter", "rapidfuzz", *sorted(module.partition(".")[0] for module in grammars)]
    sizes = (plan.options.min_tokens, plan.options.min_lines)
    kind = repr((sizes, plan.detectors, package_versions(packages)))
    return f"{kind} with statements" if plan.statements else kind


def package_versions(packages: Iterable[str]) -> list[tuple[str, str]]:
    """Return the installed versions of packages."""
    return [(package, _version(package)) for package in packages]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _name(plan: ReadingPlan, paths: Sequence[bytes]) -> str:
    """A name that distinguishes searches which read the same: by the threshold and the folder."""
    try:
        folder = os.path.commonpath([min(paths), max(paths)])  # all paths between them share it
    except ValueError:  # no paths, or relative and absolute ones
        folder = b""
    here = None if Path(os.fsdecode(folder)).is_absolute() else os.fspath(Path.cwd())
    parts = (plan.options.threshold, folder, here)
    return blake2b(repr(parts).encode("utf-8", errors="surrogateescape"), digest_size=16).hexdigest()
