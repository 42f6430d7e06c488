"""The population of a study: the pairs of a benchmark that fulfil a condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.store import TABLES, Benchmark, TableLike
from clonetruth.store.sampling import check_condition
from clonetruth.verdicts.policies import ORIGIN, judge_verdicts

CANDIDATES_SQL = """
SELECT p.pair AS pair, f.id AS functionality, f.name AS functionality_name,
    p.claimed_type AS claimed_type, p.claimed_similarity_line AS claimed_similarity_line,
    p.claimed_similarity_token AS claimed_similarity_token, p.claimed_part AS claimed_part,
    CASE WHEN c.verdict IN ('clone', 'not-clone') THEN c.verdict
        WHEN c.verdict IS NULL AND p.claimed_type IS NOT NULL THEN 'clone' END AS label,
    v.verdict AS verdict, v.confidence AS confidence,
    m.clone_type AS clone_type, m.similarity_line AS similarity_line, m.similarity_token AS similarity_token,
    l.id AS left_id, l.language AS left_language, l.kind AS left_kind, l.name AS left_name, l.project AS left_project,
    l.path AS left_path, l.first_line AS left_first_line, l.last_line AS left_last_line,
    r.id AS right_id, r.language AS right_language, r.kind AS right_kind, r.name AS right_name,
    r.project AS right_project, r.path AS right_path, r.first_line AS right_first_line, r.last_line AS right_last_line
FROM pairs p
JOIN fragments l ON p.left = l.fragment
JOIN fragments r ON p.right = r.fragment
LEFT JOIN functionalities f ON p.functionality = f.functionality
LEFT JOIN origin c ON p.pair = c.pair
LEFT JOIN concluded v ON p.pair = v.pair
LEFT JOIN measured m ON p.pair = m.pair
"""
"""The pairs with the columns that a condition can use. The `label` is the claim of the dataset's own rule; without
one, a pair with a claimed clone type is labelled a clone."""

_POPULATION_SQL = """
WITH candidates AS ({candidates})
SELECT CAST(pair AS STRING) AS id, pair, label, {stratum} AS stratum
FROM candidates
WHERE (
{condition}
)
"""

_CLAIMS_SQL = """
SELECT count(*) AS claims
FROM judgements g
JOIN judges j ON g.judge = j.judge
JOIN asked a ON g.criterion = a.criterion
WHERE j.kind = 'rule' AND g.pair IS NOT NULL
"""

COLUMNS: Mapping[str, str] = {
    "pair": "Key in `pairs`.",
    "functionality": "Id of the functionality that the source names.",
    "functionality_name": "Its name.",
    "claimed_type": "Clone type that the source claims.",
    "claimed_similarity_line": "Line similarity that the source claims.",
    "claimed_similarity_token": "Token similarity that the source claims.",
    "claimed_part": "Part of the source's own split.",
    "label": "Claim of the dataset's own rule: `clone` or `not-clone`; a claimed clone type counts as `clone`.",
    "verdict": "Verdict of the chosen policy: `clone`, `not-clone` or `unknown`.",
    "confidence": "Confidence of that verdict.",
    "clone_type": "Clone type measured under the chosen rule.",
    "similarity_line": "Measured line similarity.",
    "similarity_token": "Measured token similarity.",
    **{
        f"{side}_{name}": f"{meaning} of the {side} fragment."
        for side in ("left", "right")
        for name, meaning in (
            ("id", "Id"),
            ("language", "Language"),
            ("kind", "Kind (`function`, …)"),
            ("name", "Name"),
            ("project", "Project"),
            ("path", "File"),
            ("first_line", "First line"),
            ("last_line", "Last line"),
        )
    },
}
"""The columns that a condition can use, with their meaning."""

_SEPARATOR = ", ', ', "
"""Separates the values in a stratum's name, in SQL."""

_MEASURED = ("clone_type", "similarity_line", "similarity_token")


@dataclass(frozen=True)
class PopulationDesign:
    """The pairs that a study draws from, and their strata.

    Attributes:
        where: an SQL condition over `COLUMNS` (default: all pairs).
        policy: the policy behind `verdict` and `confidence`.
        criterion: the criterion of that policy (default: the criterion of the benchmark's card).
        rule: the rule behind `clone_type` and the measured similarities (default: the only rule measured).
        stratify: the columns whose values define the strata.
        without: pairs that are left out, by key: those of a pilot.
    """

    where: str | None = None
    policy: str = ORIGIN.name
    criterion: str | None = None
    rule: str | None = None
    stratify: tuple[str, ...] = ()
    without: tuple[int, ...] = ()


def write_population(benchmark: Benchmark, options: PopulationDesign, path: Path) -> int:
    """Write the pairs to draw from as Parquet: `id`, `pair`, `label`, `stratum`.

    Returns:
        The number of pairs.

    Raises:
        InputError: the condition is not valid SQL or uses an unknown column; a column of `stratify` is unknown; or the
            benchmark lacks the verdicts or measures that are used.
    """
    condition = options.where or "1 = 1"
    check_condition(condition)
    for name in options.stratify:
        if name not in COLUMNS:
            raise InputError(f"Unknown column '{name}'.", hint=f"Known columns: {', '.join(COLUMNS)}.")
    text_used = f"{condition} {' '.join(options.stratify)}"
    tables: dict[str, TableLike] = {
        "concluded": _concluded(benchmark, options, text_used),
        "origin": _origin(benchmark),
        "measured": _measured(benchmark, options, text_used),
    }
    values = [f"coalesce(CAST({name} AS STRING), 'none')" for name in options.stratify]
    stratum = f"concat({_SEPARATOR.join(values)})" if values else "'all pairs'"
    if options.without:
        condition = f"({condition}\n) AND pair NOT IN ({', '.join(map(str, options.without))})"
    text = _POPULATION_SQL.format(candidates=CANDIDATES_SQL, stratum=stratum, condition=condition)
    try:
        return benchmark.export_query(text, path, **tables)
    except InputError as error:
        hint = f"Columns: {', '.join(COLUMNS)}."
        raise InputError(f"The condition cannot be evaluated: {error.what}", where=options.where, hint=hint) from error


def _concluded(benchmark: Benchmark, options: PopulationDesign, text_used: str) -> TableLike:
    if "verdict" not in text_used and "confidence" not in text_used:
        return _empty("verdicts")
    return judge_verdicts(benchmark, options.policy, options.criterion).path


def _origin(benchmark: Benchmark) -> TableLike:
    asked = pa.table({"criterion": [benchmark.card.criterion]})
    claims = benchmark.sql(_CLAIMS_SQL, asked=asked)["claims"][0].as_py()
    return judge_verdicts(benchmark, ORIGIN.name).path if claims else _empty("verdicts")


def _measured(benchmark: Benchmark, options: PopulationDesign, text_used: str) -> TableLike:
    names = benchmark.measure_names()
    if options.rule is not None:
        return benchmark.parquet(f"measures/{options.rule}")
    used = [name for name in _MEASURED if name in text_used.replace(f"claimed_{name}", "")]
    if not used:
        return _empty("measures")
    if len(names) != 1:
        raise InputError(
            f"'{used[0]}' is measured under {len(names)} rules.",
            where=benchmark.path,
            hint=f"Choose one with --rule: {', '.join(names)}."
            if names
            else "Measure it with `clonetruth classify`, or use the source's claim: claimed_type.",
        )
    return benchmark.parquet(f"measures/{names[0]}")


def _empty(table: str) -> pa.Table:
    return TABLES[table].schema.empty_table()
