"""The SQL of the consensus policies, in the subset that DuckDB and Spark read alike."""

from __future__ import annotations

from clonetruth.verdicts.policy_sql import LATEST_FIRST

_STANDING = f"""
WITH ranked AS (
    SELECT g.pair AS pair, g.judge AS judge, j.kind AS kind, g.value AS value,
        row_number() OVER (
            PARTITION BY g.judge, g.pair
            ORDER BY {LATEST_FIRST}
        ) AS place
    FROM judgements g
    JOIN asked a ON g.criterion = a.criterion
    JOIN judges j ON g.judge = j.judge
    WHERE g.pair IS NOT NULL
),
standing AS (
    SELECT pair, judge, kind, value
    FROM ranked
    WHERE place = 1
)"""
"""The latest judgement of each judge on each pair."""

VOICES_SQL = f"""{_STANDING}
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
"""Every pair with the judges of the kinds that count and their answers, NULL where nobody speaks of it. Adjudicators
have heard the others, and are no further independent voice."""


def consensus_sql(heard: str, decided: str) -> str:
    """The text of a policy that hears one circle of judges on each pair: `people`, `adjudicators` or `llms`.

    Args:
        heard: the circle, as an expression of the votes of each: `people_for`, `people_against`, `people_open` and so
            on.
        decided: when the circle decides in favour of `{side}`, as a condition of `votes_for`, `votes_against`, `votes`
            and `circle`, in which `{side}` and `{other}` stand for `votes_for` and `votes_against`, and the reverse.
    """
    return f"""{_STANDING},
tallies AS (
    SELECT s.pair AS pair,
        {_tally("people", "s.kind = 'person' AND d.judge IS NULL")},
        {_tally("adjudicators", "s.kind = 'person' AND d.judge IS NOT NULL")},
        {_tally("llms", "s.kind = 'llm'")}
    FROM standing s
    LEFT JOIN adjudicators d ON s.judge = d.judge
    GROUP BY s.pair
),
chosen AS (
    SELECT t.*, {heard} AS circle
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
