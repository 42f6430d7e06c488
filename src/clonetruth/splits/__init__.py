"""Splits: fragments divided into train, valid and test so that nothing leaks, by a name that two papers can share."""

from clonetruth.splits.builder import PartCounts
from clonetruth.splits.shift import Shift, measure_shift
from clonetruth.splits.spec import Sampling, SplitSpec, read_ratio
from clonetruth.splits.split import Split, create_split, ensure_split, read_split, split_benchmark, verify_split
from clonetruth.splits.view import VIEWS, Variant, View
from clonetruth.splits.virtual_pairs import with_drawn_pairs

__all__ = [
    "VIEWS",
    "PartCounts",
    "Sampling",
    "Shift",
    "Split",
    "SplitSpec",
    "Variant",
    "View",
    "create_split",
    "ensure_split",
    "measure_shift",
    "read_ratio",
    "read_split",
    "split_benchmark",
    "verify_split",
    "with_drawn_pairs",
]
