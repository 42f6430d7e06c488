"""Representativeness (CT801, CT802): names, calls and lengths compared with code of real projects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Chart, Details, Finding, Severity
from clonetruth.audit.papers import PERSPECTIVES
from clonetruth.audit.rule import LEARNING, Need, RuleText, rule
from clonetruth.audit.texts import known_language
from clonetruth.code import Language
from clonetruth.code.language import TokenKind
from clonetruth.store import Benchmark

# Quantiles of code of real projects, measured once by `bench/measure_reference.py`, so that no corpus has to be
# shipped. A user's own corpus is better (`clonetruth audit --reference BENCHMARK`).

MEASURES = ("lines", "tokens", "distinct names", "calls", "mean length of a name")
"""Non-empty lines; tokens without comments; distinct names; names before a bracket (including the declaration)."""

QUANTILES = tuple(round(0.05 * step, 2) for step in range(1, 20))


@dataclass(frozen=True)
class ReferenceCode:
    """A corpus of real code.

    Args:
        title: what it is, in a few words.
        functions: number of functions that were measured.
        quantiles: of each measure, at `QUANTILES`.
    """

    title: str
    functions: int
    quantiles: Mapping[str, tuple[float, ...]]


REFERENCES: Mapping[str, ReferenceCode] = {
    # IJaDataset holds 25,000 open-source projects, and is what Li et al. compare with; these are the functions of
    # its BigCloneBench part, so everyday functionalities (files, networks, sorting) are more frequent than elsewhere.
    "java": ReferenceCode(
        "real Java projects (IJaDataset)",
        22_723,
        {
            "lines": (3, 4, 6, 8, 9, 11, 12, 14, 16, 18, 20, 22, 25, 28, 32, 37, 44, 56, 83),
            "tokens": (16, 34, 49, 62, 74, 87, 99, 113, 127, 143, 162, 182, 203, 233, 264, 310, 374, 484.8, 756),
            "distinct names": (4, 7, 9, 12, 13, 15, 17, 19, 21, 23, 25, 27, 29, 33, 36, 40, 47, 55, 72),
            "calls": (1, 3, 4, 5, 6, 8, 9, 10, 11, 12, 14, 16, 18, 21, 24, 29, 34, 45, 64),
            "mean length of a name": (
                6.4,
                7,
                7.353,
                7.643,
                7.861,
                8.057,
                8.273,
                8.5,
                8.667,
                8.871,
                9.083,
                9.286,
                9.519,
                9.786,
                10.1,
                10.47,
                10.95,
                11.53,
                12.6,
            ),
        },
    ),
    "python": ReferenceCode(
        "real Python code (the standard library)",
        13_435,
        {
            "lines": (2, 2, 2, 3, 3, 4, 4, 5, 6, 6, 7, 9, 10, 12, 14, 17, 21, 27, 41),
            "tokens": (11, 13, 15, 17, 20, 22, 25, 28, 31, 35, 39, 45, 51, 60, 71, 87, 108, 139, 208),
            "distinct names": (3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 14, 16, 20, 27),
            "calls": (1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 8, 10, 15),
            "mean length of a name": (
                4.4,
                5,
                5.25,
                5.5,
                5.778,
                6,
                6.286,
                6.5,
                6.75,
                7,
                7.229,
                7.5,
                7.75,
                8,
                8.375,
                8.793,
                9.25,
                9.818,
                10.91,
            ),
        },
    ),
}


Quantiles = Mapping[str, npt.NDArray[np.float64]]
"""The quantiles of each measure, at `QUANTILES`."""

_NAMES = (int(TokenKind.IDENTIFIER), int(TokenKind.TYPE))
_TRIVIA = int(TokenKind.TRIVIA)


def measure_fragment(text: str, language: Language) -> tuple[float, ...]:
    """The `MEASURES` of a fragment."""
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
    """The measures of the fragments of a language, one row each; of a sample if there are more than `most`."""
    known = known_language(language)
    if known is None:
        return np.empty((0, len(MEASURES)))
    wanted = pa.table({"language": [language]})
    texts = benchmark.sql(
        "SELECT f.text AS text FROM fragments f JOIN wanted w ON f.language = w.language WHERE length(f.text) > 0 "
        f"ORDER BY md5(concat(f.id, '/reference')), f.id LIMIT {most}",
        wanted=wanted,
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
    """The largest difference between the two distribution functions at the reference's quantiles (Kolmogorov–Smirnov).

    If several quantiles have the same value, the reference's distribution function at that value lies between their
    levels; only what is outside that span counts.
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
        what="Names, calls or lengths of the fragments are distributed differently from code of real projects: a "
        "Kolmogorov–Smirnov distance of at least `unlike-distance` from the built-in reference (Java, Python) or from "
        "`--reference BENCHMARK`. At most `reference-fragments` fragments per language are measured.",
        why="What holds for contest programs need not hold for real projects: in OJClone and CodeNet, length and the "
        "numbers of names and calls differ from real projects by 50 %.",
        reference=PERSPECTIVES,
        fix="State which kind of code the results apply to, and add a benchmark from real projects.",
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
        reference = _reference(context, language, most)
        rows = _measured(context.benchmark, language, most) if reference else ()
        if reference is None or not len(rows):
            continue
        title, quantiles = reference
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
                    f"{language} fragments compared with {title}",
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
        what="One project has more than `project-share` of the fragments whose project is known.",
        why="The idioms of one project then pass for properties of code in general.",
        reference=PERSPECTIVES,
        fix="Report results per project, or limit the number of fragments per project.",
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
            f"{rows[0]['n'] / total:.0%} of the fragments come from one of {len(rows):,} projects, "
            f"“{rows[0]['project']}”",
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
