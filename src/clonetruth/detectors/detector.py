"""What a detector is: something that scores given pairs of fragments."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.progress import Progress

FRAGMENTS = pa.schema(
    [
        pa.field("fragment", pa.int64(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)
"""The columns that a detector may read of a fragment; `fragment` is unique and rising. There may be more."""

PAIRS = pa.schema(
    [
        pa.field("pair", pa.int64(), nullable=False),
        pa.field("left", pa.int64(), nullable=False),
        pa.field("right", pa.int64(), nullable=False),
        pa.field("functionality", pa.int64()),
    ]
)
"""The columns that a detector may read of a pair; `left` and `right` are keys of fragments."""


class Detector(Protocol):
    """Scores pairs: one object in a module, one line in the registry, the conformance suite."""

    @property
    def name(self) -> str:
        """How it is asked for."""
        ...

    @property
    def description(self) -> str:
        """What its score is, in a sentence."""
        ...

    @property
    def default_threshold(self) -> float | None:
        """The score from which it calls a pair a clone, unless a better one was chosen; None: it has none."""
        ...

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """The scores of pairs, one for each row; larger is more alike.

        The same whichever side comes first, and the same in every run.

        Args:
            fragments: the columns of `FRAGMENTS`.
            pairs: the columns of `PAIRS`.
            processes: how many processes may share the work.
            progress: told what is being done.

        Returns:
            Finite numbers, null where the detector cannot say: an empty text, a language that it cannot read.

        Raises:
            InputError: a pair names a fragment that is not there.
        """
        ...


def sides(fragments: pa.Table, pairs: pa.Table) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The rows of `fragments` that the two sides of each pair are.

    Raises:
        InputError: a pair names a fragment that is not there.
    """
    keys = fragments["fragment"].to_numpy()
    left, right = (_rows(keys, pairs[name].to_numpy()) for name in ("left", "right"))
    return left, right


def _rows(keys: npt.NDArray[np.int64], wanted: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    rows = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    unknown = keys[rows] != wanted if len(keys) else np.ones(len(wanted), dtype=bool)
    if unknown.any():
        raise InputError(f"A pair names the fragment {wanted[unknown][0]}, which is not there.", where="pairs")
    return rows


def scores(values: npt.NDArray[np.float64], known: npt.NDArray[np.bool_]) -> pa.DoubleArray:
    """Scores as a detector returns them: null where they are not known."""
    return pa.array(values, pa.float64(), mask=~known)
