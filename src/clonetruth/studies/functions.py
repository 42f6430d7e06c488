"""The population of a study of single functions: the fragments of a benchmark, each in a functionality."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from clonetruth.store.sampling import check_condition
from clonetruth.studies.population import PopulationDesign

FUNCTION_COLUMNS: Mapping[str, str] = {
    "fragment_id": "Id of the fragment.",
    "functionality": "Id of the functionality.",
    "functionality_name": "Its name.",
    "role": "What the source says: `exemplar`, `tagged-true`, `tagged-false` or `undecided`.",
    "language": "Language of the fragment.",
    "kind": "Its kind (`function`, …).",
    "name": "Its name.",
    "project": "Its project.",
    "path": "Its file.",
    "first_line": "Its first line.",
    "last_line": "Its last line.",
}
"""The columns that a condition on functions can use, with their meaning."""

CANDIDATES_SQL = """
SELECT concat(x.id, ' ', u.id) AS id, x.id AS fragment_id, u.id AS functionality, u.name AS functionality_name,
    min(m.role) AS role, x.language AS language, x.kind AS kind, x.name AS name, x.project AS project, x.path AS path,
    x.first_line AS first_line, x.last_line AS last_line
FROM memberships m
JOIN fragments x ON m.fragment = x.fragment
JOIN functionalities u ON m.functionality = u.functionality
GROUP BY x.id, u.id, u.name, x.language, x.kind, x.name, x.project, x.path, x.first_line, x.last_line
"""
"""The fragments in functionalities, each once. An exemplar that was also tagged is an exemplar."""

_POPULATION_SQL = """
WITH candidates AS ({candidates})
SELECT id, fragment_id, functionality, {stratum} AS stratum
FROM candidates
WHERE (
{condition}
)
"""

FUNCTIONS_SQL = """
SELECT CAST(row_number() OVER (ORDER BY md5(concat(d.id, CAST(s.seed AS STRING))), d.id) - 1 AS BIGINT) AS method,
    p.fragment_id AS fragment_id, p.functionality AS functionality, x.language AS language, x.text AS text,
    d.stratum AS stratum, d.weight AS weight, d.extra AS extra
FROM drawn d
CROSS JOIN seeds s
JOIN population p ON d.id = p.id
JOIN fragments x ON p.fragment_id = x.id
ORDER BY method
"""
"""The drawn functions in a random order, which mixes the strata."""


def write_functions(benchmark: Benchmark, options: PopulationDesign, path: Path) -> int:
    """Write the functions to draw from as Parquet: `id`, `fragment_id`, `functionality`, `stratum`.

    Returns:
        The number of functions.

    Raises:
        InputError: the condition is not valid SQL or uses an unknown column, or a column of `stratify` is unknown.
    """
    condition = options.where or "1 = 1"
    check_condition(condition)
    hint = f"Columns of a study of single functions: {', '.join(FUNCTION_COLUMNS)}."
    for name in options.stratify:
        if name not in FUNCTION_COLUMNS:
            raise InputError(f"Unknown column '{name}'.", hint=hint)
    values = [f"coalesce(CAST({name} AS STRING), 'none')" for name in options.stratify]
    separated = ", ', ', ".join(values)
    stratum = f"concat({separated})" if values else "'all functions'"
    text = _POPULATION_SQL.format(candidates=CANDIDATES_SQL, stratum=stratum, condition=condition)
    try:
        return benchmark.export_query(text, path)
    except InputError as error:
        raise InputError(f"The condition cannot be evaluated: {error.what}", where=options.where, hint=hint) from error
