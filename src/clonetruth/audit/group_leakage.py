"""Group leakage (CT505–CT507): parts of a split that share functionalities, projects or seeds, though no text."""

from __future__ import annotations

from collections.abc import Iterator

from clonetruth.audit.context import EXAMPLES, AuditContext
from clonetruth.audit.finding import Details, Finding, Fix, Severity
from clonetruth.audit.papers import GENERALIZABILITY, GPTCLONEBENCH, PERSPECTIVES
from clonetruth.audit.rule import LEARNING, Need, RuleText, rule


@rule(
    "CT505",
    Severity.INFO,
    RuleText(
        name="same-functionality",
        what="Functionalities that occur in two parts of a split.",
        why="Results then hold only for functionalities seen in training. On unseen ones CodeBERT's F1 drops, and "
        "other models lose up to 0.5.",
        reference=f"{GENERALIZABILITY}; {PERSPECTIVES}",
        fix="Also evaluate across functionalities (`clonetruth split --view cross-functionality`).",
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
        what="Projects or authors that occur in two parts of a split.",
        why="Code of one project shares names, idioms and helper functions, so a model may recognise the project "
        "instead of the function.",
        reference=PERSPECTIVES,
        fix="Also evaluate across projects (`clonetruth split --view cross-project`).",
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


def _grouped(context: AuditContext, labels: str, name: str, view: str) -> Iterator[Finding]:
    """A finding for every two parts that share labels of fragments."""
    for boundary in context.boundaries:
        earlier, later = boundary.earlier, boundary.later
        sides = [
            f"SELECT DISTINCT g.label AS label FROM ({boundary.fragments(part)}) f JOIN ({labels}) g "
            "ON f.fragment = g.fragment"
            for part in (later, earlier)
        ]
        row = context.row(
            f"SELECT count(*) AS total, count(e.label) AS n FROM ({sides[0]}) l "
            f"LEFT JOIN ({sides[1]}) e ON l.label = e.label"
        )
        if row["n"]:
            yield Finding(
                f"{row['n']:,} of {row['total']:,} {name} of {later} are in {earlier} too ({boundary})",
                row["n"],
                row["total"],
                fix=Fix("split", f"Split by {name}.", parameters={"view": view}),
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
        what="Pairs generated from few seed functions (on average at least `seed-pairs` pairs per first function), and "
        "whether the pairs of one seed are in two parts of a split.",
        why="The pairs of one seed are variations of one function: they are not independent observations, and a random "
        "split puts variations of every seed into train. GPTCloneBench's 12,942 Java files stem from 644 first "
        "functions.",
        reference=GPTCLONEBENCH,
        fix="Split by first function, and use it as the cluster when computing intervals.",
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
    # Generated pairs are lopsided: few first texts, second texts that hardly repeat.
    if not row["seeds"] or row["pairs"] < context.threshold("seed-pairs") * row["seeds"] or others < 2 * row["seeds"]:
        return
    largest = context.rows(
        f"SELECT f.id AS id, s.pairs AS pairs FROM ({_SEEDS}) s JOIN fragments f ON s.first = f.fragment "
        "ORDER BY s.pairs DESC, s.first LIMIT 10"
    )
    yield Finding(
        f"{row['pairs']:,} pairs come from {row['seeds']:,} first functions; split by first function",
        row["seeds"],
        row["pairs"],
        context.pair_examples(
            f"SELECT pair, concat('one of ', CAST(pairs AS STRING), ' pairs of its first function') AS note FROM "
            f"(SELECT pair, pairs FROM ({_SEEDS}) s ORDER BY pairs DESC, pair LIMIT {EXAMPLES}) most"
        ),
        details=(
            Details(
                "First functions with the most pairs",
                ("first function", "pairs"),
                tuple((one["id"], one["pairs"]) for one in largest),
            ),
        ),
        fix=Fix("split", "Keep all pairs of one first function in one part.", parameters={"group": "first-function"}),
    )
    seeds = (
        "SELECT DISTINCT t.digest AS seed FROM divisions d JOIN text_facts t ON d.left_fragment = t.fragment WHERE {}"
    )
    for boundary in context.boundaries:
        earlier, later = boundary.earlier, boundary.later
        shared = context.row(
            f"SELECT count(*) AS total, count(e.seed) AS n FROM ({seeds.format(boundary.condition(later))}) l "
            f"LEFT JOIN ({seeds.format(boundary.condition(earlier))}) e ON l.seed = e.seed"
        )
        if shared["n"]:
            yield Finding(
                f"{shared['n']:,} of {shared['total']:,} first functions of {later} are in {earlier} too",
                shared["n"],
                shared["total"],
                severity=Severity.ERROR,
            )
