"""`semantic`: a detector that compares what code does, as far as its text shows it."""

from clonetruth.detectors.semantic.background import Background, FeatureFrequencies
from clonetruth.detectors.semantic.detector import SEMANTIC, SemanticDetector, SemanticScorer, read_counts
from clonetruth.detectors.semantic.shipped import ShippedModel, fragment_hash, shipped_model
from clonetruth.detectors.semantic.similarity import SemanticFragments
from clonetruth.detectors.semantic.view_model import ViewModel

__all__ = [
    "SEMANTIC",
    "Background",
    "FeatureFrequencies",
    "SemanticDetector",
    "SemanticFragments",
    "SemanticScorer",
    "ShippedModel",
    "ViewModel",
    "fragment_hash",
    "read_counts",
    "shipped_model",
]
