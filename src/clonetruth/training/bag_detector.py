"""Learned detectors that see fragments as bags of words: how they score, are kept in a folder, and are trained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.detectors.detector import scores, sides
from clonetruth.detectors.word_bags import WordBags, WordVocabulary
from clonetruth.errors import InputError
from clonetruth.model import Manifest
from clonetruth.progress import Progress, no_progress
from clonetruth.training.learner import LABELLED_PAIRS, Epoch, ThresholdRule, TrainingOptions
from clonetruth.training.model_folder import ModelContent, read_model, write_model
from clonetruth.training.trainer import Booleans, Floats, Integers, Trainable, Trainer, Weights, lesson_digest
from clonetruth.training.word_lists import WordReader, WordsOf

_LEAST = 2
"""Fragments of the training part that must have a word: one that only one has can be shared with nobody."""


@dataclass(frozen=True)
class TrainingSet:
    """What a pupil learns from: bags of words, and pairs of them (by their rows) with the truth."""

    bags: WordBags
    left: Integers
    right: Integers
    truth: Booleans


PupilMaker = Callable[[TrainingSet, TrainingOptions], Trainable]
"""Makes a model that has not learned anything yet."""


class BagScore(Protocol):
    """The scores of pairs (by their rows among the bags) with given weights."""

    def __call__(
        self, weights: Weights, bags: WordBags, left: Integers, right: Integers, report: Callable[[int], None]
    ) -> Floats: ...


@dataclass(frozen=True, eq=False)
class BagDetector:
    """A trained detector.

    Attributes:
        learner: who trained it.
        reader: reads the words of a fragment.
        vocabulary: the words that it knows.
        weights: what it learned of them.
        history: what the epochs of the training came to.
        options: how it was trained.
        default_threshold: see `Detector`.
        manifest: what it was trained on.
    """

    learner: BagLearner
    reader: WordReader
    vocabulary: WordVocabulary
    weights: Weights
    history: Sequence[Epoch]
    options: TrainingOptions
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

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a fragment has none of the words that were learned."""
        left, right = sides(fragments, pairs)
        report = progress or no_progress
        bags = self.vocabulary.bags(self.reader.read(fragments, processes=processes, progress=report))
        known = (bags.sizes[left] > 0) & (bags.sizes[right] > 0)
        values = np.zeros(len(left))
        values[known] = self.learner.score(
            self.weights, bags, left[known], right[known], lambda done: report("Scoring pairs", done, len(left))
        )
        return scores(values, known)

    def save(self, folder: Path, manifest: Manifest | None = None) -> None:
        """See `TrainedDetector.save`."""
        content = ModelContent(
            self.name,
            self.options,
            self.default_threshold,
            tuple(self.history),
            self.vocabulary.words,
            self.reader.functions,
            self.weights,
            manifest or self.manifest,
        )
        write_model(folder, content)


@dataclass(frozen=True)
class BagLearner:
    """A learner whose detectors see fragments as bags of words.

    Attributes:
        name: see `Learner`.
        description: see `Learner`.
        words_of: the words that it reads.
        score: how weights and bags become scores.
        shapes: the shapes of the weights, for so many words.
        pupils: who makes the model to be trained; asked before all work, so that a missing package is told at once.
        paper_threshold: the threshold that the paper states, or that the score suggests.
    """

    name: str
    description: str
    words_of: WordsOf
    score: BagScore
    shapes: Callable[[int], Mapping[str, tuple[int, ...]]]
    pupils: Callable[[], PupilMaker]
    paper_threshold: float

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingOptions,
        *,
        progress: Progress | None = None,
    ) -> BagDetector:
        """See `Learner.train`."""
        pupil = self.pupils()
        for part, pairs in (("training", train), ("validation", valid)):
            _check(part, pairs)
        seen, learned = _Seen.of(fragments, train), _Seen.of(fragments, valid)
        reader = WordReader.prepared(self.words_of, options.level, seen.fragments)
        read = [one.words(reader, options, progress) for one in (seen, learned)]
        vocabulary = WordVocabulary.of(read[0], _LEAST)
        if not len(vocabulary):
            raise InputError(
                "No two fragments of the training part share a word, so there is nothing to learn.",
                where="training",
                hint="Check the languages of the fragments: code in a language that we cannot read has no words.",
            )
        lesson, exam = (one.pairs(vocabulary.bags(words)) for one, words in zip((seen, learned), read, strict=True))
        school = Trainer(len(lesson.truth), self._exam(exam), exam.truth, self._digest(lesson, exam, options), options)
        schooled = school.teach(pupil(lesson, options), progress)
        by_paper = options.threshold is ThresholdRule.PAPER
        return BagDetector(
            self,
            reader,
            vocabulary,
            schooled.weights,
            schooled.history,
            options,
            self.paper_threshold if by_paper else schooled.best.threshold,
        )

    def load(self, folder: Path) -> BagDetector:
        """See `Learner.load`."""
        content = read_model(folder)
        if content.learner != self.name:
            raise InputError(f"The model is of the learner '{content.learner}', not of '{self.name}'.", where=folder)
        shapes = {name: array.shape for name, array in content.weights.items()}
        if shapes != self.shapes(len(content.words)):
            raise InputError(
                "The model is damaged: weights and words do not fit together.", where=folder, hint="Train it again."
            )
        return BagDetector(
            self,
            WordReader(self.words_of, content.options.level, content.functions),
            WordVocabulary(content.words),
            content.weights,
            content.history,
            content.options,
            content.threshold,
            content.manifest,
        )

    def _exam(self, exam: TrainingSet) -> Callable[[Weights], Floats]:
        known = (exam.bags.sizes[exam.left] > 0) & (exam.bags.sizes[exam.right] > 0)
        if not known.any():
            raise InputError("No validation pair has words that the training part has.", where="validation")
        left, right = exam.left[known], exam.right[known]

        def take(weights: Weights) -> Floats:
            values = np.full(len(known), np.nan)
            values[known] = self.score(weights, exam.bags, left, right, lambda done: None)
            return values

        return take

    def _digest(self, lesson: TrainingSet, exam: TrainingSet, options: TrainingOptions) -> str:
        data = [
            array
            for one in (lesson, exam)
            for array in (one.bags.starts, one.bags.words, one.left, one.right, one.truth)
        ]
        return lesson_digest(self.name, options, *data)


@dataclass(frozen=True)
class _Seen:
    """The fragments that pairs name, and the pairs by their rows."""

    fragments: pa.Table
    left: Integers
    right: Integers
    truth: Booleans

    @classmethod
    def of(cls, fragments: pa.Table, pairs: pa.Table) -> _Seen:
        left, right = sides(fragments, pairs)
        rows, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        truth = pairs["clone"].to_numpy()
        return cls(fragments.take(rows), places[: len(left)], places[len(left) :], truth)

    def words(
        self, reader: WordReader, options: TrainingOptions, progress: Progress | None
    ) -> Sequence[frozenset[str]]:
        return reader.read(self.fragments, processes=options.processes, progress=progress)

    def pairs(self, bags: WordBags) -> TrainingSet:
        return TrainingSet(bags, self.left, self.right, self.truth)


def _check(part: str, pairs: pa.Table) -> None:
    lacking = [name for name in LABELLED_PAIRS.names if name not in pairs.column_names]
    if lacking:
        raise InputError(f"The pairs have no column '{lacking[0]}'.", where=part)
    clones = pc.sum(pairs["clone"]).as_py() or 0
    if not 0 < clones < pairs.num_rows:
        present = "no pairs" if not pairs.num_rows else "only clones" if clones else "only non-clones"
        raise InputError(
            f"The {part} part has {present}, so nothing can be learned from it.",
            where=part,
            hint="Choose a view or a policy under which it has clones and non-clones.",
        )
