"""What a matrix is of: detectors, views, levels of abstraction and seeds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from clonetruth.detectors import DETECTORS
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.splits import VIEWS, Sampling, SplitOptions, View
from clonetruth.store.matrix import MatrixCell
from clonetruth.training import LEARNERS, TrainingOptions
from clonetruth.training.learner import LEVELS

RANDOM = "random"
"""The view that the others are compared with."""

PERSPECTIVES = (RANDOM, "cross-project", "cross-functionality", "cross-all")
"""The views of Li et al. (2023), from the easiest to the hardest: what `all` means."""


@dataclass(frozen=True)
class MatrixOptions:
    """What a matrix is of, and how its cells are computed.

    Attributes:
        detectors: names in `detectors.DETECTORS` or `detectors.LEARNERS`; learners are trained for each cell.
        views: names in `truth.views.VIEWS`, or `view:variant`.
        levels: the levels of abstraction.
        seeds: how many seeds: 0, 1, 2 …; a seed is of the split, of the drawn pairs and of the training.
        policy: how judgements become verdicts.
        criterion: what was asked of the judges; unless told, the policy's own, or the card's.
        ratio: train : valid : test.
        sampling: which pairs of a part are used.
        epochs: how often a learner sees the training pairs, at most.
        confidence: of the intervals.
    """

    detectors: tuple[str, ...]
    views: tuple[str, ...] = PERSPECTIVES
    levels: tuple[int, ...] = tuple(LEVELS)
    seeds: int = 5
    policy: str = "default"
    criterion: str | None = None
    ratio: tuple[int, int, int] = (3, 1, 1)
    sampling: Sampling = field(default_factory=Sampling)
    epochs: int = TrainingOptions.epochs
    confidence: float = 0.95

    def __post_init__(self) -> None:
        for what, given in (("detector", self.detectors), ("view", self.views), ("level", self.levels)):
            _check_list(what, given)
        for name in self.detectors:
            _check_detector(name)
        for view in self.views:
            _check_view(view)
        for level in self.levels:
            if level not in LEVELS:
                raise InputError(f"There is no level {level}.", hint="Levels are 0 to 3.")
        if not self.ratio[1]:
            raise InputError(
                "The ratio has no valid part, and thresholds are chosen there.", hint="For instance 3:1:1."
            )
        if self.seeds < 1:
            raise InputError(f"{self.seeds} seeds are asked for.", hint="Give at least 1; intervals need 2.")
        if not 0 < self.confidence < 1:
            raise InputError(f"A confidence of {self.confidence:g} is not between 0 and 1.")
        # Its own checks say what is wrong with a number of epochs.
        TrainingOptions(epochs=self.epochs)

    def cells(self) -> list[MatrixCell]:
        """All cells, seed by seed: a run that is stopped has whole tables of the first seeds."""
        return [
            MatrixCell(detector, view, level, seed)
            for seed in range(self.seeds)
            for view in self.views
            for level in self.levels
            for detector in self.detectors
        ]

    def split_options(self, view: str, seed: int) -> SplitOptions:
        """The split that the cells of a view and a seed share."""
        name, _, variant = view.partition(":")
        return SplitOptions(
            view=name,
            seed=seed,
            ratio=self.ratio,
            variant=variant or None,
            policy=self.policy,
            criterion=self.criterion,
            sampling=self.sampling,
        )

    def setting(self) -> dict[str, Any]:
        """How pairs are divided and drawn, and detectors trained, as JSON values."""
        return {"ratio": list(self.ratio), **dataclasses.asdict(self.sampling), "epochs": self.epochs}

    def conditions(self) -> dict[str, Any]:
        """What must be the same for all cells of a table, as JSON values."""
        return {
            "policy": self.policy,
            "criterion": self.criterion,
            "confidence": self.confidence,
            **self.setting(),
        }


def view_of(text: str) -> View:
    """The view of a name, or of `view:variant`.

    Raises:
        UnknownNameError: there is no such view.
    """
    return VIEWS[text.partition(":")[0]]


def _check_list(what: str, given: Sequence[object]) -> None:
    if not given:
        raise InputError(f"No {what} is asked for.", hint="Give at least one.")
    twice = [one for at, one in enumerate(given) if one in given[:at]]
    if twice:
        raise InputError(f"The {what} '{twice[0]}' is asked for twice.", hint="Name it once.")


def _check_detector(name: str) -> None:
    if name not in LEARNERS and name not in DETECTORS:
        known = ", ".join(sorted([*LEARNERS, *DETECTORS]))
        raise UnknownNameError(f"There is no detector '{name}'.", hint=f"Known: {known}.")


def _check_view(text: str) -> None:
    view = view_of(text)
    view.variant(text.partition(":")[2] or None)
    if view.only_test:
        raise InputError(
            f"The view '{view.name}' has only a test part, so nothing can be trained under it.",
            hint="Train elsewhere, and evaluate with `clonetruth evaluate --view`.",
        )
