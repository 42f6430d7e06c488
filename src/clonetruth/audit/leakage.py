"""Leakage (CT501–CT504): pairs, fragments and texts that train and test have in common."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from clonetruth.audit.context import EXAMPLES, AuditContext
from clonetruth.audit.finding import Example, Finding, Fix, Severity
from clonetruth.audit.papers import DUPLICATION, PERSPECTIVES
from clonetruth.audit.rule import LEARNING, Need, RuleText, rule

# Borders between the parts of a split, in words and in SQL.

Border = tuple[str, str, str]
"""A division, its earlier part and its later part."""


def where(border: Border) -> str:
    """The two parts in words, with the name of a view."""
    division, earlier, later = border
    return f"{later} and {earlier}" + ("" if division == "claimed" else f" of {division}")


def side(border: Border, part: str) -> str:
    """The condition for one of its parts on `divisions`."""
    return f"division = '{border[0]}' AND part = '{part}'"


def fragments_of(border: Border, part: str) -> str:
    """The SELECT of the fragments of one of its parts."""
    condition = side(border, part)
    return (
        f"SELECT left_fragment AS fragment FROM divisions WHERE {condition} "
        f"UNION SELECT right_fragment AS fragment FROM divisions WHERE {condition}"
    )


def severity_of(context: AuditContext, border: Border) -> Severity | None:
    """What leaks into valid spoils the choice of a model; its result only where there is no test part."""
    division, earlier, later = border
    return (
        Severity.WARNING if (earlier, later) == ("train", "valid") and "test" in context.divisions[division] else None
    )


@rule(
    "CT501",
    Severity.ERROR,
    RuleText(
        name="same-pair",
        what="Pairs that are in two parts of a split, in the same order or reversed.",
        why="The answer is in the training set. Of FCDetector's 29,240 valid pairs 12,716 are in train.",
        reference=DUPLICATION,
        mending="Drop these pairs from the later part, or divide fragments instead of pairs.",
        needs=(Need.PARTS,),
        threatens=LEARNING,
    ),
)
def same_pair(context: AuditContext) -> Iterator[Finding]:
    for border in context.borders:
        _, earlier, later = border
        shared = f"""
        SELECT a.pair_key AS pair_key, min(a.pair) AS pair FROM divisions a
        JOIN (SELECT DISTINCT pair_key FROM divisions WHERE {side(border, earlier)}) b ON a.pair_key = b.pair_key
        WHERE a.division = '{border[0]}' AND a.part = '{later}' GROUP BY a.pair_key
        """
        count = context.row(f"SELECT count(*) AS n FROM ({shared}) s")["n"]
        if not count:
            continue
        total = context.row(f"SELECT count(DISTINCT pair_key) AS n FROM divisions WHERE {side(border, later)}")["n"]
        mend = None
        if border[0] == "claimed":
            mend = Fix(
                "drop-pairs",
                f"Drop the pairs of {later} that are in {earlier}.",
                f"SELECT pair FROM pairs WHERE claimed_part = '{later}' AND pair_key IN "
                f"(SELECT pair_key FROM pairs WHERE claimed_part = '{earlier}')",
            )
        yield Finding(
            f"{count:,} of {total:,} distinct pairs of {later} are in {earlier} too ({where(border)})",
            count,
            total,
            context.pair_examples(f"SELECT pair, 'in {earlier} and {later}' AS note FROM ({shared}) s"),
            mend=mend,
            severity=severity_of(context, border),
        )


@rule(
    "CT502",
    Severity.ERROR,
    RuleText(
        name="same-fragment",
        what="Fragments that are in two parts of a split.",
        why="A model can remember fragments; a pair of two remembered fragments tests memory. All functions of "
        "FCDetector's valid pairs are in train.",
        reference=PERSPECTIVES,
        mending="Divide the fragments first, and make pairs within each part (`clonetruth split`).",
        needs=(Need.PARTS,),
        threatens=LEARNING,
    ),
)
def same_fragment(context: AuditContext) -> Iterator[Finding]:
    for border in context.borders:
        _, earlier, later = border
        row = context.row(
            f"""
            SELECT count(*) AS total, count(e.fragment) AS n
            FROM ({fragments_of(border, later)}) l
            LEFT JOIN ({fragments_of(border, earlier)}) e ON l.fragment = e.fragment
            """
        )
        if row["n"]:
            every = "every one" if row["n"] == row["total"] else f"{row['n']:,}"
            yield Finding(
                f"{every} of {row['total']:,} fragments of {later} {'is' if every == 'every one' else 'are'} in "
                f"{earlier} too ({where(border)})",
                row["n"],
                row["total"],
                context.fragment_examples(
                    f"SELECT l.fragment AS fragment, 'in {earlier} and {later}' AS note "
                    f"FROM ({fragments_of(border, later)}) l "
                    f"JOIN ({fragments_of(border, earlier)}) e ON l.fragment = e.fragment"
                ),
                mend=Fix("split", "Divide the fragments, then pair them.", parameters={"view": "random"}),
                severity=severity_of(context, border),
            )


@rule(
    "CT503",
    Severity.ERROR,
    RuleText(
        name="same-text",
        what="Fragments of a later part whose text, up to white space, is in an earlier part under another id.",
        why="Ids may be disjoint and texts the same: of the 911 test functions of a CodeXGLUE sample 126 have a twin "
        "in train.",
        reference=DUPLICATION,
        mending="Split by text: keep all fragments of one text in one part.",
        needs=(Need.PARTS, Need.TEXTS),
        threatens=LEARNING,
    ),
)
def same_text(context: AuditContext) -> Iterator[Finding]:
    for border in context.borders:
        _, earlier, later = border
        twins = f"""
        SELECT l.fragment AS one, min(b.fragment) AS other FROM ({fragments_of(border, later)}) l
        JOIN text_facts a ON l.fragment = a.fragment
        JOIN text_facts b ON a.digest = b.digest AND a.fragment <> b.fragment
        JOIN ({fragments_of(border, earlier)}) e ON b.fragment = e.fragment
        GROUP BY l.fragment
        """
        yield from _twins(
            context, border, context.sql(twins), "have a twin (the same text, another id) in", "same text"
        )


def _twins(context: AuditContext, border: Border, twins: pa.Table, words: str, note: str) -> Iterator[Finding]:
    """A finding on fragments (`one`) of a later part that have a twin (`other`) in an earlier one."""
    if not twins.num_rows:
        return
    _, earlier, later = border
    total = context.row(f"SELECT count(*) AS n FROM ({fragments_of(border, later)}) l")["n"]
    rows = context.rows(
        "SELECT a.id AS one, b.id AS other FROM twins t JOIN fragments a ON t.one = a.fragment "
        f"JOIN fragments b ON t.other = b.fragment ORDER BY t.one LIMIT {EXAMPLES}",
        twins=twins,
    )
    yield Finding(
        f"{twins.num_rows:,} of {total:,} fragments of {later} {words} {earlier}",
        twins.num_rows,
        total,
        tuple(Example((row["one"], row["other"]), f"{note}, in {later} and {earlier}") for row in rows),
        mend=Fix("split", "Keep all fragments of one text in one part.", parameters={"group": note.replace(" ", "-")}),
        severity=severity_of(context, border),
    )


@rule(
    "CT504",
    Severity.WARNING,
    RuleText(
        name="near-duplicate-text",
        what="Fragments of a later part with a near duplicate (see CT205) of another text in an earlier part.",
        why="A near copy is remembered as well as a copy.",
        reference=DUPLICATION,
        mending="Keep near duplicates in one part.",
        needs=(Need.PARTS, Need.TEXTS),
        threatens=LEARNING,
    ),
)
def near_duplicate(context: AuditContext) -> Iterator[Finding]:
    groups = context.near_duplicates
    bag, pairs = groups.bag, groups.pairs
    one, other = np.concatenate([pairs.left, pairs.right]), np.concatenate([pairs.right, pairs.left])
    for border in context.borders:
        _, earlier, later = border
        before, after = (context.sql(fragments_of(border, part))["fragment"].to_numpy() for part in (earlier, later))
        before, after = before[bag[before] >= 0], after[bag[after] >= 0]
        # The first fragment of the earlier part that has each bag; -1 where it has none.
        holder = np.full(len(bag), -1, dtype=np.int64)
        holder[bag[before][::-1]] = before[::-1]
        twin = np.full(len(bag), -1, dtype=np.int64)
        found = holder[other] >= 0
        twin[one[found][::-1]] = holder[other[found]][::-1]
        near = twin[bag[after]]
        # The same words make a near duplicate too, unless they make the same text (CT503).
        same = holder[bag[after]]
        other_text = (same >= 0) & (context.digests[same] != context.digests[after])
        near = np.where((near < 0) & other_text, same, near)
        twins = pa.table({"one": after[near >= 0], "other": near[near >= 0]})
        yield from _twins(context, border, twins, "have a near duplicate in", "near duplicate")
