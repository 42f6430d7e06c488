"""What code does: run strangers' code in a sandbox, and compare what it did."""

from clonetruth.execution.comparison import DEFAULT_POLICY, Difference, DifferencePolicy
from clonetruth.execution.doctor import examine_execution
from clonetruth.execution.harness import CallInput, Code, Harnesses, Observation, Reason
from clonetruth.execution.results import BehaviourComparison, BehaviourVerdict, Strength, Witness
from clonetruth.execution.run import CodeRun, ExecutedPair, run_code
from clonetruth.execution.search import SearchBudget, compare_behaviour

__all__ = [
    "DEFAULT_POLICY",
    "BehaviourComparison",
    "BehaviourVerdict",
    "CallInput",
    "Code",
    "CodeRun",
    "Difference",
    "DifferencePolicy",
    "ExecutedPair",
    "Harnesses",
    "Observation",
    "Reason",
    "SearchBudget",
    "Strength",
    "Witness",
    "compare_behaviour",
    "examine_execution",
    "run_code",
]
