"""Maps the paths in a tool's report to the paths of a benchmark, which may lie under different folders."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from clonetruth.formats.reports.report import REPORTED

_PATHS = ("left_path", "right_path")


@dataclass
class Unresolved:
    """Paths of a report that could not be mapped to a path of the benchmark.

    Attributes:
        paths: the number of distinct paths.
        mentions: the number of their occurrences in the report's pairs.
        examples: the first few paths.
    """

    paths: int = 0
    mentions: int = 0
    examples: list[str] = field(default_factory=list)

    EXAMPLES = 5

    def add(self, path: str) -> None:
        """Count a path on its first occurrence."""
        self.paths += 1
        if len(self.examples) < self.EXAMPLES:
            self.examples.append(path)


class PathResolver:
    """Maps the paths of a report to those of a benchmark. The first rule that yields a path applies:

    1. the path itself;
    2. the path without `root`;
    3. the longest known path that is a suffix of it, by whole components: `/x/2/selected/1.java` is `selected/1.java`;
    4. for a relative path, the only known path of which it is a suffix: `1.java` is `selected/1.java`, or ambiguous if
       `default/1.java` is known too.

    Backslashes count as slashes; case matters. Paths that no rule resolves stay as they are, and are counted.

    Args:
        known: the benchmark's paths.
        root: the folder that the tool was run on, as it appears in the tool's paths.
    """

    def __init__(self, known: Iterable[str], root: str | None = None) -> None:
        self.unknown = Unresolved()
        self.ambiguous = Unresolved()
        self._root = _components(root) if root else ()
        self._known: dict[tuple[str, ...], str] = {}
        self._ends: dict[tuple[str, ...], str | None] = {}
        self._seen: dict[str, tuple[str, Unresolved | None]] = {}
        for path in dict.fromkeys(known):
            parts = _components(path)
            self._known.setdefault(parts, path)
            for start in range(1, len(parts)):
                end = parts[start:]
                self._ends[end] = None if end in self._ends else path

    def resolve(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Replace the paths in a batch of `REPORTED` pairs by the benchmark's paths."""
        columns = [
            self._column(batch.column(name)) if name in _PATHS else batch.column(name) for name in REPORTED.names
        ]
        return pa.RecordBatch.from_arrays(columns, schema=REPORTED)

    def path(self, path: str) -> str:
        """The benchmark's path for a path of the tool; the path itself if there is none."""
        return self._resolve(path)[0]

    def _column(self, column: pa.Array) -> pa.Array:
        encoded = column.dictionary_encode()
        found = [self._resolve(path) for path in encoded.dictionary.to_pylist()]
        mentions = np.bincount(encoded.indices.to_numpy(), minlength=len(found))
        for (_, unresolved), times in zip(found, mentions.tolist(), strict=True):
            if unresolved is not None:
                unresolved.mentions += times
        return pa.array([path for path, _ in found], pa.string()).take(encoded.indices)

    def _resolve(self, path: str) -> tuple[str, Unresolved | None]:
        if path not in self._seen:
            self._seen[path] = self._decide(path)
            _, unresolved = self._seen[path]
            if unresolved is not None:
                unresolved.add(path)
        return self._seen[path]

    def _decide(self, path: str) -> tuple[str, Unresolved | None]:
        parts = _components(path)
        inner = parts[len(self._root) :] if parts[: len(self._root)] == self._root else parts
        for start in range(len(inner)):
            if (known := self._known.get(inner[start:])) is not None:
                return known, None
        if inner not in self._ends:
            return path, self.unknown
        only = self._ends[inner]
        return (path, self.ambiguous) if only is None else (only, None)


def _components(path: str) -> tuple[str, ...]:
    """The components of a path. An absolute path starts with an empty one, so that it is not a suffix of any other."""
    slashed = path.replace("\\", "/")
    names = tuple(name for name in slashed.split("/") if name not in ("", "."))
    return ("", *names) if slashed.startswith("/") else names
