"""One cell of a matrix: train where there is something to train, evaluate on the test part, and keep the result."""

from __future__ import annotations

import shutil
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from clonetruth.detectors import DETECTORS, Detector
from clonetruth.detectors.abstracted import Abstracted
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.evaluate.matrix.options import MatrixOptions
from clonetruth.evaluate.pairs.evaluation import Candidate, evaluate_pairs
from clonetruth.evaluate.pairs.options import Missing, PairsOptions
from clonetruth.evaluate.pairs.training import TrainingCourse, train_detector
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.store.matrix import CellFailure, MatrixCell, write_record
from clonetruth.store.results import Result, read_result, write_result
from clonetruth.training import LEARNERS, TrainingOptions

ALWAYS_YES = "always-yes"
_THREADS = 1
"""Of a cell: cells run beside each other, and another number may give other last digits."""


@dataclass(frozen=True)
class CellWorkspace:
    """Where the cells of a matrix are computed.

    Attributes:
        benchmark: the folder of the benchmark.
        folder: the folder of the matrix.
        options: what the matrix is of.
        splits: the name of the split of each view and seed that a cell is computed for.
    """

    benchmark: Path
    folder: Path
    options: MatrixOptions
    splits: Mapping[tuple[str, int], str] = field(default_factory=dict)

    @property
    def trainings(self) -> Path:
        """Where trainings are recorded until they are finished, to be continued from after a kill."""
        return self.folder / "training"

    def finished(self, cell: MatrixCell) -> Result | None:
        """The result of a cell; None where there is none yet, or a damaged one."""
        try:
            return read_result(self._result_path(cell))
        except InputError:
            return None

    def perform(self, cell: MatrixCell) -> Result | CellFailure:
        """Compute a cell, and write its result, or why there is none."""
        try:
            result = self._compute(cell)
            write_result(result, self._result_path(cell))
        except CloneTruthError as error:
            return self.fail(CellFailure(cell, str(error)))
        # Whatever goes wrong in one cell must not end a run of hours.
        except Exception as error:
            return self.fail(CellFailure(cell, f"{type(error).__name__}: {error}", traceback.format_exc()))
        self._failure_path(cell).unlink(missing_ok=True)
        shutil.rmtree(self._training_folder(cell), ignore_errors=True)
        return result

    def fail(self, failure: CellFailure) -> CellFailure:
        """Write why a cell has no result. The next run tries again."""
        write_record(failure, self._failure_path(failure.cell))
        return failure

    def _compute(self, cell: MatrixCell) -> Result:
        options, split = self.options, self.splits[cell.view, cell.seed]
        benchmark = Benchmark.open(self.benchmark, engine=DuckDBEngine(threads=_THREADS))
        measured = PairsOptions(
            policy=options.policy,
            criterion=options.criterion,
            part="test",
            view=split,
            # All detectors are measured on the same pairs, whatever they can read.
            missing=Missing.NOT_CLONE,
            confidence=options.confidence,
            seed=cell.seed,
            baselines=(ALWAYS_YES,),
        )
        detector = self._trained(benchmark, cell, split) if cell.detector in LEARNERS else _untrained(cell)
        result = evaluate_pairs(benchmark, Candidate(detector, name=cell.detector), measured)
        # The worst disagreements carry code, and hundreds of cells would carry the same.
        return replace(result, setting=self._setting(result, cell), disagreements=())

    def _setting(self, result: Result, cell: MatrixCell) -> dict[str, object]:
        # The result's own view is the name of the split.
        own = {"perspective": cell.view, "level": cell.level, "seed": cell.seed}
        return {**result.setting, **self.options.setting(), **own}

    def _trained(self, benchmark: Benchmark, cell: MatrixCell, split: str) -> Detector:
        course = TrainingCourse(split, self.options.policy, self.options.criterion)
        folder = self._training_folder(cell)
        folder.mkdir(parents=True, exist_ok=True)
        how = TrainingOptions(cell.seed, cell.level, self.options.epochs, folder=folder, threads=_THREADS)
        detector, _ = train_detector(benchmark, cell.detector, course, how)
        return detector

    def _result_path(self, cell: MatrixCell) -> Path:
        return self.folder / "cells" / f"{cell.name}.json"

    def _failure_path(self, cell: MatrixCell) -> Path:
        return self.folder / "cells" / f"{cell.name}.failed.json"

    def _training_folder(self, cell: MatrixCell) -> Path:
        return self.trainings / cell.name


def _untrained(cell: MatrixCell) -> Detector:
    return Abstracted(DETECTORS[cell.detector], cell.level)
