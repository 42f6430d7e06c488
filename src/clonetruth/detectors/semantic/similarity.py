"""How similar two fragments are in each view, compared with how similar each is to unrelated code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical import VIEWS, ViewCounts
from clonetruth.detectors.semantic.background import Background, Floats32, Integers, project

Booleans = npt.NDArray[np.bool_]

LEARNED = "learned from functionalities"
"""The name of the learned vector, where it counts as one more view."""
LOWEST, HIGHEST = -3.0, 10.0
"""Similarities are clipped to this range, in standard deviations."""
_LEAST_DEVIATION = 0.02
"""Added to deviations: a fragment that resembles no other at all has none."""
_PAIRS = 512
"""Pairs that are compared at once: what is read for them fits into the processor's cache."""
_ODD, _MIXER, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(31)


@dataclass(frozen=True, eq=False)
class SemanticFragments:
    """Fragments, ready to be compared.

    Attributes:
        vectors: their projections.
        learned: their learned vectors, if the background gives any.
        filled: which views of each are not empty.
        digest: a number that fragments with equal features share.
        group: the cohort that stands for the language of each, as a number.
        mean: the mean similarity of each to each cohort: cohorts × fragments × views.
        scale: one divided by the standard deviation, likewise.
    """

    vectors: Floats32
    learned: Floats32 | None
    filled: Booleans
    digest: npt.NDArray[np.uint64]
    group: Integers
    mean: Floats32
    scale: Floats32

    @classmethod
    def of(cls, counts: ViewCounts, languages: Sequence[str], background: Background) -> SemanticFragments:
        """Project fragments and compare them with the cohort.

        Args:
            counts: their features.
            languages: their languages.
            background: what other code looks like.
        """
        vectors = project(counts, background.weights)
        learned = None if background.projection is None else background.projection.apply(vectors)
        cohort = background.cohort
        names = [cohort.group(language) for language in languages]
        groups = sorted(set(names))
        moments = [cohort.moments(vectors, learned, group) for group in groups]
        shape = (len(groups), len(vectors), len(VIEWS) + (learned is not None))
        mean = np.array([one for one, _ in moments], np.float32).reshape(shape)
        deviation = np.array([one for _, one in moments], np.float32).reshape(shape)
        numbers = {group: at for at, group in enumerate(groups)}
        return cls(
            vectors,
            learned,
            counts.sizes() > 0,
            _digests(counts),
            np.array([numbers[name] for name in names], np.int64),
            mean,
            (1 / (deviation + np.float32(_LEAST_DEVIATION))).astype(np.float32),
        )

    def __len__(self) -> int:
        return len(self.group)

    @property
    def views(self) -> tuple[str, ...]:
        """The names of the views, in the order of the columns."""
        return VIEWS if self.learned is None else (*VIEWS, LEARNED)

    @property
    def known(self) -> Booleans:
        """Which fragments have any feature."""
        known: Booleans = np.any(self.filled, axis=1)
        return known

    def cosines(self, left: Integers, right: Integers) -> Floats32:
        """The cosine of each view of pairs: pairs × views; 0 where a view is empty."""
        found = np.empty((len(left), len(self.views)), np.float32)
        for first in range(0, len(left), _PAIRS):
            rows = slice(first, first + _PAIRS)
            for view in range(len(self.views)):
                found[rows, view] = self._products(left[rows], right[rows], view)
        return found

    def similarities(self, left: Integers, right: Integers, used: Booleans | None = None) -> tuple[Floats32, Booleans]:
        """Compare pairs.

        Args:
            left: the row of each pair's left side.
            right: the row of each pair's right side.
            used: the views that count (default: all); the others are 0.

        Returns:
            For each pair and view, how many standard deviations the cosine lies above what either side has with
            unrelated code in the language of the other, averaged over the sides; and which pairs have only equal views.
        """
        wanted = self._wanted(used)
        found = np.zeros((len(left), len(self.views)), np.float32)
        factor, subtracted = (part[:, :, wanted] for part in self._lines)
        cosine = np.empty((_PAIRS, len(wanted)), np.float32)
        for first in range(0, len(left), _PAIRS):
            rows = slice(first, first + _PAIRS)
            a, b = left[rows], right[rows]
            for at, view in enumerate(wanted.tolist()):
                cosine[: len(a), at] = self._products(a, b, view)
            one, other = (self.group[b], a), (self.group[a], b)
            # An empty view has the mean 0, and so the similarity 0 to another empty one.
            # Sums of both sides, so that the score does not depend on which one is left.
            deviations = (factor[one] + factor[other]) * cosine[: len(a)] - (subtracted[one] + subtracted[other])
            found[rows, wanted] = np.clip(deviations, LOWEST, HIGHEST)
        return found, self.digest[left] == self.digest[right]

    def against_all(self, queries: Integers, used: Booleans | None = None) -> tuple[Floats32, Booleans]:
        """Compare queries with all fragments: queries × fragments × views; and which pairs have only equal views."""
        found = np.zeros((len(queries), len(self), len(self.views)), np.float32)
        group = self.group[queries]
        for view in self._wanted(used).tolist():
            own = self._column(view)
            cosine = own[queries] @ own.T
            own_mean, own_scale = (part[:, queries, view][self.group].T for part in (self.mean, self.scale))
            mean, scale = (part[:, :, view][group] for part in (self.mean, self.scale))
            total = (cosine - own_mean) * own_scale + (cosine - mean) * scale
            found[:, :, view] = np.clip(total / 2, LOWEST, HIGHEST)
        return found, self.digest[queries][:, None] == self.digest[None, :]

    def _wanted(self, used: Booleans | None) -> Integers:
        return np.arange(len(self.views)) if used is None else np.flatnonzero(used)

    def _column(self, view: int) -> Floats32:
        return self.vectors[:, view] if self.learned is None or view < len(VIEWS) else self.learned

    def _products(self, left: Integers, right: Integers, view: int) -> Floats32:
        """The cosine of one view of pairs."""
        own = self._column(view)
        products: Floats32 = np.einsum("pd,pd->p", own[left], own[right])
        return products

    @cached_property
    def _lines(self) -> tuple[Floats32, Floats32]:
        """Half of what turns a cosine into deviations: a factor, and what is subtracted (cohorts × fragments)."""
        half = self.scale * np.float32(0.5)
        return half, self.mean * half

    def index(self, weights: npt.NDArray[np.float64]) -> Floats32:
        """One vector for each fragment, whose products rank pairs about as their weighted similarities do.

        Args:
            weights: the weight of each view; that of a learned vector does not count.
        """
        scale = np.sqrt(weights[: len(VIEWS)] * self.scale.mean(axis=(0, 1))[: len(VIEWS)]).astype(np.float32)
        random = np.random.default_rng(0)
        total = np.zeros((len(self), self.vectors.shape[2]), np.float32)
        for view, factor in enumerate(scale.tolist()):
            # Signs and places differ between views, so that their products do not mix.
            place = random.permutation(total.shape[1])
            signs = random.choice(np.array([-1.0, 1.0], np.float32), total.shape[1])
            total += self.vectors[:, view, place] * signs * np.float32(factor)
        return total


def _digests(counts: ViewCounts) -> npt.NDArray[np.uint64]:
    """A number for each fragment, equal for equal features."""
    mixed = (counts.columns.astype(np.uint64) << np.uint64(8) | counts.counts.astype(np.uint64)) * _ODD
    mixed = (mixed ^ (mixed >> _HALF)) * _MIXER
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed ^ (mixed >> _HALF), dtype=np.uint64)])
    ends = total[counts.starts[:: len(VIEWS)]]
    digests: npt.NDArray[np.uint64] = ends[1:] - ends[:-1]
    return digests
