"""Computes one cell of a matrix: train a learner, evaluate on the test part, and write the result."""

from __future__ import annotations

import shutil
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from clonetruth.detectors import DETECTORS, Detector
from clonetruth.detectors.abstracted import AbstractedDetector
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.evaluate.matrix.plan import MatrixPlan
from clonetruth.evaluate.pairs.evaluation import Candidate, evaluate_pairs
from clonetruth.evaluate.pairs.options import Missing, PairsOptions
from clonetruth.evaluate.pairs.training import TrainingSelection, train_on_benchmark
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.store.matrix import CellFailure, MatrixCell, write_record
from clonetruth.store.results import Result, read_result, write_result
from clonetruth.training import LEARNERS, TrainingSpec

ALWAYS_YES = "always-yes"
_THREADS = 1
"""Number of threads of a cell: cells run in parallel, and another number may change the last digits."""


@dataclass(frozen=True)
class CellWorkspace:
    """Where the cells of a matrix are computed.

    Attributes:
        benchmark: the folder of the benchmark.
        folder: the folder of the matrix.
        plan: the cells of the matrix, and how they are computed.
        splits: the name of the split of each view and seed that a cell is computed for.
    """

    benchmark: Path
    folder: Path
    plan: MatrixPlan
    splits: Mapping[tuple[str, int], str] = field(default_factory=dict)

    @property
    def trainings(self) -> Path:
        """Where unfinished trainings are recorded, so that they can be resumed."""
        return self.folder / "training"

    def finished(self, cell: MatrixCell) -> Result | None:
        """The result of a cell; None where it is missing or damaged."""
        try:
            return read_result(self._result_path(cell))
        except InputError:
            return None

    def perform(self, cell: MatrixCell) -> Result | CellFailure:
        """Compute a cell, and write its result or why it failed."""
        try:
            result = self._compute(cell)
            write_result(result, self._result_path(cell))
        except CloneTruthError as error:
            return self.fail(CellFailure(cell, str(error)))
        # An error in one cell must not end a run of hours.
        except Exception as error:
            return self.fail(CellFailure(cell, f"{type(error).__name__}: {error}", traceback.format_exc()))
        self._failure_path(cell).unlink(missing_ok=True)
        shutil.rmtree(self._training_folder(cell), ignore_errors=True)
        return result

    def fail(self, failure: CellFailure) -> CellFailure:
        """Write why a cell failed. The next run tries again."""
        write_record(failure, self._failure_path(failure.cell))
        return failure

    def _compute(self, cell: MatrixCell) -> Result:
        plan, split = self.plan, self.splits[cell.view, cell.seed]
        benchmark = Benchmark.open(self.benchmark, engine=DuckDBEngine(threads=_THREADS))
        options = PairsOptions(
            policy=plan.policy,
            criterion=plan.criterion,
            part="test",
            view=split,
            # All detectors are measured on the same pairs, whatever they can read.
            missing=Missing.NOT_CLONE,
            confidence=plan.confidence,
            seed=cell.seed,
            baselines=(ALWAYS_YES,),
        )
        detector = self._trained(benchmark, cell, split) if cell.detector in LEARNERS else _untrained(cell)
        result = evaluate_pairs(benchmark, Candidate(detector, name=cell.detector), options)
        # The worst disagreements contain code, which hundreds of cells would repeat.
        return replace(result, setting=self._setting(result, cell), disagreements=())

    def _setting(self, result: Result, cell: MatrixCell) -> dict[str, object]:
        # The result's own view is the name of the split.
        own = {"perspective": cell.view, "level": cell.level, "seed": cell.seed}
        return {**result.setting, **self.plan.setting(), **own}

    def _trained(self, benchmark: Benchmark, cell: MatrixCell, split: str) -> Detector:
        selection = TrainingSelection(split, self.plan.policy, self.plan.criterion)
        folder = self._training_folder(cell)
        folder.mkdir(parents=True, exist_ok=True)
        options = TrainingSpec(cell.seed, cell.level, self.plan.epochs, folder=folder, threads=_THREADS)
        detector, _ = train_on_benchmark(benchmark, cell.detector, selection, options)
        return detector

    def _result_path(self, cell: MatrixCell) -> Path:
        return self.folder / "cells" / f"{cell.name}.json"

    def _failure_path(self, cell: MatrixCell) -> Path:
        return self.folder / "cells" / f"{cell.name}.failed.json"

    def _training_folder(self, cell: MatrixCell) -> Path:
        return self.trainings / cell.name


def _untrained(cell: MatrixCell) -> Detector:
    return AbstractedDetector(DETECTORS[cell.detector], cell.level)
