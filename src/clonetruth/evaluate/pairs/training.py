"""Trains a detector on a benchmark: on the pairs of a view's parts, labelled by the verdicts of a policy."""

from __future__ import annotations

import dataclasses
import shutil
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.detectors import SealedFragments
from clonetruth.errors import CloneTruthWarning, InputError
from clonetruth.evaluate.pairs.detector_scores import read_fragments
from clonetruth.evaluate.pairs.pair_set import PairSet, PairSubjects, draw_record
from clonetruth.model import Manifest
from clonetruth.options.declaration import verb
from clonetruth.options.training import TrainOptions
from clonetruth.progress import Progress
from clonetruth.registry import check_fits
from clonetruth.splits import ensure_split, with_drawn_pairs
from clonetruth.store import Benchmark, build_manifest, open_benchmark
from clonetruth.training import (
    LABELLED_PAIRS,
    LEARNERS,
    Learner,
    ThresholdRule,
    TrainedDetector,
    TrainingSpec,
    unfinished,
)
from clonetruth.verdicts import judge_verdicts


@dataclass(frozen=True)
class TrainingData:
    """The training and validation pairs of a benchmark, as a learner sees them: texts, languages and labels only.

    Attributes:
        fragments: the sealed fragments of the pairs (`detectors.SealedFragments`).
        train: the training pairs, with the columns of `training.learner.LABELLED_PAIRS`, ordered by their content; a
            pair that the benchmark repeats is repeated.
        valid: the validation pairs, likewise.
    """

    fragments: pa.Table
    train: pa.Table
    valid: pa.Table

    @classmethod
    def of(cls, pair_set: PairSet) -> TrainingData:
        """Take the pairs of the parts `train` and `valid` that have a verdict."""
        return cls.from_subjects(pair_set.benchmark, pair_set.subjects("train"), pair_set.subjects("valid"))

    @classmethod
    def from_subjects(cls, benchmark: Benchmark, train: PairSubjects, valid: PairSubjects) -> TrainingData:
        """Take the given pairs."""
        keys = np.concatenate([train.left, train.right, valid.left, valid.right])
        sealed = SealedFragments.of(read_fragments(benchmark, keys), keys)
        return cls(sealed.table, *(_labelled(sealed, one) for one in (train, valid)))

    def train_with(self, learner: Learner, options: TrainingSpec, progress: Progress | None = None) -> TrainedDetector:
        """Train a detector.

        Raises:
            PluginError: a learner of another package returned something else.
        """
        trained = learner.train(self.fragments, self.train, self.valid, options, progress=progress)
        check_fits(f"learner '{learner.name}'", trained, TrainedDetector)
        return trained


def _labelled(sealed: SealedFragments, subjects: PairSubjects) -> pa.Table:
    left, right = sealed.sides(subjects.left, subjects.right)
    order = np.lexsort([subjects.truth, right, left])
    columns = [np.arange(len(order)), left[order], right[order], subjects.truth[order]]
    return pa.table(columns, schema=LABELLED_PAIRS)


@dataclass(frozen=True)
class TrainingSelection:
    """Which pairs of a benchmark to train on.

    Attributes:
        view: the split whose parts are used (default: the parts that the source claims).
        policy: how judgements become verdicts.
        criterion: what the judges were asked (default: the policy's criterion, or else the card's).
    """

    view: str | None = None
    policy: str = "default"
    criterion: str | None = None


def train_on_benchmark(
    benchmark: Benchmark,
    learner: str,
    selection: TrainingSelection | None = None,
    options: TrainingSpec | None = None,
    *,
    progress: Progress | None = None,
) -> tuple[TrainedDetector, Manifest]:
    """Train a detector on the parts `train` and `valid` of a view.

    Args:
        benchmark: the benchmark.
        learner: a name in `training.LEARNERS`.
        selection: which pairs to train on.
        options: how to train.
        progress: called as the work proceeds.

    Returns:
        The detector, and the manifest to save with it.

    Raises:
        InputError: a part has no clones, or no non-clones, under the policy; or an option is invalid.
        UnknownNameError: there is no such learner, policy or view.
        MissingExtraError: a package that the learner needs is not installed.
    """
    selection, options = selection or TrainingSelection(), options or TrainingSpec()
    chosen = LEARNERS[learner]
    ensure_split(benchmark, selection.view)
    benchmark = with_drawn_pairs(benchmark, selection.policy, selection.criterion, selection.view, "train")
    verdicts = judge_verdicts(benchmark, selection.policy, selection.criterion)
    data = TrainingData.of(PairSet(benchmark, verdicts, selection.view))
    detector = data.train_with(chosen, options, progress)
    configuration = {
        "learner": learner,
        **dataclasses.asdict(selection),
        "criterion": verdicts.criterion,
        **options.settings(),
        "train_pairs": data.train.num_rows,
        "valid_pairs": data.valid.num_rows,
        **draw_record(benchmark),
    }
    inputs = {"benchmark": benchmark.content_hash, "judgements": benchmark.judgements_hash}
    return detector, build_manifest(inputs, configuration, options.seed)


@verb(TrainOptions)
def train_detector(options: TrainOptions, *, progress: Progress | None = None) -> TrainedDetector:
    """Train a detector on the train part of a view, and choose its threshold on the valid part.

    Args:
        progress: receives progress reports.

    Returns:
        The trained detector. With `output` it is also saved, and each epoch is recorded next to the folder until
        training ends, so that an interrupted training resumes where it stopped.

    Raises:
        InputError: the output folder exists, a part lacks clones or non-clones under the policy, or an option is
            invalid.
        UnknownNameError: an unknown learner, policy or engine.
        MissingExtraError: a package that the learner needs is not installed.

    Example:
        >>> split = clonetruth.split_benchmark("my-benchmark", view="random", seed=7)
        >>> detector = clonetruth.train_detector("linear", on="my-benchmark", view="random-7", epochs=3)
        >>> detector.name, len(detector.history)
        ('linear', 3)
    """
    record = None if options.output is None else _record_folder(options.output)
    training = TrainingSpec(
        seed=options.seed,
        level=options.level,
        epochs=options.epochs,
        patience=options.patience,
        batch=options.batch,
        rate=options.rate,
        threshold=ThresholdRule(options.threshold),
        folder=record,
        processes=options.processes,
        threads=options.threads,
    )
    benchmark = open_benchmark(options.on, engine=options.engine, memory_limit=options.memory_limit)
    selection = TrainingSelection(options.view, options.policy, options.criterion)
    detector, manifest = train_on_benchmark(benchmark, options.learner, selection, training, progress=progress)
    trained = detector.with_manifest(manifest)
    if caution := unfinished(trained):
        warnings.warn(caution, CloneTruthWarning, stacklevel=3)
    if options.output is not None and record is not None:
        trained.save(options.output)
        shutil.rmtree(record, ignore_errors=True)
    return trained


def _record_folder(output: Path) -> Path:
    """Where the training is recorded; fails before a long training rather than after it."""
    if output.exists():
        raise InputError("The output folder already exists.", where=output, hint="Choose another name.")
    if not output.absolute().parent.is_dir():
        raise InputError("The parent folder does not exist.", where=output.parent, hint="Create it first.")
    return output.with_name(f"{output.name}.training")
