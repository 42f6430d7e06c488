"""The summary of a matrix: detectors under several views, levels of abstraction and seeds (docs/matrix.md).

Evaluation makes it and pages show it; they meet here. A number that is not known is null.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.model import Manifest
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
        """The name of its file."""
        return f"{self.detector}-{self.view.replace(':', '-')}-{self.level}-{self.seed}"

    def __str__(self) -> str:
        return f"{self.detector}, {self.view}, level {self.level}, seed {self.seed}"


@dataclass(frozen=True)
class CellFailure:
    """A cell that has no result.

    Attributes:
        cell: which.
        error: what happened, and what to do about it.
        trace: where in the program it happened, where that is not for the user to mend.
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
        seeds: the seeds that have a result.
        values: for each metric, its value with each of these seeds.
        means: for each metric, the mean over the seeds.
        drops: for each metric, the mean of what is lost against the random view with the same seed. Empty for the
            random view itself, and where that was not asked for.
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
        """What is lost of a metric against the random view."""
        return next((one for one in self.drops if one.name == metric), None)


@dataclass(frozen=True)
class ViewTest:
    """What is tested on under a view, over the seeds.

    Attributes:
        view: the view.
        question: what a result under it tells.
        pairs: the mean number of test pairs.
        clone_share: the mean share of clones among them.
        always_yes: the mean F1 of who calls every pair a clone: what F1 is worth there.
    """

    view: str
    question: str
    pairs: Measurement
    clone_share: Measurement
    always_yes: Measurement


@dataclass(frozen=True)
class MatrixSummary:
    """What a matrix found.

    Attributes:
        benchmark: what was measured on.
        policy: how judgements became verdicts.
        criterion: what was asked of the judges.
        assumptions: what must be printed beside the numbers.
        setting: how pairs were drawn and detectors trained.
        detectors: in the order that was asked for; likewise `views`, `levels` and `seeds`.
        rows: a row for each detector, view and level.
        tests: what was tested on under each view that has a result.
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


_FORMAT = RecordFormat(MatrixSummary, MATRIX_SCHEMA, MATRIX_VERSION, "summary of a matrix", "`clonetruth matrix`")


def write_record(record: MatrixSummary | CellFailure, path: Path) -> Path:
    """Write a summary or a failure as JSON; the file appears whole or not at all.

    Raises:
        InputError: the place cannot be written to.
    """
    return write_text(_FORMAT.text(record), path)


def read_summary(path: str | Path) -> MatrixSummary:
    """Read a summary that `write_record` wrote.

    Raises:
        InputError: the file is no summary, damaged, or of a later schema.
    """
    return _FORMAT.read(Path(path))
