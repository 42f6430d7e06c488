"""A detector applied to abstracted code."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import pyarrow as pa

from clonetruth.code import LANGUAGES, FunctionNames, abstract, collect_functions, map_parallel
from clonetruth.code import language as language_named
from clonetruth.code.abstraction import Level
from clonetruth.detectors.detector import FRAGMENTS, Detector
from clonetruth.progress import Progress, no_progress

_FRAGMENTS = 64
"""Fragments per batch: large enough to hide the cost of sending them to another process."""


@dataclass(frozen=True)
class AbstractedDetector:
    """Runs a detector on texts abstracted to a level (`code.abstraction`).

    Functions are numbered across all fragments of one call. A detector that only asks whether two names are equal does
    not depend on the numbers.

    Attributes:
        detector: the detector to run.
        level: the abstraction level, 0 to 3.
    """

    detector: Detector
    level: int

    @property
    def name(self) -> str:
        """See `Detector`."""
        return self.detector.name

    @property
    def description(self) -> str:
        """See `Detector`."""
        return self.detector.description

    @property
    def default_threshold(self) -> float | None:
        """See `Detector`."""
        return self.detector.default_threshold

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Texts in an unsupported language are passed on unchanged."""
        report = progress or no_progress
        texts = pa.array(self._texts(fragments, processes, report), pa.string())
        abstracted = fragments.set_column(fragments.column_names.index("text"), FRAGMENTS.field("text"), texts)
        return self.detector.score(abstracted, pairs, processes=processes, progress=progress)

    def _texts(self, fragments: pa.Table, processes: int, report: Progress) -> list[str]:
        rows = list(zip(fragments["language"].to_pylist(), fragments["text"].to_pylist(), strict=True))
        functions = FunctionNames()
        if self.level >= Level.FUNCTIONS:
            dataset = _digest("".join(_digest(f"{name}\0{text}").hex() for name, text in rows))
            functions = _NUMBERINGS.find(dataset) or _NUMBERINGS.keep(dataset, _functions(rows))
        return abstracted_texts(rows, self.level, functions, processes, report)


def abstracted_texts(
    rows: Sequence[tuple[str, str]], level: int, functions: FunctionNames, processes: int, report: Progress
) -> list[str]:
    """Abstract texts, except those that were abstracted recently.

    Args:
        rows: the language and text of each fragment; texts in an unsupported language stay unchanged.
        level: the abstraction level.
        functions: the numbering of functions, for levels that have one.
        processes: number of worker processes.
        report: called as the work proceeds.
    """
    numbering = _digest(repr(sorted(functions.new_names.items()))) if functions else b""
    keys = [bytes([level]) + numbering + _digest(f"{name}\0{text}") for name, text in rows]
    found = {key: _TEXTS.find(key) for key in keys}
    new = {key: row for key, row in zip(keys, rows, strict=True) if found[key] is None}
    report("Abstracting", len(rows) - len(new), len(rows))
    wanted, made = list(new.values()), list[str]()
    batches = (wanted[start : start + _FRAGMENTS] for start in range(0, len(wanted), _FRAGMENTS))
    for texts in map_parallel(_abstract_batch, (level, functions), batches, processes):
        report("Abstracting", len(texts), len(rows))
        made += texts
    found.update((key, _TEXTS.keep(key, text)) for key, text in zip(new, made, strict=True))
    return [text for key in keys if (text := found[key]) is not None]


T = TypeVar("T")


class RecentlyMade(Generic[T]):
    """What was made last, by key: a matrix shows many detectors the same texts, and abstraction takes most of its time.

    An entry depends on its key alone, so that what a detector is shown does not depend on what was asked before.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept = OrderedDict[bytes, T]()

    def find(self, key: bytes) -> T | None:
        """What was kept for a key, which then counts as used last."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, key: bytes, made: T) -> T:
        """Keep something, instead of what was used least recently."""
        self._kept[key] = made
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return made

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()


_TEXTS = RecentlyMade[str](20_000)
_NUMBERINGS = RecentlyMade[FunctionNames](20)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()


def _functions(rows: Sequence[tuple[str, str]]) -> FunctionNames:
    return collect_functions((text, language_named(name)) for name, text in rows if name in LANGUAGES)


def _abstract_batch(shared: tuple[int, FunctionNames], rows: list[tuple[str, str]]) -> list[str]:
    level, functions = shared
    return [
        abstract(text, language_named(name), level, functions) if name in LANGUAGES else text for name, text in rows
    ]
