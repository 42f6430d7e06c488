"""Contradictions (CT108–CT111, CT117): rows that repeat or contradict each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Details, Finding, Fix, Severity
from clonetruth.audit.papers import DUPLICATION, HARMFUL
from clonetruth.audit.rule import ALL, LEARNING, PRECISION, Need, RuleText, rule

_LABELS = """
SELECT pair_key, min(pair) AS pair,
    max(CASE WHEN claim = 'clone' THEN 1 ELSE 0 END) * max(CASE WHEN claim = 'not-clone' THEN 1 ELSE 0 END) AS opposed
FROM (
    SELECT f.pair_key AS pair_key, f.claim AS claim, f.cut_rule AS cut_rule, count(DISTINCT f.type) AS types,
        min(f.pair) AS pair
    FROM facts f JOIN repeats r ON f.pair_key = r.pair_key
    WHERE f.claim IS NOT NULL
    GROUP BY f.pair_key, f.claim, f.cut_rule
) labels
GROUP BY pair_key
HAVING count(DISTINCT claim) > 1 OR max(types) > 1
"""
"""Types may differ under different cut rules; CT112 reports that."""


@rule(
    "CT108",
    Severity.ERROR,
    RuleText(
        name="contradictory-claims",
        what="The same pair with different labels: clone and non-clone, or two clone types.",
        why="At least one of the labels is wrong, and a model is penalised whichever it learns. ASTNN's list of "
        "BigCloneBench pairs contains 393 such pairs.",
        reference=HARMFUL,
        fix="Drop every row of these pairs, or have them judged.",
        needs=(Need.LABELS,),
        threatens=LEARNING | PRECISION,
    ),
)
def contradictory(context: AuditContext) -> Iterator[Finding]:
    row = context.row(f"SELECT count(*) AS n, sum(opposed) AS opposed FROM ({_LABELS}) labels")
    # A single row can contradict itself if two rules label it, or one rule twice.
    single = context.row("SELECT count(*) AS n FROM facts WHERE claim = 'undecided'")["n"]
    total = context.row("SELECT count(DISTINCT pair_key) AS n FROM facts")["n"]
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {total:,} pairs have several labels; {row['opposed']:,} are both clone and non-clone",
            row["n"],
            total,
            context.pair_examples(
                "SELECT pair, CASE WHEN opposed = 1 THEN 'both clone and non-clone' ELSE 'two clone types' END AS note "
                f"FROM ({_LABELS}) labels"
            ),
            fix=Fix(
                "drop-pairs",
                "Drop every row of the pairs that are both clone and non-clone.",
                "SELECT pair FROM pairs WHERE pair_key IN (SELECT p.pair_key FROM pairs p JOIN judgements g "
                "ON p.pair = g.pair JOIN judges j ON g.judge = j.judge AND j.kind = 'rule' WHERE g.value IN "
                "('clone', 'not-clone') GROUP BY p.pair_key HAVING count(DISTINCT g.value) > 1)",
            ),
        )
    if single:
        yield Finding(
            f"{single:,} rows are labelled both clone and non-clone by the dataset's rules",
            single,
            context.benchmark.counts["pairs"],
            context.pair_examples("SELECT pair, 'rules disagree' AS note FROM facts WHERE claim = 'undecided'"),
            severity=Severity.WARNING,
        )


@rule(
    "CT109",
    Severity.WARNING,
    RuleText(
        name="repeated-pairs",
        what="The same pair in several rows, in the same order or reversed.",
        why="Repeated rows weigh more in training and in every metric, and make the list look larger than it is: "
        "FCDetector's 240,160 training rows are 189,271 pairs.",
        reference=DUPLICATION,
        fix="Keep the first row of each pair.",
        needs=(Need.PAIRS,),
        threatens=LEARNING | PRECISION,
    ),
)
def repeated(context: AuditContext) -> Iterator[Finding]:
    # BigCloneBench lists a pair once per functionality; that is not a repetition.
    rows = context.rows(
        """
        SELECT f.part AS part, count(*) AS total,
            count(*) - count(DISTINCT concat(CAST(f.pair_key AS STRING), '/',
                coalesce(CAST(f.functionality AS STRING), ''))) AS n
        FROM facts f JOIN repeats r ON f.pair_key = r.pair_key
        GROUP BY f.part ORDER BY f.part
        """
    )
    sizes = {row["part"]: row["n"] for row in context.rows("SELECT part, count(*) AS n FROM facts GROUP BY part")}
    repeats = """
    SELECT f.pair AS pair, row_number() OVER (
        PARTITION BY f.pair_key, f.part, f.functionality ORDER BY f.pair
    ) AS place FROM facts f JOIN repeats r ON f.pair_key = r.pair_key WHERE {where}
    """
    for row in (row for row in rows if row["n"]):
        part, total = row["part"], sizes[row["part"]]
        where = f"f.part = '{part}'" if part else "f.part IS NULL"
        yield Finding(
            f"{row['n']:,} of {total:,} rows{_in(part)} repeat a pair: {total - row['n']:,} are distinct",
            row["n"],
            total,
            context.pair_examples(
                "SELECT pair, concat('row ', CAST(pair AS STRING), ' repeats an earlier one') AS note "
                f"FROM ({repeats.format(where=where)}) r WHERE place > 1"
            ),
            fix=Fix(
                "drop-pairs",
                f"Keep the first row of each pair{_in(part)}.",
                "SELECT pair FROM (SELECT pair, row_number() OVER (PARTITION BY pair_key, functionality ORDER BY pair) "
                f"AS place FROM pairs WHERE {where.replace('f.part', 'claimed_part')}) numbered WHERE place > 1",
            ),
        )


def _in(part: str | None) -> str:
    return f" of {part}" if part else ""


@rule(
    "CT110",
    Severity.WARNING,
    RuleText(
        name="self-pairs",
        what="Rows that pair a fragment with itself.",
        why="Every detector finds them: as positives they are free, as negatives they are wrong.",
        reference=DUPLICATION,
        fix="Drop these rows.",
        needs=(Need.PAIRS,),
        threatens=ALL,
    ),
)
def self_pairs(context: AuditContext) -> Iterator[Finding]:
    rows = context.rows(
        """
        SELECT part, count(*) AS total, sum(CASE WHEN left_fragment = right_fragment THEN 1 ELSE 0 END) AS n,
            sum(CASE WHEN left_fragment = right_fragment AND label = 'not-clone' THEN 1 ELSE 0 END) AS denied
        FROM facts GROUP BY part ORDER BY part
        """
    )
    for row in (row for row in rows if row["n"]):
        part = row["part"]
        where = f"part = '{part}'" if part else "part IS NULL"
        denied = f", {row['denied']:,} of them as a non-clone" if row["denied"] else ""
        yield Finding(
            f"{row['n']:,} of {row['total']:,} rows{_in(part)} pair a fragment with itself{denied}",
            row["n"],
            row["total"],
            context.pair_examples(
                "SELECT pair, CASE WHEN label IS NULL THEN 'not labelled' ELSE concat('labelled ', label) END AS note "
                f"FROM facts WHERE left_fragment = right_fragment AND {where}"
            ),
            fix=Fix(
                "drop-pairs",
                f"Drop the rows{_in(part)} that pair a fragment with itself.",
                f"SELECT p.pair AS pair FROM pairs p WHERE p.left = p.right AND p.claimed_{where}",
            ),
            severity=Severity.ERROR if row["denied"] else None,
        )


@rule(
    "CT111",
    Severity.WARNING,
    RuleText(
        name="non-transitive-positives",
        what="Groups of fragments that positives connect, in which some pairs are labelled as non-clones or missing.",
        why="If a is a clone of b, and b of c, but a and c are labelled as non-clones, then “clone” is not one "
        "relation in this dataset. Missing pairs within a group are unknown, not negative, but randomly sampled "
        "negatives include them.",
        reference=HARMFUL,
        fix="Never use an unlisted pair of a group as a negative; have the pairs labelled as non-clones judged.",
        needs=(Need.LABELS,),
        threatens=LEARNING | PRECISION,
    ),
)
def non_transitive(context: AuditContext) -> Iterator[Finding]:
    edges = context.sql(
        "SELECT left_fragment, right_fragment, pair_key FROM facts "
        "WHERE label = 'clone' AND left_fragment <> right_fragment"
    )
    if not edges.num_rows:
        return
    one, other = edges["left_fragment"].to_numpy(), edges["right_fragment"].to_numpy()
    groups = components(context.benchmark.counts["fragments"], one, other)
    _, first = np.unique(edges["pair_key"].to_numpy(), return_index=True)
    linked = np.zeros(len(groups), dtype=bool)
    linked[one] = linked[other] = True
    sizes = np.bincount(groups[linked], minlength=len(groups))
    listed = np.bincount(groups[one[first]], minlength=len(groups))
    missing = sizes * (sizes - 1) // 2 - listed
    incomplete = int(np.count_nonzero(missing > 0))
    if not incomplete:
        return
    denied = _denied(context, groups)
    implied = int((missing + listed).sum())
    largest = np.argsort(-missing, kind="stable")[:10]
    yield Finding(
        f"{incomplete:,} groups that positives connect are incomplete: {int(missing.sum()):,} of {implied:,} pairs "
        f"within them are not listed as positive, {denied.num_rows:,} are listed as negative",
        denied.num_rows or int(missing.sum()),
        implied,
        context.pair_examples(
            "SELECT pair, 'a non-clone whose fragments positives connect' AS note FROM denied", denied=denied
        ),
        details=(
            Details(
                "The groups with the most missing pairs",
                ("group", "fragments", "positives", "missing"),
                tuple(
                    (f"group {rank}", int(sizes[at]), int(listed[at]), int(missing[at]))
                    for rank, at in enumerate(largest, 1)
                    if missing[at] > 0
                ),
            ),
        ),
        severity=None if denied.num_rows else Severity.INFO,
    )


def _denied(context: AuditContext, groups: npt.NDArray[np.int64]) -> pa.Table:
    """Negatives within a group. A join on groups would compare all members with each other."""
    negatives = context.sql("SELECT pair, left_fragment, right_fragment FROM facts WHERE label = 'not-clone'")
    one, other = negatives["left_fragment"].to_numpy(), negatives["right_fragment"].to_numpy()
    return negatives.filter(pa.array((groups[one] == groups[other]) & (one != other))).select(["pair"])


def components(nodes: int, one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For every node the least node of its connected component (hooking and pointer jumping)."""
    parent = np.arange(nodes, dtype=np.int64)
    while True:
        a, b = parent[one], parent[other]
        apart = a != b
        if not apart.any():
            return parent
        one, other = one[apart], other[apart]
        np.minimum.at(parent, np.maximum(a, b)[apart], np.minimum(a, b)[apart])
        while (parent[parent] != parent).any():
            parent = parent[parent]


@rule(
    "CT117",
    Severity.ERROR,
    RuleText(
        name="identical-non-clones",
        what="Negatives between two fragments with the same text, ignoring white space.",
        why="Identical code behaves identically: whatever rule the label came from, the label is wrong.",
        reference=DUPLICATION,
        fix="Drop these rows.",
        needs=(Need.LABELS, Need.TEXTS),
        threatens=LEARNING | PRECISION,
    ),
)
def identical_negatives(context: AuditContext) -> Iterator[Finding]:
    cases = """
    SELECT f.pair AS pair FROM facts f
    JOIN text_facts l ON f.left_fragment = l.fragment
    JOIN text_facts r ON f.right_fragment = r.fragment AND l.digest = r.digest
    WHERE f.label = 'not-clone' AND f.left_fragment <> f.right_fragment
    """
    count = context.row(f"SELECT count(*) AS n FROM ({cases}) c")["n"]
    if count:
        negatives = context.row("SELECT count(*) AS n FROM facts WHERE label = 'not-clone'")["n"]
        yield Finding(
            f"{count:,} of {negatives:,} negatives pair fragments with the same text",
            count,
            negatives,
            context.pair_examples(f"SELECT pair, 'same text, labelled as a non-clone' AS note FROM ({cases}) c"),
        )
