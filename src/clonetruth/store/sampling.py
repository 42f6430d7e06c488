"""Drawing samples of pairs by stratum, and checking the SQL conditions that users filter populations with.

A draw is one SQL text: within each stratum the pairs are ordered by md5(id || seed), and the first ones are taken. So
the same seed gives the same sample on every engine, whatever the order of the rows, and a larger sample contains the
smaller one.
"""

from __future__ import annotations

import functools
from typing import Any

import duckdb
import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.parsing import parse_json
from clonetruth.stats.sample_size import StratumPlan
from clonetruth.store import Engine, TableLike

_FRAME = "SELECT 1 FROM rows WHERE (\n{}\n)"
_ALWAYS = "1 = 1"


def check_condition(text: str) -> None:
    """Refuse a text that is not a single SQL condition by DuckDB's grammar.

    Whether its columns exist is checked when it runs.

    Raises:
        InputError: it is empty, not SQL, several statements, or adds a clause (UNION, ORDER BY …).
    """
    if not text.strip():
        raise InputError("The condition is empty.", hint="Omit it to take everything.")
    parsed = _parsed(_FRAME.format(text))
    if parsed["error"]:
        raise InputError(
            f"The condition is not valid SQL: {parsed['error_message']}",
            where=text,
            hint="An example: clone_type = 'WT3/T4' AND verdict = 'clone'",
        )
    nodes = [statement["node"] for statement in parsed["statements"]]
    plain = _parsed(_FRAME.format(_ALWAYS))["statements"][0]["node"]
    # Any clause besides SELECT, FROM and WHERE adds an entry, and a UNION has another type.
    if len(nodes) != 1 or nodes[0].keys() != plain.keys() or nodes[0]["type"] != plain["type"]:
        raise InputError("This is more than a condition.", where=text, hint="Give only what follows WHERE.")


def _parsed(text: str) -> Any:
    query = "SELECT json_serialize_sql(CAST(? AS VARCHAR), skip_null := true, skip_empty := true)"
    row = _grammar().cursor().execute(query, [text]).fetchone()
    assert row is not None
    return parse_json(row[0])


@functools.cache
def _grammar() -> duckdb.DuckDBPyConnection:
    """A database that only parses SQL."""
    return duckdb.connect(config={"threads": 1})


STRATA_SQL = """
SELECT stratum, count(*) AS pairs
FROM population
GROUP BY stratum
ORDER BY stratum
"""
"""The number of pairs in each stratum of `population` (`id`, `stratum`)."""

DRAW_SQL = """
WITH ranked AS (
    SELECT p.id AS id, p.stratum AS stratum,
        row_number() OVER (
            PARTITION BY p.stratum ORDER BY md5(concat(p.id, CAST(s.seed AS STRING))), p.id
        ) AS place
    FROM population p
    CROSS JOIN seeds s
)
SELECT r.id AS id, r.stratum AS stratum, q.weight AS weight, r.place > q.size AS extra
FROM ranked r
JOIN plans q ON r.stratum = q.stratum
WHERE r.place <= q.drawn
ORDER BY r.stratum, r.place
"""
"""The pairs drawn from `population` (`id`, `stratum`) by `plans` (`stratum`, `size`, `drawn`, `weight`), with one
row in `seeds` (`seed`)."""


def count_strata(engine: Engine, population: TableLike) -> dict[str, int]:
    """The number of pairs in each stratum of a table with the string columns `id` and `stratum`.

    Raises:
        InputError: a pair has no stratum.
    """
    rows = engine.sql(STRATA_SQL, {"population": population}).to_pylist()
    if any(row["stratum"] is None for row in rows):
        raise InputError("A pair has no stratum.", hint="Assign the pairs without one to a separate stratum.")
    return {row["stratum"]: row["pairs"] for row in rows}


def draw_sample(engine: Engine, population: TableLike, plan: tuple[StratumPlan, ...], seed: int) -> pa.Table:
    """Draw a sample according to a plan.

    Args:
        engine: the engine for the SQL.
        population: a table with the string columns `id` (unique) and `stratum`.
        plan: how many pairs to draw from each stratum.
        seed: random seed.

    Returns:
        The drawn pairs: `id`, `stratum`, `weight`, `extra`; by stratum, in drawing order.

    Raises:
        InputError: the plan does not match the population.
    """
    counted = count_strata(engine, population)
    planned = {stratum.name: stratum.population for stratum in plan if stratum.population}
    if counted != planned:
        raise InputError("The plan's strata differ from those of the population.", hint="Plan with `count_strata`.")
    plans = pa.table(
        {
            "stratum": pa.array([stratum.name for stratum in plan], pa.string()),
            "size": pa.array([stratum.size for stratum in plan], pa.int64()),
            "drawn": pa.array([stratum.drawn for stratum in plan], pa.int64()),
            "weight": pa.array([stratum.weight for stratum in plan], pa.float64()),
        }
    )
    seeds = pa.table({"seed": pa.array([seed], pa.int64())})
    return engine.sql(DRAW_SQL, {"population": population, "plans": plans, "seeds": seeds})
