"""What is known about labels, and what numbers become when some labels are wrong."""

from clonetruth.evaluate.labels.claim import Claim, check_claim
from clonetruth.evaluate.labels.correction import bound_recall, correct_as_published, correct_independent, label_error
from clonetruth.evaluate.labels.judged_labels import JudgedLabels, judged_label_error
from clonetruth.evaluate.labels.known_quality import known_leaks, known_quality
from clonetruth.evaluate.labels.label_correction import CorrectionMethod, corrections
from clonetruth.evaluate.labels.precision import judged_precision, precision_bounds, tool_results
from clonetruth.evaluate.labels.prediction_powered import design_based, judged_sample, prediction_powered

__all__ = [
    "Claim",
    "CorrectionMethod",
    "JudgedLabels",
    "bound_recall",
    "check_claim",
    "correct_as_published",
    "correct_independent",
    "corrections",
    "design_based",
    "judged_label_error",
    "judged_precision",
    "judged_sample",
    "known_leaks",
    "known_quality",
    "label_error",
    "precision_bounds",
    "prediction_powered",
    "tool_results",
]
