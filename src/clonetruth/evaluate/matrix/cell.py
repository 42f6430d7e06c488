"""Computes one cell of a matrix: train a learner, evaluate on the test part, and write what came out."""

from __future__ import annotations

import shutil
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from clonetruth.arrow_files import read_parquet
from clonetruth.detectors import Detector, find_detector
from clonetruth.detectors.abstracted import AbstractedDetector
from clonetruth.errors import CloneTruthError, InputError, PluginError
from clonetruth.evaluate.matrix.plan import MatrixPlan, Run, is_learner
from clonetruth.evaluate.measurement import PairDependence, estimates
from clonetruth.evaluate.pairs.decisions import training_rule
from clonetruth.evaluate.pairs.detector_scores import read_fragments
from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, build_result
from clonetruth.evaluate.pairs.options import Missing, PairsOptions
from clonetruth.evaluate.pairs.training import TrainingSelection, train_on_benchmark
from clonetruth.splits import read_split
from clonetruth.stats.clusters import independent_variance
from clonetruth.stats.dyadic import Dyads
from clonetruth.stats.influence import KindInfluence
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import cells
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.store.matrix import (
    METRICS,
    CellFailure,
    CellInfluence,
    MatrixCell,
    read_influence,
    row_label,
    write_record,
)
from clonetruth.store.results import Result, read_result, write_result
from clonetruth.training import TrainedDetector, TrainingSpec, parameter_count, training_cautions
from clonetruth.training.request import LearnerRequest

ALWAYS_YES = "always-yes"
_THREADS = 1
"""Number of threads of a cell: cells run in parallel, and another number may change the last digits."""


@dataclass(frozen=True)
class FinishedCell:
    """What was measured in a cell.

    Attributes:
        result: the result of the evaluation.
        influence: what the tested functionalities contribute to it.
    """

    result: Result
    influence: CellInfluence


@dataclass(frozen=True)
class CellWorkspace:
    """Where the cells of a matrix are computed.

    Attributes:
        benchmark: the folder of the benchmark.
        folder: the folder of the matrix.
        plan: the cells of the matrix, and how they are computed.
        splits: the name of the split of each view and run that a cell is computed for.
        source_splits: likewise for the other benchmarks that detectors are trained on, by their name.
    """

    benchmark: Path
    folder: Path
    plan: MatrixPlan
    splits: Mapping[tuple[str, Run], str] = field(default_factory=dict)
    source_splits: Mapping[tuple[str, str, Run], tuple[str, ...]] = field(default_factory=dict)

    @property
    def trainings(self) -> Path:
        """Where unfinished trainings are recorded, so that they can be resumed."""
        return self.folder / "training"

    def finished(self, cell: MatrixCell) -> FinishedCell | None:
        """What was measured in a cell; None where it is missing or damaged."""
        try:
            return FinishedCell(read_result(self._result_path(cell)), read_influence(self._influence_path(cell)))
        except InputError:
            return None

    def perform(self, cell: MatrixCell) -> FinishedCell | CellFailure:
        """Compute a cell, and write its result or why it failed."""
        try:
            finished = self._compute(cell)
            write_record(finished.influence, self._influence_path(cell))
            write_result(finished.result, self._result_path(cell))
        except PluginError as error:
            # The authors of what failed need to know where.
            return self.fail(CellFailure(cell, str(error), traceback.format_exc() if error.__cause__ else None))
        except CloneTruthError as error:
            return self.fail(CellFailure(cell, str(error)))
        # An error in one cell must not end a run of hours.
        except Exception as error:
            return self.fail(CellFailure(cell, f"{type(error).__name__}: {error}", traceback.format_exc()))
        self._failure_path(cell).unlink(missing_ok=True)
        shutil.rmtree(self._training_folder(cell), ignore_errors=True)
        return finished

    def fail(self, failure: CellFailure) -> CellFailure:
        """Write why a cell failed. The next run tries again."""
        write_record(failure, self._failure_path(failure.cell))
        return failure

    def _compute(self, cell: MatrixCell) -> FinishedCell:
        plan, split = self.plan, self.splits[cell.view, cell.run]
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
        start = time.process_time()
        trained = self._trained(benchmark, cell, split) if is_learner(cell.detector) else None
        seconds = time.process_time() - start
        rule = None
        if trained is not None and cell.trained_on and trained.default_threshold is not None:
            # The tested benchmark has no part in choosing a threshold.
            rule = training_rule(trained.default_threshold, cell.trained_on)
        label = row_label(cell.detector, cell.trained_on)
        if trained is not None and trained.options.flattering:
            label += f" (as published: {'; '.join(trained.options.flattering)})"
        run = EvaluationRun.run(benchmark, Candidate(trained or _untrained(cell), name=label, rule=rule), options)
        result = build_result(run)
        if cell.trained_on and (known := self._known_texts(run, cell)):
            result = replace(result, warnings=(known, *result.warnings))
        cautions = () if trained is None else training_cautions(trained)
        # The worst disagreements contain code, which hundreds of cells would repeat.
        setting = self._setting(result, cell)
        if trained is not None:
            cost = {"cpu_seconds": round(seconds, 1), "parameters": parameter_count(trained)}
            setting |= {"training": trained.options.settings(), "cost": cost}
        result = replace(result, setting=setting, disagreements=(), warnings=(*cautions, *result.warnings))
        return FinishedCell(result, influence_table(run.decisions.outcomes, read_split(benchmark, split).digest))

    def _setting(self, result: Result, cell: MatrixCell) -> dict[str, object]:
        # The result's own view is the name of the split.
        own = {"perspective": cell.view, "level": cell.level, "seed": cell.seed}
        own |= {} if cell.fold is None else {"fold": cell.fold}
        own |= {"trained_on": cell.trained_on} if cell.trained_on else {}
        return {**result.setting, **self.plan.setting(), **own}

    def _known_texts(self, run: EvaluationRun, cell: MatrixCell) -> str | None:
        """A warning where fragments of the test part are, as texts, in the benchmarks that were trained on."""
        subjects = run.decisions.subjects
        tested = read_fragments(run.pair_set.benchmark, np.concatenate([subjects.left, subjects.right]))
        texts = set(map(_bare, tested["text"].to_pylist()))
        for one in self._sources(cell):
            texts -= set(map(_bare, read_parquet(one / "fragments.parquet", ["text"])["text"].to_pylist()))
        seen = len(set(map(_bare, tested["text"].to_pylist()))) - len(texts)
        if not seen:
            return None
        return (
            f"{seen:,} of {tested.num_rows:,} tested fragments are, up to white space, in the benchmarks that "
            f"'{cell.detector}' was trained on ({cell.trained_on})."
        )

    def _sources(self, cell: MatrixCell) -> tuple[Path, ...]:
        return next((one.folders for one in self.plan.train_on if one.name == cell.trained_on), ())

    def _trained(self, benchmark: Benchmark, cell: MatrixCell, split: str) -> TrainedDetector:
        further: list[tuple[Benchmark, str | None]] = []
        if cell.trained_on:
            engine = DuckDBEngine(threads=_THREADS)
            opened = [Benchmark.open(one, engine=engine) for one in self._sources(cell)]
            names = self.source_splits[cell.trained_on, cell.view, cell.run]
            benchmark, split = opened[0], names[0]
            further = list(zip(opened[1:], names[1:], strict=True))
        selection = TrainingSelection(split, self.plan.policy, self.plan.criterion)
        folder = self._training_folder(cell)
        folder.mkdir(parents=True, exist_ok=True)
        request = LearnerRequest.parse(cell.detector)
        options = TrainingSpec(cell.seed, cell.level, self.plan.epochs, folder=folder, threads=_THREADS)
        options = request.applied(options)
        detector, _ = train_on_benchmark(benchmark, request.name, selection, options, further=further)
        return detector

    def _result_path(self, cell: MatrixCell) -> Path:
        return self.folder / "cells" / f"{cell.name}.json"

    def _influence_path(self, cell: MatrixCell) -> Path:
        return self.folder / "influence" / f"{cell.name}.json"

    def _failure_path(self, cell: MatrixCell) -> Path:
        return self.folder / "cells" / f"{cell.name}.failed.json"

    def _training_folder(self, cell: MatrixCell) -> Path:
        return self.trainings / cell.name


def _bare(text: str) -> str:
    return " ".join(text.split())


def _untrained(cell: MatrixCell) -> Detector:
    return AbstractedDetector(find_detector(cell.detector), cell.level)


def influence_table(outcomes: Outcomes, division: str) -> CellInfluence:
    """What each functionality, or two of them, contribute to the metrics of an evaluation."""
    left = right = np.full(len(outcomes), -1) if outcomes.cluster is None else outcomes.cluster
    own = outcomes.fragment_functionalities()
    if own is not None and isinstance(PairDependence.of(outcomes).functionalities, Dyads):
        left, right = own[outcomes.left], own[outcomes.right]
    low, high = np.minimum(left, right), np.maximum(left, right)
    rows, row = np.unique(np.stack([low, high]), axis=1, return_inverse=True)
    row = row.reshape(-1)
    kinds, influences, stakes, independent = cells(outcomes.predicted, outcomes.truth), {}, {}, {}
    counts = np.bincount(kinds, minlength=4).astype(np.float64)
    for estimate in estimates(outcomes, kinds):
        if estimate.name in METRICS and estimate.influence is not None and estimate.stake is not None:
            values = estimate.influence.values
            by_pair = values[kinds] if isinstance(estimate.influence, KindInfluence) else values
            stake = np.bincount(row, estimate.stake[kinds], rows.shape[1])
            influences[estimate.name] = np.bincount(row, by_pair, rows.shape[1]).tolist()
            stakes[estimate.name] = (stake / stake.sum()).tolist()
            independent[estimate.name] = independent_variance(estimate.influence, counts)
    return CellInfluence(division, tuple(rows[0].tolist()), tuple(rows[1].tolist()), influences, stakes, independent)
