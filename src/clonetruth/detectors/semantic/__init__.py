"""`semantic`: a detector that compares what code does, as far as its text shows it."""

from clonetruth.detectors.semantic.background import Background, FeatureFrequencies
from clonetruth.detectors.semantic.detector import SEMANTIC, SemanticDetector, SemanticScorer, read_counts
from clonetruth.detectors.semantic.explanation import PairExplanation, StatementMatch, ViewAgreement, explain_pair
from clonetruth.detectors.semantic.projection import LearnedProjection
from clonetruth.detectors.semantic.shipped import ShippedExamples, ShippedModel, fragment_hash, shipped_model
from clonetruth.detectors.semantic.similarity import SemanticFragments
from clonetruth.detectors.semantic.view_model import OutputModel, ViewModel

__all__ = [
    "SEMANTIC",
    "Background",
    "FeatureFrequencies",
    "LearnedProjection",
    "OutputModel",
    "PairExplanation",
    "SemanticDetector",
    "SemanticFragments",
    "SemanticScorer",
    "ShippedExamples",
    "ShippedModel",
    "StatementMatch",
    "ViewAgreement",
    "ViewModel",
    "explain_pair",
    "fragment_hash",
    "read_counts",
    "shipped_model",
]
