"""The pairs that a study draws from: those of a benchmark for which a condition of the user holds."""

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
"""The pairs as a condition sees them. The `label` is what the dataset's own rule says; where no rule speaks, a pair of
which a clone type is claimed is labelled a clone."""

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
    "claimed_similarity_line": "Similarity by line that the source claims.",
    "claimed_similarity_token": "Similarity by token that the source claims.",
    "claimed_part": "Part of the split that the source puts the pair in.",
    "label": "What the dataset's own rule says: `clone` or `not-clone`; a claimed clone type is `clone` too.",
    "verdict": "What the chosen policy concludes: `clone`, `not-clone` or `unknown`.",
    "confidence": "Confidence of that verdict.",
    "clone_type": "Clone type that we measured under the chosen rule.",
    "similarity_line": "Similarity by line that we measured.",
    "similarity_token": "Similarity by token that we measured.",
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
"""What a condition may speak of."""

_BETWEEN = ", ', ', "
"""What stands between the values of a stratum's name, in SQL."""

_MEASURED = ("clone_type", "similarity_line", "similarity_token")


@dataclass(frozen=True)
class PopulationOptions:
    """Which pairs a study draws from, and how they are divided.

    Attributes:
        where: an SQL condition over `COLUMNS`; all pairs unless told.
        policy: whose verdicts `verdict` and `confidence` are.
        criterion: what that policy reads; unless told, the card's.
        rule: whose measures `clone_type` and the similarities are; unless told, the only one.
        stratify: the columns whose values are the strata.
    """

    where: str | None = None
    policy: str = ORIGIN.name
    criterion: str | None = None
    rule: str | None = None
    stratify: tuple[str, ...] = ()


def write_population(benchmark: Benchmark, options: PopulationOptions, path: Path) -> int:
    """Write the pairs to draw from as Parquet: `id`, `pair`, `label`, `stratum`.

    Returns:
        How many there are.

    Raises:
        InputError: the condition is none, or names what is not there; a column cannot divide pairs; or verdicts or
            measures are asked for that the benchmark does not have.
    """
    condition = options.where or "1 = 1"
    check_condition(condition)
    for name in options.stratify:
        if name not in COLUMNS:
            raise InputError(f"There is no column '{name}'.", hint=f"Known: {', '.join(COLUMNS)}.")
    words = f"{condition} {' '.join(options.stratify)}"
    tables: dict[str, TableLike] = {
        "concluded": _concluded(benchmark, options, words),
        "origin": _origin(benchmark),
        "measured": _measured(benchmark, options, words),
    }
    values = [f"coalesce(CAST({name} AS STRING), 'none')" for name in options.stratify]
    stratum = f"concat({_BETWEEN.join(values)})" if values else "'all pairs'"
    text = _POPULATION_SQL.format(candidates=CANDIDATES_SQL, stratum=stratum, condition=condition)
    try:
        return benchmark.export_query(text, path, **tables)
    except InputError as error:
        hint = f"Columns: {', '.join(COLUMNS)}."
        raise InputError(f"The condition cannot be asked: {error.what}", where=options.where, hint=hint) from error


def _concluded(benchmark: Benchmark, options: PopulationOptions, words: str) -> TableLike:
    if "verdict" not in words and "confidence" not in words:
        return _nothing("verdicts")
    return judge_verdicts(benchmark, options.policy, options.criterion).path


def _origin(benchmark: Benchmark) -> TableLike:
    asked = pa.table({"criterion": [benchmark.card.criterion]})
    spoken = benchmark.sql(_CLAIMS_SQL, asked=asked)["claims"][0].as_py()
    return judge_verdicts(benchmark, ORIGIN.name).path if spoken else _nothing("verdicts")


def _measured(benchmark: Benchmark, options: PopulationOptions, words: str) -> TableLike:
    names = benchmark.measure_names()
    if options.rule is not None:
        return benchmark.parquet(f"measures/{options.rule}")
    wanted = [name for name in _MEASURED if name in words.replace(f"claimed_{name}", "")]
    if not wanted:
        return _nothing("measures")
    if len(names) != 1:
        raise InputError(
            f"'{wanted[0]}' is measured under {len(names)} rules.",
            where=benchmark.path,
            hint=f"Choose one with --rule: {', '.join(names)}."
            if names
            else "Measure with `clonetruth classify`, or use what the source claims: claimed_type.",
        )
    return benchmark.parquet(f"measures/{names[0]}")


def _nothing(table: str) -> pa.Table:
    return TABLES[table].schema.empty_table()
