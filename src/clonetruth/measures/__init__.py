"""Measures of pairs: similarities and clone types."""

from clonetruth.measures.classification import Classification, PublishedDifference, classify_pairs
from clonetruth.measures.comparison import ComparedFragment, FragmentComparison, compare_fragments

__all__ = [
    "Classification",
    "ComparedFragment",
    "FragmentComparison",
    "PublishedDifference",
    "classify_pairs",
    "compare_fragments",
]
