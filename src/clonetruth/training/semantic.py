"""`semantic`, trained: the weights of the views, fitted on functionalities that the background does not contain.

What is learned must hold for functionalities that nobody has seen. So every training example is made as a test example
will be: some functionalities are held out, the background (how common features are, the cohort) comes from the others,
and the pairs among the held-out ones are the examples. This is repeated with other functionalities. Functionalities are
what the labels say: fragments that are clones of each other, directly or through others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.code import LANGUAGES, FunctionNames, Language, abstract, collect_functions
from clonetruth.code import language as language_named
from clonetruth.code.abstraction import Level
from clonetruth.code.canonical import VIEWS, ViewCounts
from clonetruth.detectors.detector import FRAGMENTS, side_rows
from clonetruth.detectors.search import QueryScores
from clonetruth.detectors.semantic import (
    Background,
    SemanticFragments,
    SemanticScorer,
    ViewModel,
    read_counts,
    shipped_model,
)
from clonetruth.detectors.semantic.background import WIDTH, Cohort
from clonetruth.errors import InputError
from clonetruth.model import Manifest
from clonetruth.progress import Progress, no_progress
from clonetruth.training.bag_detector import check_labelled
from clonetruth.training.learner import Epoch, ThresholdRule, TrainingSpec
from clonetruth.training.model_folder import ModelContent, read_model, write_model
from clonetruth.training.trainer import Booleans, Floats, Integers, Trainer, training_digest
from clonetruth.training.view_weights import ViewWeights

COHORT = 300
"""Fragments of the training part with which every fragment is compared."""
_LEAST_FRAGMENTS = 100
"""With fewer training fragments, the shipped background serves."""
_ROUNDS = 6
"""How often functionalities are held out."""
_HELD_OUT = 1 / 3
"""The share of functionalities that a round holds out."""
_MAX_EXAMPLES = 60_000
"""Training examples; more do not help, since functionalities count, not pairs."""


@dataclass(frozen=True, eq=False)
class LabelledCounts:
    """Fragments with their features, and labelled pairs of them.

    Attributes:
        counts: the features of the fragments.
        languages: their languages.
        left: the row of each pair's left side.
        right: the row of each pair's right side.
        truth: whether each pair is a clone.
    """

    counts: ViewCounts
    languages: Sequence[str]
    left: Integers
    right: Integers
    truth: Booleans

    def functionality(self) -> Integers:
        """The functionality of each fragment: the fragments that clone pairs connect."""
        above = list(range(len(self.counts)))

        def top(one: int) -> int:
            while above[one] != one:
                above[one] = one = above[above[one]]
            return one

        for a, b in zip(self.left[self.truth].tolist(), self.right[self.truth].tolist(), strict=True):
            above[top(a)] = top(b)
        return np.unique([top(one) for one in range(len(above))], return_inverse=True)[1]


@dataclass(frozen=True, eq=False)
class HeldOutExamples:
    """Pairs of held-out functionalities, as similarities.

    Attributes:
        similarities: of each pair in each view.
        truth: whether it is a clone.
        fold: the fold of each side's functionality: a model that was not fitted to either predicts the pair.
    """

    similarities: Floats
    truth: Booleans
    fold: Integers

    @classmethod
    def of(cls, data: LabelledCounts, seed: int, progress: Progress = no_progress) -> HeldOutExamples:
        """Make examples, with the share of clones that the data have."""
        functionality = data.functionality()
        total = int(functionality.max()) + 1
        random = np.random.default_rng([seed, 17])
        folds = random.permutation(total) % _folds(total)
        similarities, truths, sides = [], [], []
        for number in range(_ROUNDS):
            held = np.zeros(total, bool)
            held[random.permutation(total)[: max(2, round(total * _HELD_OUT))]] = True
            inside = held[functionality]
            rows = np.flatnonzero(inside[data.left] & inside[data.right])
            rows = np.sort(random.permutation(rows)[: _MAX_EXAMPLES // _ROUNDS])
            progress("Making examples", 1, _ROUNDS)
            if not len(rows):
                continue
            background = _background(data, np.flatnonzero(~inside), seed + number)
            used, place = np.unique(np.concatenate([data.left[rows], data.right[rows]]), return_inverse=True)
            own = SemanticFragments.of(
                data.counts.take(used), [data.languages[row] for row in used.tolist()], background
            )
            found, _ = own.similarities(place[: len(rows)], place[len(rows) :])
            similarities.append(found.astype(np.float64))
            truths.append(data.truth[rows])
            sides.append(np.stack([folds[functionality[side[rows]]] for side in (data.left, data.right)], axis=1))
        if not truths or not np.concatenate(truths).any() or np.concatenate(truths).all():
            raise InputError(
                "The training pairs have too few functionalities: held out, they give no clones or no others.",
                where="training",
                hint="Give pairs of at least three functionalities.",
            )
        x, truth, fold = np.concatenate(similarities), np.concatenate(truths), np.concatenate(sides)
        kept = _with_share(truth, float(data.truth.mean()), random)
        return cls(x[kept], truth[kept], fold[kept])


def _folds(functionalities: int) -> int:
    return max(2, min(5, functionalities // 2))


def _with_share(truth: Booleans, share: float, random: np.random.Generator) -> Integers:
    """Rows with a share of clones: of the class that is too frequent, some are left out."""
    clones, others = random.permutation(np.flatnonzero(truth)), random.permutation(np.flatnonzero(~truth))
    wanted = round(len(others) * share / (1 - share)) if share < 1 else len(clones)
    if wanted < len(clones):
        clones = clones[: max(wanted, 1)]
    else:
        others = others[: max(1, round(len(clones) * (1 - share) / share))]
    return np.sort(np.concatenate([clones, others]))


def _background(data: LabelledCounts, rows: Integers, seed: int) -> Background:
    """A background of some fragments; the shipped one where the training part is small."""
    shipped = shipped_model()
    if len(data.counts) < _LEAST_FRAGMENTS:
        return shipped.background
    chosen = np.sort(np.random.default_rng([seed, 3]).permutation(len(rows))[:COHORT])
    names = [data.languages[row] for row in rows.tolist()]
    return Background.of(data.counts.take(rows), names, chosen, shipped.frequencies)


@dataclass(frozen=True, eq=False)
class TrainedSemantic:
    """A trained detector.

    Attributes:
        learner: the learner that trained it.
        scorer: the background and the weights of the views.
        functions: the replacement of each function name at level 3.
        history: the result of each training epoch.
        options: the training options.
        default_threshold: see `Detector`.
        manifest: what it was trained on.
        decides_itself: its threshold was chosen on functionalities of the train and valid parts that were held out; the
            valid part cannot choose another one, since its fragments are part of the background.
    """

    learner: SemanticLearner
    scorer: SemanticScorer
    functions: Mapping[str, str]
    history: Sequence[Epoch]
    options: TrainingSpec
    default_threshold: float | None
    manifest: Manifest | None = None
    decides_itself: bool = field(default=True, init=False)

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
        """See `Detector.score`. Null where a fragment is empty or in an unknown language."""
        shown = abstracted(fragments, self.options.level, self.functions)
        return self.scorer.score(shown, pairs, processes=processes, progress=progress)

    def query_scores(self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None) -> QueryScores:
        """See `detectors.search.query_scores`."""
        shown = abstracted(fragments, self.options.level, self.functions)
        return self.scorer.query_scores(shown, processes=processes, progress=progress)

    def with_manifest(self, manifest: Manifest) -> TrainedSemantic:
        """See `TrainedDetector.with_manifest`."""
        return replace(self, manifest=manifest)

    def save(self, folder: str | os.PathLike[str], manifest: Manifest | None = None) -> None:
        """See `TrainedDetector.save`."""
        background, model = self.scorer.background, self.scorer.model
        weights = {
            "views": model.weights,
            "bias": np.array([model.bias]),
            "features": background.weights,
            "cohort": background.cohort.vectors,
        }
        content = ModelContent(
            self.name,
            self.options,
            self.default_threshold,
            tuple(self.history),
            background.cohort.languages,
            self.functions,
            weights,
            manifest or self.manifest,
        )
        write_model(Path(folder), content)


@dataclass(frozen=True)
class SemanticLearner:
    """Fits the weights of the views to labelled pairs; see the module."""

    name: str = "semantic"
    description: str = field(
        default="Weights of 24 views' similarities to each other and to unrelated code, on held-out functionalities.",
        repr=False,
    )

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingSpec,
        *,
        progress: Progress | None = None,
    ) -> TrainedSemantic:
        """See `Learner.train`. The valid part is used like the train part: functionalities are held out of both."""
        report = progress or no_progress
        for part, pairs in (("training", train), ("validation", valid)):
            check_labelled(part, pairs)
        functions = _functions(fragments, train, options.level)
        data = _read(fragments, train, valid, functions, options, report)
        examples = HeldOutExamples.of(data, options.seed, report)
        trainer = Trainer(
            pairs=train.num_rows,
            validation_scores=lambda weights: ViewWeights.out_of_fold(weights, examples.similarities, examples.fold),
            validation_truth=examples.truth,
            digest=training_digest(self.name, options, examples.similarities, examples.truth, examples.fold),
            options=options,
            stops_early=False,
        )
        run = trainer.fit(ViewWeights(examples.similarities, examples.truth, examples.fold), progress)
        background = _background(data, np.arange(len(data.counts)), options.seed)
        own = run.weights["final"]
        threshold = 0.5 if options.threshold is ThresholdRule.PAPER else run.best.threshold
        scorer = SemanticScorer(background, ViewModel(own[:-1], float(own[-1])))
        return TrainedSemantic(self, scorer, functions, run.history, options, threshold)

    def load(self, folder: str | os.PathLike[str]) -> TrainedSemantic:
        """See `Learner.load`."""
        content = read_model(Path(folder))
        if content.learner != self.name:
            raise InputError(
                f"The model belongs to the learner '{content.learner}', not to '{self.name}'.", where=folder
            )
        weights = content.weights
        expected = {
            "views": (len(VIEWS),),
            "bias": (1,),
            "features": shipped_model().weights.shape,
            "cohort": (len(content.words), len(VIEWS), WIDTH),
        }
        if {name: array.shape for name, array in weights.items()} != expected:
            raise InputError("The model is damaged, or of other views.", where=folder, hint="Train it again.")
        background = Background(
            weights["features"].astype(np.float32), Cohort(weights["cohort"].astype(np.float32), content.words)
        )
        scorer = SemanticScorer(background, ViewModel(weights["views"], float(weights["bias"][0])))
        return TrainedSemantic(
            self, scorer, content.functions, content.history, content.options, content.threshold, content.manifest
        )


def _read(
    fragments: pa.Table,
    train: pa.Table,
    valid: pa.Table,
    functions: Mapping[str, str],
    options: TrainingSpec,
    report: Progress,
) -> LabelledCounts:
    sides = [side_rows(fragments, pairs) for pairs in (train, valid)]
    left, right = (np.concatenate(one) for one in zip(*sides, strict=True))
    rows, place = np.unique(np.concatenate([left, right]), return_inverse=True)
    left, right = place[: len(left)], place[len(left) :]
    shown = abstracted(fragments.take(rows), options.level, functions)
    counts = read_counts(shown, processes=options.processes, progress=report)
    truth = np.concatenate([pairs["clone"].to_numpy() for pairs in (train, valid)])
    known = counts.sizes().sum(axis=1) > 0
    usable = known[left] & known[right]
    if not usable[: train.num_rows].any():
        raise InputError(
            "No two fragments of the training part share a word, so there is nothing to learn.",
            where="training",
            hint="Check the languages of the fragments: code in an unsupported language has no words.",
        )
    if not usable[train.num_rows :].any():
        raise InputError("No validation pair shares a word with the training part.", where="validation")
    return LabelledCounts(counts, shown["language"].to_pylist(), left[usable], right[usable], truth[usable])


def _functions(fragments: pa.Table, train: pa.Table, level: int) -> Mapping[str, str]:
    """The replacements of the function names of the training part, if the level needs them."""
    if level < Level.FUNCTIONS:
        return {}
    rows = np.unique(np.concatenate(side_rows(fragments, train)))
    return collect_functions(_texts(fragments.take(rows))).new_names


def _texts(fragments: pa.Table) -> Iterator[tuple[str, Language]]:
    for name, text in zip(fragments["language"].to_pylist(), fragments["text"].to_pylist(), strict=True):
        if name in LANGUAGES:
            yield text, language_named(name)


def abstracted(fragments: pa.Table, level: int, functions: Mapping[str, str]) -> pa.Table:
    """Fragments abstracted to a level. Level 0 changes nothing that a view shows."""
    if level == Level.PLAIN:
        return fragments
    names = FunctionNames(functions)
    texts = [
        abstract(text, language_named(name), level, names) if name in LANGUAGES else text
        for name, text in zip(fragments["language"].to_pylist(), fragments["text"].to_pylist(), strict=True)
    ]
    at = fragments.column_names.index("text")
    return fragments.set_column(at, FRAGMENTS.field("text"), pa.array(texts, pa.string()))


SEMANTIC = SemanticLearner()
