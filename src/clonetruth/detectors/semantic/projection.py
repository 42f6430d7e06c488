"""What varies among fragments of one functionality, learned from training functionalities and taken out.

Fragments that do the same still differ: by the author's habits, by the language. The covariance within the training
functionalities says in which directions. All views of a fragment become one vector, in which those directions are
scaled down (within-class covariance normalisation), and directions in which functionalities differ are scaled up (the
two-covariance model of speaker recognition). Half of the variance between functionalities is taken to be the same in
all directions, since unseen ones differ in others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical import VIEWS

Floats32 = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

SIZE = 1_600
"""Numbers of a learned vector, at most."""
_SHRINKAGE = 0.3
"""The share of the mean variance that is added to each: directions that hardly vary are not blown up."""
_ALIKE = 0.5
"""The share of the variance between functionalities that is taken to be the same in all directions."""
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
            seed: of the random directions among those that the fragments span.

        Returns:
            None where too few fragments share a functionality, all have the same one, or no view has weight.
        """
        rows = _shared(functionality)
        groups, group = np.unique(functionality[rows], return_inverse=True)
        used = np.flatnonzero((weights > 0) & (weights >= _LITTLE * weights.max()))
        if len(rows) - len(groups) < _LEAST or len(groups) < 2 or not len(used):
            return None
        scale = np.sqrt(weights[used]).astype(np.float32)
        x = (vectors[rows][:, used] * scale[:, None]).reshape(len(rows), -1)
        mean = x.mean(axis=0)
        x = x - mean
        # Principal directions are not better, and take longer to find.
        size = min(SIZE, len(rows) - len(groups))
        mixture = np.random.default_rng([seed, 29]).standard_normal((len(rows), size)).astype(np.float32)
        directions = np.linalg.qr(x.T @ mixture)[0]
        placed = (x @ directions).astype(np.float64)
        sums = np.zeros((len(groups), placed.shape[1]))
        np.add.at(sums, group, placed)
        centres = sums / np.bincount(group)[:, None]
        inside = placed - centres[group]
        covariance = inside.T @ inside / (len(rows) - len(groups))
        covariance[np.diag_indices_from(covariance)] += _SHRINKAGE * np.trace(covariance) / len(covariance)
        # A vector divided by the triangular factor has equal variance in all directions within a functionality.
        whitening = np.linalg.inv(np.linalg.cholesky(covariance)).T
        own = directions.astype(np.float64) @ whitening @ between_scaling(centres @ whitening)
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


def between_scaling(centres: Floats) -> Floats:
    """Scales directions by the share of their variance that lies between functionalities.

    Args:
        centres: the mean of each functionality, where the variance within functionalities is 1 in all directions.
    """
    centres = centres - centres.mean(axis=0)
    _, lengths, directions = np.linalg.svd(centres, full_matrices=False)
    between = lengths**2 / max(len(centres) - 1, 1)
    alike = _ALIKE * between.sum() / centres.shape[1]
    base, more = (np.sqrt(one / (one + 1)) for one in (alike, alike + (1 - _ALIKE) * between))
    scaling: Floats = base * np.eye(centres.shape[1]) + (directions.T * (more - base)) @ directions
    return scaling
