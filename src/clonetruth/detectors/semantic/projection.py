"""What varies among fragments of one functionality, learned from training functionalities and taken out.

Fragments that do the same still differ: by the author's habits, by the language. The covariance within the training
functionalities says in which directions. All views of a fragment become one vector, in which those directions are
scaled down (within-class covariance normalisation). No direction stands for a functionality: it serves unseen ones too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical import VIEWS

Floats32 = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

SIZE = 900
"""Numbers of a learned vector, at most."""
_MORE = 50
"""Random directions beyond those that are kept: the search for the principal ones is then more exact."""
_SHRINKAGE = 0.01
"""The share of the mean variance that is added to each: directions that hardly vary are not blown up."""
_FITTED = 3_000
"""Fragments that are used to learn; more change little."""
_ROWS = 512
"""Fragments that are projected at once: bounds memory."""
_LEAST = 20
"""Fragments, beyond one of each functionality, that learning needs."""
_LITTLE = 0.03
"""The share of the largest weight below which a view is left out: it would cost time and say nothing."""


@dataclass(frozen=True, eq=False)
class LearnedProjection:
    """A linear map from the vectors of all views to one vector.

    Attributes:
        matrix: views and their numbers × numbers of the learned vector.
        offset: what is subtracted, so that the mean training fragment is at 0.
    """

    matrix: Floats32
    offset: Floats32

    @classmethod
    def of(cls, vectors: Floats32, functionality: Integers, weights: Floats, seed: int = 0) -> LearnedProjection | None:
        """Learn from fragments whose functionality is known.

        Args:
            vectors: the vectors of the views of each fragment (`background.project`).
            functionality: a number for each.
            weights: how much each view counts: its variance in the learned vector.
            seed: decides which fragments are used, where there are too many.

        Returns:
            None where too few fragments share a functionality, or no view has weight.
        """
        random = np.random.default_rng([seed, 29])
        rows = _shared(functionality)
        rows = np.sort(random.permutation(rows)[:_FITTED])
        rows = rows[_shared(functionality[rows])]
        groups, group = np.unique(functionality[rows], return_inverse=True)
        size = min(SIZE, (len(rows) - len(groups)) // 2)
        used = np.flatnonzero((weights > 0) & (weights >= _LITTLE * weights.max()))
        if len(rows) - len(groups) < _LEAST or not len(used):
            return None
        scale = np.sqrt(weights[used]).astype(np.float32)
        x = (vectors[rows][:, used] * scale[:, None]).reshape(len(rows), -1)
        mean = x.mean(axis=0)
        x = x - mean
        directions = _principal(x, size, random)
        placed = (x @ directions).astype(np.float64)
        sums = np.zeros((len(groups), placed.shape[1]))
        np.add.at(sums, group, placed)
        inside = placed - (sums / np.bincount(group)[:, None])[group]
        covariance = inside.T @ inside / (len(rows) - len(groups))
        covariance[np.diag_indices_from(covariance)] += _SHRINKAGE * np.trace(covariance) / len(covariance)
        # A vector divided by the triangular factor has equal variance in all directions within a functionality.
        whitening = np.linalg.inv(np.linalg.cholesky(covariance)).T
        own = directions.astype(np.float64) @ whitening
        matrix = np.zeros((len(VIEWS), vectors.shape[2], own.shape[1]), np.float32)
        matrix[used] = (own.reshape(len(used), vectors.shape[2], -1) * scale[:, None, None]).astype(np.float32)
        return cls(matrix.reshape(-1, own.shape[1]), (mean.astype(np.float64) @ own).astype(np.float32))

    def apply(self, vectors: Floats32) -> Floats32:
        """The learned vectors of fragments, of length 1.

        Args:
            vectors: the vectors of the views of each fragment.
        """
        found = np.zeros((len(vectors), len(self.offset)), np.float32)
        used = np.flatnonzero(np.any(self.matrix, axis=1))
        # In double precision, so that a vector does not depend on which others are computed with it.
        matrix = self.matrix[used].astype(np.float64)
        for first in range(0, len(vectors), _ROWS):
            own = vectors[first : first + _ROWS].reshape(-1, len(self.matrix))[:, used].astype(np.float64)
            placed = own @ matrix - self.offset
            placed /= np.maximum(np.linalg.norm(placed, axis=1, keepdims=True), 1e-9)
            found[first : first + _ROWS] = placed
        return found


def _shared(functionality: Integers) -> Integers:
    """The rows whose functionality another row has."""
    _, group, counts = np.unique(functionality, return_inverse=True, return_counts=True)
    return np.flatnonzero(counts[group] > 1)


def _principal(x: Floats32, size: int, random: np.random.Generator) -> Floats32:
    """The directions in which rows vary most, by a randomised search with one repetition."""
    wanted = min(size + _MORE, *x.shape)
    found = random.standard_normal((x.shape[1], wanted)).astype(np.float32)
    for _ in range(2):
        found = np.linalg.qr(x.T @ (x @ found))[0]
    placed = (x @ found).astype(np.float64)
    _, inner = np.linalg.eigh(placed.T @ placed)
    directions: Floats32 = found @ inner[:, ::-1][:, : min(size, wanted)].astype(np.float32)
    return directions
