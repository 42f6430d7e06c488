"""How similar two fragments are in each view, compared with how similar each is to unrelated code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical import VIEWS, ViewCounts
from clonetruth.detectors.semantic.background import Background, Floats32, Integers, project

LOWEST, HIGHEST = -3.0, 10.0
"""Similarities are clipped to this range, in standard deviations."""
_LEAST_DEVIATION = 0.02
"""Added to deviations: a fragment that resembles no other at all has none."""
_PAIRS = 512
"""Pairs that are compared at once: bounds memory."""
_SAME = 1 - 1e-5
"""Cosines from here on are those of equal views, up to rounding."""


@dataclass(frozen=True, eq=False)
class SemanticFragments:
    """Fragments, ready to be compared.

    Attributes:
        vectors: their projections.
        filled: which views of each are not empty.
        group: the cohort that stands for the language of each, as a number.
        mean: the mean similarity of each to each cohort: cohorts × fragments × views.
        scale: one divided by the standard deviation, likewise.
    """

    vectors: Floats32
    filled: npt.NDArray[np.bool_]
    group: Integers
    mean: Floats32
    scale: Floats32

    @classmethod
    def of(
        cls,
        counts: ViewCounts,
        languages: Sequence[str],
        background: Background,
        excluded: npt.NDArray[np.bool_] | None = None,
    ) -> SemanticFragments:
        """Project fragments and compare them with the cohort.

        Args:
            counts: their features.
            languages: their languages.
            background: what other code looks like.
            excluded: fragments × cohort: which of the cohort do not count for a fragment.
        """
        vectors = project(counts, background.weights)
        cohort = background.cohort
        names = [cohort.group(language) for language in languages]
        groups = sorted(set(names))
        moments = [cohort.moments(vectors, group, excluded) for group in groups]
        shape = (len(groups), *vectors.shape[:2])
        mean = np.array([one for one, _ in moments], np.float32).reshape(shape)
        deviation = np.array([one for _, one in moments], np.float32).reshape(shape)
        numbers = {group: at for at, group in enumerate(groups)}
        return cls(
            vectors,
            counts.sizes() > 0,
            np.array([numbers[name] for name in names], np.int64),
            mean,
            (1 / (deviation + np.float32(_LEAST_DEVIATION))).astype(np.float32),
        )

    def __len__(self) -> int:
        return len(self.group)

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """Which fragments have any feature."""
        known: npt.NDArray[np.bool_] = np.any(self.filled, axis=1)
        return known

    def cosines(self, left: Integers, right: Integers) -> Floats32:
        """The cosine of each view of pairs: pairs × views; 0 where a view is empty."""
        found = np.empty((len(left), len(VIEWS)), np.float32)
        for first in range(0, len(left), _PAIRS):
            rows = slice(first, first + _PAIRS)
            found[rows] = np.einsum("pvd,pvd->pv", self.vectors[left[rows]], self.vectors[right[rows]])
        return found

    def similarities(self, left: Integers, right: Integers) -> tuple[Floats32, npt.NDArray[np.bool_]]:
        """Compare pairs.

        Returns:
            For each pair and view, how many standard deviations the cosine lies above what either side has with
            unrelated code in the language of the other, averaged over the sides; and which pairs have only equal views.
        """
        found = np.empty((len(left), len(VIEWS)), np.float32)
        same = np.zeros(len(left), bool)
        sizes = self.filled.sum(axis=1)
        for first in range(0, len(left), _PAIRS):
            rows = slice(first, first + _PAIRS)
            a, b = left[rows], right[rows]
            cosine = np.einsum("pvd,pvd->pv", self.vectors[a], self.vectors[b])
            one, other = self._lines[self.group[b], a], self._lines[self.group[a], b]
            # An empty view has the mean 0, and so the similarity 0 to another empty one.
            found[rows] = np.clip((one[:, 0] + other[:, 0]) * cosine - one[:, 1] - other[:, 1], LOWEST, HIGHEST)
            equal = (cosine >= _SAME).sum(axis=1)
            same[rows] = (equal == sizes[a]) & (equal == sizes[b])
        return found, same

    @cached_property
    def _lines(self) -> Floats32:
        """Half of what turns a cosine into deviations: a factor, and what is subtracted (cohorts × fragments × 2)."""
        return np.stack([self.scale / 2, self.mean * self.scale / 2], axis=2)

    def against_all(self, queries: Integers) -> tuple[Floats32, npt.NDArray[np.bool_]]:
        """Compare queries with all fragments: queries × fragments × views; and which pairs have only equal views."""
        found = np.empty((len(queries), len(self), len(VIEWS)), np.float32)
        same = np.ones((len(queries), len(self)), bool)
        group = self.group[queries]
        for view in range(len(VIEWS)):
            cosine = self.vectors[queries, view] @ self.vectors[:, view].T
            own_mean, own_scale = (part[:, queries, view][self.group].T for part in (self.mean, self.scale))
            mean, scale = (part[:, :, view][group] for part in (self.mean, self.scale))
            total = (cosine - own_mean) * own_scale + (cosine - mean) * scale
            empty = ~(self.filled[queries, view][:, None] | self.filled[:, view][None, :])
            found[:, :, view] = np.where(empty, 0.0, np.clip(total / 2, LOWEST, HIGHEST))
            same &= empty | (cosine >= _SAME)
        same[np.arange(len(queries)), queries] = True
        return found, same

    def index(self, weights: npt.NDArray[np.float64]) -> Floats32:
        """One vector for each fragment, whose products rank pairs about as their weighted similarities do.

        Args:
            weights: the weight of each view.
        """
        scale = np.sqrt(weights * self.scale.mean(axis=(0, 1))).astype(np.float32)
        random = np.random.default_rng(0)
        total = np.zeros((len(self), self.vectors.shape[2]), np.float32)
        for view, factor in enumerate(scale.tolist()):
            # Signs and places differ between views, so that their products do not mix.
            place = random.permutation(total.shape[1])
            signs = random.choice(np.array([-1.0, 1.0], np.float32), total.shape[1])
            total += self.vectors[:, view, place] * signs * np.float32(factor)
        return total
