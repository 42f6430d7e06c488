"""Expansion: a function becomes a multi-function fragment, with all functions that it calls.

The files are looked up in a tree by a fragment's path, or by the last two parts of it, so that IJaDataset's whole
(`<folder>/<file>`) and reduced (`<functionality>/<folder>/<file>`) trees both serve.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from pathlib import Path, PurePosixPath

import pyarrow as pa
import pyarrow.parquet as pq

from clonetruth.audit.texts import digest
from clonetruth.code import LANGUAGES, CallGraphFile, call_graph, decode, language
from clonetruth.errors import InputError
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.model import FragmentKind
from clonetruth.store import Benchmark

# Twins: fragments with the same text up to white space.

_BATCH = 1024


def text_digests(benchmark: Benchmark) -> pa.Table:
    """`fragment` and `digest` of every fragment with a text; equal where the texts are, up to white space."""
    (path,) = benchmark.parquet("fragments")
    keys: list[int] = []
    digests: list[int] = []
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(_BATCH, columns=["fragment", "text"]):
            for key, text in zip(batch["fragment"].to_pylist(), batch["text"].to_pylist(), strict=True):
                if text and not text.isspace():
                    keys.append(key)
                    digests.append(digest(text))
    return pa.table({"fragment": pa.array(keys, pa.int64()), "digest": pa.array(digests, pa.int64())})


class Scope(StrEnum):
    """Where called functions are looked for."""

    FILE = "file"
    PROJECT = "project"  # also in the other files that the benchmark knows of the project


@dataclass(frozen=True)
class Expansion:
    """What expanding fragments gave.

    Attributes:
        texts: the fragments that grew: `fragment`, `text`, `kind`.
        counts: the fragments by what became of them.
        digest: hash of the source files that were used.
    """

    texts: pa.Table
    counts: dict[str, int] = field(default_factory=dict)
    digest: str = ""


@dataclass(frozen=True)
class _Entry:
    fragment: int
    language: str
    path: str | None
    first_line: int | None
    last_line: int | None
    project: str | None

    @property
    def place(self) -> tuple[str, ...] | None:
        return None if self.path is None else PurePosixPath(self.path).parts[-2:]


GROWN, ALONE, LOST, MISSING, UNREADABLE = (
    "expanded",
    "call nothing in reach",
    "not found in their file",
    "without a file",
    "in a language without a call graph",
)


def expand_fragments(
    benchmark: Benchmark, fragments: pa.Table, files: Path, scope: Scope, depth: int | None
) -> Expansion:
    """Expand fragments by the call graph of their file, or of what the benchmark knows of their project.

    Args:
        benchmark: the benchmark.
        fragments: which of them (`fragment`).
        files: a folder or archive of source files.
        scope: where called functions are looked for.
        depth: how many calls deep; all unless told.

    Raises:
        InputError: `files` is no tree, or holds none of the files.
    """
    if not files.exists() or not is_tree(files):
        raise InputError("There is no folder or archive of source files.", where=files)
    entries = [
        _Entry(**row)
        for row in benchmark.sql(
            "SELECT f.fragment AS fragment, f.language AS language, f.path AS path, f.first_line AS first_line, "
            "f.last_line AS last_line, f.project AS project FROM fragments f JOIN asked a ON f.fragment = a.fragment "
            "ORDER BY f.fragment",
            asked=fragments,
        ).to_pylist()
    ]
    sources = _read(files, {entry.place for entry in entries if entry.place})
    if entries and not sources:
        raise InputError(
            "None of the fragments' files is there.",
            where=files,
            hint="Files are found by the last two parts of a fragment's path.",
        )
    counts = dict.fromkeys((GROWN, ALONE, LOST, MISSING, UNREADABLE), 0)
    rows: list[tuple[int, str]] = []
    for group in _groups(entries, scope):
        for entry, outcome, text in _expanded(group, sources, depth):
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


def _read(tree: Path, wanted: set[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """The wanted files by the last two parts of their names. A tree that holds one twice gives the first."""
    found: dict[tuple[str, ...], str] = {}
    for member in read_tree(tree):
        place = member.name.parts[-2:]
        if place in wanted and place not in found:
            found[place] = decode(member.read()).text
    return found


def _digest(sources: dict[tuple[str, ...], str]) -> str:
    whole = sha256()
    for place in sorted(sources):
        for piece in ("/".join(place), sources[place]):
            data = piece.encode("utf-8", errors="replace")
            whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()


def _groups(entries: list[_Entry], scope: Scope) -> Iterable[list[_Entry]]:
    """Fragments whose calls are resolved together."""
    groups: dict[object, list[_Entry]] = defaultdict(list)
    for entry in entries:
        together = entry.project if scope is Scope.PROJECT and entry.project is not None else entry.place
        groups[together, entry.language].append(entry)
    return groups.values()


def _expanded(
    group: list[_Entry], sources: dict[tuple[str, ...], str], depth: int | None
) -> Iterator[tuple[_Entry, str, str | None]]:
    name = group[0].language
    if name not in LANGUAGES or not LANGUAGES[name].calls:
        yield from ((entry, UNREADABLE, None) for entry in group)
        return
    places = dict.fromkeys(entry.place for entry in group if entry.place in sources)
    graph = call_graph(
        [CallGraphFile("/".join(place), sources[place], language(name)) for place in places if place is not None]
    )
    for entry in group:
        if entry.place is None or entry.place not in sources:
            yield entry, MISSING, None
            continue
        found = (
            None
            if entry.first_line is None or entry.last_line is None
            else graph.find("/".join(entry.place), entry.first_line, entry.last_line)
        )
        if found is None:
            yield entry, LOST, None
            continue
        text, functions = graph.expand(found, depth)
        yield (entry, GROWN, text) if functions > 1 else (entry, ALONE, None)
