"""Classes (CT304–CT307): how far one class or clone type dominates a benchmark, and what a detector gains from it."""

from __future__ import annotations

from collections.abc import Iterator

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Chart, Details, Finding, Severity
from clonetruth.audit.papers import HARMFUL, MISUSE, PERSPECTIVES
from clonetruth.audit.rule import ALL, LEARNING, PRECISION, Need, RuleText, rule


@rule(
    "CT304",
    Severity.INFO,
    RuleText(
        name="class-ratio",
        what="One class (clone or non-clone) holds more than `majority-share` of the labelled pairs.",
        why="In real code clones are rare; in a benchmark they are not. Accuracy, precision and F1 depend on that "
        "ratio.",
        reference=PERSPECTIVES,
        fix="Report the ratio with every metric, and report metrics that do not depend on it.",
        needs=(Need.LABELS,),
        threatens=ALL,
        thresholds={"majority-share": 0.7},
    ),
)
def class_ratio(context: AuditContext) -> Iterator[Finding]:
    rows = context.rows(
        """
        SELECT coalesce(part, 'all') AS part, sum(CASE WHEN label = 'clone' THEN 1 ELSE 0 END) AS clones,
            sum(CASE WHEN label = 'not-clone' THEN 1 ELSE 0 END) AS others
        FROM facts GROUP BY coalesce(part, 'all') ORDER BY part
        """
    )
    clones, others = sum(row["clones"] for row in rows), sum(row["others"] for row in rows)
    total, more = clones + others, max(clones, others)
    if not min(clones, others) or more <= context.threshold("majority-share") * total:
        return
    name = "clones" if clones >= others else "non-clones"
    table = tuple((row["part"], row["clones"], row["others"]) for row in rows)
    yield Finding(
        f"{more / total:.1%} of the labelled pairs are {name}",
        more,
        total,
        details=(Details("Labels by part", ("part", "clones", "non-clones"), table, Chart.BARS),),
    )


@rule(
    "CT305",
    Severity.INFO,
    RuleText(
        name="type-shares",
        what="One clone type holds more than `type-share` of the typed positives.",
        why="Recall over all types is then mostly recall on that type: 95 % of BigCloneBench's positives are WT3/T4.",
        reference=MISUSE,
        fix="Report every number per type.",
        needs=(Need.LABELS,),
        threatens=ALL,
        thresholds={"type-share": 0.5},
    ),
)
def type_shares(context: AuditContext) -> Iterator[Finding]:
    rows = context.rows(
        "SELECT type, count(*) AS n FROM facts WHERE label = 'clone' AND type IS NOT NULL "
        "GROUP BY type ORDER BY n DESC, type"
    )
    total = sum(row["n"] for row in rows)
    if len(rows) > 1 and rows[0]["n"] > context.threshold("type-share") * total:
        yield Finding(
            f"{rows[0]['n'] / total:.1%} of the typed positives are {rows[0]['type']}",
            rows[0]["n"],
            total,
            details=(
                Details(
                    "Positives by type", ("type", "positives"), tuple((r["type"], r["n"]) for r in rows), Chart.BARS
                ),
            ),
        )


@rule(
    "CT306",
    Severity.WARNING,
    RuleText(
        name="biggest-functionality-as-detector",
        what="A detector that only checks whether both fragments are in the largest functionality reaches an F1 of at "
        "least `naive-f1`.",
        why="A model that only learns to recognise the largest functionality looks good: recognising “copy file” alone "
        "gives a recall of 55 % on BigCloneBench's WT3/T4 pairs.",
        reference=MISUSE,
        fix="Report this baseline with every result; evaluate per functionality or across functionalities.",
        needs=(Need.LABELS, Need.MEMBERSHIPS),
        threatens=LEARNING,
        thresholds={"naive-f1": 0.4},
    ),
)
def biggest_as_detector(context: AuditContext) -> Iterator[Finding]:
    biggest = context.rows(
        "SELECT q.functionality AS key, u.name AS name, count(*) AS n FROM facts f "
        "JOIN pair_functionalities q ON f.pair = q.pair JOIN functionalities u ON q.functionality = u.functionality "
        "WHERE f.label = 'clone' GROUP BY q.functionality, u.name ORDER BY n DESC, key LIMIT 1"
    )
    if not biggest:
        return
    key = biggest[0]["key"]
    row = context.row(
        f"""
        WITH big AS (SELECT fragment FROM members WHERE functionality = {key})
        SELECT sum(CASE WHEN f.label = 'clone' THEN 1 ELSE 0 END) AS positives,
            sum(CASE WHEN f.label = 'not-clone' THEN 1 ELSE 0 END) AS negatives,
            sum(CASE WHEN f.label = 'clone' AND l.fragment + r.fragment IS NOT NULL THEN 1 ELSE 0 END) AS tp,
            sum(CASE WHEN f.label = 'not-clone' AND l.fragment + r.fragment IS NOT NULL THEN 1 ELSE 0 END) AS fp
        FROM facts f
        LEFT JOIN big l ON f.left_fragment = l.fragment
        LEFT JOIN big r ON f.right_fragment = r.fragment
        """
    )
    tp, fp = row["tp"], row["fp"]
    if not tp or not row["negatives"]:
        return
    recall, precision = tp / row["positives"], tp / (tp + fp)
    f1 = 2 * precision * recall / (precision + recall)
    if f1 >= context.threshold("naive-f1"):
        yield Finding(
            f"“both in {biggest[0]['name']}” alone has recall {recall:.2f}, precision {precision:.2f}, F1 {f1:.2f}: a "
            "detector must beat this",
            tp,
            row["positives"],
        )


@rule(
    "CT307",
    Severity.ERROR,
    RuleText(
        name="one-class",
        what="All labelled pairs belong to one class, or the only non-clones are textual clones that the criterion "
        "leaves out.",
        why="Without negatives, precision and specificity are undefined and a detector that always answers “clone” is "
        "perfect. A list of clones is made for measuring recall, and is sound for that. GPTCloneBench's negatives are "
        "Type-1 and Type-2 clones: measured on them, a detector of unrelated code is never tested.",
        reference=HARMFUL,
        fix="Measure recall only; estimate precision by judging a sample of the detector's reports.",
        needs=(Need.LABELS,),
        threatens=LEARNING | PRECISION,
    ),
)
def one_class(context: AuditContext) -> Iterator[Finding]:
    row = context.row(
        """
        SELECT sum(CASE WHEN label = 'clone' THEN 1 ELSE 0 END) AS clones,
            sum(CASE WHEN label = 'not-clone' THEN 1 ELSE 0 END) AS others,
            sum(CASE WHEN label = 'syntactic' THEN 1 ELSE 0 END) AS syntactic
        FROM facts
        """
    )
    clones, others, syntactic = row["clones"], row["others"], row["syntactic"]
    if clones and others:
        return
    if others:
        yield Finding(f"all {others:,} labelled pairs are non-clones", others, others)
    elif clones and syntactic:
        yield Finding(
            f"{clones:,} labelled pairs are clones and {syntactic:,} not-clone under '{context.claimed_criterion}'; "
            "these are textual clones, so that no labelled pair is unrelated code",
            syntactic,
            clones + syntactic,
            severity=Severity.WARNING,
        )
    elif clones:
        yield Finding(f"all {clones:,} labelled pairs are clones", clones, clones)
