"""The plan of a matrix: detectors, views, levels of abstraction and seeds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.detectors import DETECTORS, is_detector_name
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.splits import VIEWS, Sampling, SplitSpec, View
from clonetruth.store import open_benchmark
from clonetruth.store.matrix import MatrixCell
from clonetruth.training import LEARNERS, TrainingSpec
from clonetruth.training.learner import LEVELS
from clonetruth.training.request import LearnerRequest

Run = tuple[int, int | None]
"""A seed, and a fold where there are folds."""

RANDOM = "random"
"""The view with which the others are compared."""

PERSPECTIVES = (RANDOM, "cross-project", "cross-functionality", "cross-all")
"""The views of Li et al. (2023), from the easiest to the hardest; `all` stands for them."""


@dataclass(frozen=True)
class TrainingSource:
    """Benchmarks that a learner is trained on together, and tested on another one.

    Attributes:
        name: for people and file names: `name@digest` of each, with + between them.
        folders: the folders of the benchmarks.
    """

    name: str
    folders: tuple[Path, ...]

    @classmethod
    def of(cls, text: str) -> TrainingSource:
        """From folders with + between them.

        Raises:
            BenchmarkError: one of them is not a benchmark.
        """
        folders = (Path(text),) if Path(text).is_dir() else tuple(Path(one.strip()) for one in text.split("+"))
        opened = [open_benchmark(one) for one in folders]
        names = [f"{one.path.absolute().name}@{(one.content_hash or '')[:8]}" for one in opened]
        return cls("+".join(names), tuple(one.path.absolute() for one in opened))


@dataclass(frozen=True)
class MatrixPlan:
    """The cells of a matrix, and how they are computed.

    Attributes:
        detectors: names in `detectors.DETECTORS` or `training.LEARNERS`, these perhaps with options
            (`astnn:vocabulary=3000`); learners are trained for each cell.
        views: names in `splits.VIEWS`, or `view:variant`.
        levels: the levels of abstraction.
        seeds: number of seeds, which are 0, 1, 2 …; a seed determines the split, the drawn pairs and the training.
        folds: number of folds of each seed, every one of which is the test part once (default: no folds).
        policy: how judgements become verdicts.
        criterion: what the judges were asked (default: the policy's criterion, or else the card's).
        ratio: train : valid : test; folds do not use it.
        tolerance: how far a part's share of fragments may be from the ratio, relative to it.
        train_functionalities: number of functionalities in train, under views that hold functionalities out.
        max_functionality_fragments: leave out functionalities with more fragments.
        min_functionality_fragments: leave out functionalities with fewer fragments.
        sampling: which pairs of a part are used.
        all_pairs: where the benchmark stores no pairs, use all pairs of a part.
        epochs: maximum number of epochs of a training.
        confidence: confidence level of the intervals.
        train_on: other benchmarks, or several together, that learners are also trained on.
    """

    detectors: tuple[str, ...]
    views: tuple[str, ...] = PERSPECTIVES
    levels: tuple[int, ...] = tuple(LEVELS)
    seeds: int = 5
    folds: int | None = None
    policy: str = "default"
    criterion: str | None = None
    ratio: tuple[int, int, int] = (3, 1, 1)
    tolerance: float = SplitSpec.tolerance
    train_functionalities: int | None = None
    max_functionality_fragments: int | None = None
    min_functionality_fragments: int | None = None
    sampling: Sampling = field(default_factory=Sampling)
    all_pairs: bool = False
    epochs: int = TrainingSpec.epochs
    confidence: float = 0.95
    train_on: tuple[TrainingSource, ...] = ()

    def __post_init__(self) -> None:
        for what, given in (("detector", self.detectors), ("view", self.views), ("level", self.levels)):
            _check_list(what, given)
        for name in self.detectors:
            _check_detector(name)
        _check_sources([one.name for one in self.train_on])
        if self.train_on and not any(is_learner(one) for one in self.detectors):
            raise InputError("No detector is trained, so there is nothing to train on other benchmarks.")
        for view in self.views:
            _check_view(view)
        for level in self.levels:
            if level not in LEVELS:
                raise InputError(f"There is no level {level}.", hint="Levels are 0 to 3.")
        if not self.ratio[1]:
            raise InputError("The ratio has no valid part, on which thresholds are chosen.", hint="For example 3:1:1.")
        if self.seeds < 1:
            raise InputError(f"The number of seeds is {self.seeds}.", hint="Give at least 1.")
        if not 0 < self.confidence < 1:
            raise InputError(f"A confidence of {self.confidence:g} is not between 0 and 1.")
        # These check their own values.
        TrainingSpec(epochs=self.epochs)
        for view in self.views:
            self.split_spec(view, *self.runs[0])

    @property
    def runs(self) -> list[Run]:
        """The seeds, each with every fold."""
        folds: list[int | None] = [None] if self.folds is None else [*range(1, self.folds + 1)]
        return [(seed, fold) for seed in range(self.seeds) for fold in folds]

    def cells(self) -> list[MatrixCell]:
        """All cells, seed by seed, so that an interrupted run has whole tables of the first seeds."""
        return [
            MatrixCell(detector, view, level, seed, fold, source)
            for seed, fold in self.runs
            for view in self.views
            for level in self.levels
            for detector in self.detectors
            for source in self.sources(detector)
        ]

    def sources(self, detector: str) -> tuple[str, ...]:
        """On what a detector is trained: the tested benchmark, and for learners other ones, too."""
        return ("", *(one.name for one in self.train_on)) if is_learner(detector) else ("",)

    def split_spec(self, view: str, seed: int, fold: int | None = None) -> SplitSpec:
        """The split that the cells of a view and a run share."""
        name, _, variant = view.partition(":")
        divides_functionalities = "CT505" in VIEWS[name].rules
        return SplitSpec(
            view=name,
            seed=seed,
            ratio=self.ratio,
            variant=variant or None,
            policy=self.policy,
            criterion=self.criterion,
            folds=self.folds,
            fold=fold,
            sampling=self.sampling,
            tolerance=self.tolerance,
            train_functionalities=self.train_functionalities if divides_functionalities else None,
            max_functionality_fragments=self.max_functionality_fragments,
            min_functionality_fragments=self.min_functionality_fragments,
            all_pairs=self.all_pairs,
        )

    def setting(self) -> dict[str, Any]:
        """How pairs are divided and drawn and detectors are trained, as JSON values."""
        return {
            "ratio": list(self.ratio),
            "folds": self.folds,
            "tolerance": self.tolerance,
            "train_functionalities": self.train_functionalities,
            "max_functionality_fragments": self.max_functionality_fragments,
            "min_functionality_fragments": self.min_functionality_fragments,
            **dataclasses.asdict(self.sampling),
            **({"all_pairs": True} if self.all_pairs else {}),
            "epochs": self.epochs,
        }

    def conditions(self) -> dict[str, Any]:
        """What all cells of a table have in common, as JSON values."""
        return {
            "policy": self.policy,
            "criterion": self.criterion,
            "confidence": self.confidence,
            **self.setting(),
        }


def read_names(names: str | Sequence[str]) -> tuple[str, ...]:
    """Read names that are separated by commas, or given as a list."""
    given = names.split(",") if isinstance(names, str) else names
    return tuple(name.strip() for name in given if name.strip())


def read_levels(levels: str | Sequence[int]) -> tuple[int, ...]:
    """Read levels as people write them, `0-3`, `1` or `0,2-3`, or as a list.

    Raises:
        InputError: a level is not a whole number.
    """
    if not isinstance(levels, str):
        return tuple(levels)
    read: list[int] = []
    for text in read_names(levels):
        first, dash, last = text.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise InputError(f"'{text}' is not a level.", hint="Write 0-3, or 0,2 for example.")
        read += range(int(first), int(last if dash else first) + 1)
    return tuple(read)


def view_of(text: str) -> View:
    """Look up a view by its name, or by `view:variant`.

    Raises:
        UnknownNameError: there is no such view.
    """
    return VIEWS[text.partition(":")[0]]


def _check_list(what: str, given: Sequence[object]) -> None:
    if not given:
        raise InputError(f"There is no {what}.", hint="Give at least one.")
    repeated = [one for at, one in enumerate(given) if one in given[:at]]
    if repeated:
        raise InputError(f"The {what} '{repeated[0]}' is given twice.", hint="Give it once.")


def _check_sources(names: Sequence[str]) -> None:
    if names:
        _check_list("training benchmark", names)


def is_learner(detector: str) -> bool:
    """Whether a detector of a matrix is a learner, perhaps with options (`astnn:vocabulary=3000`)."""
    return detector.partition(":")[0] in LEARNERS


def _check_detector(name: str) -> None:
    if is_learner(name):
        LearnerRequest.parse(name)
    elif not is_detector_name(name):
        known = ", ".join(sorted([*LEARNERS, *DETECTORS]))
        raise UnknownNameError(f"There is no detector '{name}'.", hint=f"Known: {known}.")


def _check_view(text: str) -> None:
    view = view_of(text)
    view.variant(text.partition(":")[2] or None)
    if view.only_test:
        raise InputError(
            f"The view '{view.name}' only has a test part, so nothing can be trained under it.",
            hint="Train on another view, and evaluate with `clonetruth evaluate --view`.",
        )
