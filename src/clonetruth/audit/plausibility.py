"""Plausibility (CT112–CT115): claims that published values, sizes or texts make doubtful."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from clonetruth.audit.context import EXAMPLES, AuditContext
from clonetruth.audit.finding import Details, Example, Finding, Severity
from clonetruth.audit.papers import CUTS, HARMFUL
from clonetruth.audit.rule import ALL, LEARNING, PRECISION, Need, RuleText, rule
from clonetruth.code import subwords
from clonetruth.store import TableLike

_MIN_TYPE = """
CASE
    WHEN least(claimed_similarity_line, claimed_similarity_token) >= 0.9 THEN 'VST3'
    WHEN least(claimed_similarity_line, claimed_similarity_token) >= 0.7 THEN 'ST3'
    WHEN least(claimed_similarity_line, claimed_similarity_token) >= 0.5 THEN 'MT3'
    ELSE 'WT3/T4'
END
"""

_RECUT = f"""
SELECT pair, claimed_type AS claimed, {_MIN_TYPE} AS other,
    coalesce(claimed_cut_rule, 'unnamed rule') AS cut_rule
FROM pairs
WHERE claimed_type IN ('VST3', 'ST3', 'MT3', 'WT3/T4')
    AND claimed_similarity_line IS NOT NULL AND claimed_similarity_token IS NOT NULL
"""

_TWO_RULES = """
SELECT min(f.pair) AS pair, min(f.type) AS claimed, max(f.type) AS other
FROM facts f JOIN repeats r ON f.pair_key = r.pair_key
WHERE f.type IS NOT NULL AND f.cut_rule IS NOT NULL
GROUP BY f.pair_key HAVING count(DISTINCT f.cut_rule) > 1 AND count(DISTINCT f.type) > 1
"""


@rule(
    "CT112",
    Severity.WARNING,
    RuleText(
        name="cut-rules-differ",
        what="Clone types that would differ under BigCloneBench's own cut rule (the smaller similarity), or that "
        "differ in another list.",
        why="The same type names stand for different cuts: by the smaller similarity, by the mean, by lines alone. "
        "Numbers “on ST3” are not comparable across them: 6,279 pairs are ST3 in ASTNN's list and MT3 in Toma's.",
        reference=CUTS,
        fix="State the cut rule with every number per type, or measure the types yourself (`clonetruth classify`).",
        needs=(Need.PAIRS,),
        threatens=ALL,
    ),
)
def cut_rules_differ(context: AuditContext) -> Iterator[Finding]:
    # A list without VST3 calls those pairs ST3.
    types = {row["type"] for row in context.rows("SELECT DISTINCT claimed_type AS type FROM pairs")}
    same = "other" if "VST3" in types else "CASE WHEN other = 'VST3' THEN 'ST3' ELSE other END"
    yield from _differences(
        context,
        f"SELECT pair, claimed, {same} AS other FROM ({_RECUT}) recut",
        "of {total:,} claimed types would differ if cut by the smaller of the published similarities",
    )
    yield from _differences(context, _TWO_RULES, "pairs have different types under the cut rules of their rows")
    if context.against:
        yield from _differences(
            context,
            "SELECT f.pair AS pair, f.type AS claimed, e.type AS other FROM facts f "
            "JOIN elsewhere e ON f.pair = e.pair WHERE f.type IS NOT NULL AND e.type IS NOT NULL",
            "of {total:,} pairs that both lists type have a different type in the other list",
            elsewhere=context.elsewhere,
        )


def _differences(context: AuditContext, cases: str, message: str, **extra: TableLike) -> Iterator[Finding]:
    rows = context.rows(
        f"SELECT claimed, other, count(DISTINCT pair) AS pairs FROM ({cases}) c GROUP BY claimed, other "
        "ORDER BY pairs DESC, claimed, other",
        **extra,
    )
    total = sum(row["pairs"] for row in rows)
    differ = [row for row in rows if row["claimed"] != row["other"]]
    count = sum(row["pairs"] for row in differ)
    if count:
        examples = f"SELECT pair, concat(claimed, ' or ', other) AS note FROM ({cases}) c WHERE claimed <> other"
        yield Finding(
            f"{count:,} {message.format(total=total)}",
            count,
            total,
            context.pair_examples(examples, EXAMPLES, **extra),
            details=(
                Details(
                    "Types that differ",
                    ("claimed type", "other type", "pairs"),
                    tuple((row["claimed"], row["other"], row["pairs"]) for row in differ),
                ),
            ),
        )


@rule(
    "CT113",
    Severity.WARNING,
    RuleText(
        name="sizes-differ",
        what="Positives whose fragments differ in size by more than a factor of `size-factor` (in lines of code).",
        why="A method of 762 lines and one of 3 lines may both copy a file, but they do not share a purpose: the large "
        "one does much else. Such pairs are clones only under the criterion “contains the functionality”.",
        reference=HARMFUL,
        fix="Exclude them from a benchmark of whole-function similarity, or have them judged.",
        needs=(Need.LABELS, Need.TEXTS),
        threatens=LEARNING | PRECISION,
        thresholds={"size-factor": 10},
    ),
)
def sizes_differ(context: AuditContext) -> Iterator[Finding]:
    factor = context.threshold("size-factor")
    cases = """
    SELECT f.pair AS pair, greatest(l.lines, r.lines) AS more, least(l.lines, r.lines) AS fewer
    FROM facts f
    JOIN text_facts l ON f.left_fragment = l.fragment
    JOIN text_facts r ON f.right_fragment = r.fragment
    WHERE f.label = 'clone'
    """
    row = context.row(
        f"SELECT count(*) AS total, sum(CASE WHEN more > {factor} * fewer THEN 1 ELSE 0 END) AS n, "
        f"max(CAST(more AS DOUBLE) / fewer) AS most FROM ({cases}) c"
    )
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} positives differ in size by more than a factor of {factor:g} "
            f"(up to {row['most']:,.0f})",
            row["n"],
            row["total"],
            context.pair_examples(
                "SELECT pair, concat(CAST(more AS STRING), ' lines against ', CAST(fewer AS STRING)) AS note FROM "
                f"(SELECT pair, more, fewer FROM ({cases}) c WHERE more > {factor} * fewer "
                f"ORDER BY CAST(more AS DOUBLE) / fewer DESC, pair LIMIT {EXAMPLES}) worst"
            ),
        )


_STOP = frozenset({"and", "for", "from", "get", "into", "the", "using", "via", "with"})
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


def _content_words(name: str) -> list[str]:
    return [word for word in subwords(name) if len(word) > 2 and word not in _STOP]


def _members(context: AuditContext) -> Iterator[tuple[int, str, str]]:
    """Functionality, id and text of every member whose functionality has a descriptive name."""
    named = [
        row["functionality"]
        for row in context.rows("SELECT functionality, name FROM functionalities")
        if _content_words(row["name"])
    ]
    if not named:
        return
    chosen = ", ".join(map(str, named))
    table = context.sql(
        "SELECT m.functionality AS functionality, f.id AS id, f.text AS text FROM members m "
        f"JOIN fragments f ON m.fragment = f.fragment WHERE m.functionality IN ({chosen}) AND length(f.text) > 0 "
        "ORDER BY m.functionality, f.fragment"
    )
    for batch in table.to_batches(max_chunksize=10_000):
        yield from zip(*(batch.column(name).to_pylist() for name in ("functionality", "id", "text")), strict=True)


def _names(context: AuditContext) -> dict[int, str]:
    return {
        row["functionality"]: row["name"] for row in context.rows("SELECT functionality, name FROM functionalities")
    }


_CONFIRMED = """
SELECT g.functionality AS functionality, f.id AS id
FROM judgements g JOIN judges j ON g.judge = j.judge JOIN fragments f ON g.fragment = f.fragment
WHERE j.kind = 'execution' AND g.criterion = 'implements-functionality' AND g.value = 'major'
"""


@rule(
    "CT114",
    Severity.WARNING,
    RuleText(
        name="missing-words",
        what="Members that never mention a word of their functionality's name that most other members mention; those "
        "that an execution has confirmed are left out.",
        why="At least 330 “copy file” fragments of BigCloneBench do not contain the word “file”: they copy streams or "
        "tables. This is a hint to check, not a proof.",
        reference=HARMFUL,
        fix="Have these members judged again (`clonetruth study sample`).",
        needs=(Need.MEMBERSHIPS, Need.TEXTS),
        threatens=LEARNING | PRECISION,
    ),
)
def missing_words(context: AuditContext) -> Iterator[Finding]:
    names = _names(context)
    sizes: Counter[int] = Counter()
    mentions: Counter[tuple[int, str]] = Counter()
    without: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    confirmed = {(row["functionality"], row["id"]) for row in context.rows(_CONFIRMED)}
    for functionality, identity, text in _members(context):
        lowered = text.lower()
        sizes[functionality] += 1
        for word in _content_words(names[functionality]):
            if word in lowered:
                mentions[functionality, word] += 1
            elif (functionality, identity) not in confirmed:
                without[functionality, word].append(identity)
    # A word that most members lack says nothing about the others.
    typical = [key for key in sorted(without) if 2 * mentions[key] > sizes[key[0]]]
    rows = [(names[key[0]], key[1], sizes[key[0]], len(without[key])) for key in typical]
    count, total = len({one for key in typical for one in without[key]}), sum(sizes.values())
    if count:
        rows.sort(key=lambda row: (-row[3], row[0], row[1]))
        examples = [
            Example((one,), f"“{names[key[0]]}” without “{key[1]}”") for key in typical for one in without[key][:2]
        ]
        yield Finding(
            f"{count:,} of {total:,} members never mention a word that is typical of their functionality "
            f"(most: “{rows[0][0]}” without “{rows[0][1]}”, {rows[0][3]:,})",
            count,
            total,
            tuple(examples[:EXAMPLES]),
            details=(
                Details("Members without the word", ("functionality", "word", "members", "without it"), tuple(rows)),
            ),
        )


@rule(
    "CT115",
    Severity.INFO,
    RuleText(
        name="calls-of-another-functionality",
        what="Members that call a function named like another functionality (“copy directory” calling `copyFile`).",
        why="They contain the other functionality too, so under the same criterion they are clones of its members, not "
        "non-clones. At least 77 “copy directory” methods of BigCloneBench call `copyFile`.",
        reference=HARMFUL,
        fix="Do not label them as non-clones of members of the functionality that they call.",
        needs=(Need.MEMBERSHIPS, Need.TEXTS),
        threatens=LEARNING | PRECISION,
    ),
)
def other_calls(context: AuditContext) -> Iterator[Finding]:
    names = _names(context)
    # A single word (“sort”) is too little to recognise what a call does.
    phrases = {key: tuple(_content_words(name)) for key, name in names.items() if len(_content_words(name)) > 1}
    callers: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    members = 0
    for functionality, identity, text in _members(context) if phrases else ():
        members += 1
        calls = _CALL.findall(text)[1:]  # the first is the declaration
        called = {tuple(subwords(call)) for call in calls}
        for other, phrase in phrases.items():
            if phrase != phrases.get(functionality) and any(_contains(call, phrase) for call in called):
                callers[functionality, other].append(identity)
    count = len({identity for ids in callers.values() for identity in ids})
    if count:
        order = sorted(callers.items(), key=lambda item: (-len(item[1]), item[0]))
        yield Finding(
            f"{count:,} of {members:,} members call a function named like another functionality",
            count,
            members,
            tuple(
                Example((ids[0],), f"member of “{names[one]}” that calls “{names[other]}”")
                for (one, other), ids in order[:EXAMPLES]
            ),
            details=(
                Details(
                    "Calls of another functionality",
                    ("functionality", "calls", "members"),
                    tuple((names[one], names[other], len(ids)) for (one, other), ids in order),
                ),
            ),
        )


def _contains(call: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """Whether a call contains the words of a phrase, consecutively and in order."""
    return any(call[at : at + len(phrase)] == phrase for at in range(len(call) - len(phrase) + 1))
