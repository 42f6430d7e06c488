"""Judgements (CT106, CT107, CT116, CT119, CT606): how many judges a label has, whether they agree, what studies say."""

from __future__ import annotations

from collections.abc import Iterator

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Chart, Details, Finding, Severity
from clonetruth.audit.papers import HARMFUL, MISUSE, PERSPECTIVES
from clonetruth.audit.rule import LEARNING, PRECISION, Need, RuleText, rule
from clonetruth.store.study_estimate import LabelShare, read_estimates
from clonetruth.verdicts.policy_sql import ARRIVAL


@rule(
    "CT106",
    Severity.WARNING,
    RuleText(
        name="one-judge",
        what="Labels that rest on a single person or LLM.",
        why="Judging clones is subjective, and agreement cannot be estimated from one judge. In BigCloneBench only 12 "
        "% of the methods were seen by more than one judge.",
        reference=f"{HARMFUL}; {PERSPECTIVES}",
        fix="Have a second judge label a sample, and report the agreement.",
        needs=(Need.EVIDENCE,),
        threatens=LEARNING | PRECISION,
    ),
)
def one_judge(context: AuditContext) -> Iterator[Finding]:
    # A consensus judge speaks for its members; it is not one more of them.
    pairs, members = (
        f"""
        SELECT {subject}, count(DISTINCT coalesce(t.member, g.judge)) AS judges,
            max(CASE WHEN g.kind = 'execution' THEN 1 ELSE 0 END) AS ran
        FROM {relation} g LEFT JOIN joint t ON g.judge = t.judge GROUP BY {subject}
        """
        for relation, subject in (("pair_judgements", "pair"), ("member_judgements", "fragment, functionality"))
    )
    tally = "SELECT count(*) AS total, sum(CASE WHEN judges = 1 AND ran = 0 THEN 1 ELSE 0 END) AS n FROM ({}) v"
    row = context.row(tally.format(pairs))
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} judged pairs rest on one judge",
            row["n"],
            row["total"],
            context.pair_examples(f"SELECT pair, 'one judge' AS note FROM ({pairs}) v WHERE judges = 1 AND ran = 0"),
        )
    row = context.row(tally.format(members))
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} judged memberships rest on one judge",
            row["n"],
            row["total"],
            context.fragment_examples(
                f"SELECT fragment, 'one judge' AS note FROM ({members}) v WHERE judges = 1 AND ran = 0"
            ),
        )


@rule(
    "CT107",
    Severity.WARNING,
    RuleText(
        name="ties-and-undecided",
        what="Pairs and memberships on which the judges tie, or which remain undecided.",
        why="They are neither clones nor non-clones; a dataset that labels them anyway invents the label. "
        "BigCloneBench has 887 methods with as many votes for as against.",
        reference=HARMFUL,
        fix="Exclude them from metrics (the default policy does), or ask another judge.",
        threatens=LEARNING | PRECISION,
    ),
)
def ties(context: AuditContext) -> Iterator[Finding]:
    undecided_pairs = "clones + others + undecided > 0 AND clones = others"
    row = context.row(
        f"""
        SELECT sum(CASE WHEN clones + others + undecided > 0 THEN 1 ELSE 0 END) AS total,
            sum(CASE WHEN {undecided_pairs} THEN 1 ELSE 0 END) AS n,
            sum(CASE WHEN {undecided_pairs} AND claim IN ('clone', 'not-clone') THEN 1 ELSE 0 END) AS claimed
        FROM facts
        """
    )
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} judged pairs are tied or undecided; the dataset labels "
            f"{row['claimed']:,} of them",
            row["n"],
            row["total"],
            context.pair_examples(
                "SELECT pair, concat(CAST(clones AS STRING), ' for, ', CAST(others AS STRING), ' against, ', "
                f"CAST(undecided AS STRING), ' undecided') AS note FROM facts WHERE {undecided_pairs}"
            ),
        )
    row = context.row(
        "SELECT count(*) AS total, sum(CASE WHEN role = 'undecided' THEN 1 ELSE 0 END) AS n FROM memberships"
    )
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} memberships are undecided",
            row["n"],
            row["total"],
            context.fragment_examples("SELECT fragment, 'undecided' AS note FROM memberships WHERE role = 'undecided'"),
        )


_INDEPENDENT = "independent = 1 AND kind IN ('person', 'llm') AND value <> 'undecided'"

_PAIR_ANSWERS = f"""
SELECT pair, criterion, count(DISTINCT value) AS answers
FROM pair_judgements
WHERE {_INDEPENDENT}
GROUP BY pair, criterion
HAVING count(DISTINCT judge) > 1
"""

_MEMBER_ANSWERS = f"""
SELECT fragment, functionality, count(DISTINCT CASE WHEN value = 'major' THEN 1 ELSE 0 END) AS answers,
    count(DISTINCT value) AS labels
FROM member_judgements
WHERE {_INDEPENDENT}
GROUP BY fragment, functionality
HAVING count(DISTINCT judge) > 1
"""


@rule(
    "CT116",
    Severity.WARNING,
    RuleText(
        name="judges-disagree",
        what="Pairs and memberships on which people or LLMs answered the same question differently. A consensus or an "
        "adjudicator's decision is not one more judge.",
        why="Where judges disagree, a single label hides that the question has no clear answer. BigCloneBench's judges "
        "disagreed on 14.5 % of the methods that several of them saw.",
        reference=HARMFUL,
        fix="Report the agreement (`clonetruth study agree`), and let a policy decide instead of the first label.",
        needs=(Need.EVIDENCE,),
        threatens=LEARNING | PRECISION,
    ),
)
def judges_disagree(context: AuditContext) -> Iterator[Finding]:
    tally = "SELECT count(*) AS total, sum(CASE WHEN answers > 1 THEN 1 ELSE 0 END) AS n FROM ({}) v"
    row = context.row(tally.format(_PAIR_ANSWERS))
    if row["n"]:
        yield Finding(
            f"judges disagree on {row['n']:,} of {row['total']:,} pairs with several judges "
            f"({row['n'] / row['total']:.1%})",
            row["n"],
            row["total"],
            context.pair_examples(
                f"SELECT pair, concat('on ', criterion) AS note FROM ({_PAIR_ANSWERS}) v WHERE answers > 1"
            ),
        )
    row = context.row(
        "SELECT count(*) AS total, sum(CASE WHEN answers > 1 THEN 1 ELSE 0 END) AS n, "
        f"sum(CASE WHEN labels > 1 THEN 1 ELSE 0 END) AS labels FROM ({_MEMBER_ANSWERS}) v"
    )
    if row["n"]:
        yield Finding(
            f"judges disagree on {row['n']:,} of {row['total']:,} memberships with several judges "
            f"({row['n'] / row['total']:.1%}); on the exact label of {row['labels']:,}",
            row["n"],
            row["total"],
            context.fragment_examples(
                "SELECT v.fragment AS fragment, concat('in “', f.name, '”') AS note "
                f"FROM ({_MEMBER_ANSWERS}) v JOIN functionalities f ON v.functionality = f.functionality "
                "WHERE v.answers > 1"
            ),
        )


_CONTRADICTED_PAIRS = f"""
SELECT p.pair_key AS pair_key, min(p.pair) AS pair
FROM judgements g
JOIN judges j ON g.judge = j.judge AND j.kind IN ('person', 'llm', 'execution')
JOIN pairs p ON g.pair = p.pair
GROUP BY p.pair_key, p.functionality, g.judge, g.criterion, g.time, {ARRIVAL}
HAVING min(g.value) <> max(g.value)
"""

_CONTRADICTED_MEMBERS = f"""
SELECT g.fragment AS fragment, g.functionality AS functionality
FROM judgements g
JOIN judges j ON g.judge = j.judge AND j.kind IN ('person', 'llm', 'execution')
WHERE g.fragment IS NOT NULL
GROUP BY g.fragment, g.functionality, g.judge, g.criterion, g.time, {ARRIVAL}
HAVING min(g.value) <> max(g.value)
"""


@rule(
    "CT119",
    Severity.WARNING,
    RuleText(
        name="judge-contradicts-itself",
        what="Pairs and memberships on which one judge gives two answers to the same question at the same time: in two "
        "rows, or in two lists of one import.",
        why="At most one of the answers is meant, and nothing says which. Those who read the rows in order take the "
        "last one, and the order of files decides the number.",
        reference=HARMFUL,
        fix="Ask the authors which answer is meant. Until then, policies count only what the answers have in common.",
        needs=(Need.EVIDENCE,),
        threatens=LEARNING | PRECISION,
    ),
)
def contradicts_itself(context: AuditContext) -> Iterator[Finding]:
    row = context.row(
        f"SELECT (SELECT count(DISTINCT pair_key) FROM ({_CONTRADICTED_PAIRS}) c) AS n, "
        "count(DISTINCT p.pair_key) AS total FROM pair_judgements g JOIN pairs p ON g.pair = p.pair"
    )
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} judged pairs have two answers of the same judge, given together",
            row["n"],
            row["total"],
            context.pair_examples(
                "SELECT min(pair) AS pair, 'two answers of one judge' AS note "
                f"FROM ({_CONTRADICTED_PAIRS}) c GROUP BY pair_key"
            ),
        )
    members = f"SELECT DISTINCT fragment, functionality FROM ({_CONTRADICTED_MEMBERS}) c"
    row = context.row(
        f"SELECT (SELECT count(*) FROM ({members}) m) AS n, count(*) AS total "
        "FROM (SELECT DISTINCT fragment, functionality FROM member_judgements) g"
    )
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} judged memberships have two answers of the same judge, given together",
            row["n"],
            row["total"],
            context.fragment_examples(f"SELECT fragment, 'two answers of one judge' AS note FROM ({members}) m"),
        )


@rule(
    "CT606",
    Severity.ERROR,
    RuleText(
        name="studied-labels",
        what="Labels that a study estimates to be wrong, including those that were not in its sample.",
        why="A planned and judged sample gives an estimate, with an interval, for all labels that it was drawn from. "
        "About 95 % of BigCloneBench's weak clones are estimated not to be clones.",
        reference=MISUSE,
        fix="Evaluate on verdicts, or correct the numbers that were measured on the labels (docs/corrections.md).",
        threatens=LEARNING | PRECISION,
    ),
)
def studied_labels(context: AuditContext) -> Iterator[Finding]:
    for one in read_estimates(context.benchmark.path):
        share = one.labels.weighted
        if not one.labels.wrong or share.value is None or share.low is None or share.high is None:
            continue
        yield Finding(
            f"about {share.value:.1%} ({share.low:.1%} to {share.high:.1%}) of the labels of {one.population} are "
            f"wrong according to the study '{one.title}': {one.labels.wrong:,} of {one.labels.judged:,} judged",
            one.labels.wrong,
            one.labels.judged,
            details=(
                Details(
                    "Wrong labels by functionality",
                    ("functionality", "judged", "wrong", "share wrong"),
                    tuple(_row(group) for group in one.by_functionality),
                    Chart.BARS if len(one.by_functionality) > 1 else Chart.NONE,
                ),
            ),
        )


def _row(group: LabelShare) -> tuple[str, int, int, float | None]:
    return group.group, group.judged, group.wrong, group.simple.value
