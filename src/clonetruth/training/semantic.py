"""`semantic`, trained: the weights of the views, fitted on functionalities that the background does not contain."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code import LANGUAGES, FunctionNames, Language, collect_functions
from clonetruth.code import language as language_named
from clonetruth.code.abstraction import Level
from clonetruth.code.canonical import VIEWS
from clonetruth.detectors.abstracted import abstracted_texts
from clonetruth.detectors.detector import FRAGMENTS, side_rows
from clonetruth.detectors.search import QueryScores
from clonetruth.detectors.semantic import (
    Background,
    LearnedProjection,
    OutputModel,
    SemanticScorer,
    ViewModel,
    read_counts,
    shipped_model,
)
from clonetruth.detectors.semantic.background import WIDTH, Cohort
from clonetruth.detectors.semantic.behaviour import BEHAVIOUR, OutputFrequencies, run_fragments
from clonetruth.errors import InputError
from clonetruth.model import Manifest
from clonetruth.options.declaration import option
from clonetruth.progress import Progress, no_progress
from clonetruth.training.bag_detector import check_labelled
from clonetruth.training.held_out import HeldOutExamples, LabelledCounts, learned_background, training_background
from clonetruth.training.learner import Epoch, ThresholdRule, TrainingSpec
from clonetruth.training.learner_options import LearnerOptions
from clonetruth.training.model_folder import ModelContent, read_model, write_model
from clonetruth.training.trainer import Trainer, best_threshold, training_digest
from clonetruth.training.view_weights import ViewWeights, fitted_revision


@dataclass(frozen=True, kw_only=True)
class SemanticOptions(LearnerOptions):
    """The options of `semantic`."""

    lift: bool = option(
        True, help="Weigh features by how much more often fragments of one functionality share them; else by rarity."
    )
    projection: bool = option(True, help="Learn what varies among fragments of one functionality, and take it out.")
    execution: bool = option(
        False, help="Run fragments in the sandbox on generic inputs; equal and different outputs count too."
    )
    exchange: bool = option(
        False,
        help="With execution: the two programs of a scored pair also run on inputs of each other's form (slower).",
    )


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
            valid part cannot choose another one, since its fragments are part of the background. False where the valid
            part has further fragments of functionalities of the train part: then they are not, and it chooses.
    """

    learner: SemanticLearner
    scorer: SemanticScorer
    functions: Mapping[str, str]
    history: Sequence[Epoch]
    options: TrainingSpec
    default_threshold: float | None
    manifest: Manifest | None = None
    decides_itself: bool = True

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
        return self.scorer.score(shown, pairs, processes=processes, progress=progress, ran=fragments)

    def query_scores(self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None) -> QueryScores:
        """See `detectors.search.query_scores`."""
        shown = abstracted(fragments, self.options.level, self.functions)
        return self.scorer.query_scores(shown, processes=processes, progress=progress, ran=fragments)

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
            "nearest": np.array([background.cohort.share]),
        }
        if not self.decides_itself:
            weights |= {"validated": np.ones(1)}
        if background.projection is not None:
            weights |= {"projection": background.projection.matrix, "offset": background.projection.offset}
        if (frequencies := self.scorer.frequencies) is not None:
            weights |= {
                "outputs": frequencies.codes.astype(np.float64),
                "output_counts": frequencies.counts.astype(np.float64),
                "ran": np.array([float(frequencies.fragments)]),
                "revision": np.append(self.scorer.revision.weights, self.scorer.revision.bias),
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
    options_type: type[LearnerOptions] = SemanticOptions
    takes_functionalities: bool = field(default=True, repr=False)

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingSpec,
        *,
        progress: Progress | None = None,
        functionalities: npt.NDArray[np.int64] | None = None,
    ) -> TrainedSemantic:
        """See `Learner.train`. The valid part is used like the train part: functionalities are held out of both.

        Args:
            fragments: see `Learner.train`.
            train: see `Learner.train`.
            valid: see `Learner.train`.
            options: see `Learner.train`.
            progress: see `Learner.train`.
            functionalities: that of each fragment, if the benchmark says it (`takes_functionalities`).
        """
        report = progress or no_progress
        options = options.resolved(self.options_type)
        for part, pairs in (("training", train), ("validation", valid)):
            check_labelled(part, pairs)
        functions = _functions(fragments, train, options.level)
        data = _read(fragments, train, valid, functions, options, report, functionalities)
        own_options = options.own_as(SemanticOptions)
        examples = HeldOutExamples.of(data, options.seed, report, learns=own_options.projection, lifts=own_options.lift)
        if own_options.lift:
            examples = examples.with_shipped(data, options.seed)
        trainer = Trainer(
            pairs=train.num_rows,
            validation_scores=lambda weights: ViewWeights.out_of_fold(weights, examples.similarities, examples.fold),
            validation_truth=examples.truth,
            digest=training_digest(self.name, options, examples.similarities, examples.truth, examples.fold),
            options=options,
            stops_early=False,
        )
        prior = shipped_model().fitted.weights
        run = trainer.fit(ViewWeights(examples.similarities, examples.truth, examples.fold, prior), progress)
        functionality, rows = data.functionality(), data.background_rows()
        background = training_background(data, rows, functionality if own_options.lift else None, options.seed)
        if examples.weights is not None:
            background = learned_background(
                background, data.counts.take(rows), functionality[rows], examples.weights, options.seed
            )
        own = run.weights["final"]
        history = tuple(replace(epoch, threshold=_threshold(epoch.f1)) for epoch in run.history)
        reached, revision = run.best.f1, OutputModel.silent()
        if examples.said is not None:
            scores = ViewWeights.out_of_fold(run.weights, examples.similarities, examples.fold)
            revision, scores = fitted_revision(scores, examples.said, examples.truth, examples.fold)
            reached = best_threshold(scores, examples.truth)[1]
        threshold = 0.5 if options.threshold is ThresholdRule.PAPER else _threshold(reached)
        scorer = SemanticScorer(
            background,
            ViewModel(own[:-1], float(own[-1])),
            data.frequencies(rows),
            revision,
            exchanges=own_options.exchange,
        )
        trained = TrainedSemantic(self, scorer, functions, history, options, threshold)
        if not data.tests_known or options.threshold is ThresholdRule.PAPER:
            return trained
        scores = trained.score(fragments, valid, processes=options.processes).to_numpy(zero_copy_only=False)
        chosen, _ = best_threshold(scores, valid["clone"].to_numpy())
        return replace(trained, default_threshold=chosen, decides_itself=False)

    def load(self, folder: str | os.PathLike[str]) -> TrainedSemantic:
        """See `Learner.load`."""
        content = read_model(Path(folder))
        if content.learner != self.name:
            raise InputError(
                f"The model belongs to the learner '{content.learner}', not to '{self.name}'.", where=folder
            )
        weights = content.weights
        size, runs, revises = len(weights.get("offset", ())), "outputs" in weights, "revision" in weights
        views = len(VIEWS) + (size > 0)
        # Models of earlier versions weigh outputs as further views.
        expected: dict[str, tuple[int, ...]] = {
            "views": (views + (runs and not revises) * len(BEHAVIOUR),),
            "bias": (1,),
            "features": shipped_model().weights.shape,
            "cohort": (len(content.words), len(VIEWS), WIDTH),
        }
        expected |= {name: (1,) for name in ("nearest", "validated") if name in weights}
        if size:
            expected |= {"projection": (len(VIEWS) * WIDTH, size), "offset": (size,)}
        if runs:
            expected |= {"outputs": weights["outputs"].shape, "output_counts": weights["outputs"].shape, "ran": (1,)}
        if revises:
            expected |= {"revision": (len(BEHAVIOUR) + 2,)}
        if {name: array.shape for name, array in weights.items()} != expected:
            raise InputError("The model is damaged, or of other views.", where=folder, hint="Train it again.")
        # Models of earlier versions compare with the whole cohort.
        share = float(weights["nearest"][0]) if "nearest" in weights else 1.0
        cohort = Cohort(weights["cohort"].astype(np.float32), content.words, share=share)
        background = Background(weights["features"].astype(np.float32), cohort)
        if size:
            matrix, offset = (weights[name].astype(np.float32) for name in ("projection", "offset"))
            background = background.with_projection(LearnedProjection(matrix, offset))
        frequencies = None
        if runs:
            codes, counts = weights["outputs"].astype(np.uint64), weights["output_counts"].astype(np.int64)
            frequencies = OutputFrequencies(codes, counts, int(weights["ran"][0]))
        revision = weights.get("revision", np.concatenate([[1.0], weights["views"][views:], [0.0]]))
        scorer = SemanticScorer(
            background,
            ViewModel(weights["views"][:views], float(weights["bias"][0])),
            frequencies,
            OutputModel(revision[:-1], float(revision[-1])) if runs else OutputModel.silent(),
            exchanges=content.options.own_as(SemanticOptions).exchange,
        )
        return TrainedSemantic(
            self,
            scorer,
            content.functions,
            content.history,
            content.options,
            content.threshold,
            content.manifest,
            decides_itself="validated" not in weights,
        )


def _threshold(f1: float) -> float:
    """The threshold of probabilities, by the F1 that they reach on held-out functionalities.

    They are calibrated on such pairs; the threshold with the highest expected F1 is then half of that F1. Few
    functionalities tell that more reliably than where the highest F1 happens to lie among their pairs.
    """
    return round(f1 / 2, 6)


def _read(
    fragments: pa.Table,
    train: pa.Table,
    valid: pa.Table,
    functions: Mapping[str, str],
    options: TrainingSpec,
    report: Progress,
    functionalities: npt.NDArray[np.int64] | None,
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
    languages = shown["language"].to_pylist()
    own_options = options.own_as(SemanticOptions)
    if own_options.exchange and not own_options.execution:
        raise InputError("'exchange' needs 'execution'.", where="training", hint="Set execution=yes, too.")
    outputs = None
    if own_options.execution:
        # As they are written: names that an abstraction replaced may be those of a library.
        sources = list(zip(languages, fragments.take(rows)["text"].to_pylist(), strict=True))
        outputs = run_fragments(sources, processes=options.processes, progress=report)
    known_ones = None if functionalities is None else functionalities[rows]
    of_train = np.concatenate(sides[0])
    return LabelledCounts(
        counts,
        languages,
        left[usable],
        right[usable],
        truth[usable],
        outputs,
        known_ones,
        ~np.isin(rows, of_train),
    )


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
    rows = list(zip(fragments["language"].to_pylist(), fragments["text"].to_pylist(), strict=True))
    texts = abstracted_texts(rows, level, FunctionNames(functions), 1, no_progress)
    at = fragments.column_names.index("text")
    return fragments.set_column(at, FRAGMENTS.field("text"), pa.array(texts, pa.string()))


SEMANTIC = SemanticLearner()
