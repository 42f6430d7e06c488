"""How good recovery is: coverage and accuracy on hidden members, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from clonetruth.build.functionalities.calibration import Calibration
from clonetruth.build.functionalities.holdout_check import HoldoutCheck, run_trials
from clonetruth.build.functionalities.inference import Flags, Integers, infer, leaders
from clonetruth.build.functionalities.joined_data import JoinedData
from clonetruth.progress import Progress

CONFIDENCES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
"""The least confidences of the curve."""


class CheckBounds(Protocol):
    """An interval."""

    @property
    def low(self) -> float:
        """Its lower end."""

    @property
    def high(self) -> float:
        """Its upper end."""


IntervalOf = Callable[[Sequence[int], Sequence[int]], CheckBounds | None]
"""Makes an interval of a share from the successes and the trials of each cluster."""


@dataclass(frozen=True)
class CheckedShare:
    """A share with its interval; None where nothing was counted, or too little for an interval."""

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
    coverage: CheckedShare
    accuracy: CheckedShare


@dataclass(frozen=True)
class FunctionalityPoint:
    """The same for the members of one functionality, at the confidence that was asked for.

    Attributes:
        functionality: its id.
        coverage: of its members, hidden with their chains, those that got a functionality.
        accuracy: of what they got, what is known of them.
        strangers: of its members, when none of them is known, those that were taken for members of another one.
        mostly: the functionality that most of these were taken for.
    """

    functionality: str
    coverage: CheckedShare
    accuracy: CheckedShare
    strangers: CheckedShare
    mostly: str | None


@dataclass(frozen=True)
class RecoveryResult:
    """Coverage and accuracy: as a curve over confidences, and for each functionality."""

    curve: tuple[CurvePoint, ...]
    functionalities: tuple[FunctionalityPoint, ...]


def check(
    material: JoinedData, folds: int, seed: int, confidence: float, interval: IntervalOf, progress: Progress
) -> RecoveryResult:
    """Hide known members, recover them, and count.

    Intervals take the fragments of one chain as one cluster: copies of a text stand or fall together.
    """
    single = run_trials(material, np.arange(len(material.ids)), folds, seed, progress)
    chained = run_trials(material, material.chains, folds, seed, progress)
    points = [
        CurvePoint(name, least, *_shares(material, trials, trials.fragment >= 0, least, interval))
        for name, trials in (("fragments", single), ("chains", chained))
        for least in CONFIDENCES
    ]
    rows = np.flatnonzero(material.known[:, : material.own].any(axis=1)).tolist()
    by_row = []
    for row in rows:
        shares = _shares(material, chained, material.known[row, chained.fragment], confidence, interval)
        strangers, mostly = _strangers(material, row, chained.calibration(), confidence, interval)
        by_row.append(FunctionalityPoint(material.functionalities[row].id, *shares, strangers, mostly))
        progress("Hiding functionalities", 1, len(rows))
    return RecoveryResult(tuple(points), tuple(by_row))


def _shares(
    material: JoinedData, trials: HoldoutCheck, members: Flags, least: float, interval: IntervalOf
) -> tuple[CheckedShare, CheckedShare]:
    """Coverage and accuracy of some of the hidden fragments."""
    chains = material.chains[trials.fragment]
    covered = trials.confidence() >= least
    taken = members & covered
    return _share(covered[members], chains[members], interval), _share(trials.right[taken], chains[taken], interval)


def _strangers(
    material: JoinedData, row: int, calibration: Calibration, least: float, interval: IntervalOf
) -> tuple[CheckedShare, str | None]:
    """Hide a whole functionality: whoever gets one now is taken for somebody else."""
    members = material.known[row]
    odds = infer(material.ties, material.known & ~members, material.denied & ~members)
    own = np.flatnonzero(members[: material.own])
    best, lead = leaders(odds, own)
    taken = (lead > 0) & (calibration(lead) >= least)
    share = _share(taken, material.chains[own], interval)
    if not taken.any():
        return share, None
    return share, material.functionalities[int(np.bincount(best[taken]).argmax())].id


def _share(successes: Flags, clusters: Integers, interval: IntervalOf) -> CheckedShare:
    count, total = int(successes.sum()), len(successes)
    if not total:
        return CheckedShare(None, None, None, 0, 0)
    _, cluster = np.unique(clusters, return_inverse=True)
    hits = np.bincount(cluster[successes], minlength=int(cluster.max()) + 1)
    bounds = interval(hits.tolist(), np.bincount(cluster).tolist())
    if bounds is None:
        return CheckedShare(count / total, None, None, count, total)
    return CheckedShare(count / total, bounds.low, bounds.high, count, total)
