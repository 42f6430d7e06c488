"""The quality of recovery: coverage and accuracy on hidden members, with intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clonetruth.build.functionalities.calibration import Calibration
from clonetruth.build.functionalities.holdout_check import HoldoutCheck, run_holdout
from clonetruth.build.functionalities.inference import Flags, Integers, best_functionalities, infer
from clonetruth.build.functionalities.joined_data import JoinedData
from clonetruth.progress import Progress
from clonetruth.stats.clusters import clustered

CONFIDENCES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
"""The minimum confidences of the curve."""


@dataclass(frozen=True)
class CheckedShare:
    """A share with its interval; None if nothing was counted, or too little for an interval."""

    value: float | None
    low: float | None
    high: float | None
    count: int
    of: int


@dataclass(frozen=True)
class CurvePoint:
    """Recovery of hidden members at a minimum confidence.

    Attributes:
        hidden: what was hidden together: single `fragments`, or whole `chains` of twins.
        confidence: the minimum confidence of an assignment.
        coverage: the share of hidden fragments that got a functionality.
        accuracy: the share of these functionalities that are known for their fragment. One that is right but
            unknown counts as wrong.
    """

    hidden: str
    confidence: float
    coverage: CheckedShare
    accuracy: CheckedShare


@dataclass(frozen=True)
class FunctionalityPoint:
    """Recovery of the members of one functionality, at the chosen confidence.

    Attributes:
        functionality: its id.
        coverage: the share of its members, hidden with their chains, that got a functionality.
        accuracy: the share of these functionalities that are known for their fragment.
        strangers: when none of its members is known, the share of them that were assigned to another functionality.
        mostly: the functionality to which most of these were assigned.
    """

    functionality: str
    coverage: CheckedShare
    accuracy: CheckedShare
    strangers: CheckedShare
    mostly: str | None


@dataclass(frozen=True)
class RecoveryResult:
    """Coverage and accuracy, as a curve over confidences and for each functionality."""

    curve: tuple[CurvePoint, ...]
    functionalities: tuple[FunctionalityPoint, ...]


def check_recovery(data: JoinedData, folds: int, seed: int, confidence: float, progress: Progress) -> RecoveryResult:
    """Hide known members, recover them, and count.

    For intervals, the fragments of one chain form one cluster: copies of a text succeed or fail together.
    """
    single = run_holdout(data, np.arange(len(data.ids)), folds, seed, progress)
    chained = run_holdout(data, data.chains, folds, seed, progress)
    points = [
        CurvePoint(name, minimum, *_shares(data, holdout, holdout.fragment >= 0, minimum))
        for name, holdout in (("fragments", single), ("chains", chained))
        for minimum in CONFIDENCES
    ]
    rows = np.flatnonzero(data.known[:, : data.own].any(axis=1)).tolist()
    by_row = []
    for row in rows:
        shares = _shares(data, chained, data.known[row, chained.fragment], confidence)
        strangers, mostly = _strangers(data, row, chained.calibration(), confidence)
        by_row.append(FunctionalityPoint(data.functionalities[row].id, *shares, strangers, mostly))
        progress("Hiding functionalities", 1, len(rows))
    return RecoveryResult(tuple(points), tuple(by_row))


def _shares(
    data: JoinedData, holdout: HoldoutCheck, members: Flags, minimum: float
) -> tuple[CheckedShare, CheckedShare]:
    """Coverage and accuracy on some of the hidden fragments."""
    chains = data.chains[holdout.fragment]
    covered = holdout.confidence() >= minimum
    taken = members & covered
    return _share(covered[members], chains[members]), _share(holdout.right[taken], chains[taken])


def _strangers(data: JoinedData, row: int, calibration: Calibration, minimum: float) -> tuple[CheckedShare, str | None]:
    """Hide a whole functionality: every assignment of its members is then wrong."""
    members = data.known[row]
    odds = infer(data.graph, data.known & ~members, data.denied & ~members)
    own = np.flatnonzero(members[: data.own])
    best, lead = best_functionalities(odds, own)
    taken = (lead > 0) & (calibration(lead) >= minimum)
    share = _share(taken, data.chains[own])
    if not taken.any():
        return share, None
    return share, data.functionalities[int(np.bincount(best[taken]).argmax())].id


def _share(successes: Flags, clusters: Integers) -> CheckedShare:
    count, total = int(successes.sum()), len(successes)
    if not total:
        return CheckedShare(None, None, None, 0, 0)
    _, cluster = np.unique(clusters, return_inverse=True)
    hits = np.bincount(cluster[successes], minlength=int(cluster.max()) + 1)
    bounds = clustered(hits.tolist(), np.bincount(cluster).tolist())
    if bounds is None:
        return CheckedShare(count / total, None, None, count, total)
    return CheckedShare(count / total, bounds.low, bounds.high, count, total)
