"""Reads fragments at a level of abstraction, in worker processes and with a cache."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Self, TypeVar

import pyarrow as pa

from clonetruth.code import LANGUAGES, FunctionNames, Language, collect_functions, map_parallel
from clonetruth.code import language as language_named
from clonetruth.code.abstraction import Level
from clonetruth.detectors.abstracted import abstracted_texts
from clonetruth.progress import Progress, no_progress

T = TypeVar("T")

_FRAGMENTS = 64
"""Fragments per batch: large enough to hide the cost of sending them to another process."""


@dataclass(frozen=True)
class LevelReader(Generic[T]):
    """Reads something from each fragment, after abstraction.

    Attributes:
        extract: reads it from a text; picklable, for worker processes.
        nothing: what an unsupported language has.
        level: the abstraction level.
        functions: the replacement of each function name at level 3. Unknown names are kept.
    """

    extract: Callable[[str, Language], T]
    nothing: T
    level: int
    functions: Mapping[str, str] = field(default_factory=dict)
    _cache: dict[bytes, T] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def for_fragments(cls, extract: Callable[[str, Language], T], nothing: T, level: int, fragments: pa.Table) -> Self:
        """A reader that numbers the functions of these fragments, if the level requires it."""
        if level < Level.FUNCTIONS:
            return cls(extract, nothing, level)
        texts = [(text, language_named(name)) for name, text in _rows(fragments) if name in LANGUAGES]
        return cls(extract, nothing, level, collect_functions(texts).new_names)

    def read(self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None) -> Sequence[T]:
        """What each fragment has."""
        rows = _rows(fragments)
        digests = [hashlib.sha256(f"{name}\0{text}".encode(errors="replace")).digest() for name, text in rows]
        new = {digest: row for digest, row in zip(digests, rows, strict=True) if digest not in self._cache}
        found = self._read(list(new.values()), processes, progress or no_progress)
        self._cache.update(zip(new, found, strict=True))
        return [self._cache[digest] for digest in digests]

    def _read(self, rows: list[tuple[str, str]], processes: int, report: Progress) -> Iterator[T]:
        if not rows:
            return
        # A few fragments are not worth starting processes for.
        processes = processes if len(rows) > _FRAGMENTS else 1
        texts = abstracted_texts(rows, self.level, FunctionNames(self.functions), processes, report)
        named = [(name, text) for (name, _), text in zip(rows, texts, strict=True)]
        batches = (named[start : start + _FRAGMENTS] for start in range(0, len(named), _FRAGMENTS))
        shared = self.extract, self.nothing
        for found in map_parallel(_read_batch, shared, batches, processes):
            report("Reading words", len(found), len(rows))
            yield from found


def _rows(fragments: pa.Table) -> list[tuple[str, str]]:
    return list(zip(fragments["language"].to_pylist(), fragments["text"].to_pylist(), strict=True))


def _read_batch(shared: tuple[Callable[[str, Language], T], T], rows: list[tuple[str, str]]) -> list[T]:
    extract, nothing = shared
    return [extract(text, language_named(name)) if name in LANGUAGES else nothing for name, text in rows]
