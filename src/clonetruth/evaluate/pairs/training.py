"""Training on a benchmark: the pairs of a view's parts, with the verdicts of a policy, put before a learner."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from clonetruth.evaluate.pairs.detector_scores import FRAGMENTS_SQL
from clonetruth.evaluate.pairs.pair_set import PairSet, PairSubjects
from clonetruth.model import Manifest
from clonetruth.progress import Progress
from clonetruth.store import Benchmark, build_manifest
from clonetruth.training import LEARNERS, Learner, TrainedDetector, TrainingOptions
from clonetruth.verdicts import judge_verdicts


@dataclass(frozen=True)
class TrainingData:
    """What a learner is given.

    Attributes:
        fragments: the fragments that the pairs name, with the columns of `detectors.detector.FRAGMENTS`.
        train: the pairs to learn from, with the columns of `detectors.learning.LABELLED_PAIRS`.
        valid: the pairs to validate on, with the same columns.
    """

    fragments: pa.Table
    train: pa.Table
    valid: pa.Table

    @classmethod
    def of(cls, field: PairSet) -> TrainingData:
        """The pairs of the parts `train` and `valid` that have a verdict."""
        return cls.from_subjects(field.benchmark, field.subjects("train"), field.subjects("valid"))

    @classmethod
    def from_subjects(cls, benchmark: Benchmark, train: PairSubjects, valid: PairSubjects) -> TrainingData:
        """The same from pairs that were chosen otherwise."""
        keys = np.unique(np.concatenate([train.left, train.right, valid.left, valid.right]))
        fragments = benchmark.sql(FRAGMENTS_SQL, needed=pa.table({"fragment": keys}))
        return cls(fragments, *(one.table.append_column("clone", pa.array(one.truth)) for one in (train, valid)))

    def train_with(
        self, learner: Learner, options: TrainingOptions, progress: Progress | None = None
    ) -> TrainedDetector:
        """Let a learner learn."""
        return learner.train(self.fragments, self.train, self.valid, options, progress=progress)


@dataclass(frozen=True)
class TrainingCourse:
    """What is learned from.

    Attributes:
        view: the split whose parts are used; unless told, the parts that the source claims.
        policy: how judgements become verdicts.
        criterion: what was asked of the judges; unless told, the policy's own, or the card's.
    """

    view: str | None = None
    policy: str = "default"
    criterion: str | None = None


def train_detector(
    benchmark: Benchmark,
    learner: str,
    course: TrainingCourse | None = None,
    options: TrainingOptions | None = None,
    *,
    progress: Progress | None = None,
) -> tuple[TrainedDetector, Manifest]:
    """Train a detector on the parts `train` and `valid` of a view.

    Args:
        benchmark: the benchmark.
        learner: a name in `detectors.LEARNERS`.
        course: what to learn from.
        options: how to train.
        progress: told what is being done.

    Returns:
        The detector, and what it was trained on, to be saved with it.

    Raises:
        InputError: a part has no clones, or no non-clones, under the policy; or an option makes no sense.
        UnknownNameError: there is no such learner, policy or view.
        MissingExtraError: a package is missing that the learner computes with.
    """
    course, options = course or TrainingCourse(), options or TrainingOptions()
    chosen = LEARNERS[learner]
    verdicts = judge_verdicts(benchmark, course.policy, course.criterion)
    data = TrainingData.of(PairSet(benchmark, verdicts, course.view))
    detector = data.train_with(chosen, options, progress)
    configuration = {
        "learner": learner,
        **dataclasses.asdict(course),
        "criterion": verdicts.criterion,
        **options.settings(),
        "train_pairs": data.train.num_rows,
        "valid_pairs": data.valid.num_rows,
    }
    inputs = {"benchmark": benchmark.content_hash, "judgements": benchmark.judgements_hash}
    return detector, build_manifest(inputs, configuration, options.seed)
