"""Semantics (CT601–CT605): “semantic” clones that are textually similar, and claims that evidence refutes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Chart, Details, Finding, Fix, Severity
from clonetruth.audit.papers import GPTCLONEBENCH, HARMFUL, MISUSE
from clonetruth.audit.rule import LEARNING, PRECISION, Need, RuleText, rule
from clonetruth.audit.texts import known_language
from clonetruth.code import FormTable, fragment_forms

SEMANTIC = frozenset({"same-main-purpose", "functionally-similar", "equivalent-behaviour", "semantic-not-syntactic"})
"""The criteria that make a clone a semantic clone."""

_SEMANTIC_TYPES = ("T4", "WT3/T4", "WT3", "ST4", "MT4")


@rule(
    "CT601",
    Severity.WARNING,
    RuleText(
        name="syntactic-pairs-sold-as-semantic",
        what="Positives presented as semantic clones (by the criterion, or by a claimed type below MT3) that are "
        "Type-1 or Type-2, or have a similarity above `syntactic-similarity`. At most `measured-pairs` pairs are "
        "sampled and measured.",
        why="A detector of similar text finds them. GPTCloneBench's own limit is 0.75: a pair above it is syntactic.",
        reference=GPTCLONEBENCH,
        fix="Report results per measured type (`clonetruth classify`), or drop these pairs.",
        needs=(Need.LABELS, Need.TEXTS),
        threatens=LEARNING,
        thresholds={"syntactic-similarity": 0.75, "measured-pairs": 5000},
    ),
)
def syntactic_pairs(context: AuditContext) -> Iterator[Finding]:
    limit, most = context.threshold("syntactic-similarity"), int(context.threshold("measured-pairs"))
    types = ", ".join(f"'{name}'" for name in _SEMANTIC_TYPES)
    semantic = "label = 'clone'"
    if context.benchmark.card.criterion not in SEMANTIC:
        semantic += f" AND type IN ({types})"
    total = context.row(f"SELECT count(*) AS n FROM facts WHERE {semantic}")["n"]
    pairs = context.sql(
        f"SELECT pair, left_fragment, right_fragment FROM facts WHERE {semantic} AND left_fragment <> right_fragment "
        f"ORDER BY md5(concat(CAST(pair AS STRING), '/sold')) LIMIT {most}"
    )
    measured = _measured(context, pairs) if pairs.num_rows else None
    if measured is None or not measured.num_rows:
        return
    row = context.row(
        f"SELECT count(*) AS total, sum(CASE WHEN kind < 3 OR similarity > {limit} THEN 1 ELSE 0 END) AS n, "
        "sum(CASE WHEN kind < 3 THEN 1 ELSE 0 END) AS copies FROM measured",
        measured=measured,
    )
    if not row["n"]:
        return
    bins = context.rows(
        "SELECT CAST(floor(least(similarity, 0.999) * 20) AS INT) AS bin, count(*) AS n FROM measured "
        "GROUP BY CAST(floor(least(similarity, 0.999) * 20) AS INT) ORDER BY bin",
        measured=measured,
    )
    sampled = f" (in a sample of {row['total']:,} of {total:,})" if row["total"] < total else ""
    yield Finding(
        f"{row['n']:,} of {row['total']:,} positives presented as semantic clones are textually similar{sampled}: "
        f"{row['copies']:,} are Type-1 or Type-2, the others have a similarity above {limit:g}",
        row["n"],
        row["total"],
        context.pair_examples(
            "SELECT pair, CASE WHEN kind < 3 THEN concat('Type-', CAST(kind AS STRING)) ELSE "
            "concat('similarity ', CAST(round(similarity, 2) AS STRING)) END AS note FROM measured "
            f"WHERE kind < 3 OR similarity > {limit}",
            measured=measured,
        ),
        details=(
            Details(
                "Similarity of positives presented as semantic clones (the smaller of line and token similarity)",
                ("similarity from", "pairs"),
                tuple((f"{one['bin'] / 20:.2f}", one["n"]) for one in bins),
                Chart.BARS,
            ),
        ),
    )


def _measured(context: AuditContext, pairs: pa.Table) -> pa.Table:
    """Syntactic kind (1, 2, 3) and similarity of the pairs whose fragments are in the same supported language."""
    left, right = pairs["left_fragment"].to_numpy(), pairs["right_fragment"].to_numpy()
    keys = np.unique(np.concatenate([left, right]))
    wanted = pa.table({"fragment": keys})
    rows = context.rows(
        "SELECT f.language AS language, f.text AS text FROM fragments f JOIN wanted w ON f.fragment = w.fragment "
        "ORDER BY f.fragment",
        wanted=wanted,
    )
    languages = np.array([row["language"] if row["text"] and known_language(row["language"]) else "" for row in rows])
    forms = [
        fragment_forms(row["text"], known) if (known := known_language(name)) else None
        for row, name in zip(rows, languages.tolist(), strict=True)
    ]
    readable = np.flatnonzero(languages != "")
    place = np.full(len(keys), -1)
    place[readable] = np.arange(len(readable))
    table = FormTable([form for form in forms if form is not None])
    one, other = np.searchsorted(keys, left), np.searchsorted(keys, right)
    fit = (languages[one] == languages[other]) & (languages[one] != "")
    if not fit.any():
        return pa.table(
            {
                "pair": pa.array([], pa.int64()),
                "kind": pa.array([], pa.int64()),
                "similarity": pa.array([], pa.float64()),
            }
        )
    measures = table.measure(place[one[fit]], place[other[fit]])
    return pa.table(
        {
            "pair": pairs["pair"].to_numpy()[fit],
            "kind": measures.syntactic.astype(np.int64),
            "similarity": np.minimum(measures.line, measures.token),
        }
    )


@rule(
    "CT603",
    Severity.ERROR,
    RuleText(
        name="refuted-claims",
        what="Claims on pairs that most of the people and LLMs who judged the pair contradict.",
        why="A rule's claim is not evidence; a judgement is. Of 406 sampled pairs that BigCloneBench claims as clones, "
        "experts confirmed 27.",
        reference=MISUSE,
        fix="Evaluate on verdicts instead of claims, and estimate the error rate of the pairs that were never judged.",
        needs=(Need.LABELS, Need.EVIDENCE),
        threatens=LEARNING | PRECISION,
    ),
)
def refuted_claims(context: AuditContext) -> Iterator[Finding]:
    votes = "concat(CAST(clones AS STRING), ' say clone, ', CAST(others AS STRING), ' say not')"
    claimed = "SELECT pair, {} AS votes FROM facts WHERE claim = '{}' AND {}"
    yield from _refuted(
        context,
        claimed.format(votes, "clone", "others > clones"),
        "claimed clones that were judged are refuted",
        "votes",
    )
    yield from _refuted(
        context,
        claimed.format(votes, "not-clone", "clones > others"),
        "claimed non-clones that were judged are clones",
        "votes",
        claim="not-clone",
    )


def _refuted(context: AuditContext, cases: str, message: str, note: str, claim: str = "clone") -> Iterator[Finding]:
    count = context.row(f"SELECT count(*) AS n FROM ({cases}) c")["n"]
    if count:
        total = context.row(f"SELECT count(*) AS n FROM facts WHERE claim = '{claim}' AND clones + others > 0")["n"]
        yield Finding(
            f"{count:,} of {total:,} {message}",
            count,
            total,
            context.pair_examples(f"SELECT pair, {note} AS note FROM ({cases}) c"),
            fix=Fix("unlabel-pairs", "Let the evidence decide: use the verdicts of the default policy."),
        )


@rule(
    "CT604",
    Severity.ERROR,
    RuleText(
        name="weak-members",
        what="Positives with a fragment for which the functionality is not the main purpose, according to most of its "
        "judges (minor, incomplete, wrong, test).",
        why="Two fragments that only use a functionality on the way to something else do not share a purpose.",
        reference=HARMFUL,
        fix="Keep only pairs of members that were judged `major` (the policy `members`).",
        needs=(Need.LABELS, Need.EVIDENCE),
        threatens=LEARNING | PRECISION,
    ),
)
def weak_members(context: AuditContext) -> Iterator[Finding]:
    standing = """
    SELECT fragment, functionality,
        max(CASE WHEN 2 * major > decided THEN 0 ELSE 1 END) AS weak
    FROM (
        SELECT fragment, functionality, sum(CASE WHEN value = 'major' THEN 1 ELSE 0 END) AS major, count(*) AS decided
        FROM member_judgements WHERE value <> 'undecided' GROUP BY fragment, functionality
    ) votes GROUP BY fragment, functionality
    """
    # Not a join condition: an engine would pair all members of a functionality first.
    same = "CASE WHEN l.functionality = r.functionality THEN 1 ELSE 0 END = 1"
    cases = f"""
    SELECT f.pair AS pair, max(l.weak) + max(r.weak) AS weak
    FROM facts f
    JOIN ({standing}) l ON f.left_fragment = l.fragment
    JOIN ({standing}) r ON f.right_fragment = r.fragment
    WHERE f.claim = 'clone' AND {same} GROUP BY f.pair
    """
    row = context.row(f"SELECT count(*) AS total, sum(CASE WHEN weak > 0 THEN 1 ELSE 0 END) AS n FROM ({cases}) c")
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} positives with judged fragments have one with another main purpose",
            row["n"],
            row["total"],
            context.pair_examples(
                "SELECT pair, concat(CAST(weak AS STRING), ' of 2 have another main purpose') AS note "
                f"FROM ({cases}) c WHERE weak > 0"
            ),
        )


@rule(
    "CT605",
    Severity.ERROR,
    RuleText(
        name="refuted-elsewhere",
        what="Claims on pairs that the judges of another benchmark contradict (`--against`). Fragments are matched by "
        "id, or by the words of their texts if no ids match.",
        why="Lists derived from the same dataset share pairs, so what experts found about one list holds for the "
        "other: a pair that experts rejected has the label 1 in a CodeXGLUE training file.",
        reference=MISUSE,
        fix="Import the judgements of the other benchmark, and evaluate on verdicts.",
        needs=(Need.LABELS,),
        threatens=LEARNING | PRECISION,
    ),
)
def refuted_elsewhere(context: AuditContext) -> Iterator[Finding]:
    if not context.against:
        return
    cases = """
    SELECT f.pair AS pair, max(concat('claimed ', f.claim, '; in ', e.benchmark, ' ', CAST(e.clones AS STRING),
        ' say clone, ', CAST(e.others AS STRING), ' say not')) AS note
    FROM facts f JOIN elsewhere e ON f.pair = e.pair
    WHERE (f.claim = 'clone' AND e.others > e.clones) OR (f.claim = 'not-clone' AND e.clones > e.others)
    GROUP BY f.pair
    """
    count = context.row(f"SELECT count(*) AS n FROM ({cases}) c", elsewhere=context.elsewhere)["n"]
    if count:
        both = context.row(
            "SELECT count(DISTINCT pair) AS n FROM elsewhere WHERE clones + others > 0", elsewhere=context.elsewhere
        )["n"]
        yield Finding(
            f"{count:,} of {both:,} claims on pairs that were judged in another benchmark are refuted there",
            count,
            both,
            context.pair_examples(f"SELECT pair, note FROM ({cases}) c", elsewhere=context.elsewhere),
        )
