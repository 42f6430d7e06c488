"""A detector applied to abstracted code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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

    def _texts(self, fragments: pa.Table, processes: int, report: Progress) -> Iterator[str]:
        rows = list(zip(fragments["language"].to_pylist(), fragments["text"].to_pylist(), strict=True))
        functions = FunctionNames()
        if self.level >= Level.FUNCTIONS:
            functions = collect_functions((text, language_named(name)) for name, text in rows if name in LANGUAGES)
        batches = (rows[start : start + _FRAGMENTS] for start in range(0, len(rows), _FRAGMENTS))
        for texts in map_parallel(_abstract_batch, (self.level, functions), batches, processes):
            report("Abstracting", len(texts), len(rows))
            yield from texts


def _abstract_batch(shared: tuple[int, FunctionNames], rows: list[tuple[str, str]]) -> list[str]:
    level, functions = shared
    return [
        abstract(text, language_named(name), level, functions) if name in LANGUAGES else text for name, text in rows
    ]
