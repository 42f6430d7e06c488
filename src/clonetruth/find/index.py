"""A search with an index: what is known of its files already, and what is kept for the next one."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.code import language
from clonetruth.find.reading import ReadingPlan, content_digest, in_order, raw_bytes
from clonetruth.find.search_result import SearchedFile
from clonetruth.find.snapshot import PreviousRun, Snapshot, state

# The persistent index: what earlier searches learned about files, in a folder of the user's cache.
#
# A *shelf* holds what one kind of search reads of files, by their contents; so it does not matter where a file is or
# was. It consists of sealed files: a digest, and a table that it is the digest of. They are written under another name
# and renamed, and never changed, so that several processes can use the index at once. One that is damaged is thrown
# away. Those that were not used for the longest time make room for new ones.

_FORMAT = "1"
"""Changes whenever what is written changes its meaning."""
_DIGEST = 16
_MOST_PARTS = 12
"""Parts of a shelf above which they are made one."""
_PART, _NOTE = ".part", ".note"


@dataclass(eq=False)
class IndexFile:
    """What earlier searches learned.

    Attributes:
        folder: where it is kept; made when it is needed.
        limit_bytes: how large it may grow.
        warnings: what was wrong with it; none of it makes a result wrong.
    """

    folder: Path = field(default_factory=lambda: cache_folder() / "search")
    limit_bytes: int = 2 * 1024**3
    warnings: list[str] = field(default_factory=list)

    def shelf(self, kind: str) -> IndexTable:
        """The shelf of a kind of search: whatever decides what is read of a file."""
        name = blake2b(f"{_FORMAT}\0{kind}".encode(), digest_size=_DIGEST).hexdigest()
        return IndexTable(self, self.folder / name)

    def make_room(self) -> None:
        """Remove what was not used for the longest time, until the rest is within the limit."""
        files = []
        for path in self.folder.glob("*/*"):
            try:
                state = path.stat()
            except OSError:  # another process was quicker
                continue
            files.append((state.st_mtime, state.st_size, path))
        size = sum(file[1] for file in files)
        for _, taken, path in sorted(files):
            if size <= self.limit_bytes:
                break
            _remove(path)
            size -= taken


class IndexTable:
    """What one kind of search has read, by contents; and notes about runs.

    Args:
        index: the index that it is in.
        folder: where its files are.
    """

    def __init__(self, index: IndexFile, folder: Path) -> None:
        self._index = index
        self._folder = folder
        self._parts = list(self._load())
        self._rows: dict[bytes, tuple[int, int]] = {}
        for number, (_, table) in enumerate(self._parts):
            contents = table["content"].to_pylist()
            self._rows.update(zip(contents, ((number, row) for row in range(len(contents))), strict=True))

    def __contains__(self, content: bytes) -> bool:
        return content in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, contents: Sequence[bytes], schema: pa.Schema) -> pa.Table:
        """What was read of files with such contents, in that order."""
        places = np.array([self._rows[content] for content in contents], dtype=np.int64).reshape(-1, 2)
        starts = np.cumsum([0, *(table.num_rows for _, table in self._parts)])
        whole = pa.concat_tables([schema.empty_table(), *(table for _, table in self._parts)])
        wanted = starts[places[:, 0]] + places[:, 1]
        return whole if np.array_equal(wanted, np.arange(whole.num_rows)) else whole.take(pa.array(wanted))

    def add(self, table: pa.Table) -> None:
        """Keep what was read of files, by its column `content`."""
        merged = [path for path, _ in self._parts] if len(self._parts) >= _MOST_PARTS else []
        if merged:
            table = pa.concat_tables([table, *(part for _, part in self._parts)])
        if self._write(f"{secrets.token_hex(8)}{_PART}", table):
            for path in merged:
                _remove(path)
            self._index.make_room()

    def note(self, name: str) -> pa.Table | None:
        """The last note of a name."""
        return self._read(self._folder / f"{name}{_NOTE}")

    def keep_note(self, name: str, table: pa.Table) -> None:
        """Replace the note of a name."""
        self._write(f"{name}{_NOTE}", table)

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
            self._warn("A damaged part of the index was thrown away.", path)
            _remove(path)
            return None
        return pa.ipc.open_file(pa.py_buffer(sealed[_DIGEST:])).read_all()

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
            # Not synced: what a crash leaves of it is found damaged, and thrown away.
            with unfinished.open("wb") as file:
                file.write(blake2b(data, digest_size=_DIGEST).digest())
                file.write(data)
            unfinished.replace(self._folder / name)
        except OSError as error:
            _remove(unfinished)
            self._warn(f"The index cannot be written: {error.strerror or error}.", self._folder)
            return False
        return True

    def _warn(self, what: str, where: Path) -> None:
        self._index.warnings.append(f"{where}: {what}")


def _remove(path: Path) -> None:
    with suppress(OSError):  # another process was quicker, or it stays
        path.unlink()


def cache_folder() -> Path:
    """Where programs keep what they can make again, for this user."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "clonetruth"


class Index:
    """What is known of the files of a search.

    Args:
        index: where it is kept.
        plan: what the search reads.
        files: the files.

    Attributes:
        unknown: the places of the files that must be read.
        earlier: what the last such search found; known when the files were read.
    """

    def __init__(self, index: IndexFile, plan: ReadingPlan, files: Sequence[SearchedFile]) -> None:
        self._plan = plan
        self._files = files
        self._shelf = index.shelf(_kind(plan, files))
        self._paths = [os.fsencode(file.path) for file in files]
        self._states = [state(file) for file in files]
        self._name = _name(plan, self._paths)
        note = self._shelf.note(self._name)
        self._last = Snapshot.of_note(note) if note else None
        self._contents = self._told()
        self.unknown = [number for number, content in enumerate(self._contents) if content not in self._shelf]
        self.earlier: PreviousRun | None = None

    def _told(self) -> list[bytes]:
        """The contents of files: as their states tell, else by reading them if something may be known of them."""
        known = [b""] * len(self._files)
        if self._last:
            known = self._last.known_contents(self._paths, self._states)
        if not len(self._shelf):
            return known
        return [content or _digest(file) for content, file in zip(known, self._files, strict=True)]

    def completed(self, fresh: pa.Table) -> pa.Table:
        """What was read of all files, now that the unknown ones were read too.

        Args:
            fresh: what was read of those, with the columns of `ReadingPlan.schema`.
        """
        unknown = set(self.unknown)
        known = [number for number in range(len(self._files)) if number not in unknown]
        shelved = self._shelf.rows([self._contents[number] for number in known], self._plan.schema)
        shelved = shelved.set_column(0, self._plan.schema.field("file"), pa.array(known, pa.int32()))
        read = in_order(pa.concat_tables([shelved, fresh]))
        sound = fresh.filter(pa.array([bool(content) for content in fresh["content"].to_pylist()], pa.bool_()))
        if sound.num_rows:
            self._shelf.add(sound)
        self._contents = read["content"].to_pylist()
        if self._last:
            self.earlier = PreviousRun(self._last, self._contents, read["compared"].to_numpy().astype(np.int64))
        self._compared = read["compared"].to_numpy()
        return read

    def remember(self, pairs: pa.Table) -> None:
        """Keep what was found, for the next search over these files."""
        run = Snapshot(self._paths, self._states, self._contents, self._compared, pairs)
        last = self._last
        if last is None or (last.paths, last.states, last.contents) != (run.paths, run.states, run.contents):
            self._shelf.keep_note(self._name, run.note())


def _digest(file: SearchedFile) -> bytes:
    data = raw_bytes(file)
    return b"" if isinstance(data, str) else content_digest(data, file.language)


def _kind(plan: ReadingPlan, files: Sequence[SearchedFile]) -> str:
    """All that decides what is read of a file, but its contents."""
    grammars = {language(name).grammar.partition(":")[0] for name in {file.language for file in files}}
    packages = ["clonetruth", "tree-sitter", *sorted(module.partition(".")[0] for module in grammars)]
    sizes = (plan.options.min_tokens, plan.options.min_lines)
    return repr((sizes, plan.detectors, [(package, _version(package)) for package in packages]))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _name(plan: ReadingPlan, paths: Sequence[bytes]) -> str:
    """What tells searches apart that read the same: the threshold, and the folder."""
    try:
        folder = os.path.commonpath([min(paths), max(paths)])  # what these share, all between them do
    except ValueError:  # no paths, or relative and absolute ones
        folder = b""
    here = None if Path(os.fsdecode(folder)).is_absolute() else os.fspath(Path.cwd())
    told = (plan.options.threshold, folder, here)
    return blake2b(repr(told).encode("utf-8", errors="surrogateescape"), digest_size=16).hexdigest()
