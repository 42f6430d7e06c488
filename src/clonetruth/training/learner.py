"""The learner protocol: train a detector on labelled pairs."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.detectors.detector import Detector
from clonetruth.detectors.encoders.devices import check_device
from clonetruth.errors import InputError
from clonetruth.model import Manifest
from clonetruth.progress import Progress
from clonetruth.registry import Registry
from clonetruth.stats.score_calibration import METHODS, check_prior
from clonetruth.training.learner_options import LearnerOptions

OwnT = TypeVar("OwnT", bound=LearnerOptions)

LABELLED_PAIRS = pa.schema(
    [
        pa.field("pair", pa.int64(), nullable=False),
        pa.field("left", pa.int64(), nullable=False),
        pa.field("right", pa.int64(), nullable=False),
        pa.field("clone", pa.bool_(), nullable=False),
    ]
)
"""The columns of a pair that a learner reads; `left` and `right` are fragment keys. Other columns are ignored."""

LEVELS = range(4)
"""The levels of abstraction, see `code.abstraction`."""

MAX_RATE = 1e30
"""The highest learning rate: steps beyond overflow single precision."""

RECORDED_IF_UNUSUAL = ("vocabulary", "select", "preset", "calibrate", "prior", "calibration_folds", "device", "sample")
"""Options that a model records only where they differ from the default."""


class ThresholdRule(StrEnum):
    """How the threshold of a trained detector is chosen."""

    VALIDATION = "validation"
    PAPER = "paper"


@dataclass(frozen=True)
class TrainingSpec:
    """How a detector is trained; its model folder records this.

    Attributes:
        seed: the random seed of the initial weights and of the order of the pairs, where a model has them.
        level: the abstraction level of the code, 0 to 3 (`docs/abstraction.md`).
        epochs: the maximum number of passes over the training pairs; of a linear model, the number of penalties.
        patience: stop after this many consecutive drops of the validation F1.
        batch: the number of pairs per batch; by default the learner's, or a hundredth of the training pairs, between 16
            and 1,024.
        rate: the learning rate; by default the learner's.
        threshold: choose the best threshold on the validation pairs, or use the one from the paper.
        folder: where each epoch is recorded, to resume from; None records nothing.
        processes: the number of worker processes that read code.
        threads: the number of threads that compute. Another number may change the last digits of the weights.
        own: the options that only this learner has; the base class stands for its defaults.
        vocabulary: whose words are known: those of the training fragments, or, as some papers did, of all fragments
            that are given (`all`).
        select: the part that chose the epoch and the threshold: `valid`, or, as some papers did, `test`.
        preset: the paper whose values were taken (`presets`); they are recorded as any other.
        calibrate: turn scores into probabilities, `platt` or `isotonic` (`calibration`); None leaves them as they are.
        prior: the share of clones for which the probabilities hold, and for which the threshold is chosen; None for
            that of the training pairs.
        calibration_folds: into how many parts the functionalities are divided for the calibration, each of which is
            scored by a model that was trained on the others.
        sample: the share of the training and validation pairs that is used, drawn with the seed.
        device: where a network computes: `auto`, `cpu`, `cuda` or `mps`.
    """

    seed: int = 0
    level: int = 0
    epochs: int = 20
    patience: int = 3
    batch: int | None = None
    rate: float | None = None
    threshold: ThresholdRule = ThresholdRule.VALIDATION
    folder: Path | None = None
    processes: int = 1
    threads: int = 1
    own: LearnerOptions = field(default_factory=LearnerOptions)
    vocabulary: str = "train"
    select: str = "valid"
    preset: str | None = None
    calibrate: str | None = None
    prior: float | None = None
    calibration_folds: int = 3
    device: str = "cpu"
    sample: float = 1.0

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise InputError(f"There is no abstraction level {self.level}.", where="level", hint="Levels are 0 to 3.")
        for name in ("epochs", "patience", "batch", "rate", "processes", "threads"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InputError(f"{value} is not greater than 0.", where=name)
        for name, known in (("vocabulary", ("train", "all")), ("select", ("valid", "test"))):
            if getattr(self, name) not in known:
                raise InputError(f"'{getattr(self, name)}' is not one of {', '.join(known)}.", where=name)
        if self.rate is not None and self.rate > MAX_RATE:
            raise InputError(f"{self.rate:g} is greater than {MAX_RATE:g}.", where="rate")
        if self.seed < 0:
            raise InputError(f"{self.seed} is less than 0.", where="seed")
        if not 0 < self.sample <= 1:
            raise InputError(f"A share of {self.sample} is not between 0 and 1.", where="sample")
        check_device(self.device)
        self._check_calibration()

    def _check_calibration(self) -> None:
        if self.calibrate is None:
            if self.prior is not None:
                raise InputError(
                    "A prior is given without a calibration.", where="prior", hint="Add --calibrate platt."
                )
            return
        if self.calibrate not in METHODS:
            raise InputError(f"'{self.calibrate}' is not one of {', '.join(METHODS)}.", where="calibrate")
        if self.prior is not None:
            check_prior(self.prior)
        if self.calibration_folds < 2:
            raise InputError(f"{self.calibration_folds} is less than 2.", where="calibration_folds")
        if self.threshold is ThresholdRule.PAPER:
            raise InputError(
                "The threshold of a paper is not a probability.",
                where="threshold",
                hint="Leave out --threshold paper or --calibrate.",
            )

    def settings(self) -> dict[str, Any]:
        """The options that describe the detector, without those that describe the machine."""
        shown = {key: value for key, value in vars(self).items() if key not in ("folder", "processes", "own")}
        usual = {name: getattr(TrainingSpec, name) for name in RECORDED_IF_UNUSUAL}
        shown = {key: value for key, value in shown.items() if value != usual.get(key, ...)}
        own = self.own.values()
        return {**shown, "own": own} if own else shown

    @property
    def flattering(self) -> tuple[str, ...]:
        """What makes a result better than it would be on new code, as words for a headline."""
        chosen = "the epoch" if self.threshold is ThresholdRule.PAPER else "epoch and threshold"
        found = {f"the test part chose {chosen}": self.select == "test"}
        found["words of the test part were known"] = self.vocabulary == "all"
        return tuple(words for words, given in found.items() if given)

    def resolved(self, options_type: type[LearnerOptions]) -> TrainingSpec:
        """With the defaults of a learner where nothing else is given."""
        own = self.own_as(options_type)
        rate = options_type.default_rate if self.rate is None else self.rate
        return dataclasses.replace(self, rate=rate, batch=self.batch or options_type.default_batch, own=own)

    def own_as(self, options_type: type[OwnT]) -> OwnT:
        """The options that only one learner has.

        Raises:
            InputError: they are those of another learner.
        """
        if isinstance(self.own, options_type):
            return self.own
        if type(self.own) is not LearnerOptions:
            raise InputError(f"{type(self.own).__name__} are the options of another learner.", where="own")
        return options_type()

    @property
    def learning_rate(self) -> float:
        """The learning rate."""
        return LearnerOptions.default_rate if self.rate is None else self.rate

    def batch_size(self, pairs: int) -> int:
        """The batch size for a number of training pairs."""
        return self.batch or min(max(pairs // 100, 16), 1024)


@dataclass(frozen=True)
class Epoch:
    """The result of one pass over the training pairs.

    Attributes:
        loss: the mean loss over the training pairs during the pass.
        f1: the best F1 on the validation pairs over all thresholds.
        threshold: the threshold with that F1.
        distinct: the number of different scores of the validation pairs; None if not recorded.
    """

    loss: float
    f1: float
    threshold: float
    distinct: int | None = None


class TrainedDetector(Detector, Protocol):
    """A trained detector. It keeps the weights of the epoch with the best F1 on the validation pairs."""

    @property
    def history(self) -> Sequence[Epoch]:
        """The result of each epoch, in order; empty for a training without epochs."""
        ...

    @property
    def options(self) -> TrainingSpec:
        """The training options."""
        ...

    @property
    def manifest(self) -> Manifest | None:
        """What it was trained on, if recorded."""
        ...

    def with_manifest(self, manifest: Manifest) -> TrainedDetector:
        """Return a copy that records what it was trained on."""
        ...

    def save(self, folder: str | os.PathLike[str], manifest: Manifest | None = None) -> None:
        """Write it to a new folder, for `load_detector`; `manifest` replaces its own.

        Raises:
            InputError: the folder already exists.
        """
        ...


class Learner(Protocol):
    """Trains detectors. To add one: an object in a module, a line in the registry, the conformance suite.

    A learner with its own options also has `options_type`, their class (`LearnerOptions`). One that uses the
    functionalities of the training fragments is a `FunctionalityLearner`.
    """

    @property
    def name(self) -> str:
        """The registry name; its detectors have the same name."""
        ...

    @property
    def description(self) -> str:
        """What it learns, in one sentence."""
        ...

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingSpec,
        *,
        progress: Progress | None = None,
    ) -> TrainedDetector:
        """Train a detector. The same arguments give the same detector, even if training is killed and resumed.

        Args:
            fragments: the columns of `FRAGMENTS`; fragments that no pair refers to are ignored.
            train: the pairs to learn from, with the columns of `LABELLED_PAIRS`.
            valid: the pairs that decide when to stop and which threshold to use.
            options: the training options.
            progress: receives progress reports.

        Raises:
            InputError: a part lacks clones or non-clones, a pair refers to a missing fragment, or the folder holds the
                record of another training.
            MissingExtraError: a required package is not installed.
        """
        ...

    def load(self, folder: str | os.PathLike[str]) -> TrainedDetector:
        """Read a detector that `TrainedDetector.save` wrote.

        Raises:
            InputError: the folder does not hold a detector of this learner, or is damaged.
        """
        ...


@runtime_checkable
class FunctionalityLearner(Protocol):
    """A learner that receives the functionalities that the benchmark states of the training fragments."""

    @property
    def takes_functionalities(self) -> bool:
        """Marks it."""
        ...

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingSpec,
        *,
        progress: Progress | None = None,
        functionalities: npt.NDArray[np.int64] | None = None,
    ) -> TrainedDetector:
        """See `Learner.train`.

        Args:
            fragments: see there.
            train: see there.
            valid: see there.
            options: see there.
            progress: see there.
            functionalities: that of each fragment, by row; a separate number for a fragment of which none is known.
        """
        ...


def train_with_functionalities(
    learner: Learner,
    fragments: pa.Table,
    parts: tuple[pa.Table, pa.Table],
    options: TrainingSpec,
    functionalities: npt.NDArray[np.int64],
    progress: Progress | None = None,
) -> TrainedDetector:
    """Train a detector; the learner gets the functionalities of the fragments if it uses them.

    Args:
        learner: the learner.
        fragments: see `Learner.train`.
        parts: the pairs to learn from, and the validation pairs.
        options: see `Learner.train`.
        functionalities: see `FunctionalityLearner.train`.
        progress: see `Learner.train`.
    """
    if isinstance(learner, FunctionalityLearner) and learner.takes_functionalities:
        return learner.train(fragments, *parts, options, progress=progress, functionalities=functionalities)
    return learner.train(fragments, *parts, options, progress=progress)


def options_type(learner: Learner) -> type[LearnerOptions]:
    """The class of the options that only this learner has; `LearnerOptions` itself for none."""
    declared: type[LearnerOptions] = getattr(learner, "options_type", LearnerOptions)
    return declared


def parameter_count(detector: TrainedDetector) -> int | None:
    """The number of weights of a trained detector; None for one that does not tell them."""
    weights = getattr(detector, "weights", None)
    if not isinstance(weights, Mapping):
        return None
    return sum(int(np.size(array)) for array in weights.values())


def training_cautions(detector: TrainedDetector) -> tuple[str, ...]:
    """What a reader of the detector's results should know of its training: that it was still improving when it ended,
    or that it taught nothing.
    """
    history, epochs = detector.history, detector.options.epochs
    if not history:
        return ()
    kept = max(history, key=lambda epoch: epoch.f1)
    if kept.distinct == 1:
        return (
            f"'{detector.name}' gives all validation pairs the same score: it tells nothing apart. The training may "
            f"have diverged (the loss went from {history[0].loss:.4g} to {history[-1].loss:.4g}): try a lower rate, "
            "another seed or more pairs.",
        )
    if len(history) < epochs or any(epoch.f1 >= history[-1].f1 for epoch in history[:-1]):
        return ()
    return (
        f"The training of '{detector.name}' was still improving when it ended: the last of {epochs} epochs is the best "
        "on the validation part. Allow more epochs.",
    )


LEARNERS: Registry[Learner] = Registry(
    "learner",
    {
        "mlp": "clonetruth.training.mlp:MLP",
        "linear": "clonetruth.training.linear_model:LINEAR",
        "identifiers": "clonetruth.training.linear_model:IDENTIFIERS",
        "semantic": "clonetruth.training.semantic:SEMANTIC",
        "codebert": "clonetruth.training.transformer:CODEBERT",
        "graphcodebert": "clonetruth.training.transformer:GRAPHCODEBERT",
        "unixcoder": "clonetruth.training.transformer:UNIXCODER",
        "transformer": "clonetruth.training.transformer:TRANSFORMER",
        "astnn": "clonetruth.training.astnn:ASTNN",
        "tbccd": "clonetruth.training.tbccd:TBCCD",
        "fa-ast": "clonetruth.training.fa_ast:FA_AST",
        "oreo": "clonetruth.training.metric_models:OREO",
        "clcdsa": "clonetruth.training.metric_models:CLCDSA",
        "clonecognition": "clonetruth.training.metric_models:CLONECOGNITION",
    },
    group="clonetruth.learners",
    of=Learner,
)
