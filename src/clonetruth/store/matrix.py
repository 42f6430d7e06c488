"""The summary of a matrix: detectors under several views, levels of abstraction and seeds (docs/matrix.md).

Evaluation writes it and pages show it. An unknown number is null.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.model import Manifest
from clonetruth.store.display import measurement_text, plural
from clonetruth.store.records import RecordFormat, write_text
from clonetruth.store.results import BenchmarkIdentity, Measurement

MATRIX_SCHEMA = "clonetruth-matrix"
MATRIX_VERSION = 1

METRICS = ("f1", "precision", "recall", "roc-auc")
"""The metrics of a matrix, as docs/metrics.md defines them."""


@dataclass(frozen=True, order=True)
class MatrixCell:
    """One entry of a matrix: a detector under a view, at a level of abstraction, with a seed."""

    detector: str
    view: str
    level: int
    seed: int

    @property
    def name(self) -> str:
        """The name of its result file."""
        return f"{self.detector}-{self.view.replace(':', '-')}-{self.level}-{self.seed}"

    def __str__(self) -> str:
        return f"{self.detector}, {self.view}, level {self.level}, seed {self.seed}"


@dataclass(frozen=True)
class CellFailure:
    """A cell without a result.

    Attributes:
        cell: the cell.
        error: what happened, and what to do about it.
        trace: the traceback of an error that the user cannot fix.
    """

    cell: MatrixCell
    error: str
    trace: str | None = None


@dataclass(frozen=True)
class MatrixRow:
    """A detector under a view, at a level, over the seeds.

    Attributes:
        detector: the detector.
        view: the view.
        level: the level of abstraction.
        seeds: the seeds with a result.
        values: for each metric, its value with each of these seeds.
        means: for each metric, the mean over the seeds.
        drops: for each metric, the mean drop from the random view with the same seed. Empty for the random view itself,
            and if the random view was not run.
    """

    detector: str
    view: str
    level: int
    seeds: tuple[int, ...]
    values: Mapping[str, Any]
    means: tuple[Measurement, ...]
    drops: tuple[Measurement, ...] = ()

    def mean(self, metric: str) -> Measurement | None:
        """The mean of a metric."""
        return next((one for one in self.means if one.name == metric), None)

    def drop(self, metric: str) -> Measurement | None:
        """The mean drop of a metric from the random view."""
        return next((one for one in self.drops if one.name == metric), None)


@dataclass(frozen=True)
class ViewTest:
    """The test part of a view, over the seeds.

    Attributes:
        view: the view.
        question: the question that a result under it answers.
        pairs: the mean number of test pairs.
        clone_share: the mean share of clones among them.
        always_yes: the mean F1 of calling every pair a clone, the baseline for F1.
    """

    view: str
    question: str
    pairs: Measurement
    clone_share: Measurement
    always_yes: Measurement


@dataclass(frozen=True)
class MatrixSummary:
    """The results of a matrix.

    Attributes:
        benchmark: the benchmark.
        policy: how judgements became verdicts.
        criterion: what the judges were asked.
        assumptions: what must be printed next to the numbers.
        setting: how pairs were drawn and detectors trained.
        detectors: the detectors, in the requested order; likewise `views`, `levels` and `seeds`.
        rows: one row per detector, view and level.
        tests: the test part of each view with a result.
        failures: the cells without a result.
        manifest: what produced the numbers.
    """

    benchmark: BenchmarkIdentity
    policy: str
    criterion: str | None
    assumptions: tuple[str, ...]
    setting: Mapping[str, Any]
    detectors: tuple[str, ...]
    views: tuple[str, ...]
    levels: tuple[int, ...]
    seeds: tuple[int, ...]
    rows: tuple[MatrixRow, ...]
    tests: tuple[ViewTest, ...]
    failures: tuple[CellFailure, ...]
    manifest: Manifest

    def row(self, detector: str, view: str, level: int) -> MatrixRow | None:
        """The row of a detector under a view, at a level."""
        wanted = (detector, view, level)
        return next((one for one in self.rows if (one.detector, one.view, one.level) == wanted), None)

    def __repr__(self) -> str:
        failed = f", {plural(len(self.failures), 'cell')} failed" if self.failures else ""
        return f"<MatrixSummary on {self._measured_on()}: {self._size()}, policy {self.policy}{failed}>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook

        columns = [Column("detector"), Column("view"), Column("level", "count"), Column("seeds", "count")]
        columns += [Column(metric) for metric in METRICS] + [Column("drop of f1")]
        rows: list[list[str | int]] = [
            [
                *(row.detector, row.view, row.level, len(row.seeds)),
                *(_cell_text(row.mean(metric)) for metric in METRICS),
                _cell_text(row.drop("f1")),
            ]
            for row in self.rows
        ]
        failures = [f"{failure.cell} failed: {failure.error}" for failure in self.failures]
        return notebook.view(
            "Matrix",
            notebook.facts({"policy": self.policy, "criterion": self.criterion or "not stated", "size": self._size()}),
            notebook.table(columns, rows, "Means over the seeds, with intervals"),
            *self.assumptions,
            *failures,
            subtitle=self._measured_on(),
        )

    def _measured_on(self) -> str:
        return " ".join(one for one in (self.benchmark.name, self.benchmark.version) if one)

    def _size(self) -> str:
        counted = {"detector": self.detectors, "view": self.views, "level": self.levels, "seed": self.seeds}
        return " × ".join(plural(len(values), noun) for noun, values in counted.items())


def _cell_text(measurement: Measurement | None) -> str:
    if measurement is None or measurement.value is None:
        return "–"
    return measurement_text(measurement, digits=2).replace(" ", "\N{NO-BREAK SPACE}")


_FORMAT = RecordFormat(MatrixSummary, MATRIX_SCHEMA, MATRIX_VERSION, "summary of a matrix", "`clonetruth matrix`")


def write_record(record: MatrixSummary | CellFailure, path: str | os.PathLike[str]) -> Path:
    """Write a summary or a failure atomically as JSON.

    Raises:
        InputError: the file cannot be written.
    """
    return write_text(_FORMAT.text(record), Path(path))


def read_summary(path: str | os.PathLike[str]) -> MatrixSummary:
    """Read a summary written by `write_record`.

    Raises:
        InputError: the file is not a summary, damaged, or of a newer schema.
    """
    return _FORMAT.read(Path(path))
