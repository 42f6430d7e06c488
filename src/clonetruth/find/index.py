"""A search with an index: what is known of its files already, and what is kept for the next one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.code import language
from clonetruth.find.index_tables import IndexFile
from clonetruth.find.reading import ReadingPlan, content_digest, in_order, raw_bytes
from clonetruth.find.search_result import SearchedFile
from clonetruth.find.snapshot import PreviousRun, Snapshot, state


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
