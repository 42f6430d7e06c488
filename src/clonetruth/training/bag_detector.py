"""Learned detectors over bags of words: scoring, training, saving and loading."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.detectors.detector import score_array, side_rows
from clonetruth.detectors.word_bags import WordBags, WordVocabulary
from clonetruth.errors import InputError
from clonetruth.progress import Progress, no_progress
from clonetruth.training.learner import LABELLED_PAIRS, ThresholdRule, TrainingSpec
from clonetruth.training.learner_options import LearnerOptions
from clonetruth.training.model_folder import read_model
from clonetruth.training.saved_detector import WeightsDetector
from clonetruth.training.trainer import Booleans, Floats, Integers, Trainable, Trainer, Weights, training_digest
from clonetruth.training.word_lists import WordExtractor, WordReader

_MIN_FRAGMENTS = 2
"""Training fragments that must contain a word: a word of a single fragment cannot be shared."""


@dataclass(frozen=True)
class TrainingSet:
    """What a model learns from: bags of words, and labelled pairs of them (by row).

    Attributes:
        bags: the words of each fragment.
        left: the row of each pair's left side.
        right: the row of each pair's right side.
        truth: whether each pair is a clone.
    """

    bags: WordBags
    left: Integers
    right: Integers
    truth: Booleans


ModelFactory = Callable[[TrainingSet, TrainingSpec], Trainable]
"""Creates an untrained model."""


class PairScorer(Protocol):
    """Scores pairs (by their rows among the bags) with given weights."""

    def __call__(
        self, weights: Weights, bags: WordBags, left: Integers, right: Integers, report: Callable[[int], None]
    ) -> Floats: ...


@dataclass(frozen=True, eq=False)
class BagDetector(WeightsDetector):
    """A trained detector over bags of words."""

    learner: BagLearner
    reader: WordReader

    @functools.cached_property
    def vocabulary(self) -> WordVocabulary:
        """The words that it knows, numbered as its weights are."""
        return WordVocabulary(self.words)

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null if a fragment contains no known word."""
        left, right = side_rows(fragments, pairs)
        report = progress or no_progress
        bags = self.vocabulary.bags(self.reader.read(fragments, processes=processes, progress=report))
        known = (bags.sizes[left] > 0) & (bags.sizes[right] > 0)
        values = np.zeros(len(left))
        values[known] = self.learner.score(
            self.weights, bags, left[known], right[known], lambda done: report("Scoring pairs", done, len(left))
        )
        return score_array(values, known)


@dataclass(frozen=True)
class BagLearner:
    """A learner whose detectors see fragments as bags of words.

    Attributes:
        name: see `Learner`.
        description: see `Learner`.
        words_of: extracts the words of a text.
        score: computes scores from weights and bags.
        shapes: the shapes of the weights for a number of words.
        load_factory: loads the model factory; called before all other work, so that a missing package is reported at
            once.
        paper_threshold: the threshold stated in the paper, or implied by the score.
        stops_early: whether training ends when the validation F1 keeps falling.
        options_type: see `Learner`.
    """

    name: str
    description: str
    words_of: WordExtractor
    score: PairScorer
    shapes: Callable[[int], Mapping[str, tuple[int, ...]]]
    load_factory: Callable[[], ModelFactory]
    paper_threshold: float
    stops_early: bool = True
    options_type: type[LearnerOptions] = LearnerOptions

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingSpec,
        *,
        progress: Progress | None = None,
    ) -> BagDetector:
        """See `Learner.train`."""
        create_model = self.load_factory()
        options = options.resolved(self.options_type)
        for part, pairs in (("training", train), ("validation", valid)):
            check_labelled(part, pairs)
        train_part, valid_part = _Part.of(fragments, train), _Part.of(fragments, valid)
        reader = WordReader.for_fragments(self.words_of, frozenset(), options.level, train_part.fragments)
        train_words, valid_words = (part.words(reader, options, progress) for part in (train_part, valid_part))
        seen = train_words if options.vocabulary == "train" else reader.read(fragments, processes=options.processes)
        vocabulary = WordVocabulary.of(seen, _MIN_FRAGMENTS)
        if not len(vocabulary):
            raise InputError(
                "No two fragments of the training part share a word, so there is nothing to learn.",
                where="training",
                hint="Check the languages of the fragments: code in an unsupported language has no words.",
            )
        training = train_part.training_set(vocabulary.bags(train_words))
        validation = valid_part.training_set(vocabulary.bags(valid_words))
        trainer = Trainer(
            pairs=len(training.truth),
            validation_scores=self._validation_scores(validation),
            validation_truth=validation.truth,
            digest=self._digest(training, validation, options),
            options=options,
            stops_early=self.stops_early,
        )
        run = trainer.fit(create_model(training, options), progress)
        by_paper = options.threshold is ThresholdRule.PAPER
        return BagDetector(
            self,
            reader,
            vocabulary.words,
            run.weights,
            run.history,
            options,
            self.paper_threshold if by_paper else run.best.threshold,
        )

    def load(self, folder: str | os.PathLike[str]) -> BagDetector:
        """See `Learner.load`."""
        content = read_model(Path(folder), self.name)
        shapes = {name: array.shape for name, array in content.weights.items()}
        if shapes != self.shapes(len(content.words)):
            raise InputError(
                "The model is damaged: its weights do not match its words.", where=folder, hint="Train it again."
            )
        return BagDetector(
            self,
            WordReader.of(self.words_of, content.options.level, content.functions),
            content.words,
            content.weights,
            content.history,
            content.options,
            content.threshold,
            content.manifest,
        )

    def _validation_scores(self, validation: TrainingSet) -> Callable[[Weights], Floats]:
        bags = validation.bags
        known = (bags.sizes[validation.left] > 0) & (bags.sizes[validation.right] > 0)
        if not known.any():
            raise InputError("No validation pair shares a word with the training part.", where="validation")
        left, right = validation.left[known], validation.right[known]

        def scores(weights: Weights) -> Floats:
            values = np.full(len(known), np.nan)
            values[known] = self.score(weights, bags, left, right, lambda done: None)
            return values

        return scores

    def _digest(self, training: TrainingSet, validation: TrainingSet, options: TrainingSpec) -> str:
        data = [
            array
            for one in (training, validation)
            for array in (one.bags.starts, one.bags.words, one.left, one.right, one.truth)
        ]
        return training_digest(self.name, options, *data)


@dataclass(frozen=True)
class _Part:
    """A part of the labelled pairs: the fragments that its pairs use, and the pairs by row."""

    fragments: pa.Table
    left: Integers
    right: Integers
    truth: Booleans

    @classmethod
    def of(cls, fragments: pa.Table, pairs: pa.Table) -> _Part:
        left, right = side_rows(fragments, pairs)
        rows, positions = np.unique(np.concatenate([left, right]), return_inverse=True)
        truth = pairs["clone"].to_numpy()
        return cls(fragments.take(rows), positions[: len(left)], positions[len(left) :], truth)

    def words(self, reader: WordReader, options: TrainingSpec, progress: Progress | None) -> Sequence[frozenset[str]]:
        return reader.read(self.fragments, processes=options.processes, progress=progress)

    def training_set(self, bags: WordBags) -> TrainingSet:
        return TrainingSet(bags, self.left, self.right, self.truth)


def check_labelled(part: str, pairs: pa.Table) -> None:
    """Refuse pairs that nothing can be learned from.

    Raises:
        InputError: a column is missing, or one of the classes.
    """
    missing = [name for name in LABELLED_PAIRS.names if name not in pairs.column_names]
    if missing:
        raise InputError(f"The pairs have no column '{missing[0]}'.", where=part)
    clones = pc.sum(pairs["clone"]).as_py() or 0
    if not 0 < clones < pairs.num_rows:
        present = "no pairs" if not pairs.num_rows else "only clones" if clones else "only non-clones"
        raise InputError(
            f"The {part} part has {present}, so nothing can be learned from it.",
            where=part,
            hint="Choose a view and a policy that give it both clones and non-clones."
            if pairs.num_rows
            else "Name a view that `clonetruth split` made, or another policy: 'origin' believes the dataset's own "
            "labels, 'members' that programs of one problem are clones.",
        )
