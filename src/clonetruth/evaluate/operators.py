"""Pairs that were constructed: by which operator each was made (docs/mutation.md)."""

from __future__ import annotations

import json

import pyarrow as pa

from clonetruth.store import Benchmark

OPERATOR = "operator"
"""What the stratum of such pairs is by."""

OPERATORS_SQL = """
SELECT g.pair AS pair, o.operator AS operator
FROM judgements g
JOIN operators o ON g.judge = o.judge
WHERE g.pair IS NOT NULL
ORDER BY g.pair
"""

_PAIR_OPERATORS = pa.schema([("pair", pa.int64()), ("operator", pa.string())])


def operator_names(benchmark: Benchmark) -> dict[str, str]:
    """The operators that speak in a benchmark, by the id of the judge that stands for each."""
    judges = benchmark.table("judges").select(["judge", "settings"]).to_pylist()
    settings = {row["judge"]: json.loads(row["settings"]) for row in judges}
    return {judge: str(found["operator"]) for judge, found in settings.items() if "operator" in found}


def pair_operators(benchmark: Benchmark) -> pa.Table:
    """The pairs that an operator made: `pair`, `operator`, by pair; no row where nothing was constructed."""
    names = operator_names(benchmark)
    if not names:
        return _PAIR_OPERATORS.empty_table()
    operators = pa.table({"judge": list(names), "operator": list(names.values())})
    return benchmark.sql(OPERATORS_SQL, operators=operators)
