"""Expansion: a function becomes a multi-function fragment, together with all functions that it calls.

A fragment's file is found by the last two parts of its path, so that IJaDataset's full (`<folder>/<file>`) and
reduced (`<functionality>/<folder>/<file>`) trees both work.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from pathlib import Path, PurePosixPath

import pyarrow as pa

from clonetruth.code import LANGUAGES, CallGraphFile, call_graph, decode, language
from clonetruth.errors import InputError
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.model import FragmentKind
from clonetruth.store import Benchmark


class Scope(StrEnum):
    """Where called functions are searched."""

    FILE = "file"
    PROJECT = "project"  # also in the project's other files, as far as the benchmark has fragments of them


@dataclass(frozen=True)
class Expansion:
    """The expanded fragments.

    Attributes:
        texts: the fragments that were expanded: `fragment`, `text`, `kind`.
        counts: the number of fragments by outcome.
        digest: hash of the source files that were used.
    """

    texts: pa.Table
    counts: dict[str, int] = field(default_factory=dict)
    digest: str = ""


@dataclass(frozen=True)
class _Location:
    fragment: int
    language: str
    path: str | None
    first_line: int | None
    last_line: int | None
    project: str | None

    @property
    def file(self) -> tuple[str, ...] | None:
        """The last two parts of the path."""
        return None if self.path is None else PurePosixPath(self.path).parts[-2:]


EXPANDED, NO_CALLS, NOT_FOUND, NO_FILE, NO_CALL_GRAPH = (
    "expanded",
    "call nothing in reach",
    "not found in their file",
    "without a file",
    "in a language without a call graph",
)


def expand_fragments(
    benchmark: Benchmark, fragments: pa.Table, files: Path, scope: Scope, depth: int | None
) -> Expansion:
    """Expand fragments by the call graph of their file or project.

    Args:
        benchmark: the benchmark.
        fragments: the fragments to expand (`fragment`).
        files: a folder or archive of source files.
        scope: where called functions are searched.
        depth: maximum depth of calls (default: unlimited).

    Raises:
        InputError: `files` is not a folder or archive, or contains none of the fragments' files.
    """
    if not files.exists() or not is_tree(files):
        raise InputError("Not a folder or archive of source files.", where=files)
    entries = [
        _Location(**row)
        for row in benchmark.sql(
            "SELECT f.fragment AS fragment, f.language AS language, f.path AS path, f.first_line AS first_line, "
            "f.last_line AS last_line, f.project AS project FROM fragments f JOIN asked a ON f.fragment = a.fragment "
            "ORDER BY f.fragment",
            asked=fragments,
        ).to_pylist()
    ]
    sources = _read_sources(files, {entry.file for entry in entries if entry.file})
    if entries and not sources:
        raise InputError(
            "None of the fragments' files was found.",
            where=files,
            hint="Files are matched by the last two parts of a fragment's path.",
        )
    counts = dict.fromkeys((EXPANDED, NO_CALLS, NOT_FOUND, NO_FILE, NO_CALL_GRAPH), 0)
    rows: list[tuple[int, str]] = []
    for group in _groups(entries, scope):
        for entry, outcome, text in _expand_group(group, sources, depth):
            counts[outcome] += 1
            if text is not None:
                rows.append((entry.fragment, text))
    rows.sort()
    table = pa.table(
        {
            "fragment": pa.array([key for key, _ in rows], pa.int64()),
            "text": pa.array([text for _, text in rows], pa.string()),
            "kind": pa.array([str(FragmentKind.MULTI_FUNCTION)] * len(rows), pa.string()),
        }
    )
    return Expansion(table, counts, _digest(sources))


def _read_sources(tree: Path, wanted: set[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """The wanted files by the last two parts of their names; of several files with one name, the first counts."""
    sources: dict[tuple[str, ...], str] = {}
    for member in read_tree(tree):
        file = member.name.parts[-2:]
        if file in wanted and file not in sources:
            sources[file] = decode(member.read()).text
    return sources


def _digest(sources: dict[tuple[str, ...], str]) -> str:
    whole = sha256()
    for file in sorted(sources):
        for piece in ("/".join(file), sources[file]):
            data = piece.encode("utf-8", errors="replace")
            whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()


def _groups(entries: list[_Location], scope: Scope) -> Iterable[list[_Location]]:
    """Fragments whose calls are resolved together."""
    groups: dict[object, list[_Location]] = defaultdict(list)
    for entry in entries:
        group = entry.project if scope is Scope.PROJECT and entry.project is not None else entry.file
        groups[group, entry.language].append(entry)
    return groups.values()


def _expand_group(
    group: list[_Location], sources: dict[tuple[str, ...], str], depth: int | None
) -> Iterator[tuple[_Location, str, str | None]]:
    name = group[0].language
    if name not in LANGUAGES or not LANGUAGES[name].calls:
        yield from ((entry, NO_CALL_GRAPH, None) for entry in group)
        return
    files = dict.fromkeys(entry.file for entry in group if entry.file in sources)
    graph = call_graph(
        [CallGraphFile("/".join(file), sources[file], language(name)) for file in files if file is not None]
    )
    for entry in group:
        if entry.file is None or entry.file not in sources:
            yield entry, NO_FILE, None
            continue
        function = (
            None
            if entry.first_line is None or entry.last_line is None
            else graph.find("/".join(entry.file), entry.first_line, entry.last_line)
        )
        if function is None:
            yield entry, NOT_FOUND, None
            continue
        text, functions = graph.expand(function, depth)
        yield (entry, EXPANDED, text) if functions > 1 else (entry, NO_CALLS, None)
