"""Predictions meet verdicts: counts, rates, intervals."""

from clonetruth.evaluate.confusion import Confusion
from clonetruth.evaluate.intervals import Interval, clustered, wilson

__all__ = ["Confusion", "Interval", "clustered", "wilson"]
