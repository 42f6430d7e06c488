"""How good recovery is: known memberships are hidden, recovered, and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import md5
from typing import Protocol

import numpy as np
import numpy.typing as npt

from clonetruth.build.functionalities.beliefs import Flags, Integers, infer
from clonetruth.build.functionalities.calibration import Calibration
from clonetruth.build.functionalities.material import Material, Progress
from clonetruth.errors import InputError

CONFIDENCES = (0.5, 0.8, 0.9, 0.95, 0.97, 0.98)
"""The least confidences of the curve."""


class Bounds(Protocol):
    """An interval."""

    @property
    def low(self) -> float:
        """Its lower end."""

    @property
    def high(self) -> float:
        """Its upper end."""


IntervalOf = Callable[[Sequence[int], Sequence[int]], Bounds | None]
"""Makes an interval of a share from the successes and the trials of each cluster."""


@dataclass(frozen=True)
class Share:
    """A share with its interval; None where nothing was counted."""

    value: float | None
    low: float | None
    high: float | None
    count: int
    of: int


@dataclass(frozen=True)
class CurvePoint:
    """What is recovered of hidden members at a least confidence.

    Attributes:
        hidden: what was hidden together: `fragments` one by one, or whole `chains` of twins.
        confidence: the least confidence of an assignment.
        coverage: of the hidden fragments, those that got a functionality.
        accuracy: of the functionalities that they got, those that are known of them. One that is right but
            unknown counts as wrong.
    """

    hidden: str
    confidence: float
    coverage: Share
    accuracy: Share


@dataclass(frozen=True, eq=False)
class Trials:
    """Assignments to hidden fragments, those that are more likely than not.

    Attributes:
        hidden: all fragments of the benchmark that were hidden in some fold.
        fragment, odds, right: of each assignment.
        fold: in which the fragment of each assignment was hidden.
    """

    hidden: Integers
    fragment: Integers
    odds: npt.NDArray[np.float32]
    right: Flags
    fold: Integers

    def confidence(self) -> npt.NDArray[np.float64]:
        """The confidence of each assignment, by what the other folds teach."""
        found = np.zeros(len(self.odds))
        for fold in np.unique(self.fold).tolist():
            here = self.fold == fold
            found[here] = Calibration.of(self.odds[~here], self.right[~here])(self.odds[here])
        return found


def run_trials(material: Material, groups: Integers, folds: int, seed: int, progress: Progress) -> Trials:
    """Hide the known memberships of whole groups, fold by fold, and infer them from the rest.

    Args:
        material: the benchmark and what is known.
        groups: for each fragment a number of what must be hidden together.
        folds: the number of folds, at least 2.
        seed: decides which group falls in which fold.
        progress: told of folds.

    Raises:
        InputError: there are fewer groups of known fragments than folds.
    """
    known = material.known.any(axis=0)
    own = np.arange(len(known)) < material.own
    there = np.unique(groups[known & own])
    if len(there) < folds or folds < 2:
        raise InputError(
            f"{folds} folds cannot be made of {len(there):,} separate groups of known fragments.",
            hint="Accuracy is measured by hiding known members: more of them are needed, from --with, or fewer folds.",
        )
    order = sorted(there.tolist(), key=lambda group: md5(f"{seed}:{material.ids[group]}".encode()).digest())
    fold_of = np.full(len(known), -1, dtype=np.int64)
    fold_of[order] = np.arange(len(order)) % folds
    fold = np.where(known, fold_of[groups], -1)
    found: list[tuple[Integers, npt.NDArray[np.float32], Flags]] = []
    for number in range(folds):
        out = fold == number
        odds = infer(material.ties, material.known & ~out, material.denied & ~out)
        rows, fragments = np.nonzero((odds > 0) & (out & own))
        found.append((fragments, odds[rows, fragments], material.known[rows, fragments]))
        progress("Hiding known members", 1, folds)
    fragment, odds, right = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Trials(np.flatnonzero(own & (fold >= 0)), fragment, odds, right, fold[fragment])


def curve(
    material: Material, folds: int, seed: int, interval: IntervalOf, progress: Progress
) -> tuple[CurvePoint, ...]:
    """Coverage and accuracy at several confidences, hiding single fragments and whole chains of twins.

    Intervals take the fragments of one chain as one cluster: copies of a text stand or fall together.
    """
    points = []
    for name, groups in (("fragments", np.arange(len(material.ids))), ("chains", material.chains)):
        trials = run_trials(material, groups, folds, seed, progress)
        confidence = trials.confidence()
        for least in CONFIDENCES:
            taken = confidence >= least
            covered = np.isin(trials.hidden, trials.fragment[taken])
            points.append(
                CurvePoint(
                    name,
                    least,
                    _share(covered, material.chains[trials.hidden], interval),
                    _share(trials.right[taken], material.chains[trials.fragment[taken]], interval),
                )
            )
    return tuple(points)


def _share(successes: Flags, clusters: Integers, interval: IntervalOf) -> Share:
    count, total = int(successes.sum()), len(successes)
    if not total:
        return Share(None, None, None, 0, 0)
    _, cluster = np.unique(clusters, return_inverse=True)
    bounds = interval(np.bincount(cluster[successes], minlength=cluster.max() + 1).tolist(), np.bincount(cluster).tolist())
    return Share(count / total, bounds and bounds.low, bounds and bounds.high, count, total)
