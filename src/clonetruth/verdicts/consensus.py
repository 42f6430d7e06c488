"""Consensus policies: what several judges together say of a pair (docs/agreement.md)."""

from __future__ import annotations

from clonetruth.model import JudgeKind
from clonetruth.stats import dawid_skene
from clonetruth.verdicts.consensus_sql import VOICES_SQL, consensus_sql
from clonetruth.verdicts.policies import EVIDENCE, Policy

MAJORITY = Policy(
    name="majority",
    description="More than half of the people who voted, each for themselves; who is undecided counts for neither.",
    sql=consensus_sql("'people'", "2 * {side} > votes"),
    counted=(JudgeKind.PERSON,),
)

UNANIMOUS = Policy(
    name="unanimous",
    description="All people who voted, each for themselves, and at least two.",
    sql=consensus_sql("'people'", "{side} = votes AND votes > 1"),
    counted=(JudgeKind.PERSON,),
)

ADJUDICATED = Policy(
    name="adjudicated",
    description="What was settled by an adjudicator or by discussion; otherwise what at least two people all said.",
    sql=consensus_sql(
        "CASE WHEN adjudicators_for <> adjudicators_against THEN 'adjudicators' ELSE 'people' END",
        "CASE WHEN circle = 'adjudicators' THEN {side} > {other} ELSE {side} = votes AND votes > 1 END",
    ),
    counted=(JudgeKind.PERSON,),
)

EXPERTS_THEN_LLM = Policy(
    name="experts-then-llm",
    description="The majority of the people who decided; where there is none, the majority of the LLMs.",
    sql=consensus_sql("CASE WHEN people_for <> people_against THEN 'people' ELSE 'llms' END", "{side} > {other}"),
    counted=(JudgeKind.PERSON, JudgeKind.LLM),
    assumptions=("Where people did not come to a majority, the word of LLMs is believed.",),
)

DAWID_SKENE = Policy(
    name="dawid-skene",
    description="The more probable truth, given how often each judge seems to err (Dawid and Skene 1979).",
    sql=VOICES_SQL,
    counted=EVIDENCE,
    conclude=dawid_skene.conclude,
    assumptions=("Judges err independently of each other, each as often on every pair of a kind.",),
)
