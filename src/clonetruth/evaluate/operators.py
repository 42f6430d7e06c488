"""Constructed pairs, and the operator that made each (docs/mutation.md)."""

from __future__ import annotations

import pyarrow as pa

from clonetruth.parsing import parse_json
from clonetruth.store import Benchmark

OPERATOR = "operator"
"""The name of the stratum of constructed pairs."""

OPERATORS_SQL = """
SELECT g.pair AS pair, o.operator AS operator
FROM judgements g
JOIN operators o ON g.judge = o.judge
WHERE g.pair IS NOT NULL
ORDER BY g.pair
"""

_PAIR_OPERATORS = pa.schema([("pair", pa.int64()), ("operator", pa.string())])


def operator_names(benchmark: Benchmark) -> dict[str, str]:
    """The operators of a benchmark, by the id of the judge that stands for each."""
    judges = benchmark.table("judges").select(["judge", "settings"]).to_pylist()
    settings = {row["judge"]: parse_json(row["settings"]) for row in judges}
    return {judge: str(values["operator"]) for judge, values in settings.items() if "operator" in values}


def pair_operators(benchmark: Benchmark) -> pa.Table:
    """The constructed pairs: `pair`, `operator`, ordered by pair; no row where nothing was constructed."""
    names = operator_names(benchmark)
    if not names:
        return _PAIR_OPERATORS.empty_table()
    operators = pa.table({"judge": list(names), "operator": list(names.values())})
    return benchmark.sql(OPERATORS_SQL, operators=operators)
