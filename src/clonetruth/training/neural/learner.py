"""Learners that are networks over fragments: reading, training, scoring, saving and loading, for every model alike.

A model is one `NetworkLearner`: what it reads from a text, which words it knows, and its network. PyTorch is imported
when a network is needed.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from clonetruth.code import Language
from clonetruth.detectors.detector import score_array, side_rows
from clonetruth.detectors.encoders.devices import available_device, torch_device
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.progress import Progress, no_progress
from clonetruth.training.bag_detector import check_labelled
from clonetruth.training.learner import ThresholdRule, TrainingSpec
from clonetruth.training.learner_options import LearnerOptions
from clonetruth.training.level_reader import LevelReader
from clonetruth.training.model_folder import read_model
from clonetruth.training.saved_detector import WeightsDetector
from clonetruth.training.trainer import Booleans, Floats, Integers, Trainer, Weights, training_digest

if TYPE_CHECKING:
    from clonetruth.training.neural.network import PairNetwork

_DIGITS = 6
"""Scores are rounded: the last digits of a sum depend on what else is in a batch."""

Reading = Any
"""What a model reads from a fragment, picklable; None for a fragment that has nothing to read."""
Extract = Callable[..., Reading]
"""Reads a fragment: `extract(text, language, own=…)`, a function of a module."""


@dataclass(frozen=True, eq=False)
class ReadPart:
    """A part of the labelled pairs: what was read from its fragments, and the pairs that both can be read of.

    Attributes:
        readings: of each fragment.
        left: the row of each pair's left side.
        right: the row of each pair's right side.
        truth: whether each pair is a clone.
    """

    readings: Sequence[Reading]
    left: Integers
    right: Integers
    truth: Booleans

    @property
    def known(self) -> Booleans:
        """Which pairs have two fragments that can be read."""
        readable = np.array([one is not None for one in self.readings], dtype=bool)
        return readable[self.left] & readable[self.right] if len(readable) else np.zeros(len(self.left), bool)

    def usable(self) -> ReadPart:
        """Only the pairs that can be read."""
        known = self.known
        return replace(self, left=self.left[known], right=self.right[known], truth=self.truth[known])


@dataclass(frozen=True, eq=False)
class NetworkDetector(WeightsDetector):
    """A trained network."""

    learner: NetworkLearner

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null if a fragment has nothing that the model can read.

        Raises:
            MissingExtraError: PyTorch is not installed.
        """
        left, right = side_rows(fragments, pairs)
        report = progress or no_progress
        readings = self.reader.read(fragments, processes=processes, progress=report)
        part = ReadPart(readings, left, right, np.zeros(len(left), bool))
        known, values = part.known, np.zeros(len(left))
        values[known] = self._network.scores(
            readings, left[known], right[known], lambda done: report("Scoring pairs", done, len(left))
        )
        if not np.isfinite(values).all():
            raise InputError(
                f"The network of '{self.name}' computes scores that are not finite numbers: its training diverged.",
                where="detector",
                hint="Train it again with a lower --rate.",
            )
        return score_array(np.round(values, _DIGITS), known)

    @functools.cached_property
    def _network(self) -> PairNetwork:
        network = self.learner.network(self.words, self.options)
        network.load_arrays(self.weights)
        return network


@dataclass(frozen=True)
class NetworkLearner:
    """A learner whose detectors are networks in PyTorch.

    Attributes:
        name: see `Learner`.
        description: see `Learner`.
        options_type: see `Learner`.
        extract: reads a fragment.
        words: the words that the network knows, from what was read from the training fragments.
        load_network: the class of the network, `Network(words, own)`; a function, so that PyTorch is imported late.
        paper_threshold: the threshold stated in the paper, or implied by the score.
        relabel: replaces the labels of the training pairs (supervision by another detector); None keeps them.
        uses_device: it computes where `TrainingSpec.device` says.
    """

    name: str
    description: str
    options_type: type[LearnerOptions]
    extract: Extract
    words: Callable[[Sequence[Reading], Any], tuple[str, ...]]
    load_network: Callable[[], Callable[[tuple[str, ...], Any], PairNetwork]]
    paper_threshold: float
    relabel: Callable[[pa.Table, pa.Table, Any], pa.Table] | None = None
    uses_device: ClassVar[bool] = True

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingSpec,
        *,
        progress: Progress | None = None,
    ) -> NetworkDetector:
        """See `Learner.train`."""
        self._network_class()
        options = options.resolved(self.options_type)
        options = replace(options, device=torch_device(options.device))
        for part, pairs in (("training", train), ("validation", valid)):
            check_labelled(part, pairs)
        if self.relabel is not None:
            train = self.relabel(fragments, train, options.own)
        rows = np.unique(np.concatenate(side_rows(fragments, train)))
        learned_from = fragments if options.vocabulary == "all" else fragments.take(rows)
        reader = LevelReader[Reading].for_fragments(self._extract(options), None, options.level, learned_from)
        training, validation = (_read(reader, fragments, pairs, options, progress) for pairs in (train, valid))
        if not training.known.any():
            raise InputError(
                "No two fragments of the training part share a word, so there is nothing to learn.",
                where="training",
                hint="Check the languages of the fragments: code in an unsupported language has no words.",
            )
        if not validation.known.any():
            raise InputError("No validation pair shares a word with the training part.", where="validation")
        seen = training.readings if options.vocabulary == "train" else reader.read(fragments)
        words = self.words([one for one in seen if one is not None], options.own)
        training = training.usable()
        from clonetruth.training.neural.network import NetworkTraining

        scorer = self.network(words, options)
        trainer = Trainer(
            pairs=len(training.truth),
            validation_scores=_validation_scores(scorer, validation),
            validation_truth=validation.truth,
            digest=_digest(self.name, options, training, validation),
            options=options,
        )
        run = trainer.fit(NetworkTraining(self.network(words, options), training, options), progress)
        by_paper = options.threshold is ThresholdRule.PAPER
        threshold = self.paper_threshold if by_paper else run.best.threshold
        return NetworkDetector(self, reader, words, run.weights, run.history, options, threshold)

    def load(self, folder: str | os.PathLike[str]) -> NetworkDetector:
        """See `Learner.load`.

        Raises:
            MissingExtraError: PyTorch is not installed.
        """
        content = read_model(Path(folder), self.name)
        options = replace(content.options, device=available_device(content.options.device))
        expected = self.network(content.words, options).arrays()
        if {name: one.shape for name, one in content.weights.items()} != {
            name: one.shape for name, one in expected.items()
        }:
            raise InputError(
                "The weights do not fit the network: the model is damaged, or another version of clonetruth wrote it.",
                where=folder,
                hint="Train it again.",
            )
        reader = LevelReader[Reading](self._extract(options), None, options.level, content.functions)
        return NetworkDetector(
            self,
            reader,
            content.words,
            content.weights,
            content.history,
            options,
            content.threshold,
            content.manifest,
        )

    def network(self, words: tuple[str, ...], options: TrainingSpec) -> PairNetwork:
        """An untrained network with the initial weights of the seed."""
        create = self._network_class()
        from clonetruth.training.neural.network import seeded

        with seeded(options.seed):
            network = create(words, options.own_as(self.options_type))
        network.threads = options.threads
        return network.to(options.device)

    def _network_class(self) -> Callable[[tuple[str, ...], Any], PairNetwork]:
        if importlib.util.find_spec("torch") is None:
            raise MissingExtraError.extra(f"The detector '{self.name}'", "neural")
        return self.load_network()

    def _extract(self, options: TrainingSpec) -> Callable[[str, Language], Reading]:
        return functools.partial(self.extract, own=options.own_as(self.options_type))


def _read(
    reader: LevelReader[Reading], fragments: pa.Table, pairs: pa.Table, options: TrainingSpec, progress: Progress | None
) -> ReadPart:
    left, right = side_rows(fragments, pairs)
    rows, positions = np.unique(np.concatenate([left, right]), return_inverse=True)
    readings = reader.read(fragments.take(rows), processes=options.processes, progress=progress)
    return ReadPart(readings, positions[: len(left)], positions[len(left) :], pairs["clone"].to_numpy())


def _validation_scores(network: PairNetwork, validation: ReadPart) -> Callable[[Weights], Floats]:
    known, usable = validation.known, validation.usable()

    def scores(weights: Weights) -> Floats:
        network.load_arrays(weights)
        values = np.full(len(known), np.nan)
        values[known] = np.round(network.scores(usable.readings, usable.left, usable.right), _DIGITS)
        # NaN means that a pair cannot be read, and would count as not a clone.
        if not np.isfinite(values[known]).all():
            raise InputError(
                "The training diverged: scores of validation pairs are not finite numbers.",
                where="training",
                hint="Lower --rate. The epochs before are recorded.",
            )
        return values

    return scores


def _digest(name: str, options: TrainingSpec, *parts: ReadPart) -> str:
    # Protocol 4 and plain values: the same bytes in every process.
    read = [np.frombuffer(hashlib.sha256(pickle.dumps(list(one.readings), 4)).digest(), np.uint8) for one in parts]
    return training_digest(name, options, *read, *(a for one in parts for a in (one.left, one.right, one.truth)))
