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
    find_policy,
    judge_roles,
    judge_verdicts,
    policy_inputs,
    single_members,
)

__all__ = [
    "EVIDENCE",
    "POLICIES",
    "LatestJudgements",
    "Policy",
    "VerdictTable",
    "asked_criteria",
    "conclude_verdicts",
    "deciding_judges",
    "find_policy",
    "judge_roles",
    "judge_verdicts",
    "latest_benchmark_judgements",
    "latest_study_judgements",
    "policy_inputs",
    "single_members",
]
