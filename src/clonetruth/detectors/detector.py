"""The detector protocol: score given pairs of fragments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
"""What a detector sees of a fragment; `fragment` is unique and ascending. Other columns are ignored."""

PAIRS = pa.schema(
    [
        pa.field("pair", pa.int64(), nullable=False),
        pa.field("left", pa.int64(), nullable=False),
        pa.field("right", pa.int64(), nullable=False),
    ]
)
"""What a detector sees of a pair; `left` and `right` are fragment keys. Nothing here tells clones from non-clones."""


class Detector(Protocol):
    """Scores pairs. To add one: an object in a module, a line in the registry, the conformance suite.

    Evaluations call detectors through `sealed.score_sealed`: keys, order and number of rows are functions of the texts.
    """

    @property
    def name(self) -> str:
        """The registry name."""
        ...

    @property
    def description(self) -> str:
        """The meaning of its score, in one sentence."""
        ...

    @property
    def default_threshold(self) -> float | None:
        """The lowest score of a clone, used when no other threshold is chosen; None if it has no default."""
        ...

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """Score pairs, one score per row; larger means more similar.

        The score of a pair depends on its two fragments only: not on the order of the sides, nor on the other pairs. It
        is the same in every run.

        Args:
            fragments: the columns of `FRAGMENTS`.
            pairs: the columns of `PAIRS`.
            processes: the number of worker processes.
            progress: receives progress reports.

        Returns:
            Finite numbers; null where the detector cannot score the pair (an empty text, an unsupported language).

        Raises:
            InputError: a pair refers to a fragment that is missing.
        """
        ...


class BatchDetector(Detector, Protocol):
    """A detector that scores pairs batch by batch, so that they and their scores need not fit in memory together."""

    def score_batches(
        self, fragments: pa.Table, batches: Iterable[pa.Table], *, processes: int = 1, progress: Progress | None = None
    ) -> Iterator[pa.DoubleArray]:
        """Score batches of pairs: what `score` gives for each, in order. The fragments are read once.

        Args:
            fragments: the columns of `FRAGMENTS`.
            batches: tables with the columns of `PAIRS`.
            processes: the number of worker processes.
            progress: receives progress reports.

        Raises:
            InputError: a pair refers to a fragment that is missing.
        """
        ...


def side_rows(fragments: pa.Table, pairs: pa.Table) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The rows of `fragments` at which the two sides of each pair are.

    Raises:
        InputError: a pair refers to a fragment that is missing.
    """
    keys = fragments["fragment"].to_numpy()
    left, right = (fragment_rows(keys, pairs[name].to_numpy()) for name in ("left", "right"))
    return left, right


def fragment_rows(keys: npt.NDArray[np.int64], wanted: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The positions of keys among ascending keys.

    Raises:
        InputError: a key is missing.
    """
    rows = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    unknown = keys[rows] != wanted if len(keys) else np.ones(len(wanted), dtype=bool)
    if unknown.any():
        raise InputError(f"A pair refers to fragment {wanted[unknown][0]}, which is missing.", where="pairs")
    return rows


def score_array(values: npt.NDArray[np.float64], known: npt.NDArray[np.bool_]) -> pa.DoubleArray:
    """Scores as a detector returns them: null where they are unknown."""
    return pa.array(values, pa.float64(), mask=~known)
