"""Similarities and clone types of a benchmark's pairs."""

from clonetruth.measures.classification import Classification, PublishedDifference, classify

__all__ = [
    "Classification",
    "PublishedDifference",
    "classify",
]
