"""The summary of a matrix: detectors under several views, levels of abstraction and seeds (docs/matrix.md).

Evaluation writes it and pages show it. An unknown number is null.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.model import Manifest
from clonetruth.store.display import measurement_text, plural
from clonetruth.store.records import RecordFormat, write_text
from clonetruth.store.results import BenchmarkIdentity, Measurement

MATRIX_SCHEMA = "clonetruth-matrix"
MATRIX_VERSION = 2
"""Since version 2 a summary counts distinct divisions and tested functionalities."""

METRICS = ("f1", "precision", "recall", "roc-auc")
"""The metrics of a matrix, as docs/metrics.md defines them."""


@dataclass(frozen=True, order=True)
class MatrixCell:
    """One entry of a matrix: a detector under a view, at a level of abstraction, with a seed and perhaps a fold.

    Attributes:
        trained_on: the other benchmarks that it was trained on, `name@digest`, with + between them; empty for the
            train part of the tested benchmark.
    """

    detector: str
    view: str
    level: int
    seed: int
    fold: int | None = None
    trained_on: str = ""

    @property
    def name(self) -> str:
        """The name of its result file."""
        fold = "" if self.fold is None else f"-fold-{self.fold}"
        source = f"-from-{_file_name(self.trained_on)}" if self.trained_on else ""
        return f"{_file_name(self.detector)}-{self.view.replace(':', '-')}-{self.level}-{self.seed}{fold}{source}"

    @property
    def run(self) -> tuple[int, int | None]:
        """The seed and the fold."""
        return self.seed, self.fold

    def __str__(self) -> str:
        fold = "" if self.fold is None else f", fold {self.fold}"
        return f"{row_label(self.detector, self.trained_on)}, {self.view}, level {self.level}, seed {self.seed}{fold}"


def row_label(detector: str, trained_on: str) -> str:
    """What a table calls a detector: its name, and on what it was trained if not on the tested benchmark."""
    return f"{detector} (trained on {trained_on})" if trained_on else detector


def _file_name(detector: str) -> str:
    """A detector's name as a part of a file name: `astnn-vocabulary=3000` for `astnn:vocabulary=3000`."""
    plain = detector.replace(":", "-").replace(",", "-")
    safe = re.sub(r"[^\w.+=-]", "_", plain)[:100]
    return safe if safe == plain else f"{safe}-{hashlib.sha256(detector.encode()).hexdigest()[:8]}"


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
class CellInfluence:
    """What the functionalities of a test part contribute to the metrics of a cell, as `stats.divisions` reads it.

    Attributes:
        division: digest of the division: which fragments are in which part.
        first: for each row, a functionality of the benchmark; -1 for none.
        second: the other functionality of the row's pairs.
        influence: for each metric that is defined, the influence of each row's pairs on it.
        stake: for each of these metrics, each row's share of the pairs that count in it.
        independent: for each of these metrics, the variance that it would have if pairs were independent.
    """

    division: str
    first: tuple[int, ...]
    second: tuple[int, ...]
    influence: Mapping[str, Any]
    stake: Mapping[str, Any]
    independent: Mapping[str, Any]


@dataclass(frozen=True)
class MatrixRow:
    """A detector under a view, at a level, over the divisions.

    Attributes:
        detector: the detector.
        view: the view.
        level: the level of abstraction.
        seeds: the seed of each result.
        values: for each metric, its value in each of these results.
        means: for each metric, the mean over the distinct divisions.
        drops: for each metric, the drop from the random view. Empty for the random view itself, and if the random view
            was not run.
        folds: the fold of each result; empty without folds.
        divisions: digest of the division of each result; equal divisions count once.
        trained_on: see `MatrixCell`.
        gains: for each metric, the gain over level 0, on the same test pairs. Empty for level 0, and if it was not run.
        transfer_losses: for each metric, what training on the tested benchmark gives more than training on others.
            Empty for training on the tested benchmark, and if that was not run.
        cost: of trained detectors, the mean CPU seconds of a training and the number of parameters.
    """

    detector: str
    view: str
    level: int
    seeds: tuple[int, ...]
    values: Mapping[str, Any]
    means: tuple[Measurement, ...]
    drops: tuple[Measurement, ...] = ()
    folds: tuple[int, ...] = ()
    divisions: tuple[str, ...] = ()
    trained_on: str = ""
    gains: tuple[Measurement, ...] = ()
    transfer_losses: tuple[Measurement, ...] = ()
    cost: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What a table calls it."""
        return row_label(self.detector, self.trained_on)

    def mean(self, metric: str) -> Measurement | None:
        """The mean of a metric."""
        return next((one for one in self.means if one.name == metric), None)

    def drop(self, metric: str) -> Measurement | None:
        """The mean drop of a metric from the random view."""
        return next((one for one in self.drops if one.name == metric), None)

    def gain(self, metric: str) -> Measurement | None:
        """The mean gain of a metric over level 0."""
        return next((one for one in self.gains if one.name == metric), None)

    def transfer_loss(self, metric: str) -> Measurement | None:
        """What of a metric is lost by training on other benchmarks."""
        return next((one for one in self.transfer_losses if one.name == metric), None)


@dataclass(frozen=True)
class ViewTest:
    """The test parts of a view.

    Attributes:
        view: the view.
        question: the question that a result under it answers.
        pairs: the mean number of test pairs.
        clone_share: the mean share of clones among them.
        always_yes: the mean F1 of calling every pair a clone, the baseline for F1.
        runs: number of requested divisions: seeds, or seeds × folds. 0 in summaries of version 1, which did not count.
        divisions: number of distinct divisions among them.
        functionalities: number of functionalities that are in the test part of some division.
    """

    view: str
    question: str
    pairs: Measurement
    clone_share: Measurement
    always_yes: Measurement
    runs: int = 0
    divisions: int = 0
    functionalities: int = 0


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

    def row(self, detector: str, view: str, level: int, trained_on: str = "") -> MatrixRow | None:
        """The row of a detector under a view, at a level, trained on the tested benchmark or on others."""
        wanted = (detector, view, level, trained_on)
        rows = self.rows
        return next((one for one in rows if (one.detector, one.view, one.level, one.trained_on) == wanted), None)

    def lines(self) -> tuple[tuple[str, str], ...]:
        """The detectors, and on what they were trained, in the order of the rows."""
        return tuple(dict.fromkeys((one.detector, one.trained_on) for one in self.rows))

    def cautions(self) -> tuple[str, ...]:
        """Where seeds repeat a division, and where there are no intervals, a sentence each."""
        found = []
        for test in self.tests:
            if test.divisions < test.runs:
                found.append(
                    f"{test.view}: {plural(test.runs, 'run')} with different seeds or folds "
                    f"{'is' if test.runs == 1 else 'are'} only {plural(test.divisions, 'distinct division')}."
                )
            notes = [one.note or "" for row in self.rows if row.view == test.view for one in row.means]
            reasons = {part for note in notes for part in note.split("; ") if part.startswith("no interval")}
            found += [f"{test.view}: {reason}." for reason in sorted(reasons)]
        return tuple(found)

    def __repr__(self) -> str:
        failed = f", {plural(len(self.failures), 'cell')} failed" if self.failures else ""
        return f"<MatrixSummary on {self._measured_on()}: {self._size()}, policy {self.policy}{failed}>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook

        columns = [Column("detector"), Column("view"), Column("level", "count"), Column("seeds", "count")]
        columns += [Column(metric) for metric in METRICS] + [Column("drop of f1")]
        rows: list[list[str | int]] = [
            [
                *(row.label, row.view, row.level, len(row.seeds)),
                *(_cell_text(row.mean(metric)) for metric in METRICS),
                _cell_text(row.drop("f1")),
            ]
            for row in self.rows
        ]
        failures = [f"{failure.cell} failed: {failure.error}" for failure in self.failures]
        return notebook.view(
            "Matrix",
            notebook.facts({"policy": self.policy, "criterion": self.criterion or "not stated", "size": self._size()}),
            notebook.table(columns, rows, "Means over distinct divisions, with intervals by tested functionality"),
            *self.cautions(),
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


_INFLUENCE = RecordFormat(CellInfluence, "clonetruth-matrix-influence", 1, "table of influences", "`clonetruth matrix`")


def write_record(record: MatrixSummary | CellFailure | CellInfluence, path: str | os.PathLike[str]) -> Path:
    """Write a summary, a failure or a table of influences atomically as JSON.

    Raises:
        InputError: the file cannot be written.
    """
    form = _INFLUENCE if isinstance(record, CellInfluence) else _FORMAT
    return write_text(form.text(record), Path(path))


def read_summary(path: str | os.PathLike[str]) -> MatrixSummary:
    """Read a summary written by `write_record`.

    Raises:
        InputError: the file is not a summary, damaged, or of a newer schema.
    """
    return _FORMAT.read(Path(path))


def read_influence(path: str | os.PathLike[str]) -> CellInfluence:
    """Read a table of influences written by `write_record`.

    Raises:
        InputError: the file is not such a table, or damaged.
    """
    return _INFLUENCE.read(Path(path))
