"""Duplicates (CT204–CT206, CT209): the same or nearly the same text under several ids or functionalities."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from clonetruth.audit.context import EXAMPLES, AuditContext
from clonetruth.audit.finding import Details, Example, Finding, Fix, Severity
from clonetruth.audit.papers import DUPLICATION, SOURCERERCC
from clonetruth.audit.rule import LEARNING, PRECISION, Need, RuleText, rule
from clonetruth.model import Role
from clonetruth.stats.rates import Integers

_GROUPS = "SELECT digest, count(*) AS n, min(fragment) AS first FROM text_facts GROUP BY digest HAVING count(*) > 1"


@rule(
    "CT204",
    Severity.WARNING,
    RuleText(
        name="same-text-several-ids",
        what="Fragments with the same text, ignoring white space, under different ids.",
        why="A split by id puts copies of the same text into train and test. BigCloneBench's `functions.txt` has 375 "
        "such groups with 1,441 functions.",
        reference=DUPLICATION,
        fix="Keep one fragment of each group, or split by text instead of by id.",
        needs=(Need.TEXTS,),
        threatens=LEARNING | PRECISION,
    ),
)
def same_text(context: AuditContext) -> Iterator[Finding]:
    row = context.row(f"SELECT count(*) AS groups, sum(n) AS n FROM ({_GROUPS}) g")
    if not row["groups"]:
        return
    total = context.row("SELECT count(*) AS n FROM text_facts")["n"]
    largest = context.rows(
        f"""
        SELECT f.id AS id, g.n AS n FROM ({_GROUPS}) g JOIN fragments f ON g.first = f.fragment
        ORDER BY g.n DESC, g.first LIMIT 10
        """
    )
    twins = context.rows(
        f"""
        SELECT min(a.id) AS one, max(a.id) AS other, max(g.n) AS n, min(g.first) AS place
        FROM ({_GROUPS}) g JOIN text_facts t ON g.digest = t.digest JOIN fragments a ON t.fragment = a.fragment
        GROUP BY g.digest ORDER BY place LIMIT {EXAMPLES}
        """
    )
    distinct = total - row["n"] + row["groups"]
    yield Finding(
        f"{row['n']:,} of {total:,} fragments in {row['groups']:,} groups have the same text as another "
        f"({distinct:,} distinct texts)",
        row["n"],
        total,
        tuple(Example((one["one"], one["other"]), f"{one['n']} fragments with this text") for one in twins),
        details=(
            Details("The largest groups", ("first fragment", "fragments"), tuple((r["id"], r["n"]) for r in largest)),
        ),
        fix=Fix(
            "deduplicate-texts", "Keep the first fragment of each text.", parameters={"equal": "up to white space"}
        ),
    )


@rule(
    "CT205",
    Severity.WARNING,
    RuleText(
        name="near-duplicates",
        what="Fragments with different texts whose bags of words overlap in at least `near-duplicate-overlap` of the "
        "larger bag (SourcererCC's criterion) and have at least `near-duplicate-words` words.",
        why="Near copies across train and test inflate results as much as exact copies do: a study of code datasets "
        "found metrics inflated by up to 100 %.",
        reference=f"{DUPLICATION}; {SOURCERERCC}",
        fix="Deduplicate with the same threshold, or keep near duplicates in the same part of a split.",
        needs=(Need.TEXTS,),
        threatens=LEARNING,
        thresholds={"near-duplicate-overlap": 0.8, "near-duplicate-words": 10},
    ),
)
def near_duplicates(context: AuditContext) -> Iterator[Finding]:
    groups = context.near_duplicates
    pairs = groups.pairs
    # The same words in another order or with other punctuation are a different text too.
    texts = np.unique(np.stack([groups.bag, context.digests], axis=1)[groups.bag >= 0], axis=0)
    reordered, copies = np.unique(texts[:, 0], return_counts=True)
    touched = np.isin(groups.bag, np.concatenate([pairs.left, pairs.right, reordered[copies > 1]]))
    if not touched.any():
        return
    count, total = int(touched.sum()), int(np.count_nonzero(groups.bag >= 0))
    designed = _are_near_misses(context, groups.bag, pairs.left, pairs.right, reordered[copies > 1])
    shown = slice(0, EXAMPLES)
    sizes = context.bags.sizes
    cases = pa.table(
        {
            "one": pairs.left[shown],
            "other": pairs.right[shown],
            "shared": pairs.overlap[shown],
            "larger": np.maximum(sizes[pairs.left[shown]], sizes[pairs.right[shown]]),
        }
    )
    rows = context.rows(
        "SELECT l.id AS one, r.id AS other, c.shared AS shared, c.larger AS larger FROM cases c "
        "JOIN fragments l ON c.one = l.fragment JOIN fragments r ON c.other = r.fragment ORDER BY c.one, c.other",
        cases=cases,
    )
    overlap = context.threshold("near-duplicate-overlap")
    which = "; each is a near miss by design, tagged as such in its functionality" if designed else ""
    yield Finding(
        f"{count:,} of {total:,} fragments have a near duplicate with a different text (word overlap ≥ {overlap:g})"
        f"{which}",
        count,
        total,
        tuple(Example((r["one"], r["other"]), f"{r['shared']} of {r['larger']} words in common") for r in rows),
        fix=Fix(
            "deduplicate-texts",
            "Keep one fragment of each group of near duplicates.",
            parameters={"overlap": overlap, "words": int(context.threshold("near-duplicate-words"))},
        ),
        severity=Severity.INFO if designed else None,
    )


_ROLES = """
SELECT fragment, min(functionality) AS one, max(functionality) AS other, max(role) AS role
FROM memberships GROUP BY fragment
"""


def _are_near_misses(context: AuditContext, bag: Integers, left: Integers, right: Integers, mixed: Integers) -> bool:
    """Whether each near duplicate is a member of the same functionality with the role of a false one.

    Args:
        context: the audit.
        bag: the bag of words of each fragment, by its key; a bag has the key of one of its fragments.
        left: bags that overlap with the bags of `right`.
        right: the same.
        mixed: bags with several texts.
    """
    rows = context.rows(_ROLES)
    home = {row["fragment"]: row["one"] for row in rows if row["one"] == row["other"]}
    false = {row["fragment"] for row in rows if row["role"] == Role.TAGGED_FALSE}
    members: dict[int, list[int]] = {}
    for fragment, own in enumerate(bag.tolist()):
        members.setdefault(own, []).append(fragment)
    groups = [[*members[one], *members[other]] for one, other in zip(left.tolist(), right.tolist(), strict=True)]
    groups += [members[one] for one in mixed.tolist()]
    return all(
        len({home.get(one) for one in group}) == 1 and group[0] in home and sum(one not in false for one in group) <= 1
        for group in groups
    )


_ELSEWHERE = """
SELECT t.{digest} AS digest, min(m.functionality) AS one, max(m.functionality) AS other, min(m.fragment) AS first,
    max(m.fragment) AS last
FROM text_facts t JOIN members m ON t.fragment = m.fragment
GROUP BY t.{digest} HAVING count(DISTINCT m.functionality) > 1
"""
_EXACT, _LOOSE = _ELSEWHERE.format(digest="exact"), _ELSEWHERE.format(digest="digest")


@rule(
    "CT206",
    Severity.ERROR,
    RuleText(
        name="same-text-two-functionalities",
        what="Texts that belong to two functionalities or problems.",
        why="“Different problem, therefore not a clone” contradicts itself here: the text is a clone of itself. "
        "POJ-104 has five texts in both problem 26 and problem 62.",
        reference=DUPLICATION,
        fix="Drop the text from one of the problems, or merge the two problems.",
        needs=(Need.TEXTS, Need.MEMBERSHIPS),
        threatens=LEARNING | PRECISION,
    ),
)
def same_text_elsewhere(context: AuditContext) -> Iterator[Finding]:
    loose = context.row(f"SELECT count(*) AS n FROM ({_LOOSE}) e")["n"]
    if not loose:
        return
    exact = context.row(f"SELECT count(*) AS n FROM ({_EXACT}) e")["n"]
    cases, count = (_EXACT, exact) if exact else (_LOOSE, loose)
    total = context.row("SELECT count(DISTINCT exact) AS n FROM text_facts")["n"]
    pairs = context.rows(
        f"""
        SELECT a.id AS one, b.id AS other, count(*) AS n FROM ({cases}) e
        JOIN functionalities a ON e.one = a.functionality JOIN functionalities b ON e.other = b.functionality
        GROUP BY a.id, b.id ORDER BY n DESC, one, other LIMIT 20
        """
    )
    rows = context.rows(
        f"""
        SELECT f.id AS first, l.id AS last, a.name AS one, b.name AS other FROM ({cases}) e
        JOIN fragments f ON e.first = f.fragment JOIN fragments l ON e.last = l.fragment
        JOIN functionalities a ON e.one = a.functionality JOIN functionalities b ON e.other = b.functionality
        ORDER BY e.first LIMIT {EXAMPLES}
        """
    )
    most = pairs[0]
    yield Finding(
        f"{count:,} of {total:,} texts are in two functionalities (most: {most['n']:,} in {most['one']} and "
        f"{most['other']}); {loose:,} ignoring white space",
        count,
        total,
        tuple(Example((r["first"], r["last"]), f"in “{r['one']}” and “{r['other']}”") for r in rows),
        details=(
            Details(
                "Functionalities that share texts",
                ("functionality", "other functionality", "texts"),
                tuple((row["one"], row["other"], row["n"]) for row in pairs),
            ),
        ),
        severity=None if context.benchmark.card.problems_disjoint else Severity.WARNING,
    )


@rule(
    "CT209",
    Severity.ERROR,
    RuleText(
        name="functionality-stored-twice",
        what="Functionalities with at least `stored-twice-texts` texts, of which at least `stored-twice-share` occur "
        "twice or more.",
        why="A problem that is in two parts of a published split is duplicated when the parts are joined: a public "
        "version of POJ-104 has problems 65 and 81 in two parts each.",
        reference=DUPLICATION,
        fix="Keep each text of the functionality once.",
        needs=(Need.TEXTS, Need.MEMBERSHIPS),
        threatens=LEARNING | PRECISION,
        thresholds={"stored-twice-share": 0.9, "stored-twice-texts": 10},
    ),
)
def stored_twice(context: AuditContext) -> Iterator[Finding]:
    share, least = context.threshold("stored-twice-share"), int(context.threshold("stored-twice-texts"))
    rows = context.rows(
        f"""
        WITH copies AS (
            SELECT m.functionality AS functionality, t.digest AS digest, count(*) AS n
            FROM members m JOIN text_facts t ON m.fragment = t.fragment GROUP BY m.functionality, t.digest
        )
        SELECT f.id AS id, f.name AS name, sum(c.n) AS members, count(*) AS texts
        FROM copies c JOIN functionalities f ON c.functionality = f.functionality
        GROUP BY f.id, f.name
        HAVING sum(CASE WHEN c.n > 1 THEN 1 ELSE 0 END) >= {share} * count(*) AND count(*) >= {least}
        ORDER BY id
        """
    )
    if rows:
        total = context.row("SELECT count(DISTINCT functionality) AS n FROM members")["n"]
        names = ", ".join(row["id"] for row in rows[:5])
        yield Finding(
            f"{len(rows):,} of {total:,} functionalities are stored twice: {names}" + ("…" if len(rows) > 5 else ""),
            len(rows),
            total,
            tuple(Example((row["id"],), f"{row['members']} members, {row['texts']} texts") for row in rows[:EXAMPLES]),
            details=(
                Details(
                    "Stored twice",
                    ("functionality", "members", "texts"),
                    tuple((row["id"], row["members"], row["texts"]) for row in rows),
                ),
            ),
            fix=Fix(
                "deduplicate-texts", "Keep the first fragment of each text.", parameters={"within": "functionality"}
            ),
        )
