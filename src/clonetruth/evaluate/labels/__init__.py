"""What numbers become when some labels are wrong, and what is known about numbers in papers."""

from clonetruth.evaluate.labels.claim import Claim, check_claim
from clonetruth.evaluate.labels.correction import (
    correct_locations,
    correct_matched,
    correct_reported,
    correct_result,
    correct_run,
    labels_of,
)
from clonetruth.evaluate.labels.precision import judged_precision, precision_bounds, tool_results

__all__ = [
    "Claim",
    "check_claim",
    "correct_locations",
    "correct_matched",
    "correct_reported",
    "correct_result",
    "correct_run",
    "judged_precision",
    "labels_of",
    "precision_bounds",
    "tool_results",
]
