"""Trains a detector on a benchmark: on the pairs of a view's parts, labelled by the verdicts of a policy."""

from __future__ import annotations

import dataclasses
import shutil
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.arrow_files import read_parquet
from clonetruth.detectors import SealedFragments
from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.errors import CloneTruthError, CloneTruthWarning, InputError, PluginError
from clonetruth.evaluate.pairs.detector_scores import read_fragments
from clonetruth.evaluate.pairs.pair_set import PairSet, PairSubjects, draw_record
from clonetruth.model import Manifest
from clonetruth.options.declaration import verb
from clonetruth.options.training import TrainOptions
from clonetruth.progress import Progress
from clonetruth.registry import check_fits
from clonetruth.splits import ensure_split, with_drawn_pairs
from clonetruth.stats.rates import Integers
from clonetruth.store import Benchmark, build_manifest, open_benchmark
from clonetruth.training import (
    LABELLED_PAIRS,
    LEARNERS,
    Learner,
    ThresholdRule,
    TrainedDetector,
    TrainingSpec,
    options_type,
    train_with_functionalities,
    training_cautions,
)
from clonetruth.training.calibration import CalibrationData, calibrated, functionality_groups
from clonetruth.training.presets import preset
from clonetruth.training.request import LearnerRequest
from clonetruth.verdicts import judge_verdicts

_COMMON = "fragments_of_training_and_validation"
"""What a manifest calls the number of fragments that several benchmarks have in different parts."""


@dataclass(frozen=True)
class TrainingData:
    """The training and validation pairs of a benchmark, as a learner sees them: texts, languages and labels only.

    Attributes:
        fragments: the sealed fragments of the pairs (`detectors.SealedFragments`).
        train: the training pairs, with the columns of `training.learner.LABELLED_PAIRS`, ordered by their content; a
            pair that the benchmark repeats is repeated.
        valid: the validation pairs, likewise.
        groups: the functionality of each fragment, by row, as far as the benchmark says; only a learner that uses them
            sees them (`training.learner.FunctionalityLearner`).
    """

    fragments: pa.Table
    train: pa.Table
    valid: pa.Table
    groups: Integers

    @classmethod
    def of(cls, pair_set: PairSet, options: TrainingSpec | None = None) -> TrainingData:
        """Take the pairs of the parts `train` and `valid` that have a verdict.

        With the switches that some papers published with, the part `test` takes the place of `valid`, or its
        fragments, without labels, are shown, too.
        """
        options = options or TrainingSpec()
        shown = pair_set.subjects("test") if options.vocabulary == "all" else None
        valid = pair_set.subjects(options.select)
        return cls.from_subjects(pair_set.benchmark, pair_set.subjects("train"), valid, shown)

    @classmethod
    def from_subjects(
        cls, benchmark: Benchmark, train: PairSubjects, valid: PairSubjects, shown: PairSubjects | None = None
    ) -> TrainingData:
        """Take the given pairs; of `shown`, only the fragments."""
        more = [] if shown is None else [shown.left, shown.right]
        keys = np.concatenate([train.left, train.right, valid.left, valid.right, *more])
        sealed = SealedFragments.of(read_fragments(benchmark, keys), keys)
        groups = _groups(benchmark, sealed, keys, (train, valid))
        return cls(sealed.table, _labelled(sealed, train), _labelled(sealed, valid), groups)

    @classmethod
    def together(cls, several: Sequence[TrainingData]) -> TrainingData:
        """The pairs of several benchmarks; a text that two of them have is one fragment."""
        if len(several) == 1:
            return several[0]
        starts = np.cumsum([0, *(one.fragments.num_rows for one in several)])
        texts = pa.concat_tables([one.fragments for one in several]).combine_chunks()
        keys = np.arange(texts.num_rows)
        sealed = SealedFragments.of(texts.set_column(0, FRAGMENTS.field("fragment"), pa.array(keys)), keys)

        def merged(parts: Sequence[pa.Table]) -> pa.Table:
            left, right = (
                np.concatenate([part[side].to_numpy() + start for part, start in zip(parts, starts, strict=False)])
                for side in ("left", "right")
            )
            truth = np.concatenate([part["clone"].to_numpy() for part in parts])
            return _ordered(*sealed.sides(left, right), truth)

        # A text of two benchmarks connects their functionalities.
        own = np.concatenate([one.groups + start for one, start in zip(several, starts, strict=False)])
        rows, _ = sealed.sides(keys, keys)
        joined = functionality_groups(
            sealed.table.num_rows + int(own.max()) + 1, rows, sealed.table.num_rows + own, np.ones(len(own), bool)
        )
        groups = np.unique(joined[: sealed.table.num_rows], return_inverse=True)[1].astype(np.int64)
        train, valid = (merged([getattr(one, part) for one in several]) for part in ("train", "valid"))
        return cls(sealed.table, train, valid, groups)

    def validated_on_trained(self) -> Integers:
        """The fragments of validation pairs that are in training pairs, too."""
        trained, validated = (
            np.union1d(part["left"].to_numpy(), part["right"].to_numpy()) for part in (self.train, self.valid)
        )
        return np.intersect1d(trained, validated)

    def sampled(self, options: TrainingSpec) -> TrainingData:
        """A share of the pairs of both parts, as the options say; of a test part that takes the place of valid, all."""
        if options.sample == 1:
            return self

        def share(pairs: pa.Table, part: int) -> pa.Table:
            order = np.random.default_rng([options.seed, 41, part]).permutation(pairs.num_rows)
            return pairs.take(np.sort(order[: max(1, round(options.sample * pairs.num_rows))]))

        valid = self.valid if options.select == "test" else share(self.valid, 1)
        return dataclasses.replace(self, train=share(self.train, 0), valid=valid)

    def train_with(self, learner: Learner, options: TrainingSpec, progress: Progress | None = None) -> TrainedDetector:
        """Train a detector, and calibrate it if the options say so.

        Raises:
            InputError: a calibration is wanted, and the functionalities do not suffice.
            PluginError: a learner of another package fails, or returned something else.
        """
        parts, groups = (self.train, self.valid), self._groups_of_pairs()
        try:
            trained = train_with_functionalities(learner, self.fragments, parts, options, groups, progress)
        except (CloneTruthError, OSError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            if type(learner).__module__.startswith("clonetruth."):
                raise
            raise PluginError(f"The learner '{learner.name}' failed: {type(error).__name__}: {error}") from error
        check_fits(f"learner '{learner.name}'", trained, TrainedDetector)
        if options.calibrate is None:
            return trained
        return calibrated(learner, trained, self.for_calibration(), options, progress)

    def _groups_of_pairs(self) -> Integers:
        """The functionalities of fragments in training or validation pairs; of others that are shown, none is known."""
        sides = [part[side].to_numpy() for part in (self.train, self.valid) for side in ("left", "right")]
        told = np.isin(np.arange(len(self.groups)), np.concatenate(sides))
        return np.where(told, self.groups, len(self.groups) + np.arange(len(self.groups)))

    def for_calibration(self) -> CalibrationData:
        """The same, as a calibration takes it."""
        return CalibrationData(self.fragments, self.train, self.valid, self.groups)

    def threshold_origin(self, detector: TrainedDetector) -> str:
        """On what the threshold of a detector that was trained on these pairs was chosen."""
        options = detector.options
        own: str | None = getattr(detector, "threshold_origin", None)
        if own is not None:
            return own
        if getattr(detector, "decides_itself", False):
            return "held-out functionalities of the train and valid parts"
        if options.threshold is ThresholdRule.PAPER:
            return "the paper's"
        share = float(np.mean(self.valid["clone"].to_numpy()))
        return f"the best F1 on the {options.select} part: {self.valid.num_rows:,} pairs, {share:.1%} clones"


def _labelled(sealed: SealedFragments, subjects: PairSubjects) -> pa.Table:
    return _ordered(*sealed.sides(subjects.left, subjects.right), subjects.truth)


def _groups(benchmark: Benchmark, sealed: SealedFragments, keys: Integers, parts: Sequence[PairSubjects]) -> Integers:
    """The functionality of each fragment: clones share one, and so do fragments that the benchmark says to have it."""
    fragments = sealed.table.num_rows
    members = read_parquet(benchmark.path / "memberships.parquet", ["fragment", "functionality"])
    fragment, functionality = (members[name].to_numpy() for name in ("fragment", "functionality"))
    # A fragment with several functionalities says nothing about which of them a pair is about.
    known, first, count = np.unique(fragment, return_index=True, return_counts=True)
    single = np.isin(known, keys) & (count == 1)
    names, node = np.unique(functionality[first[single]], return_inverse=True)
    rows, _ = sealed.sides(known[single], known[single])
    sides = [sealed.sides(one.left, one.right) for one in parts]
    left = np.concatenate([rows, *(a for a, _ in sides)])
    right = np.concatenate([fragments + node, *(b for _, b in sides)])
    same = np.concatenate([np.ones(len(rows), bool), *(one.truth for one in parts)])
    joined = functionality_groups(fragments + len(names), left, right, same)
    return np.unique(joined[:fragments], return_inverse=True)[1].astype(np.int64)


def _ordered(left: Integers, right: Integers, truth: npt.NDArray[np.bool_]) -> pa.Table:
    order = np.lexsort([truth, right, left])
    columns = [np.arange(len(order)), left[order], right[order], truth[order]]
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
    further: Sequence[tuple[Benchmark, str | None]] = (),
    progress: Progress | None = None,
) -> tuple[TrainedDetector, Manifest]:
    """Train a detector on the parts `train` and `valid` of a view.

    Args:
        benchmark: the benchmark.
        learner: a name in `training.LEARNERS`.
        selection: which pairs to train on.
        options: how to train.
        further: more benchmarks to train on, each with its view; policy and criterion are those of `selection`.
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
    options = options.resolved(options_type(chosen))
    sets = [
        _pair_set(one, dataclasses.replace(selection, view=view))
        for one, view in ((benchmark, selection.view), *further)
    ]
    benchmark, verdicts = sets[0].benchmark, sets[0].verdicts
    several = [TrainingData.of(one, options) for one in sets]
    together = TrainingData.together(several)
    data = together.sampled(options)
    detector = data.train_with(chosen, options, progress)
    configuration = {
        "learner": learner,
        **dataclasses.asdict(selection),
        "criterion": verdicts.criterion,
        **options.settings(),
        "train_pairs": data.train.num_rows,
        "valid_pairs": data.valid.num_rows,
        "threshold_from": data.threshold_origin(detector),
        **draw_record(benchmark),
    }
    inputs = {"benchmark": benchmark.content_hash, "judgements": benchmark.judgements_hash}
    common = len(together.validated_on_trained())
    if common > sum(len(one.validated_on_trained()) for one in several):
        configuration[_COMMON] = common
    for number, one in enumerate(sets[1:], start=2):
        inputs |= {
            f"benchmark-{number}": one.benchmark.content_hash,
            f"judgements-{number}": one.benchmark.judgements_hash,
        }
        configuration |= {f"view-{number}": one.view}
    return detector, build_manifest(inputs, configuration, options.seed)


def _pair_set(benchmark: Benchmark, selection: TrainingSelection) -> PairSet:
    ensure_split(benchmark, selection.view)
    benchmark = with_drawn_pairs(benchmark, selection.policy, selection.criterion, selection.view, "train")
    return PairSet(benchmark, judge_verdicts(benchmark, selection.policy, selection.criterion), selection.view)


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
    training = _spec(options, record)
    if len(options.view) not in (0, 1, len(options.on)):
        raise InputError(
            f"{len(options.view)} views are given for {len(options.on)} benchmarks.",
            where="view",
            hint="Give one view for all, or one for each in the same order.",
        )
    views: Sequence[str | None] = options.view if len(options.view) > 1 else [*options.view, None][:1] * len(options.on)
    opened = [open_benchmark(one, engine=options.engine, memory_limit=options.memory_limit) for one in options.on]
    first, *further = zip(opened, views, strict=True)
    selection = TrainingSelection(first[1], options.policy, options.criterion)
    detector, manifest = train_on_benchmark(
        first[0], options.learner, selection, training, further=further, progress=progress
    )
    trained = detector.with_manifest(manifest)
    for caution in (*_overlap(manifest), *training_cautions(trained)):
        warnings.warn(caution, CloneTruthWarning, stacklevel=3)
    if options.output is not None and record is not None:
        trained.save(options.output)
        shutil.rmtree(record, ignore_errors=True)
    return trained


def _overlap(manifest: Manifest) -> Iterator[str]:
    if _COMMON in manifest.configuration:
        yield (
            f"{manifest.configuration[_COMMON]:,} fragments are in the training part of one benchmark and in the "
            "validation part of another: the epoch and the threshold were chosen on texts that were trained on. "
            "Test parts may have been trained on, too."
        )


def _spec(options: TrainOptions, record: Path | None) -> TrainingSpec:
    """The training options: what is given, else what the preset says, else the defaults."""
    learner_type = options_type(LEARNERS[options.learner])
    asked = {
        name: getattr(options, name) for name in ("seed", "epochs", "patience", "batch", "rate", "select", "sample")
    }
    asked["vocabulary"] = options.vocabulary
    asked["device"] = _device(options)
    values, own = {}, {}
    if options.as_ is not None:
        chosen = preset(options.as_)
        values, own = chosen.common_values(learner_type), chosen.own_values(learner_type)
    values |= {name: value for name, value in asked.items() if value is not None}
    request = LearnerRequest.of(options.learner, {**own, **(options.set_ or {})})
    spec = TrainingSpec(
        level=options.level,
        threshold=ThresholdRule(options.threshold),
        folder=record,
        processes=options.processes,
        threads=options.threads,
        own=request.own,
        preset=options.as_,
        calibrate=options.calibrate,
        prior=options.prior,
        calibration_folds=options.calibration_folds,
    )
    return dataclasses.replace(spec, **values, **request.common)


def _device(options: TrainOptions) -> str | None:
    """The device that a learner computes on; None where it computes on the processor anyway.

    Raises:
        InputError: another device is asked for, and the learner cannot use it.
    """
    if getattr(LEARNERS[options.learner], "uses_device", False):
        return options.device
    if options.device not in ("auto", "cpu"):
        raise InputError(
            f"The learner '{options.learner}' computes on the processor only.", where="device", hint="Leave it out."
        )
    return None


def _record_folder(output: Path) -> Path:
    """Where the training is recorded; fails before a long training rather than after it."""
    if output.exists():
        raise InputError("The output folder already exists.", where=output, hint="Choose another name.")
    if not output.absolute().parent.is_dir():
        raise InputError("The parent folder does not exist.", where=output.parent, hint="Create it first.")
    return output.with_name(f"{output.name}.training")
