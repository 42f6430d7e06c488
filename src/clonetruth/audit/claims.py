"""Claims (CT101–CT105, CT118): the grounds on which a dataset labels pairs as clones or non-clones."""

from __future__ import annotations

from collections.abc import Iterator

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Chart, Details, Finding, Fix, Severity
from clonetruth.audit.papers import HARMFUL, MISUSE
from clonetruth.audit.rule import LEARNING, PRECISION, Need, RuleText, rule

_APART = """
SELECT f.pair AS pair
FROM facts f
JOIN members l ON f.left_fragment = l.fragment
JOIN members r ON f.right_fragment = r.fragment
WHERE f.claim = 'not-clone' AND f.clones + f.others = 0
GROUP BY f.pair
HAVING max(CASE WHEN l.functionality = r.functionality THEN 1 ELSE 0 END) = 0
"""

_APART_PLAIN = """
SELECT p.pair AS pair
FROM pairs p
JOIN judgements g ON p.pair = g.pair AND g.value = 'not-clone'
JOIN judges j ON g.judge = j.judge AND j.kind = 'rule'
JOIN memberships l ON p.left = l.fragment AND l.role IN ('exemplar', 'tagged-true')
JOIN memberships r ON p.right = r.fragment AND r.role IN ('exemplar', 'tagged-true')
GROUP BY p.pair
HAVING max(CASE WHEN l.functionality = r.functionality THEN 1 ELSE 0 END) = 0
"""
"""The same query on the benchmark's own tables, for a recipe; it ignores evidence."""


@rule(
    "CT101",
    Severity.ERROR,
    RuleText(
        name="different-functionality-as-non-clone",
        what="Pairs of members of different functionalities that only a rule labels as non-clones.",
        why="Two fragments that were found for different functionalities can still do the same thing: copying a "
        "directory copies files. BigCloneBench itself says nothing about such pairs, yet models are trained on them as "
        "ground truth. Where the card states that problems are disjoint (programming contests), this is an assumption; "
        "state it.",
        reference=HARMFUL,
        fix="Remove the labels of these pairs (unknown is not “no”), or have a sample of them judged.",
        needs=(Need.LABELS, Need.MEMBERSHIPS),
        threatens=LEARNING | PRECISION,
    ),
)
def different_functionality(context: AuditContext) -> Iterator[Finding]:
    negatives = context.row("SELECT count(*) AS n FROM facts WHERE claim = 'not-clone'")["n"]
    count = context.row(f"SELECT count(*) AS n FROM ({_APART}) apart")["n"]
    if not count:
        return
    disjoint = context.benchmark.card.problems_disjoint
    assumed = " (the card calls its problems disjoint)" if disjoint else ""
    yield Finding(
        f"{count:,} of {negatives:,} negatives only pair members of different functionalities{assumed}",
        count,
        negatives,
        context.pair_examples(f"SELECT pair, 'labelled as a non-clone, never judged' AS note FROM ({_APART}) apart"),
        fix=Fix("unlabel-pairs", "Remove the labels of these pairs.", _APART_PLAIN),
        severity=Severity.INFO if disjoint else None,
    )


@rule(
    "CT102",
    Severity.WARNING,
    RuleText(
        name="several-functionalities",
        what="Fragments that are in the positive sets of several functionalities.",
        why="Such a fragment is a clone of the members of each of its functionalities, so the functionalities are not "
        "disjoint, and a rule that treats them as disjoint contradicts itself. BigCloneBench has 209 such fragments.",
        reference=HARMFUL,
        fix="Do not derive non-clones from functionalities; keep each such fragment in one part of a split.",
        needs=(Need.MEMBERSHIPS,),
        threatens=LEARNING | PRECISION,
    ),
)
def several_functionalities(context: AuditContext) -> Iterator[Finding]:
    several = """
    SELECT m.fragment AS fragment, count(*) AS n, min(f.name) AS one, max(f.name) AS other
    FROM members m JOIN functionalities f ON m.functionality = f.functionality
    GROUP BY m.fragment HAVING count(*) > 1
    """
    row = context.row(
        f"""
        SELECT (SELECT count(*) FROM ({several}) s) AS n, count(DISTINCT fragment) AS total FROM members
        """
    )
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} members are in the positive sets of several functionalities",
            row["n"],
            row["total"],
            context.fragment_examples(
                f"SELECT fragment, concat('in “', one, '” and “', other, '”') AS note FROM ({several}) s"
            ),
        )


_OVERLAPPING = """
SELECT DISTINCT a.functionality AS one, b.functionality AS other
FROM members a JOIN members b ON a.fragment = b.fragment AND a.functionality <> b.functionality
"""

_BETWEEN = f"""
SELECT f.pair AS pair,
    max(CASE WHEN l.functionality = r.functionality THEN 1 ELSE 0 END) AS shared
FROM facts f
JOIN members l ON f.left_fragment = l.fragment
JOIN members r ON f.right_fragment = r.fragment
LEFT JOIN ({_OVERLAPPING}) o ON l.functionality = o.one AND r.functionality = o.other
WHERE f.claim = 'not-clone' AND (o.one IS NOT NULL OR l.functionality = r.functionality)
GROUP BY f.pair
"""


@rule(
    "CT103",
    Severity.ERROR,
    RuleText(
        name="negatives-between-overlapping-functionalities",
        what="Negatives between members of the same functionality, or of two functionalities that share a member.",
        why="The shared fragment counts as a clone of both sides while the two sides count as non-clones of each "
        "other: the labels contradict the memberships.",
        reference=HARMFUL,
        fix="Remove the labels of these pairs.",
        needs=(Need.LABELS, Need.MEMBERSHIPS),
        threatens=LEARNING | PRECISION,
    ),
)
def negatives_between(context: AuditContext) -> Iterator[Finding]:
    row = context.row(f"SELECT count(*) AS n, sum(shared) AS shared FROM ({_BETWEEN}) b")
    if row["n"]:
        negatives = context.row("SELECT count(*) AS n FROM facts WHERE claim = 'not-clone'")["n"]
        yield Finding(
            f"{row['n']:,} of {negatives:,} negatives are between functionalities that share members "
            f"({row['shared']:,} within one functionality)",
            row["n"],
            negatives,
            context.pair_examples(
                "SELECT pair, CASE WHEN shared = 1 THEN 'both are members of one functionality' "
                f"ELSE 'their functionalities share members' END AS note FROM ({_BETWEEN}) b"
            ),
        )


@rule(
    "CT104",
    Severity.ERROR,
    RuleText(
        name="negatives-of-two-rejected",
        what="Negatives between two fragments of which only “not this functionality” is known.",
        why="That neither fragment copies a file does not mean that they do different things. BigCloneBench never "
        "labels such pairs; lists derived from it do.",
        reference=HARMFUL,
        fix="Remove the labels of these pairs, or have them judged as pairs.",
        needs=(Need.LABELS, Need.MEMBERSHIPS),
        threatens=LEARNING | PRECISION,
    ),
)
def negatives_of_rejected(context: AuditContext) -> Iterator[Finding]:
    rejected = """
    SELECT fragment FROM memberships GROUP BY fragment
    HAVING sum(CASE WHEN role = 'tagged-false' THEN 1 ELSE 0 END) = count(*)
    """
    cases = f"""
    SELECT f.pair AS pair FROM facts f
    JOIN ({rejected}) l ON f.left_fragment = l.fragment
    JOIN ({rejected}) r ON f.right_fragment = r.fragment
    WHERE f.claim = 'not-clone' AND f.clones + f.others = 0
    """
    count = context.row(f"SELECT count(*) AS n FROM ({cases}) c")["n"]
    if count:
        negatives = context.row("SELECT count(*) AS n FROM facts WHERE claim = 'not-clone'")["n"]
        yield Finding(
            f"{count:,} of {negatives:,} negatives pair two fragments known only as “not this functionality”",
            count,
            negatives,
            context.pair_examples(
                f"SELECT pair, 'both are tagged false and were never compared' AS note FROM ({cases}) c"
            ),
        )


_SYNTACTIC_TYPES = "('T1', 'T2', 'VST3', 'ST3')"


@rule(
    "CT105",
    Severity.ERROR,
    RuleText(
        name="positives-never-judged",
        what="Positives that were never judged as a pair, by clone type.",
        why="Two fragments that contain the same functionality need not be clones of each other: experts rejected 93 % "
        "of 406 sampled WT3/T4 pairs of BigCloneBench. It matters less for textually similar pairs (T1 to ST3), where "
        "the text itself is evidence.",
        reference=MISUSE,
        fix="Have a sample judged (`clonetruth study`), and evaluate on verdicts instead of claims.",
        needs=(Need.LABELS,),
        threatens=LEARNING | PRECISION,
    ),
)
def never_judged(context: AuditContext) -> Iterator[Finding]:
    rows = context.rows(
        """
        SELECT coalesce(type, 'no type claimed') AS type, count(*) AS positives,
            sum(CASE WHEN clones + others = 0 THEN 1 ELSE 0 END) AS unjudged
        FROM facts WHERE claim = 'clone' GROUP BY coalesce(type, 'no type claimed') ORDER BY positives DESC, type
        """
    )
    positives = sum(row["positives"] for row in rows)
    count = sum(row["unjudged"] for row in rows)
    if not count:
        return
    semantic = sum(row["unjudged"] for row in rows if f"'{row['type']}'" not in _SYNTACTIC_TYPES)
    yield Finding(
        f"{count:,} of {positives:,} positives were never judged as a pair "
        f"({semantic:,} without a textual type, T1 to ST3)",
        count,
        positives,
        context.pair_examples(
            "SELECT pair, CASE WHEN type IS NULL THEN 'claimed as a clone' "
            "ELSE concat('claimed as a clone of type ', type) END AS note FROM facts "
            f"WHERE claim = 'clone' AND clones + others = 0 AND coalesce(type, '') NOT IN {_SYNTACTIC_TYPES}",
            limit=3,
        ),
        details=(
            Details(
                "Positives by claimed type",
                ("type", "positives", "never judged"),
                tuple((row["type"], row["positives"], row["unjudged"]) for row in rows),
                Chart.BARS,
            ),
        ),
        severity=None if semantic else Severity.INFO,
    )


@rule(
    "CT118",
    Severity.ERROR,
    RuleText(
        name="negatives-never-judged",
        what="Negatives that were never judged as a pair.",
        why="None of BigCloneBench's false pairs was ever judged as a pair: each follows from one judge's label of one "
        "of its fragments. Precision measured on such pairs is precision against a rule.",
        reference=HARMFUL,
        fix="Have a sample judged (`clonetruth study`), or estimate precision by judging a sample of the detector's "
        "reports.",
        needs=(Need.LABELS,),
        threatens=LEARNING | PRECISION,
    ),
)
def negatives_never_judged(context: AuditContext) -> Iterator[Finding]:
    unjudged = "claim = 'not-clone' AND clones + others = 0"
    row = context.row(
        f"SELECT sum(CASE WHEN claim = 'not-clone' THEN 1 ELSE 0 END) AS total, "
        f"sum(CASE WHEN {unjudged} THEN 1 ELSE 0 END) AS n FROM facts"
    )
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} negatives were never judged as a pair",
            row["n"],
            row["total"],
            context.pair_examples(
                f"SELECT pair, 'claimed as a non-clone' AS note FROM facts WHERE {unjudged}", limit=3
            ),
        )
