"""Leakage (CT501–CT504): pairs, fragments and texts that two parts of a split have in common."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from clonetruth.audit.context import EXAMPLES, AuditContext, PartBoundary
from clonetruth.audit.finding import Example, Finding, Fix, Severity
from clonetruth.audit.papers import DUPLICATION, PERSPECTIVES
from clonetruth.audit.rule import LEARNING, Need, RuleText, rule


def _severity(context: AuditContext, boundary: PartBoundary) -> Severity | None:
    """Leakage into valid spoils model selection, but the result only if there is no test part."""
    into_valid = (boundary.earlier, boundary.later) == ("train", "valid")
    return Severity.WARNING if into_valid and "test" in context.divisions[boundary.division] else None


@rule(
    "CT501",
    Severity.ERROR,
    RuleText(
        name="same-pair",
        what="Pairs that occur in two parts of a split, in the same order or reversed.",
        why="The answer is in the training set. Of FCDetector's 29,240 validation pairs, 12,716 are also in train.",
        reference=DUPLICATION,
        fix="Drop these pairs from the later part, or split fragments instead of pairs.",
        needs=(Need.PARTS,),
        threatens=LEARNING,
    ),
)
def same_pair(context: AuditContext) -> Iterator[Finding]:
    for boundary in context.boundaries:
        earlier, later = boundary.earlier, boundary.later
        shared = f"""
        SELECT a.pair_key AS pair_key, min(a.pair) AS pair FROM divisions a
        JOIN (SELECT DISTINCT pair_key FROM divisions WHERE {boundary.condition(earlier)}) b ON a.pair_key = b.pair_key
        WHERE a.division = '{boundary.division}' AND a.part = '{later}' GROUP BY a.pair_key
        """
        count = context.row(f"SELECT count(*) AS n FROM ({shared}) s")["n"]
        if not count:
            continue
        total = context.row(f"SELECT count(DISTINCT pair_key) AS n FROM divisions WHERE {boundary.condition(later)}")[
            "n"
        ]
        fix = None
        if boundary.division == "claimed":
            fix = Fix(
                "drop-pairs",
                f"Drop the pairs of {later} that are in {earlier}.",
                f"SELECT pair FROM pairs WHERE claimed_part = '{later}' AND pair_key IN "
                f"(SELECT pair_key FROM pairs WHERE claimed_part = '{earlier}')",
            )
        yield Finding(
            f"{count:,} of {total:,} distinct pairs of {later} are in {earlier} too ({boundary})",
            count,
            total,
            context.pair_examples(f"SELECT pair, 'in {earlier} and {later}' AS note FROM ({shared}) s"),
            fix=fix,
            severity=_severity(context, boundary),
        )


@rule(
    "CT502",
    Severity.ERROR,
    RuleText(
        name="same-fragment",
        what="Fragments that occur in two parts of a split.",
        why="A model can memorise fragments, and a pair of two memorised fragments tests memory. All functions of "
        "FCDetector's validation pairs are also in train.",
        reference=PERSPECTIVES,
        fix="Split the fragments first, then form pairs within each part (`clonetruth split`).",
        needs=(Need.PARTS,),
        threatens=LEARNING,
    ),
)
def same_fragment(context: AuditContext) -> Iterator[Finding]:
    for boundary in context.boundaries:
        earlier, later = boundary.earlier, boundary.later
        row = context.row(
            f"""
            SELECT count(*) AS total, count(e.fragment) AS n
            FROM ({boundary.fragments(later)}) l
            LEFT JOIN ({boundary.fragments(earlier)}) e ON l.fragment = e.fragment
            """
        )
        if row["n"]:
            every = "every one" if row["n"] == row["total"] else f"{row['n']:,}"
            yield Finding(
                f"{every} of {row['total']:,} fragments of {later} {'is' if every == 'every one' else 'are'} in "
                f"{earlier} too ({boundary})",
                row["n"],
                row["total"],
                context.fragment_examples(
                    f"SELECT l.fragment AS fragment, 'in {earlier} and {later}' AS note "
                    f"FROM ({boundary.fragments(later)}) l "
                    f"JOIN ({boundary.fragments(earlier)}) e ON l.fragment = e.fragment"
                ),
                fix=Fix("split", "Split the fragments, then pair them.", parameters={"view": "random"}),
                severity=_severity(context, boundary),
            )


@rule(
    "CT503",
    Severity.ERROR,
    RuleText(
        name="same-text",
        what="Fragments of a later part whose text, ignoring white space, is in an earlier part under another id.",
        why="Disjoint ids do not mean disjoint texts: of the 911 test functions of a CodeXGLUE sample, 126 have a twin "
        "in train.",
        reference=DUPLICATION,
        fix="Split by text: keep all fragments with the same text in one part.",
        needs=(Need.PARTS, Need.TEXTS),
        threatens=LEARNING,
    ),
)
def same_text(context: AuditContext) -> Iterator[Finding]:
    for boundary in context.boundaries:
        earlier, later = boundary.earlier, boundary.later
        twins = f"""
        SELECT l.fragment AS one, min(b.fragment) AS other FROM ({boundary.fragments(later)}) l
        JOIN text_facts a ON l.fragment = a.fragment
        JOIN text_facts b ON a.digest = b.digest AND a.fragment <> b.fragment
        JOIN ({boundary.fragments(earlier)}) e ON b.fragment = e.fragment
        GROUP BY l.fragment
        """
        yield from _twins(context, boundary, context.sql(twins), "have a twin (same text, other id) in", "same text")


def _twins(
    context: AuditContext, boundary: PartBoundary, twins: pa.Table, message: str, note: str
) -> Iterator[Finding]:
    """A finding about fragments (`one`) of a later part that have a twin (`other`) in an earlier part."""
    if not twins.num_rows:
        return
    earlier, later = boundary.earlier, boundary.later
    total = context.row(f"SELECT count(*) AS n FROM ({boundary.fragments(later)}) l")["n"]
    rows = context.rows(
        "SELECT a.id AS one, b.id AS other FROM twins t JOIN fragments a ON t.one = a.fragment "
        f"JOIN fragments b ON t.other = b.fragment ORDER BY t.one LIMIT {EXAMPLES}",
        twins=twins,
    )
    yield Finding(
        f"{twins.num_rows:,} of {total:,} fragments of {later} {message} {earlier}",
        twins.num_rows,
        total,
        tuple(Example((row["one"], row["other"]), f"{note}, in {later} and {earlier}") for row in rows),
        fix=Fix(
            "split", "Keep all fragments with the same text in one part.", parameters={"group": note.replace(" ", "-")}
        ),
        severity=_severity(context, boundary),
    )


@rule(
    "CT504",
    Severity.WARNING,
    RuleText(
        name="near-duplicate-text",
        what="Fragments of a later part that have a near duplicate (see CT205) in an earlier part.",
        why="A model memorises a near copy as well as an exact copy.",
        reference=DUPLICATION,
        fix="Keep near duplicates in the same part.",
        needs=(Need.PARTS, Need.TEXTS),
        threatens=LEARNING,
    ),
)
def near_duplicate(context: AuditContext) -> Iterator[Finding]:
    groups = context.near_duplicates
    bag, pairs = groups.bag, groups.pairs
    one, other = np.concatenate([pairs.left, pairs.right]), np.concatenate([pairs.right, pairs.left])
    for boundary in context.boundaries:
        earlier, later = boundary.earlier, boundary.later
        before, after = (context.sql(boundary.fragments(part))["fragment"].to_numpy() for part in (earlier, later))
        before, after = before[bag[before] >= 0], after[bag[after] >= 0]
        # For each bag, the first fragment of the earlier part that has it, or -1.
        holder = np.full(len(bag), -1, dtype=np.int64)
        holder[bag[before][::-1]] = before[::-1]
        twin = np.full(len(bag), -1, dtype=np.int64)
        found = holder[other] >= 0
        twin[one[found][::-1]] = holder[other[found]][::-1]
        near = twin[bag[after]]
        # The same words make a near duplicate too, unless the text is the same (CT503).
        same = holder[bag[after]]
        other_text = (same >= 0) & (context.digests[same] != context.digests[after])
        near = np.where((near < 0) & other_text, same, near)
        twins = pa.table({"one": after[near >= 0], "other": near[near >= 0]})
        yield from _twins(context, boundary, twins, "have a near duplicate in", "near duplicate")
