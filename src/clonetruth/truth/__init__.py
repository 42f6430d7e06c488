"""Claims become verdicts."""

from clonetruth.truth.measuring import Classification, Disagreement, classify
from clonetruth.truth.overview import Overview, overview
from clonetruth.truth.policies import POLICIES, Policy, VerdictTable, judge_verdicts

__all__ = [
    "POLICIES",
    "Classification",
    "Disagreement",
    "Overview",
    "Policy",
    "VerdictTable",
    "classify",
    "judge_verdicts",
    "overview",
]
