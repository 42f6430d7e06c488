"""Conditions that a user writes in SQL: checked to be a condition, and nothing more, before they stand in a query."""

from __future__ import annotations

import functools
import json
from typing import Any

import duckdb

from clonetruth.errors import InputError

_FRAME = "SELECT 1 FROM rows WHERE (\n{}\n)"
_ALWAYS = "1 = 1"


def check_condition(text: str) -> None:
    """Refuse a text that is not one condition, by DuckDB's grammar.

    Whether its columns exist is found when it runs.

    Raises:
        InputError: it is empty, no SQL, several statements, or brings a clause of its own (UNION, ORDER BY …).
    """
    if not text.strip():
        raise InputError("The condition is empty.", hint="Leave it out to take everything.")
    found = _parsed(_FRAME.format(text))
    if found["error"]:
        raise InputError(
            f"The condition is no SQL: {found['error_message']}",
            where=text,
            hint="An example: clone_type = 'WT3/T4' AND verdict = 'clone'",
        )
    nodes = [statement["node"] for statement in found["statements"]]
    plain = _parsed(_FRAME.format(_ALWAYS))["statements"][0]["node"]
    # A clause more than SELECT, FROM and WHERE is an entry more, and a UNION another type.
    if len(nodes) != 1 or nodes[0].keys() != plain.keys() or nodes[0]["type"] != plain["type"]:
        raise InputError("This is more than a condition.", where=text, hint="Give what stands behind WHERE, alone.")


def _parsed(text: str) -> Any:
    query = "SELECT json_serialize_sql(CAST(? AS VARCHAR), skip_null := true, skip_empty := true)"
    row = _grammar().cursor().execute(query, [text]).fetchone()
    assert row is not None
    return json.loads(row[0])


@functools.cache
def _grammar() -> duckdb.DuckDBPyConnection:
    """A database that only reads texts."""
    return duckdb.connect(config={"threads": 1})
