"""Resolving the source's string ids to dense keys: joins on the engine, never a loop over rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA
from clonetruth.store.atomic import new_file
from clonetruth.store.engine import Engine, TableLike
from clonetruth.store.parquet import ROW_GROUP_ROWS, ParquetSink, parquet_file, table_metadata
from clonetruth.store.schemas import REFERENCES, TABLES

MAX_FRAGMENTS = 2**31
"""`pair_key` packs two fragment keys into one int64."""

SLICE_ROWS = 2_000_000
"""Rows resolved and sorted at a time, to bound memory."""

_RESOLVE = {
    "memberships": """
        SELECT f.fragment AS fragment, g.functionality AS functionality, s.role AS role
        FROM staged s
        JOIN fragments f ON s.fragment = f.id
        JOIN functionalities g ON s.functionality = g.id
        WHERE s.row_number >= {first} AND s.row_number < {last}
        ORDER BY s.row_number
    """,
    "pairs": """
        SELECT s.row_number AS pair, l.fragment AS left, r.fragment AS right,
            least(l.fragment, r.fragment) * 4294967296 + greatest(l.fragment, r.fragment) AS pair_key,
            g.functionality AS functionality, s.claimed_type AS claimed_type,
            s.claimed_similarity_line AS claimed_similarity_line,
            s.claimed_similarity_token AS claimed_similarity_token,
            s.claimed_cut_rule AS claimed_cut_rule, s.claimed_part AS claimed_part
        FROM staged s
        JOIN fragments l ON s.left = l.id
        JOIN fragments r ON s.right = r.id
        LEFT JOIN functionalities g ON s.functionality = g.id
        WHERE s.row_number >= {first} AND s.row_number < {last}
        ORDER BY s.row_number
    """,
    "judgements": """
        SELECT s.judge AS judge, s.criterion AS criterion, s.value AS value, s.pair AS pair,
            f.fragment AS fragment, g.functionality AS functionality, s.confidence AS confidence,
            s.reason AS reason, s.evidence AS evidence, s.time AS time, s.source_row AS source_row,
            coalesce(s.sequence, b.base) AS sequence
        FROM staged s
        CROSS JOIN base b
        LEFT JOIN fragments f ON s.fragment = f.id
        LEFT JOIN functionalities g ON s.functionality = g.id
        WHERE s.row_number >= {first} AND s.row_number < {last}
        ORDER BY s.row_number
    """,
}


def check_unique_ids(engine: Engine, table: str, path: Path) -> None:
    """Refuse duplicate ids in a table of fragments or functionalities."""
    key = TABLES[table].schema.names[0]
    duplicates = engine.sql(
        f"""
        SELECT id, min({key}) AS first_row, max({key}) AS last_row FROM incoming
        GROUP BY id HAVING count(*) > 1 ORDER BY first_row LIMIT 1
        """,
        {"incoming": path},
    ).to_pylist()
    if duplicates:
        raise InputError(
            f"The id '{duplicates[0]['id']}' occurs twice, first in row {duplicates[0]['first_row']}.",
            where=f"{table}, row {duplicates[0]['last_row']}",
            hint="Ids must be unique within a benchmark.",
        )


NEGATIVE_LINES = "first_line < 0 OR last_line < 0"


def check_lines(engine: Engine, path: Path) -> None:
    """Refuse fragments with a negative line number."""
    text = f"SELECT min(fragment) AS first_row FROM incoming WHERE {NEGATIVE_LINES}"
    row = engine.sql(text, {"incoming": path})["first_row"][0].as_py()
    if row is not None:
        raise InputError("The line number is negative.", where=f"fragments, row {row}")


def check_references(engine: Engine, table: str, staged: Path, tables: Mapping[str, TableLike]) -> None:
    """Refuse staged rows (string ids and `row_number`) with unknown references.

    Args:
        engine: the engine for joins.
        table: `memberships`, `pairs` or `judgements`.
        staged: the staged Parquet file.
        tables: `fragments` and `functionalities`, for judgements also `judges` and `pairs`.

    Raises:
        InputError: names table and row of an unknown id, judge, pair or answer.
    """
    if not parquet_file(staged).metadata.num_rows:
        return
    for column, target in REFERENCES[table].items():
        text = f"""
            SELECT s.row_number AS row_number, s.{column} AS id FROM staged s
            LEFT JOIN {target} t ON s.{column} = t.id
            WHERE s.{column} IS NOT NULL AND t.id IS NULL ORDER BY s.row_number LIMIT 1
        """
        for row in engine.sql(text, {"staged": staged, target: tables[target]}).to_pylist():
            raise InputError(
                f"The {column} '{row['id']}' is not among the {target}.", where=f"{table}, row {row['row_number']}"
            )
    if table == "judgements":
        _check_judgements(engine, {"staged": staged, "judges": tables["judges"], "pairs": tables["pairs"]})


def write_resolved(
    engine: Engine, table: str, staged: Path, tables: Mapping[str, TableLike], path: Path, base: int = 0
) -> int:
    """Write staged rows that passed `check_references`, with keys instead of ids.

    Args:
        engine: the engine for joins.
        table: `memberships`, `pairs` or `judgements`.
        staged: the staged Parquet file.
        tables: `fragments` and `functionalities`.
        path: the Parquet file to write.
        base: the `sequence` of judgements that have none.

    Returns:
        The number of rows.
    """
    used: dict[str, TableLike] = {name: tables[name] for name in ("fragments", "functionalities")}
    used |= {"staged": staged, "base": pa.table({"base": pa.array([base], pa.int64())})}
    schema = TABLES[table].schema
    with new_file(path) as temporary, ParquetSink(temporary, schema, table_metadata(table)) as sink:
        if table == "judgements" and not _has_fragment_judgements(staged):
            for batch in _pair_judgements(staged, base):
                sink.write(batch)
            return sink.rows
        rows = parquet_file(staged).metadata.num_rows
        for first in range(0, rows, SLICE_ROWS):
            text = _RESOLVE[table].format(first=first, last=first + SLICE_ROWS)
            for batch in engine.sql(text, used).to_batches():
                sink.write(batch)
    return sink.rows


def _has_fragment_judgements(staged: Path) -> bool:
    """Whether any staged judgement is on a fragment, by the file's statistics."""
    metadata = parquet_file(staged).metadata
    column = metadata.schema.names.index("fragment")
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        statistics = group.column(column).statistics
        if statistics is None or statistics.null_count != group.num_rows:
            return True
    return False


def _pair_judgements(staged: Path, base: int) -> Iterator[pa.RecordBatch]:
    """Judgements on pairs need no lookup: they pass unchanged, in order."""
    with parquet_file(staged) as file:
        for batch in file.iter_batches(ROW_GROUP_ROWS):
            sequence = pc.fill_null(batch.column("sequence"), base)
            rest = batch.drop_columns(["fragment", "functionality", "row_number", "sequence"])
            yield rest.append_column("sequence", sequence)


_WRONG_JUDGEMENTS = """
WITH examined AS (
    SELECT s.row_number AS row_number, s.judge AS judge, s.criterion AS criterion, s.value AS value,
        s.pair AS pair, s.confidence AS confidence,
        CASE
            WHEN j.judge IS NULL THEN 'judge'
            WHEN p.value IS NULL THEN 'value'
            WHEN p.subject = 'pair' AND (s.pair IS NULL OR s.fragment IS NOT NULL OR s.functionality IS NOT NULL)
                THEN 'not a pair'
            WHEN p.subject = 'fragment' AND (s.pair IS NOT NULL OR s.fragment IS NULL OR s.functionality IS NULL)
                THEN 'not a fragment'
            WHEN s.pair IS NOT NULL AND (s.pair < 0 OR s.pair >= n.pair_count) THEN 'pair'
            WHEN s.confidence IS NOT NULL AND NOT (s.confidence >= 0 AND s.confidence <= 1) THEN 'confidence'
        END AS problem
    FROM staged s
    CROSS JOIN (SELECT count(*) AS pair_count FROM pairs) n
    LEFT JOIN judges j ON s.judge = j.judge
    LEFT JOIN permitted p ON s.criterion = p.criterion AND s.value = p.value
)
SELECT * FROM examined WHERE problem IS NOT NULL ORDER BY row_number LIMIT 1
"""

_PROBLEMS = {
    "judge": "There is no judge '{judge}'.",
    "value": "The criterion '{criterion}' does not permit the answer '{value}'.",
    "not a pair": "The criterion '{criterion}' applies to pairs only.",
    "not a fragment": "The criterion '{criterion}' applies to fragments in a functionality only.",
    "pair": "There is no pair {pair}.",
    "confidence": "The confidence {confidence} is not between 0 and 1.",
}


def permitted_answers() -> pa.Table:
    """The answers that each criterion permits: `criterion`, `value`, `subject`."""
    return pa.Table.from_pylist(
        [
            {"criterion": criterion.name, "value": str(value), "subject": str(criterion.subject)}
            for criterion in CRITERIA.values()
            for value in criterion.values
        ]
    )


def _check_judgements(engine: Engine, tables: Mapping[str, TableLike]) -> None:
    permitted = permitted_answers()
    for row in engine.sql(_WRONG_JUDGEMENTS, {**tables, "permitted": permitted}).to_pylist():
        raise InputError(_PROBLEMS[row["problem"]].format(**row), where=f"judgements, row {row['row_number']}")
