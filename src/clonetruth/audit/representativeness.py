"""Representativeness (CT801, CT802): names, calls and lengths against code of real projects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Chart, Details, Finding, Severity
from clonetruth.audit.papers import PERSPECTIVES
from clonetruth.audit.reference_code import MEASURES, QUANTILES, REFERENCES
from clonetruth.audit.rule import LEARNING, Need, RuleText, rule
from clonetruth.audit.texts import known_language
from clonetruth.code import Language
from clonetruth.code.language import TokenKind
from clonetruth.store import Benchmark

Quantiles = Mapping[str, npt.NDArray[np.float64]]
"""The quantiles of each measure, at `QUANTILES`."""

_NAMES = (int(TokenKind.IDENTIFIER), int(TokenKind.TYPE))
_TRIVIA = int(TokenKind.TRIVIA)


def measure_fragment(text: str, language: Language) -> tuple[float, ...]:
    """The `MEASURES` of a fragment: lines with code, tokens, distinct names, calls, mean length of a name."""
    kind_of = language.kind_of
    tokens = [
        (token, kind)
        for token in language.token_pattern.findall(text.encode("utf-8", errors="replace"))
        if (kind := kind_of[token]) != _TRIVIA
    ]
    names = {token for token, kind in tokens if kind in _NAMES}
    calls = sum(kind in _NAMES and following == b"(" for (_, kind), (following, _) in pairwise(tokens))
    lines = sum(1 for line in text.splitlines() if line.strip())
    return lines, len(tokens), len(names), calls, sum(map(len, names)) / max(len(names), 1)


def _measured(benchmark: Benchmark, language: str, most: int) -> npt.NDArray[np.float64]:
    """The measures of fragments of a language, one row each; of a sample, where there are many."""
    known = known_language(language)
    if known is None:
        return np.empty((0, len(MEASURES)))
    asked = pa.table({"language": [language]})
    texts = benchmark.sql(
        "SELECT f.text AS text FROM fragments f JOIN asked a ON f.language = a.language WHERE length(f.text) > 0 "
        f"ORDER BY md5(concat(f.id, '/reference')), f.id LIMIT {most}",
        asked=asked,
    )["text"].to_pylist()
    rows = [measure_fragment(text, known) for text in texts]
    return np.array(rows, dtype=float).reshape(len(rows), len(MEASURES))


def _reference(context: AuditContext, language: str, most: int) -> tuple[str, Quantiles] | None:
    if context.reference is None:
        known = REFERENCES.get(language)
        if known is None:
            return None
        return known.title, {name: np.array(known.quantiles[name]) for name in MEASURES}
    rows = _measured(context.reference, language, most)
    if not len(rows):
        return None
    card = context.reference.card
    quantiles = {name: np.quantile(rows[:, at], QUANTILES) for at, name in enumerate(MEASURES)}
    return f"{card.name} {card.version}", quantiles


def distance(values: npt.NDArray[np.float64], quantiles: npt.NDArray[np.float64]) -> float:
    """The largest difference of the two distribution functions at the reference's quantiles (Kolmogorov and Smirnov).

    Where a quantile is a value that many share, the reference's own share lies between two of its levels; only
    what is outside of that span counts.
    """
    ordered = np.sort(values)
    levels = np.array(QUANTILES)
    low = np.array([levels[quantiles == value].min() for value in quantiles])
    high = np.array([levels[quantiles == value].max() for value in quantiles])
    below = np.searchsorted(ordered, quantiles, side="left") / len(ordered)
    up_to = np.searchsorted(ordered, quantiles, side="right") / len(ordered)
    return float(np.maximum(np.maximum(below - low, high - up_to), 0).max())


@rule(
    "CT801",
    Severity.INFO,
    RuleText(
        name="unlike-real-code",
        what="Names, calls or lengths of the fragments are distributed otherwise than in code of real projects: a "
        "distance (Kolmogorov and Smirnov) of `unlike-distance` or more from the built-in reference (Java, Python), or "
        "from `--reference BENCHMARK`.",
        why="What holds for contest programs need not hold for projects: in OJClone and CodeNet the numbers of names "
        "and calls and the length differ by 50 % from real projects.",
        reference=PERSPECTIVES,
        mending="Say which code the results speak of, and add a benchmark from real projects.",
        needs=(Need.TEXTS,),
        threatens=LEARNING,
        thresholds={"unlike-distance": 0.25, "reference-fragments": 5000},
    ),
)
def unlike_real_code(context: AuditContext) -> Iterator[Finding]:
    most = int(context.threshold("reference-fragments"))
    languages = context.rows(
        "SELECT language, count(*) AS n FROM fragments GROUP BY language ORDER BY n DESC, language"
    )
    for language in (row["language"] for row in languages):
        found = _reference(context, language, most)
        rows = _measured(context.benchmark, language, most) if found else ()
        if found is None or not len(rows):
            continue
        title, quantiles = found
        values = {name: np.asarray(rows)[:, at] for at, name in enumerate(MEASURES)}
        apart = {name: distance(values[name], quantiles[name]) for name in MEASURES}
        unlike = [name for name in MEASURES if apart[name] >= context.threshold("unlike-distance")]
        if not unlike:
            continue
        ours = {name: np.quantile(values[name], QUANTILES) for name in MEASURES}
        middle = len(QUANTILES) // 2
        worst = max(unlike, key=lambda name: apart[name])
        yield Finding(
            f"{language} fragments are unlike {title} in {', '.join(unlike)} (median {worst}: "
            f"{ours[worst][middle]:.3g} instead of {quantiles[worst][middle]:.3g})",
            len(unlike),
            len(MEASURES),
            details=(
                Details(
                    f"{language} fragments against {title}",
                    ("measure", "median here", "median there", "distance"),
                    tuple((n, float(ours[n][middle]), float(quantiles[n][middle]), apart[n]) for n in MEASURES),
                ),
                Details(
                    f"Quantiles of the {worst}",
                    ("share of fragments", "here", title),
                    tuple(zip(QUANTILES, map(float, ours[worst]), map(float, quantiles[worst]), strict=True)),
                    Chart.LINES,
                ),
            ),
        )


@rule(
    "CT802",
    Severity.INFO,
    RuleText(
        name="few-projects",
        what="Most fragments come from few projects: one has more than `project-share` of those that name theirs.",
        why="Habits of one project then pass for properties of code.",
        reference=PERSPECTIVES,
        mending="Report results by project, or limit the fragments of each.",
        needs=(Need.PROJECTS,),
        threatens=LEARNING,
        thresholds={"project-share": 0.25},
    ),
)
def few_projects(context: AuditContext) -> Iterator[Finding]:
    rows = context.rows(
        "SELECT project, count(*) AS n FROM fragments WHERE project IS NOT NULL "
        "GROUP BY project ORDER BY n DESC, project"
    )
    total = sum(row["n"] for row in rows)
    if rows[0]["n"] > context.threshold("project-share") * total:
        yield Finding(
            f"{rows[0]['n'] / total:.0%} of the fragments are of one of {len(rows):,} projects, “{rows[0]['project']}”",
            rows[0]["n"],
            total,
            details=(
                Details(
                    "The largest projects",
                    ("project", "fragments"),
                    tuple((row["project"], row["n"]) for row in rows[:12]),
                    Chart.BARS,
                ),
            ),
        )
