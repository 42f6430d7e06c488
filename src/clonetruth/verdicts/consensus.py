"""Consensus policies: what several judges together conclude about a pair (docs/agreement.md)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from clonetruth.model import JudgeKind, PairValue, VerdictValue
from clonetruth.stats.dawid_skene import STILL, dawid_skene
from clonetruth.store import TABLES
from clonetruth.verdicts.policies import EVIDENCE, Policy
from clonetruth.verdicts.policy_sql import REPLACED, STANDING

JUDGEMENTS_SQL = f"""{STANDING}
SELECT p.pair AS pair, s.judge AS judge,
    CASE s.value WHEN 'agree' THEN 'clone' WHEN 'disagree' THEN 'not-clone' ELSE s.value END AS value
FROM pairs p
LEFT JOIN (
    SELECT s.pair AS pair, s.judge AS judge, s.value AS value
    FROM standing s
    JOIN counted c ON s.kind = c.kind
    LEFT JOIN adjudicators d ON s.judge = d.judge
    WHERE d.judge IS NULL
) s ON p.pair = s.pair
ORDER BY p.pair, s.judge
"""
"""Every pair with the judges of the kinds that count and their answers, NULL if nobody judged it. Adjudicators have
seen the other answers, so they are not independent judges and are left out."""


_HANDED_ON = """,
group_answers AS (
    SELECT s.pair AS pair, t.team AS team, max(CASE WHEN s.value = 'undecided' THEN 1 ELSE 0 END) AS undecided
    FROM standing s
    JOIN teams t ON s.judge = t.judge
    LEFT JOIN adjudicators d ON s.judge = d.judge
    WHERE s.kind = 'person' AND d.judge IS NULL
    GROUP BY s.pair, t.team
),
handed_on AS (
    SELECT g.pair AS pair, g.team AS team
    FROM (
        SELECT pair, team, undecided, min(undecided) OVER (PARTITION BY pair) AS all_undecided FROM group_answers
    ) g
    WHERE g.undecided = 1 AND g.all_undecided = 0
)"""
"""The groups that left a pair undecided, so that it was handed on to another group, whose answers count instead."""


def consensus_sql(circle: str, decided: str, *, in_groups: bool = False) -> str:
    """The SQL of a policy that counts one circle of judges on each pair: `people`, `adjudicators` or `llms`.

    An adjudicator whose decision was replaced, by a joint one or in a review, does not count.

    Args:
        circle: the circle that counts, as an SQL expression over the votes of all circles: `people_for`,
            `people_against`, `people_open` and so on.
        decided: when the circle decides in favour of `{side}`, as a condition on `votes_for`, `votes_against`, `votes`
            and `circle`; `{side}` and `{other}` stand for `votes_for` and `votes_against`, and vice versa.
        in_groups: leave out the answers of a group that handed the pair on to another one.
    """
    people = "s.kind = 'person' AND d.judge IS NULL" + (" AND h.team IS NULL" if in_groups else "")
    join = "\n    LEFT JOIN teams t ON s.judge = t.judge" if in_groups else ""
    join += "\n    LEFT JOIN handed_on h ON s.pair = h.pair AND t.team = h.team" if in_groups else ""
    return f"""{STANDING}{_HANDED_ON if in_groups else ""},{REPLACED},
tallies AS (
    SELECT s.pair AS pair,
        {_tally("people", people)},
        {_tally("adjudicators", "s.kind = 'person' AND d.judge IS NOT NULL AND r.judge IS NULL")},
        {_tally("llms", "s.kind = 'llm'")}
    FROM standing s
    LEFT JOIN adjudicators d ON s.judge = d.judge
    LEFT JOIN replaced r ON s.judge = r.judge AND s.pair = r.pair{join}
    GROUP BY s.pair
),
chosen AS (
    SELECT t.*, {circle} AS circle
    FROM tallies t
),
counts AS (
    SELECT pair, circle,
        {_of_circle("for")} AS votes_for,
        {_of_circle("against")} AS votes_against,
        {_of_circle("for")} + {_of_circle("against")} + {_of_circle("open")} AS votes
    FROM chosen
),
concluded AS (
    SELECT pair, circle, votes_for, votes_against, votes,
        CASE
            WHEN {decided.format(side="votes_for", other="votes_against")} THEN 'clone'
            WHEN {decided.format(side="votes_against", other="votes_for")} THEN 'not-clone'
            ELSE 'unknown'
        END AS verdict
    FROM counts
)
SELECT p.pair AS pair,
    coalesce(c.verdict, 'unknown') AS verdict,
    CASE c.verdict
        WHEN 'clone' THEN CAST(c.votes_for AS DOUBLE) / CAST(c.votes AS DOUBLE)
        WHEN 'not-clone' THEN CAST(c.votes_against AS DOUBLE) / CAST(c.votes AS DOUBLE)
    END AS confidence,
    CAST(coalesce(c.votes, 0) AS INT) AS judgements,
    CASE
        WHEN c.pair IS NULL THEN 'nobody speaks of it under this criterion'
        WHEN c.votes = 0 THEN 'only judges that do not count speak of it'
        ELSE concat(
            'of ', CAST(c.votes AS STRING), ' ', c.circle, ', ', CAST(c.votes_for AS STRING), ' for and ',
            CAST(c.votes_against AS STRING), ' against'
        )
    END AS reason
FROM pairs p
LEFT JOIN concluded c ON p.pair = c.pair
ORDER BY p.pair
"""


def _tally(circle: str, member: str) -> str:
    """The votes of a circle: for, against, and neither."""
    sides = {"for": "IN ('clone', 'agree')", "against": "IN ('not-clone', 'disagree')"}
    sides["open"] = "IN ('undecided', 'conditionally')"
    return ",\n        ".join(
        f"sum(CASE WHEN {member} AND s.value {values} THEN 1 ELSE 0 END) AS {circle}_{side}"
        for side, values in sides.items()
    )


def _of_circle(side: str) -> str:
    return f"CASE circle WHEN 'people' THEN people_{side} WHEN 'llms' THEN llms_{side} ELSE adjudicators_{side} END"


_CLASSES = (PairValue.CLONE, PairValue.NOT_CLONE)

_PRIOR = np.array([[2.0, 1.0], [1.0, 2.0]])
"""Pseudo-counts added to every judge's answers on each class: two right ones, one wrong one. They keep judges of few
pairs from being taken as infallible or as always wrong."""


def conclude(judgements: pa.Table) -> pa.Table:
    """Verdicts on pairs from `pair`, `judge` and `value`, with the posterior as confidence.

    Undecided answers are ignored; a pair that nobody decides is unknown, and so is one with even odds.
    """
    pairs = np.unique(judgements["pair"].to_numpy())
    value = judgements["value"].to_numpy(zero_copy_only=False)
    decided = np.isin(value.astype(np.str_), [str(one) for one in _CLASSES])
    judged, items = np.unique(judgements["pair"].to_numpy()[decided], return_inverse=True)
    votes, share = np.zeros(len(pairs), np.int32), np.full(len(pairs), np.nan)
    if len(judged):
        names = judgements["judge"].to_numpy(zero_copy_only=False)[decided].astype(np.str_)
        judges = np.unique(names, return_inverse=True)[1]
        answers = (value[decided] != str(PairValue.CLONE)).astype(np.int64)
        estimate = dawid_skene(items, judges, answers, len(_CLASSES), _PRIOR)
        places = np.searchsorted(pairs, judged)
        votes[places] = np.bincount(items)
        share[places] = estimate.posterior[:, 0]
    # The last digit must not decide what EM leaves at one half.
    clone, other = share > 0.5 + STILL, share < 0.5 - STILL
    known = clone | other
    reasons = np.array([f"posterior of {number} judgements" for number in range(votes.max(initial=0) + 1)])
    return pa.table(
        {
            "pair": pairs,
            "verdict": np.select([clone, other], [str(one) for one in _CLASSES], str(VerdictValue.UNKNOWN)),
            "confidence": pa.array(np.where(clone, share, 1 - share), mask=~known),
            "judgements": votes,
            "reason": np.select([known, votes > 0], [reasons[votes], "even odds"], "no judge decides on it"),
        },
        schema=TABLES["verdicts"].schema,
    )


MAJORITY = Policy(
    name="majority",
    description="More than half of the people who voted independently; undecided votes count for neither side.",
    sql=consensus_sql("'people'", "2 * {side} > votes"),
    counted=(JudgeKind.PERSON,),
)

UNANIMOUS = Policy(
    name="unanimous",
    description="All people who voted independently, at least two.",
    sql=consensus_sql("'people'", "{side} = votes AND votes > 1"),
    counted=(JudgeKind.PERSON,),
)

ADJUDICATED = Policy(
    name="adjudicated",
    description="The decision of an adjudicator, a discussion or a panel; otherwise the unanimous vote of at least two "
    "people, of one group where a pair was handed on between groups.",
    sql=consensus_sql(
        "CASE WHEN adjudicators_for <> adjudicators_against THEN 'adjudicators' ELSE 'people' END",
        "CASE WHEN circle = 'adjudicators' THEN {side} > {other} ELSE {side} = votes AND votes > 1 END",
        in_groups=True,
    ),
    counted=(JudgeKind.PERSON,),
)

EXPERTS_THEN_LLM = Policy(
    name="experts-then-llm",
    description="The majority of the people who decided; without one, the majority of the LLMs.",
    sql=consensus_sql("CASE WHEN people_for <> people_against THEN 'people' ELSE 'llms' END", "{side} > {other}"),
    counted=(JudgeKind.PERSON, JudgeKind.LLM),
    assumptions=("Without a majority of people, the LLMs are believed.",),
)

DAWID_SKENE = Policy(
    name="dawid-skene",
    description="The more probable class, given the estimated error rates of the judges (Dawid and Skene 1979).",
    sql=JUDGEMENTS_SQL,
    counted=EVIDENCE,
    conclude=conclude,
    assumptions=("Judges err independently of each other, each at the same rate on all pairs of a class.",),
)
