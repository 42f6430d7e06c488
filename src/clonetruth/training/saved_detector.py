"""What all trained detectors with weights have in common: name, manifest, and saving."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, Self

from clonetruth.model import Manifest
from clonetruth.training.learner import Epoch, TrainingSpec
from clonetruth.training.level_reader import LevelReader
from clonetruth.training.model_folder import ModelContent, write_model
from clonetruth.training.trainer import Weights


class NamedLearner(Protocol):
    """What a trained detector takes from its learner."""

    @property
    def name(self) -> str:
        """See `Learner`."""
        ...

    @property
    def description(self) -> str:
        """See `Learner`."""
        ...


@dataclass(frozen=True, eq=False)
class WeightsDetector:
    """A trained detector whose model folder is words and weights; a subclass scores pairs.

    Attributes:
        learner: the learner that trained it.
        reader: reads fragments.
        words: the words that it knows.
        weights: the learned weights.
        history: the result of each training epoch.
        options: the training options.
        default_threshold: see `Detector`.
        manifest: what it was trained on.
    """

    learner: NamedLearner
    reader: LevelReader[Any]
    words: tuple[str, ...]
    weights: Weights
    history: Sequence[Epoch]
    options: TrainingSpec
    default_threshold: float | None
    manifest: Manifest | None = None

    @property
    def name(self) -> str:
        """See `Detector`."""
        return self.learner.name

    @property
    def description(self) -> str:
        """See `Detector`."""
        return self.learner.description

    def with_manifest(self, manifest: Manifest) -> Self:
        """See `TrainedDetector.with_manifest`."""
        return replace(self, manifest=manifest)

    def save(self, folder: str | os.PathLike[str], manifest: Manifest | None = None) -> None:
        """See `TrainedDetector.save`."""
        content = ModelContent(
            self.name,
            self.options,
            self.default_threshold,
            tuple(self.history),
            self.words,
            self.reader.functions,
            self.weights,
            manifest or self.manifest,
        )
        write_model(Path(folder), content)
