"""Views: fragments divided into train, valid and test so that nothing leaks, by a name that two papers can share."""

from clonetruth.splits.builder import PartCounts
from clonetruth.splits.options import Sampling, SplitOptions, read_ratio
from clonetruth.splits.split import Split, read_split, split, verify_split
from clonetruth.splits.view import VIEWS, Variant, View

__all__ = [
    "VIEWS",
    "PartCounts",
    "Sampling",
    "Split",
    "SplitOptions",
    "Variant",
    "View",
    "read_ratio",
    "read_split",
    "split",
    "verify_split",
]
