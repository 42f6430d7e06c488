"""Which found fragments are equal: in their Type-1 form, and in their blind form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.code.overlap import Integers
from clonetruth.detectors.clone_classes import clone_classes
from clonetruth.detectors.finder import FOUND
from clonetruth.find.identity import Identity
from clonetruth.find.report import CLONE_TYPES


@dataclass(frozen=True)
class Equivalence:
    """Equal fragments have equal numbers.

    Attributes:
        exact: a number for each fragment, by its Type-1 form.
        blind: the same by its form without names and values.
    """

    exact: Integers
    blind: Integers

    @classmethod
    def by_finders(cls, fragments: int, pairs: pa.Table, exact: str, blind: str) -> Equivalence:
        """As two finders say, which found all pairs that are equal so.

        Args:
            fragments: how many there are.
            pairs: the found pairs, with the columns of `PAIRS_FOUND`.
            exact: the finder of Type-1.
            blind: the finder of Type-2, blind.
        """
        return cls(*(_numbers(fragments, pairs.filter(pc.equal(pairs["finder"], name))) for name in (exact, blind)))

    @classmethod
    def by_identity(cls, fragments: int, identities: Mapping[int, Identity]) -> Equivalence:
        """As the texts say; a fragment without an identity is equal to no other."""
        exact, blind = np.arange(fragments), np.arange(fragments)
        for numbers, values in (
            (exact, {key: one.exact for key, one in identities.items()}),
            (blind, {key: one.blind for key, one in identities.items()}),
        ):
            first: dict[str, int] = {}
            for fragment, value in values.items():
                numbers[fragment] = first.setdefault(value, fragment)
        return cls(exact, blind)

    def types(self, left: Integers, right: Integers) -> npt.NDArray[np.str_]:
        """The type of each pair."""
        equal = [self.exact[left] == self.exact[right], self.blind[left] == self.blind[right]]
        return np.select(equal, CLONE_TYPES[:2], default=CLONE_TYPES[2])

    def weakest(self, representative: int, members: Sequence[int]) -> str:
        """The weakest relation of a member to the representative."""
        for name, numbers in zip(CLONE_TYPES, (self.exact, self.blind), strict=False):
            if (numbers[members] == numbers[representative]).all():
                return name
        return CLONE_TYPES[-1]


def _numbers(fragments: int, pairs: pa.Table) -> Integers:
    numbers = np.arange(fragments)
    classes = clone_classes(pairs.select(FOUND.names).to_batches())
    numbers[classes["fragment"].to_numpy()] = fragments + classes["class"].to_numpy()
    return numbers
