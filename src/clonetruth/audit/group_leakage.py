"""Kinship (CT505–CT507): parts that share functionalities, projects or seeds, though no text."""

from __future__ import annotations

from collections.abc import Iterator

from clonetruth.audit.context import EXAMPLES, AuditContext
from clonetruth.audit.finding import Details, Finding, Fix, Severity
from clonetruth.audit.leakage import fragments_of, side, where
from clonetruth.audit.papers import GENERALIZABILITY, GPTCLONEBENCH, PERSPECTIVES
from clonetruth.audit.rule import LEARNING, Need, RuleText, rule


@rule(
    "CT505",
    Severity.INFO,
    RuleText(
        name="same-functionality",
        what="Functionalities that are in two parts of a split.",
        why="Results then hold for known functionalities only; on unseen ones CodeBERT's F1 falls, and models "
        "lose up to 0.5.",
        reference=f"{GENERALIZABILITY}; {PERSPECTIVES}",
        mending="Evaluate across functionalities too (`clonetruth split --view cross-functionality`).",
        needs=(Need.PARTS, Need.MEMBERSHIPS),
        threatens=LEARNING,
    ),
)
def same_functionality(context: AuditContext) -> Iterator[Finding]:
    yield from _grouped(
        context,
        "SELECT fragment, CAST(functionality AS STRING) AS label FROM members",
        "functionalities",
        "cross-functionality",
    )


@rule(
    "CT506",
    Severity.INFO,
    RuleText(
        name="same-project",
        what="Projects or authors that are in two parts of a split.",
        why="Code of one project shares names, habits and helpers; a model may recognise the house instead of the "
        "function.",
        reference=PERSPECTIVES,
        mending="Evaluate across projects too (`clonetruth split --view cross-project`).",
        needs=(Need.PARTS, Need.PROJECTS),
        threatens=LEARNING,
    ),
)
def same_project(context: AuditContext) -> Iterator[Finding]:
    yield from _grouped(
        context,
        "SELECT fragment, project AS label FROM fragments WHERE project IS NOT NULL",
        "projects",
        "cross-project",
    )


def _grouped(context: AuditContext, labels: str, words: str, view: str) -> Iterator[Finding]:
    for border in context.borders:
        _, earlier, later = border
        sides = [
            f"SELECT DISTINCT g.label AS label FROM ({fragments_of(border, part)}) f JOIN ({labels}) g "
            "ON f.fragment = g.fragment"
            for part in (later, earlier)
        ]
        row = context.row(
            f"SELECT count(*) AS total, count(e.label) AS n FROM ({sides[0]}) l "
            f"LEFT JOIN ({sides[1]}) e ON l.label = e.label"
        )
        if row["n"]:
            yield Finding(
                f"{row['n']:,} of {row['total']:,} {words} of {later} are in {earlier} too ({where(border)})",
                row["n"],
                row["total"],
                mend=Fix("split", f"Divide by {words}.", parameters={"view": view}),
            )


_SEEDS = """
SELECT t.digest AS seed, count(*) AS pairs, min(f.pair) AS pair, min(f.left_fragment) AS first
FROM facts f JOIN text_facts t ON f.left_fragment = t.fragment GROUP BY t.digest
"""


@rule(
    "CT507",
    Severity.INFO,
    RuleText(
        name="same-seed",
        what="Pairs that were generated from few first functions (`seed-pairs` pairs or more for each), and whether "
        "the pairs of one are in two parts of a split.",
        why="Pairs of one seed are variations of one function: they are no independent observations, and a random "
        "split puts variations of every seed into train. GPTCloneBench's 12,942 Java files have 644 first functions.",
        reference=GPTCLONEBENCH,
        mending="Split by first function, and take it as the cluster of every interval.",
        needs=(Need.PAIRS, Need.TEXTS),
        threatens=LEARNING,
        thresholds={"seed-pairs": 3},
    ),
)
def same_seed(context: AuditContext) -> Iterator[Finding]:
    row = context.row(f"SELECT count(*) AS seeds, sum(pairs) AS pairs FROM ({_SEEDS}) s")
    others = context.row(
        "SELECT count(DISTINCT t.digest) AS n FROM facts f JOIN text_facts t ON f.right_fragment = t.fragment"
    )["n"]
    # Generated pairs are lopsided: few first texts, and second texts that hardly repeat.
    if not row["seeds"] or row["pairs"] < context.threshold("seed-pairs") * row["seeds"] or others < 2 * row["seeds"]:
        return
    largest = context.rows(
        f"SELECT f.id AS id, s.pairs AS pairs FROM ({_SEEDS}) s JOIN fragments f ON s.first = f.fragment "
        "ORDER BY s.pairs DESC, s.first LIMIT 10"
    )
    yield Finding(
        f"{row['pairs']:,} pairs come from {row['seeds']:,} first functions: split by them",
        row["seeds"],
        row["pairs"],
        context.pair_examples(
            f"SELECT pair, concat('one of ', CAST(pairs AS STRING), ' pairs of its first function') AS note FROM "
            f"(SELECT pair, pairs FROM ({_SEEDS}) s ORDER BY pairs DESC, pair LIMIT {EXAMPLES}) most"
        ),
        details=(
            Details("The largest", ("first function", "pairs"), tuple((one["id"], one["pairs"]) for one in largest)),
        ),
        mend=Fix("split", "Keep all pairs of one first function in one part.", parameters={"group": "first-function"}),
    )
    seeds = (
        "SELECT DISTINCT t.digest AS seed FROM divisions d JOIN text_facts t ON d.left_fragment = t.fragment WHERE {}"
    )
    for border in context.borders:
        _, earlier, later = border
        shared = context.row(
            f"SELECT count(*) AS total, count(e.seed) AS n FROM ({seeds.format(side(border, later))}) l "
            f"LEFT JOIN ({seeds.format(side(border, earlier))}) e ON l.seed = e.seed"
        )
        if shared["n"]:
            yield Finding(
                f"{shared['n']:,} of {shared['total']:,} first functions of {later} are in {earlier} too",
                shared["n"],
                shared["total"],
                severity=Severity.ERROR,
            )
