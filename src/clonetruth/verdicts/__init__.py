"""Judgements become verdicts: policies, consensus, the latest judgement of each judge."""

from clonetruth.verdicts.policies import POLICIES, Policy, VerdictTable, judge_verdicts

__all__ = [
    "POLICIES",
    "Policy",
    "VerdictTable",
    "judge_verdicts",
]
