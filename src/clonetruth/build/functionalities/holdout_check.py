"""Trials: known memberships are hidden, inferred from the rest, and compared."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import md5

import numpy as np
import numpy.typing as npt

from clonetruth.build.functionalities.calibration import Calibration
from clonetruth.build.functionalities.inference import Flags, Integers, Reals, infer, leaders
from clonetruth.build.functionalities.joined_data import JoinedData
from clonetruth.errors import InputError
from clonetruth.progress import Progress


@dataclass(frozen=True, eq=False)
class HoldoutCheck:
    """Hidden fragments of the benchmark, and the functionality that each would be given.

    Attributes:
        fragment: the fragments.
        lead: by how much the likeliest functionality leads; not above 0 where none is likely.
        right: whether it is known of the fragment.
        fold: in which it was hidden.
    """

    fragment: Integers
    lead: Reals
    right: Flags
    fold: Integers

    @property
    def assigned(self) -> Flags:
        """Which of them would be given one at all."""
        return self.lead > 0

    def calibration(self) -> Calibration:
        """What all trials teach."""
        return Calibration.of(self.lead[self.assigned], self.right[self.assigned])

    def confidence(self) -> npt.NDArray[np.float64]:
        """The confidence of each, by what the other folds teach; 0 where none is likely."""
        found = np.zeros(len(self.lead))
        for fold in np.unique(self.fold).tolist():
            here, others = self.fold == fold, (self.fold != fold) & self.assigned
            found[here] = Calibration.of(self.lead[others], self.right[others])(self.lead[here])
        return np.where(self.assigned, found, 0)


def run_trials(material: JoinedData, groups: Integers, folds: int, seed: int, progress: Progress) -> HoldoutCheck:
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
    known: Flags = np.any(material.known, axis=0)
    own: Flags = np.arange(len(material.ids)) < material.own
    there = np.unique(groups[known & own])
    if len(there) < folds or folds < 2:
        raise InputError(
            f"{folds} folds cannot be made of {len(there):,} separate groups of known fragments.",
            hint="Accuracy is measured by hiding known members: more of them are needed, from --with, or fewer folds.",
        )
    order = sorted(there.tolist(), key=lambda group: md5(f"{seed}:{material.ids[group]}".encode()).digest())
    fold_of = np.full(len(material.ids), -1, dtype=np.int64)
    fold_of[order] = np.arange(len(order)) % folds
    fold = np.where(known, fold_of[groups], -1)
    hidden = [np.flatnonzero(own & (fold == number)) for number in range(folds)]
    found: list[tuple[Reals, Flags]] = []
    for number, fragments in enumerate(hidden):
        out = fold == number
        rows, lead = leaders(infer(material.ties, material.known & ~out, material.denied & ~out), fragments)
        found.append((lead, material.known[rows, fragments]))
        progress("Hiding known members", 1, folds)
    fragment, lead, right = (np.concatenate(parts) for parts in (hidden, *zip(*found, strict=True)))
    return HoldoutCheck(fragment, lead, right, fold[fragment])
