"""Fragments (CT201–CT203, CT207, CT208, CT210, CT211): texts that are not what they are said to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pyarrow as pa

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Chart, Details, Example, Finding, Fix, Severity
from clonetruth.audit.papers import BIGCLONEEVAL, DATASHEETS, DUPLICATION, PERSPECTIVES
from clonetruth.audit.rule import ALL, LEARNING, Need, RuleText, rule
from clonetruth.audit.texts import Profile
from clonetruth.model import FragmentKind


def _bad(context: AuditContext, count: int, of: int) -> Severity | None:
    """A few broken fragments do not spoil a benchmark."""
    return None if count > context.threshold("broken-share") * of else Severity.INFO


def _noted(context: AuditContext, profiles: list[Profile], note: Callable[[Profile], str]) -> tuple[Example, ...]:
    cases = pa.table(
        {
            "fragment": pa.array([one.fragment for one in profiles[:20]], pa.int64()),
            "note": pa.array([note(one) for one in profiles[:20]], pa.string()),
        }
    )
    return context.fragment_examples("SELECT fragment, note FROM noted", noted=cases)


@rule(
    "CT201",
    Severity.WARNING,
    RuleText(
        name="does-not-parse",
        what="Fragments that do not parse wholly in their language; a note below a share of `broken-share` (as in "
        "CT202, CT203 and CT207). Beyond `parsed-fragments` a sample is parsed.",
        why="Tools that need a tree drop or misread them, each in its own way, so that results are on different data.",
        reference=BIGCLONEEVAL,
        mending="Repair the range or the language, or drop the fragment for all tools alike.",
        needs=(Need.TEXTS,),
        threatens=ALL,
        thresholds={"parsed-fragments": 20_000, "broken-share": 0.01},
    ),
)
def unparsable(context: AuditContext) -> Iterator[Finding]:
    profiles = context.profiles
    broken = [one for one in profiles.rows if not one.sound]
    if broken:
        yield Finding(
            f"{len(broken):,} of {profiles.scope} do not parse wholly",
            len(broken),
            len(profiles.rows),
            _noted(context, broken, lambda one: "does not parse"),
            severity=_bad(context, len(broken), len(profiles.rows)),
        )


@rule(
    "CT202",
    Severity.WARNING,
    RuleText(
        name="wrong-range",
        what="Fragments said to be one function that hold none, several, or more than the function.",
        why="BigCloneBench records line ranges; some cut a function off or take its neighbour along, and the "
        "pair is then about other code than its label.",
        reference=BIGCLONEEVAL,
        mending="Take the ranges from the parsed file, or drop these fragments.",
        needs=(Need.TEXTS,),
        threatens=ALL,
    ),
)
def wrong_range(context: AuditContext) -> Iterator[Finding]:
    functions = set(
        context.sql(f"SELECT fragment FROM fragments WHERE kind = '{FragmentKind.FUNCTION}'")["fragment"].to_pylist()
    )
    looked_at = [one for one in context.profiles.rows if one.fragment in functions]
    wrong = [one for one in looked_at if not one.whole]
    if not wrong:
        return

    def note(one: Profile) -> str:
        if one.functions == 1:
            return "more than the function"
        return "no function" if one.functions == 0 else f"{one.functions} functions"

    tally = Counter("no function" if one.functions == 0 else note(one) for one in wrong)
    yield Finding(
        f"{len(wrong):,} of {len(looked_at):,} fragments said to be one function hold something else",
        len(wrong),
        len(looked_at),
        _noted(context, wrong, note),
        details=(Details("What they hold", ("content", "fragments"), tuple(tally.most_common(10))),),
        severity=_bad(context, len(wrong), len(looked_at)),
    )


@rule(
    "CT203",
    Severity.WARNING,
    RuleText(
        name="wrong-language",
        what="Fragments that do not parse in their language, but wholly in another.",
        why="C++ in a set of C programs is read as broken C by every tool that believes the label.",
        reference=DATASHEETS,
        mending="Give the fragment its language, or drop it.",
        needs=(Need.TEXTS,),
        threatens=ALL,
    ),
)
def wrong_language(context: AuditContext) -> Iterator[Finding]:
    profiles = context.profiles
    other = [one for one in profiles.rows if one.other_language]
    if other:
        tally = Counter(str(one.other_language) for one in other)
        most = ", ".join(f"{count:,} as {name}" for name, count in tally.most_common(3))
        yield Finding(
            f"{len(other):,} of {profiles.scope} parse only in another language: {most}",
            len(other),
            len(profiles.rows),
            _noted(context, other, lambda one: f"parses as {one.other_language}"),
            severity=_bad(context, len(other), len(profiles.rows)),
        )


@rule(
    "CT207",
    Severity.WARNING,
    RuleText(
        name="trivial-fragments",
        what="Fragments with fewer tokens than `trivial-tokens`.",
        why="An empty method or a getter has no functionality to share; any two of them look alike.",
        reference=DUPLICATION,
        mending="Set a minimum size (BigCloneEval's usual filter is 50 tokens), and name it.",
        needs=(Need.TEXTS,),
        threatens=ALL,
        thresholds={"trivial-tokens": 15},
    ),
)
def trivial(context: AuditContext) -> Iterator[Finding]:
    least = int(context.threshold("trivial-tokens"))
    row = context.row(
        f"SELECT count(*) AS total, sum(CASE WHEN tokens < {least} THEN 1 ELSE 0 END) AS n FROM text_facts"
    )
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} fragments have fewer than {least} tokens",
            row["n"],
            row["total"],
            context.fragment_examples(
                "SELECT fragment, concat(CAST(tokens AS STRING), ' tokens') AS note FROM text_facts "
                f"WHERE tokens < {least}"
            ),
            severity=_bad(context, row["n"], row["total"]),
        )


@rule(
    "CT208",
    Severity.INFO,
    RuleText(
        name="beyond-the-window",
        what="Fragments with more tokens than a model's window (`window-tokens`); subword tokens are more still.",
        why="CodeXGLUE's models see 400 tokens of each function. What is behind is invisible, and its labels are "
        "learned from something else.",
        reference=PERSPECTIVES,
        mending="Report results by length, or leave these fragments out for models with that window.",
        needs=(Need.TEXTS,),
        threatens=LEARNING,
        thresholds={"window-tokens": 400},
    ),
)
def beyond_window(context: AuditContext) -> Iterator[Finding]:
    window = int(context.threshold("window-tokens"))
    row = context.row(
        f"SELECT count(*) AS total, sum(CASE WHEN tokens > {window} THEN 1 ELSE 0 END) AS n, max(tokens) AS most "
        "FROM text_facts"
    )
    if not row["n"]:
        return
    bins = context.rows(
        "SELECT CAST(floor(least(tokens, 1999) / 100) AS INT) AS bin, count(*) AS n FROM text_facts "
        "GROUP BY CAST(floor(least(tokens, 1999) / 100) AS INT) ORDER BY bin"
    )
    yield Finding(
        f"{row['n']:,} of {row['total']:,} fragments ({row['n'] / row['total']:.1%}) have more than {window} tokens "
        f"(the longest {row['most']:,})",
        row["n"],
        row["total"],
        context.fragment_examples(
            "SELECT fragment, concat(CAST(tokens AS STRING), ' tokens') AS note FROM text_facts "
            f"WHERE tokens > {window}"
        ),
        details=(
            Details(
                "Fragments by length",
                ("tokens", "fragments"),
                tuple((_bin(one["bin"]), one["n"]) for one in bins),
                Chart.BARS,
            ),
        ),
    )


def _bin(number: int) -> str:
    return f"{number * 100}–{number * 100 + 99}" if number < 19 else "1900 and more"


@rule(
    "CT210",
    Severity.INFO,
    RuleText(
        name="damaged-encoding",
        what="Fragments with replacement characters (U+FFFD): bytes that were read in the wrong encoding.",
        why="Strings and comments of these fragments are not the original ones; equal texts may look different.",
        reference=DATASHEETS,
        mending="Read the original files again in their own encoding.",
        needs=(Need.TEXTS,),
        threatens=frozenset(),
    ),
)
def damaged_encoding(context: AuditContext) -> Iterator[Finding]:
    row = context.row("SELECT count(*) AS total, sum(CASE WHEN damaged THEN 1 ELSE 0 END) AS n FROM text_facts")
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} fragments hold characters that could not be read",
            row["n"],
            row["total"],
            context.fragment_examples(
                "SELECT fragment, 'replacement characters' AS note FROM text_facts WHERE damaged"
            ),
        )


@rule(
    "CT211",
    Severity.WARNING,
    RuleText(
        name="without-text",
        what="Fragments whose text is empty or missing.",
        why="Rules on texts say nothing of them, and no detector can be run on them.",
        reference=DATASHEETS,
        mending="Import the list together with a source of its texts.",
        threatens=ALL,
    ),
)
def without_text(context: AuditContext) -> Iterator[Finding]:
    missing = """
    SELECT f.fragment AS fragment FROM fragments f LEFT JOIN text_facts t ON f.fragment = t.fragment
    WHERE t.fragment IS NULL
    """
    count, total = context.row(f"SELECT count(*) AS n FROM ({missing}) m")["n"], context.benchmark.counts["fragments"]
    if count:
        yield Finding(
            f"{count:,} of {total:,} fragments have no text",
            count,
            total,
            context.fragment_examples(f"SELECT fragment, 'no text' AS note FROM ({missing}) m"),
            mend=Fix(
                "drop-fragments",
                "Drop the fragments without a text, with their pairs.",
                "SELECT fragment FROM fragments WHERE "
                "length(trim(replace(replace(replace(text, chr(9), ''), chr(10), ''), chr(13), ''))) = 0",
            ),
        )
