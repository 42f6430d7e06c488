"""Other code: how common the features of each view are, and what similarity a fragment has to unrelated fragments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical import BINS, VIEWS, ViewCounts
from clonetruth.detectors.semantic.feature_lift import lift_weights
from clonetruth.detectors.semantic.projection import LearnedProjection

Floats32 = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

WIDTH = 256
"""Numbers that represent a view of a fragment: a signed random projection of its weighted bins."""

_LEAST_WEIGHT = 0.05
"""The weight of a feature that all fragments have."""
_ROWS = 256
"""Fragments that are projected at once: bounds memory."""
_LEAST_COHORT = 30
"""Fragments of a language that its own cohort needs; with fewer, the whole cohort serves."""
_LEAST_NEAREST = 10
"""Fragments of a cohort with which one is compared, at least: fewer give no deviation to rely on."""


def feature_weights(frequencies: npt.NDArray[np.number], fragments: float) -> Floats32:
    """The weight of each feature: the logarithm of its rarity, as in tf-idf.

    Args:
        frequencies: number of fragments that have each feature.
        fragments: number of fragments.
    """
    rarity = np.log((fragments + 1) / (frequencies.astype(np.float64) + 0.5))
    return np.maximum(rarity, _LEAST_WEIGHT).astype(np.float32)


@cache
def _directions() -> tuple[Integers, Floats32]:
    """The place and the sign of each bin in the projection, by a fixed hash."""
    column = np.arange(len(VIEWS) * BINS, dtype=np.uint64) + np.uint64(1)
    hashed = column * np.uint64(0x9E3779B97F4A7C15)
    hashed = (hashed ^ (hashed >> np.uint64(29))) * np.uint64(0xC2B2AE3D27D4EB4F)
    hashed ^= hashed >> np.uint64(32)
    place = (hashed % np.uint64(WIDTH)).astype(np.int64)
    sign = np.where((hashed >> np.uint64(40)) & np.uint64(1), 1.0, -1.0)
    return place, sign.astype(np.float32)


def project(counts: ViewCounts, weights: Floats32) -> Floats32:
    """Represent fragments: for each view a vector of length 1 (0 where the view is empty), whose products are cosines.

    Args:
        counts: the features of the fragments.
        weights: the weight of each feature.

    Returns:
        An array of fragments × views × `WIDTH`.
    """
    views, (place, signs) = len(VIEWS), _directions()
    vectors = np.zeros((len(counts), views, WIDTH), np.float32)
    for first in range(0, len(counts), _ROWS):
        last = min(first + _ROWS, len(counts))
        own = slice(counts.starts[first * views], counts.starts[last * views])
        columns = counts.columns[own]
        lengths = np.diff(counts.starts[first * views : last * views + 1])
        row = np.repeat(np.arange((last - first) * views), lengths)
        values = (1 + np.log(counts.counts[own].astype(np.float32))) * weights[columns]
        norms = np.sqrt(np.bincount(row, values * values, minlength=(last - first) * views))
        signed = values / np.maximum(norms, 1e-9)[row] * signs[columns]
        flat = np.bincount(row * WIDTH + place[columns], signed, minlength=(last - first) * views * WIDTH)
        block = flat.astype(np.float64).reshape(-1, WIDTH)
        lengths_now = np.sqrt(np.einsum("rd,rd->r", block, block))
        block /= np.maximum(lengths_now, 1e-9)[:, None]
        vectors[first:last] = block.reshape(last - first, views, WIDTH)
    return vectors


@dataclass(frozen=True, eq=False)
class Cohort:
    """Unrelated fragments with which every fragment is compared.

    Attributes:
        vectors: their projections.
        languages: the language of each.
        learned: their learned vectors, if there are any.
        share: the share of them with which a fragment is compared, in each view: those that it resembles most.
    """

    vectors: Floats32
    languages: tuple[str, ...]
    learned: Floats32 | None = None
    share: float = 1.0

    def __len__(self) -> int:
        return len(self.languages)

    @cached_property
    def _rows(self) -> dict[str, Integers]:
        names = np.array(self.languages)
        rows = {name: np.flatnonzero(names == name) for name in sorted(set(self.languages))}
        return {name: own for name, own in rows.items() if len(own) >= _LEAST_COHORT}

    def group(self, language: str) -> str:
        """The name of the part of the cohort that stands for a language; empty for the whole."""
        return language if language in self._rows else ""

    def moments(self, vectors: Floats32, learned: Floats32 | None, group: str) -> tuple[Floats32, Floats32]:
        """Mean and standard deviation of the similarities of fragments to a part of the cohort, for each view.

        Of that part, each fragment is compared with its own nearest `share`: how similar it is to code that has nothing
        in common with it says little about what is near it.

        Args:
            vectors: the projections of the fragments.
            learned: their learned vectors, if there are any: they count as one more view.
            group: a name that `group` gave.
        """
        rows = self._rows[group] if group else np.arange(len(self))
        nearest = min(len(rows), max(_LEAST_NEAREST, round(self.share * len(rows))))
        columns = [(vectors[:, view], self.vectors[rows, view]) for view in range(len(VIEWS))]
        if learned is not None and self.learned is not None:
            columns.append((learned, self.learned[rows]))
        mean, deviation = (np.zeros((len(vectors), len(columns)), np.float32) for _ in range(2))
        for at, (one, other) in enumerate(columns):
            # In double precision, so that the score of a pair does not depend on which others are scored with it.
            products = one.astype(np.float64) @ other.T.astype(np.float64)
            if nearest < len(rows):
                products = np.partition(products, len(rows) - nearest, axis=1)[:, len(rows) - nearest :]
            mean[:, at], deviation[:, at] = products.mean(axis=1), products.std(axis=1)
        return mean, deviation


@dataclass(frozen=True, eq=False)
class Background:
    """What other code looks like.

    Attributes:
        weights: the weight of each feature of each view.
        cohort: unrelated fragments.
        projection: gives the learned vector of a fragment, where one was learned.
    """

    weights: Floats32
    cohort: Cohort
    projection: LearnedProjection | None = None

    @classmethod
    def of(
        cls,
        counts: ViewCounts,
        languages: Sequence[str],
        cohort: Integers,
        prior: FeatureFrequencies | None = None,
        functionality: Integers | None = None,
        share: float = 1.0,
    ) -> Background:
        """A background of given fragments.

        Args:
            counts: their features.
            languages: their languages.
            cohort: the rows of those that become the cohort.
            prior: how common features are elsewhere; counts as `PRIOR_FRAGMENTS` fragments.
            functionality: that of each fragment, if known: features then count by what they say (`feature_lift`).
            share: see `Cohort`.
        """
        frequencies = FeatureFrequencies.of(counts)
        joined = frequencies if prior is None else frequencies.joined(prior)
        weights = feature_weights(joined.counts, joined.fragments)
        if functionality is not None:
            lifted = lift_weights(counts, functionality, weights)
            weights = weights if lifted is None else lifted
        names = tuple(languages[row] for row in cohort.tolist())
        return cls(weights, Cohort(project(counts.take(cohort), weights), names, share=share))

    def with_projection(self, projection: LearnedProjection | None) -> Background:
        """This background, with a learned vector of each fragment as one more view."""
        learned = None if projection is None else projection.apply(self.cohort.vectors)
        return replace(self, cohort=replace(self.cohort, learned=learned), projection=projection)


PRIOR_FRAGMENTS = 200.0
"""The number of fragments for which a prior counts."""


@dataclass(frozen=True, eq=False)
class FeatureFrequencies:
    """How many of some fragments have each feature."""

    counts: npt.NDArray[np.float64]
    fragments: float

    @classmethod
    def of(cls, counts: ViewCounts) -> FeatureFrequencies:
        """Count the features of fragments."""
        frequencies = np.bincount(counts.columns, minlength=len(VIEWS) * BINS).astype(np.float64)
        return cls(frequencies, float(len(counts)))

    def joined(self, prior: FeatureFrequencies) -> FeatureFrequencies:
        """These counts and those of a prior, as if it had `PRIOR_FRAGMENTS` fragments."""
        share = PRIOR_FRAGMENTS / max(prior.fragments, 1.0)
        return FeatureFrequencies(self.counts + share * prior.counts, self.fragments + PRIOR_FRAGMENTS)
