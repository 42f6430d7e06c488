"""What every bootstrap shares: how often it draws, and the interval that the draws give."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clonetruth.stats.intervals import Interval

REPLICATES = 2000
_DEFINED = 0.95
"""An interval is given only where at least this share of the replicates has a value."""


def percentile_interval(values: npt.NDArray[np.float64], confidence: float) -> Interval | None:
    """The interval between the quantiles of the defined values; None where too many are undefined (NaN)."""
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence} is not between 0 and 1")
    defined = values[~np.isnan(values)]
    if len(defined) < _DEFINED * len(values):
        return None
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))
