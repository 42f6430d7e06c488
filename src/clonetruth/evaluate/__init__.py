"""Predictions meet verdicts: counts, rates, intervals."""

from clonetruth.evaluate.statistics.confusion import Confusion
from clonetruth.truth.statistics.intervals import Interval, clustered, wilson

__all__ = ["Confusion", "Interval", "clustered", "wilson"]
