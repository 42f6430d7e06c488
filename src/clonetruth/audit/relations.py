"""The relations that rules share, as SQL in the subset that DuckDB and Spark read alike.

Each is computed once per audit. `facts` joins claims and evidence of every pair; the others are small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clonetruth.verdicts.policy_sql import standing_sql

_REPLACED = """
    SELECT DISTINCT t.member AS judge, g.criterion AS criterion, g.pair AS pair
    FROM judgements g
    JOIN joint t ON g.judge = t.judge
"""
"""The answers on pairs that a consensus judge replaces."""

BEHAVIOURAL = "'equivalent-behaviour', 'semantic-not-syntactic'"
"""The criteria, in SQL, under which a clone is claimed to behave the same: a run can refute only that."""

FACTS = f"""
WITH latest AS ({standing_sql(("pair", "criterion"), where="g.pair IS NOT NULL")}
),
replaced AS ({_REPLACED}),
answers AS (
    SELECT l.pair AS pair, l.contradicts AS contradicts,
        CASE WHEN l.kind = 'rule' AND l.criterion = asked.claimed THEN 1 ELSE 0 END AS is_rule,
        CASE
            WHEN l.kind = 'execution' AND l.criterion = 'equivalent-behaviour' AND asked.claimed NOT IN ({BEHAVIOURAL})
                THEN 0
            WHEN l.kind IN ('person', 'llm', 'execution') AND (l.criterion <> 'textual' OR asked.claimed = 'textual')
                THEN 1
            ELSE 0
        END AS is_evidence,
        CASE
            WHEN l.criterion = 'semantic-not-syntactic' AND l.value = 'not-clone' THEN 'syntactic'
            ELSE l.value
        END AS value
    FROM latest l
    CROSS JOIN asked
    LEFT JOIN replaced r ON l.judge = r.judge AND l.criterion = r.criterion AND l.pair = r.pair
    WHERE r.judge IS NULL
),
counts AS (
    SELECT pair,
        CAST(sum(CASE WHEN value = 'clone' THEN is_rule ELSE 0 END) AS INT) AS rule_clones,
        CAST(sum(CASE WHEN value = 'not-clone' THEN is_rule ELSE 0 END) AS INT) AS rule_others,
        CAST(sum(CASE WHEN value = 'syntactic' THEN is_rule ELSE 0 END) AS INT) AS rule_syntactic,
        CAST(sum(contradicts * is_rule) AS INT) AS rule_contradictions,
        CAST(sum(CASE WHEN value = 'clone' THEN is_evidence ELSE 0 END) AS INT) AS clones,
        CAST(sum(CASE WHEN value = 'not-clone' THEN is_evidence ELSE 0 END) AS INT) AS others,
        CAST(sum(CASE WHEN value = 'undecided' THEN is_evidence ELSE 0 END) AS INT) AS undecided
    FROM answers
    GROUP BY pair
),
claims AS (
    SELECT pair, clones, others, undecided,
        CASE
            WHEN rule_clones > 0 AND rule_others > 0 OR rule_contradictions > 0 THEN 'undecided'
            WHEN rule_clones > 0 THEN 'clone'
            WHEN rule_others > 0 THEN 'not-clone'
            WHEN rule_syntactic > 0 THEN 'syntactic'
        END AS claim
    FROM counts
)
SELECT p.pair AS pair, p.left AS left_fragment, p.right AS right_fragment, p.pair_key AS pair_key,
    p.functionality AS functionality, p.claimed_type AS type, p.claimed_cut_rule AS cut_rule,
    p.claimed_part AS part, c.claim AS claim,
    coalesce(c.clones, 0) AS clones, coalesce(c.others, 0) AS others, coalesce(c.undecided, 0) AS undecided,
    coalesce(
        c.claim,
        CASE WHEN c.clones > c.others THEN 'clone' WHEN c.others > c.clones THEN 'not-clone' END
    ) AS label
FROM pairs p
LEFT JOIN claims c ON p.pair = c.pair
"""
"""Claims and evidence of each pair.

`claim` is the label of the dataset's rules under the claimed criterion: clone, not-clone, undecided, or syntactic
(GPTCloneBench's "false" pairs are not semantic clones, which does not make them non-clones). `clones`, `others` and
`undecided` count the latest judgements of people, LLMs and executions (textual ones only if the claimed criterion is
textual, executions of both only if it is about behaviour), where a consensus judge replaces its members. `label` is the
claim, or the majority of the evidence if no rule labels the pair.
"""

MEMBERS = """
SELECT DISTINCT fragment, functionality FROM memberships WHERE role IN ('exemplar', 'tagged-true')
"""
"""The positive sets."""

REPEATS = """
SELECT pair_key, count(*) AS pairs FROM pairs GROUP BY pair_key HAVING count(*) > 1
"""
"""Unordered pairs with several rows."""

PAIR_FUNCTIONALITIES = """
SELECT f.pair AS pair, min(coalesce(f.functionality, l.functionality)) AS functionality
FROM facts f
LEFT JOIN members l ON f.left_fragment = l.fragment AND f.functionality IS NULL
LEFT JOIN members r ON f.right_fragment = r.fragment AND f.functionality IS NULL
WHERE f.functionality IS NOT NULL OR (l.functionality IS NOT NULL AND l.functionality = r.functionality)
GROUP BY f.pair
"""
"""The functionality of a pair: the one that the source names, or the first one that both fragments are in."""

FUNCTIONALITY_SHARES = """
WITH sizes AS (SELECT functionality, count(*) AS members FROM members GROUP BY functionality),
labelled AS (
    SELECT q.functionality AS functionality,
        CAST(sum(CASE WHEN f.label = 'clone' THEN 1 ELSE 0 END) AS BIGINT) AS positives,
        CAST(sum(CASE WHEN f.label = 'not-clone' THEN 1 ELSE 0 END) AS BIGINT) AS negatives
    FROM facts f JOIN pair_functionalities q ON f.pair = q.pair GROUP BY q.functionality
)
SELECT u.functionality AS functionality, u.name AS name, s.members AS members, l.positives AS positives,
    l.negatives AS negatives
FROM functionalities u
LEFT JOIN sizes s ON u.functionality = s.functionality
LEFT JOIN labelled l ON u.functionality = l.functionality
"""
"""Members and labelled pairs of each functionality."""

_EVIDENCE = "j.kind IN ('person', 'llm', 'execution')"


def _evidence(subject: Sequence[str]) -> str:
    columns = ", ".join(f"s.{name} AS {name}" for name in subject)
    return f"""
SELECT {columns}, s.judge AS judge, s.kind AS kind, s.value AS value,
    CASE WHEN d.judge IS NULL THEN 1 ELSE 0 END AS independent
FROM ({standing_sql(subject, where=f"g.{subject[0]} IS NOT NULL AND {_EVIDENCE}")}
) s
LEFT JOIN adjudicators d ON s.judge = d.judge
"""


PAIR_JUDGEMENTS = _evidence(("pair", "criterion"))
"""The latest judgement of each person, LLM and execution on a pair under a criterion.

`independent` is 0 for a consensus judge and an adjudicator, who know the answers of others.
"""

MEMBER_JUDGEMENTS = _evidence(("fragment", "functionality"))
"""The same on a fragment in a functionality."""

CLAIMED_DIVISION = """
SELECT 'claimed' AS division, pair, left_fragment, right_fragment, pair_key, part FROM facts WHERE part IS NOT NULL
"""

SPLIT_DIVISION = """
SELECT '{name}' AS division, f.pair AS pair, f.left_fragment AS left_fragment,
    f.right_fragment AS right_fragment, f.pair_key AS pair_key, l.part AS part
FROM facts f
JOIN {view} l ON f.left_fragment = l.fragment
JOIN {view} r ON f.right_fragment = r.fragment
WHERE CASE WHEN l.part = r.part THEN 1 ELSE 0 END = 1
"""
"""A split of the fragments divides the pairs whose fragments are in the same part."""

GIVEN_DIVISION = """
SELECT 'given' AS division, CAST(NULL AS BIGINT) AS pair, fragment AS left_fragment, fragment AS right_fragment,
    fragment * 4294967296 + fragment AS pair_key, part
FROM divided
"""
"""A division of fragments, whether or not they are in pairs."""

_LABELLED = """
SELECT CASE WHEN l.{key} < r.{key} THEN l.{key} ELSE r.{key} END AS one,
    CASE WHEN l.{key} < r.{key} THEN r.{key} ELSE l.{key} END AS other,
    f.type AS type, f.cut_rule AS cut_rule, f.claim AS claim, f.clones AS clones, f.others AS others
FROM facts f
JOIN {table} l ON f.left_fragment = l.fragment
JOIN {table} r ON f.right_fragment = r.fragment
"""

_MATCHED = """
WITH ours AS (
    SELECT f.pair AS pair, CASE WHEN l.{key} < r.{key} THEN l.{key} ELSE r.{key} END AS one,
        CASE WHEN l.{key} < r.{key} THEN r.{key} ELSE l.{key} END AS other
    FROM facts f
    JOIN {table} l ON f.left_fragment = l.fragment
    JOIN {table} r ON f.right_fragment = r.fragment
)
SELECT o.pair AS pair, s.type AS type, s.cut_rule AS cut_rule, s.claim AS claim, s.clones AS clones, s.others AS others
FROM ours o JOIN labelled s ON o.one = s.one AND o.other = s.other
ORDER BY o.pair
"""

MATCHES: Mapping[str, tuple[str, str]] = {
    way: (_LABELLED.format(key=key, table=table), _MATCHED.format(key=key, table=table))
    for way, key, table in (("id", "id", "fragments"), ("wording", "wording", "text_facts"))
}
"""Labels and evidence of another benchmark's pairs, and the join with ours, by the ids or the words of fragments."""

RELATIONS: Mapping[str, str] = {
    "facts": FACTS,
    "members": MEMBERS,
    "repeats": REPEATS,
    "pair_functionalities": PAIR_FUNCTIONALITIES,
    "functionality_shares": FUNCTIONALITY_SHARES,
    "pair_judgements": PAIR_JUDGEMENTS,
    "member_judgements": MEMBER_JUDGEMENTS,
}
