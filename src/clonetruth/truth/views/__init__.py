"""Views: fragments divided into train, valid and test so that nothing leaks, by a name that two papers can share."""

from clonetruth.truth.views.building import PartCounts
from clonetruth.truth.views.options import Sampling, SplitOptions, read_ratio
from clonetruth.truth.views.registry import VIEWS
from clonetruth.truth.views.splitting import Split, read_split, split, verify_split
from clonetruth.truth.views.view import Variant, View

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
