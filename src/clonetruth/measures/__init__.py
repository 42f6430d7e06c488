"""Similarities and clone types of a benchmark's pairs."""

from clonetruth.measures.classification import Classification, Disagreement, classify

__all__ = [
    "Classification",
    "Disagreement",
    "classify",
]
