"""What a learner is: something that reads pairs with their verdicts, and becomes a detector."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from clonetruth.detectors.detector import Detector
from clonetruth.errors import InputError
from clonetruth.model import Manifest
from clonetruth.progress import Progress
from clonetruth.registry import Registry

LABELLED_PAIRS = pa.schema(
    [
        pa.field("pair", pa.int64(), nullable=False),
        pa.field("left", pa.int64(), nullable=False),
        pa.field("right", pa.int64(), nullable=False),
        pa.field("clone", pa.bool_(), nullable=False),
    ]
)
"""The columns that a learner reads of a pair; `left` and `right` are keys of fragments. There may be more."""

LEVELS = range(4)
"""The levels of abstraction, see `code.abstraction`."""


class ThresholdRule(StrEnum):
    """Where the threshold of a trained detector comes from."""

    VALIDATION = "validation"
    PAPER = "paper"


@dataclass(frozen=True)
class TrainingOptions:
    """How a detector is trained.

    Attributes:
        seed: of the first weights and of the order of the pairs.
        level: how far the code is abstracted before it is read, 0 to 3 (`docs/abstraction.md`).
        epochs: how often the training pairs are seen, at most.
        patience: training stops when the F1 on the validation pairs has fallen this often in a row.
        batch: pairs between two steps of the weights; unless told, a hundredth of all, but 16 to 1,024.
        rate: the learning rate.
        threshold: the best on the validation pairs, or the one that the paper states.
        folder: where the training is recorded after every epoch, and continued from; None: nowhere.
        processes: how many processes may read code.
        threads: how many threads compute. Another number may give other last digits.
    """

    seed: int = 0
    level: int = 0
    epochs: int = 20
    patience: int = 3
    batch: int | None = None
    rate: float = 0.003
    threshold: ThresholdRule = ThresholdRule.VALIDATION
    folder: Path | None = None
    processes: int = 1
    threads: int = 1

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise InputError(f"There is no level {self.level}.", where="level", hint="Levels are 0 to 3.")
        for name in ("epochs", "patience", "batch", "rate", "processes", "threads"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InputError(f"{value} is not more than 0.", where=name)
        if self.seed < 0:
            raise InputError(f"{self.seed} is less than 0.", where="seed")

    def settings(self) -> dict[str, Any]:
        """The options that say something of the detector, for a record: not those of the machine."""
        return {key: value for key, value in dataclasses.asdict(self).items() if key not in ("folder", "processes")}

    def batch_of(self, pairs: int) -> int:
        """Pairs between two steps of the weights, for so many training pairs."""
        return self.batch or min(max(pairs // 100, 16), 1024)


@dataclass(frozen=True)
class Epoch:
    """What one pass over the training pairs came to.

    Attributes:
        loss: the mean over the training pairs, while the weights moved.
        f1: on the validation pairs, at the threshold that is best for it.
        threshold: that threshold.
    """

    loss: float
    f1: float
    threshold: float


class TrainedDetector(Detector, Protocol):
    """A detector that was trained. It keeps the weights of the epoch that was best on the validation pairs."""

    @property
    def history(self) -> Sequence[Epoch]:
        """What the epochs came to, in their order."""
        ...

    @property
    def options(self) -> TrainingOptions:
        """How it was trained."""
        ...

    @property
    def manifest(self) -> Manifest | None:
        """What it was trained on, where that was recorded."""
        ...

    def save(self, folder: Path, manifest: Manifest | None = None) -> None:
        """Write it into a new folder, for `load_detector`.

        Raises:
            InputError: the folder exists already.
        """
        ...


class Learner(Protocol):
    """Makes detectors: one object in a module, one line in the registry, the conformance suite."""

    @property
    def name(self) -> str:
        """How it is asked for; its detectors have the same name."""
        ...

    @property
    def description(self) -> str:
        """What it learns, in a sentence."""
        ...

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingOptions,
        *,
        progress: Progress | None = None,
    ) -> TrainedDetector:
        """Train a detector; the same in every run with the same arguments, also in one that was killed and continued.

        Args:
            fragments: the columns of `FRAGMENTS`; those that no pair names are not looked at.
            train: the pairs to learn from, with the columns of `LABELLED_PAIRS`.
            valid: the pairs that tell when to stop, and choose the threshold.
            options: how.
            progress: told what is being done.

        Raises:
            InputError: a part lacks clones or non-clones, a pair names a fragment that is not there, or the folder
                holds the record of another training.
            MissingExtraError: a package is missing that it computes with.
        """
        ...

    def load(self, folder: Path) -> TrainedDetector:
        """Read what `TrainedDetector.save` wrote.

        Raises:
            InputError: the folder holds no detector of this learner, or is damaged.
        """
        ...


LEARNERS: Registry[Learner] = Registry(
    "learner",
    {
        "mlp": "clonetruth.training.mlp:MLP",
        "linear": "clonetruth.training.linear_model:LINEAR",
        "identifiers": "clonetruth.training.linear_model:IDENTIFIERS",
    },
    group="clonetruth.learners",
)
