"""Judgements become verdicts: policies, consensus, the latest judgement of each judge."""

from clonetruth.verdicts.latest_judgements import (
    LatestJudgements,
    asked_criteria,
    conclude_verdicts,
    latest_benchmark_judgements,
    latest_study_judgements,
)
from clonetruth.verdicts.policies import (
    EVIDENCE,
    POLICIES,
    Policy,
    VerdictTable,
    deciding_judges,
    judge_verdicts,
    policy_inputs,
)
from clonetruth.verdicts.policy_sql import LATEST_FIRST

__all__ = [
    "EVIDENCE",
    "LATEST_FIRST",
    "POLICIES",
    "LatestJudgements",
    "Policy",
    "VerdictTable",
    "asked_criteria",
    "conclude_verdicts",
    "deciding_judges",
    "judge_verdicts",
    "latest_benchmark_judgements",
    "latest_study_judgements",
    "policy_inputs",
]
