"""Fragments (CT201–CT203, CT207, CT208, CT210, CT211): texts that are not what the benchmark says they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pyarrow as pa

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Chart, Details, Example, Finding, Fix, Severity
from clonetruth.audit.papers import BIGCLONEEVAL, DATASHEETS, DUPLICATION, GENERALIZABILITY
from clonetruth.audit.rule import ALL, LEARNING, Need, RuleText, rule
from clonetruth.audit.texts import Profile
from clonetruth.model import FragmentKind


def _severity(context: AuditContext, count: int, of: int) -> Severity | None:
    """A few broken fragments do not spoil a benchmark: below `broken-share` they are only a note."""
    return None if count > context.threshold("broken-share") * of else Severity.INFO


def _profile_examples(
    context: AuditContext, profiles: list[Profile], note: Callable[[Profile], str]
) -> tuple[Example, ...]:
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
        what="Fragments with syntax errors in their language; only a note below a share of `broken-share` (as in "
        "CT202, CT203 and CT207). If there are more than `parsed-fragments` fragments, a sample is parsed.",
        why="Tools that need a syntax tree drop or misread such fragments, each in its own way, so that their results "
        "are not on the same data.",
        reference=BIGCLONEEVAL,
        fix="Correct the line range or the language, or drop the fragment for all tools alike.",
        needs=(Need.TEXTS,),
        threatens=ALL,
        thresholds={"parsed-fragments": 20_000, "broken-share": 0.01},
    ),
)
def unparsable(context: AuditContext) -> Iterator[Finding]:
    profiles = context.profiles
    broken = [one for one in profiles.rows if not one.parses]
    if broken:
        yield Finding(
            f"{len(broken):,} of {profiles.scope} have syntax errors",
            len(broken),
            len(profiles.rows),
            _profile_examples(context, broken, lambda one: "does not parse"),
            severity=_severity(context, len(broken), len(profiles.rows)),
        )


@rule(
    "CT202",
    Severity.WARNING,
    RuleText(
        name="wrong-range",
        what="Fragments that should be one function but contain no function, several functions, or code around it.",
        why="BigCloneBench records line ranges; some cut a function off or include its neighbour, so that the pair "
        "holds other code than the code that was labelled.",
        reference=BIGCLONEEVAL,
        fix="Take the ranges from the parsed file, or drop these fragments.",
        needs=(Need.TEXTS,),
        threatens=ALL,
    ),
)
def wrong_range(context: AuditContext) -> Iterator[Finding]:
    functions = set(
        context.sql(f"SELECT fragment FROM fragments WHERE kind = '{FragmentKind.FUNCTION}'")["fragment"].to_pylist()
    )
    checked = [one for one in context.profiles.rows if one.fragment in functions]
    wrong = [one for one in checked if not one.is_one_function]
    if not wrong:
        return

    def note(one: Profile) -> str:
        if one.functions == 1:
            return "code around the function"
        return "no function" if one.functions == 0 else f"{one.functions} functions"

    tally = Counter("no function" if one.functions == 0 else note(one) for one in wrong)
    yield Finding(
        f"{len(wrong):,} of {len(checked):,} fragments that should be one function contain something else",
        len(wrong),
        len(checked),
        _profile_examples(context, wrong, note),
        details=(Details("What they contain", ("content", "fragments"), tuple(tally.most_common(10))),),
        severity=_severity(context, len(wrong), len(checked)),
    )


@rule(
    "CT203",
    Severity.WARNING,
    RuleText(
        name="wrong-language",
        what="Fragments with syntax errors in their stated language that parse without errors in another one.",
        why="C++ in a set of C programs looks like broken C to every tool that trusts the stated language.",
        reference=DATASHEETS,
        fix="Correct the language of the fragment, or drop the fragment.",
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
            _profile_examples(context, other, lambda one: f"parses as {one.other_language}"),
            severity=_severity(context, len(other), len(profiles.rows)),
        )


@rule(
    "CT207",
    Severity.WARNING,
    RuleText(
        name="trivial-fragments",
        what="Fragments with fewer tokens than `trivial-tokens`.",
        why="An empty method or a getter has no functionality to share, and any two of them look alike.",
        reference=DUPLICATION,
        fix="Set a minimum size (BigCloneEval usually filters at 50 tokens), and report it.",
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
            severity=_severity(context, row["n"], row["total"]),
        )


@rule(
    "CT208",
    Severity.INFO,
    RuleText(
        name="beyond-the-window",
        what="Fragments with more subwords than a model's context window (`window-tokens`). The number of subwords is "
        "estimated; the tokens of the language's lexer are shown next to it.",
        why="CodeBERT, as CodeXGLUE uses it, sees the first 400 subwords of each function. The rest is invisible to "
        "it, so that it learns the label from something else. Sonnekalb et al. report that about 32 % of the functions "
        "are cut.",
        reference=GENERALIZABILITY,
        fix="Report results by length, or exclude these fragments for models with that window.",
        needs=(Need.TEXTS,),
        threatens=LEARNING,
        thresholds={"window-tokens": 400},
    ),
)
def beyond_window(context: AuditContext) -> Iterator[Finding]:
    window = int(context.threshold("window-tokens"))
    row = context.row(
        f"SELECT count(*) AS total, sum(CASE WHEN subwords > {window} THEN 1 ELSE 0 END) AS n, "
        f"sum(CASE WHEN tokens > {window} THEN 1 ELSE 0 END) AS lexed, max(subwords) AS most FROM text_facts"
    )
    if not row["n"]:
        return
    bins = context.rows(
        "SELECT CAST(floor(least(subwords, 1999) / 100) AS INT) AS bin, count(*) AS n FROM text_facts "
        "GROUP BY CAST(floor(least(subwords, 1999) / 100) AS INT) ORDER BY bin"
    )
    yield Finding(
        f"{row['n']:,} of {row['total']:,} fragments ({row['n'] / row['total']:.1%}) have more than {window} subwords "
        f"by estimate (the longest {row['most']:,}); {row['lexed']:,} ({row['lexed'] / row['total']:.1%}) have more "
        f"than {window} tokens of the language",
        row["n"],
        row["total"],
        context.fragment_examples(
            "SELECT fragment, concat('about ', CAST(subwords AS STRING), ' subwords') AS note FROM text_facts "
            f"WHERE subwords > {window}"
        ),
        details=(
            Details(
                "Fragments by length",
                ("subwords", "fragments"),
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
        what="Fragments with replacement characters (U+FFFD), left by decoding with the wrong encoding.",
        why="Strings and comments of these fragments are not the original ones, so that equal texts may look "
        "different.",
        reference=DATASHEETS,
        fix="Read the original files again with the right encoding.",
        needs=(Need.TEXTS,),
        threatens=frozenset(),
    ),
)
def damaged_encoding(context: AuditContext) -> Iterator[Finding]:
    row = context.row("SELECT count(*) AS total, sum(CASE WHEN damaged THEN 1 ELSE 0 END) AS n FROM text_facts")
    if row["n"]:
        yield Finding(
            f"{row['n']:,} of {row['total']:,} fragments contain characters that could not be decoded",
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
        why="No detector can run on them, and no rule about texts can check them.",
        reference=DATASHEETS,
        fix="Import the list together with a source of its texts.",
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
            fix=Fix(
                "drop-fragments",
                "Drop the fragments without text, and their pairs.",
                "SELECT fragment FROM fragments WHERE "
                "length(trim(replace(replace(replace(text, chr(9), ''), chr(10), ''), chr(13), ''))) = 0",
            ),
        )
