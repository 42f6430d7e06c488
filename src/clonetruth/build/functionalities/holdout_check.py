"""Holdout check: known memberships are hidden, inferred from the rest, and compared."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import md5

import numpy as np
import numpy.typing as npt

from clonetruth.build.functionalities.calibration import Calibration
from clonetruth.build.functionalities.inference import Flags, Integers, Reals, best_functionalities, infer
from clonetruth.build.functionalities.joined_data import JoinedData
from clonetruth.errors import InputError
from clonetruth.progress import Progress


@dataclass(frozen=True, eq=False)
class HoldoutCheck:
    """Hidden fragments of the benchmark, and the functionality inferred for each.

    Attributes:
        fragment: the fragments.
        lead: the lead of the likeliest functionality; 0 or less if none is likely.
        right: whether that functionality is among the known ones of the fragment.
        fold: the fold in which the fragment was hidden.
    """

    fragment: Integers
    lead: Reals
    right: Flags
    fold: Integers

    @property
    def assigned(self) -> Flags:
        """Which fragments get a functionality at all."""
        return self.lead > 0

    def calibration(self) -> Calibration:
        """The calibration by all folds."""
        return Calibration.of(self.lead[self.assigned], self.right[self.assigned])

    def confidence(self) -> npt.NDArray[np.float64]:
        """The confidence of each fragment, calibrated on the other folds; 0 if no functionality is likely."""
        confidence = np.zeros(len(self.lead))
        for fold in np.unique(self.fold).tolist():
            here, others = self.fold == fold, (self.fold != fold) & self.assigned
            confidence[here] = Calibration.of(self.lead[others], self.right[others])(self.lead[here])
        return np.where(self.assigned, confidence, 0)


def run_holdout(data: JoinedData, groups: Integers, folds: int, seed: int, progress: Progress) -> HoldoutCheck:
    """Hide the known memberships of whole groups, fold by fold, and infer them from the rest.

    Args:
        data: the benchmark and the known memberships.
        groups: a group number for each fragment; groups are hidden as a whole.
        folds: the number of folds, at least 2.
        seed: random seed of the folds.
        progress: called for each fold.

    Raises:
        InputError: there are fewer groups of known fragments than folds.
    """
    known: Flags = np.any(data.known, axis=0)
    own: Flags = np.arange(len(data.ids)) < data.own
    group_numbers = np.unique(groups[known & own])
    if len(group_numbers) < folds or folds < 2:
        raise InputError(
            f"{folds} folds cannot be made of {len(group_numbers):,} separate groups of known fragments.",
            hint="Accuracy is measured by hiding known members: add more of them (--with), or use fewer folds.",
        )
    order = sorted(group_numbers.tolist(), key=lambda group: md5(f"{seed}:{data.ids[group]}".encode()).digest())
    fold_of = np.full(len(data.ids), -1, dtype=np.int64)
    fold_of[order] = np.arange(len(order)) % folds
    fold = np.where(known, fold_of[groups], -1)
    hidden = [np.flatnonzero(own & (fold == number)) for number in range(folds)]
    results: list[tuple[Reals, Flags]] = []
    for number, fragments in enumerate(hidden):
        is_hidden = fold == number
        rows, lead = best_functionalities(
            infer(data.graph, data.known & ~is_hidden, data.denied & ~is_hidden), fragments
        )
        results.append((lead, data.known[rows, fragments]))
        progress("Hiding known members", 1, folds)
    fragment, lead, right = (np.concatenate(parts) for parts in (hidden, *zip(*results, strict=True)))
    return HoldoutCheck(fragment, lead, right, fold[fragment])
