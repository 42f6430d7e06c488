"""The weight of a feature by what it says: how much more often do fragments of one functionality share it than others?

A rare feature may be one author's habit, a frequent one the heart of some algorithms. Where functionalities are known,
the two can be distinguished without remembering any of them: of a feature, only the quotient of two shares is kept.
Features that are seldom or never seen get the quotient that features of their view and rarity have together.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical import BINS, VIEWS, ViewCounts

Floats32 = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

LEAST_FUNCTIONALITIES = 3
"""Functionalities of at least two fragments that the quotients need."""
_RARITIES = 20
"""Features of a view are pooled by rarity, in this number of steps of `_STEP`."""
_STEP = 0.5
_PRIOR = 0.3
"""What the pooled quotient counts for, in functionalities of which every fragment has the feature."""
_HALF = 8.0
"""A functionality with this number of fragments counts half: its shares are uncertain."""
_SHARE = 1e-3
"""Added to both shares: smaller ones say nothing."""
_LEAST = 0.1
"""The weight of a feature that fragments of one functionality share no more often than others."""
_FEW = 1e-4
_ALONE, _ANY = 0.2, 0.02
"""The shares of a pool without features: fragments of one functionality, and of two, that share one of theirs."""


def lift_weights(counts: ViewCounts, functionality: Integers, rarity: Floats32) -> Floats32 | None:
    """Weigh features by the logarithm of the quotient; weights are its roots, since cosines multiply two of them.

    Args:
        counts: the features of fragments.
        functionality: that of each fragment.
        rarity: the weight of each feature by its rarity (`background.feature_weights`): pools features.

    Returns:
        The weight of each feature; None where too few functionalities have two fragments.
    """
    shared = np.bincount(functionality)[functionality] > 1
    if len(np.unique(functionality[shared])) < LEAST_FUNCTIONALITIES:
        return None
    common, inside, across, functionalities = _shares(counts.take(np.flatnonzero(shared)), functionality[shared])
    step = np.minimum((rarity / _STEP).astype(np.int64), _RARITIES - 1)
    pool = np.arange(len(VIEWS) * BINS) // BINS * _RARITIES + step
    pooled = [np.bincount(pool, one, minlength=len(VIEWS) * _RARITIES) for one in (common, inside, across)]
    same = ((pooled[1] + _FEW * _ALONE) / (pooled[0] + _FEW))[pool]
    other = ((pooled[2] + _FEW * _ANY) / (pooled[0] + _FEW))[pool]
    prior = _PRIOR / functionalities
    same = (inside + prior * same) / (common + prior)
    other = (across + prior * other) / (common + prior)
    lift = np.log((same + _SHARE) / (other + _SHARE))
    return np.sqrt(np.maximum(lift, _LEAST**2)).astype(np.float32)


def _shares(counts: ViewCounts, functionality: Integers) -> tuple[Floats, Floats, Floats, int]:
    """Of each feature: the share of fragments, of pairs within functionalities, and of pairs across them, that have it.

    Functionalities count alike, as far as they have fragments enough. The last value is their number.
    """
    width = len(VIEWS) * BINS
    group, sizes = np.unique(functionality, return_inverse=True, return_counts=True)[1:]
    owner = np.repeat(group, counts.sizes().sum(axis=1))
    keys, found = np.unique(owner * width + counts.columns, return_counts=True)
    group_of, feature = keys // width, keys % width
    size = sizes[group_of].astype(np.float64)
    weight = sizes / (sizes + _HALF)
    weight /= weight.sum()
    share = found / size * weight[group_of]
    twice = found * (found - 1) / (size * (size - 1)) * weight[group_of]
    common, inside, squared = (
        np.bincount(feature, one, minlength=width).astype(np.float64) for one in (share, twice, share**2)
    )
    across = np.maximum(common**2 - squared, 0.0) / (1 - float((weight**2).sum()))
    return common, inside, across, len(sizes)
