"""Incoming rows: dataclasses of the vocabulary or Arrow, turned into validated batches with the source's string ids."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import Fragment, Functionality, Judge, Judgement, Membership, Pair
from clonetruth.store.parquet import ROW_GROUP_ROWS, conform
from clonetruth.store.schemas import TIMESTAMP, VOCABULARIES, incoming_schema

Row: TypeAlias = Fragment | Functionality | Membership | Pair | Judge | Judgement
Content: TypeAlias = Iterable[Row] | Iterable[pa.RecordBatch] | pa.Table | pa.RecordBatch | pa.RecordBatchReader

BATCH_ROWS = 16_384
BATCH_CHARACTERS = 32 * 1024 * 1024

_ROW_TYPES: dict[str, type] = {
    "fragments": Fragment,
    "functionalities": Functionality,
    "memberships": Membership,
    "pairs": Pair,
    "judges": Judge,
    "judgements": Judgement,
}


def batches(table: str, content: Content, *, first_row: int = 0, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
    """Validated batches with the columns of `incoming_schema(table)`.

    Args:
        table: the name of the table.
        content: dataclasses of the vocabulary, or Arrow with the incoming columns (string ids; nullable
            columns may be missing).
        first_row: number of the first row, for messages.
        rows: maximum number of dataclasses in a batch.

    Raises:
        InputError: names table and row: a value that is missing, of the wrong type, or outside a closed vocabulary.
    """
    schema = incoming_schema(table)
    row = first_row
    for batch in _arrow(table, schema, content, first_row, rows):
        checked = conform(_parsed_times(batch, schema), schema, row=row, where=table)
        _check_vocabularies(table, checked, row)
        row += checked.num_rows
        yield checked


def _arrow(table: str, schema: pa.Schema, content: Content, row: int, rows: int) -> Iterator[pa.RecordBatch]:
    if isinstance(content, pa.Table):
        yield from content.to_batches(max_chunksize=ROW_GROUP_ROWS)
        return
    if isinstance(content, pa.RecordBatch):
        yield content
        return
    iterator: Iterator[Any] = iter(content)
    first = next(iterator, None)
    if first is None:
        return
    rows_or_batches: Iterator[Any] = chain([first], iterator)
    if isinstance(first, pa.RecordBatch):
        yield from rows_or_batches
        return
    for group in _groups(table, rows_or_batches, rows):
        yield _columns(table, schema, group, row)
        row += len(group)


def _groups(table: str, rows: Iterator[Row], most: int) -> Iterator[list[Row]]:
    """Rows in groups of bounded size; fragments, which may be whole files, also bounded in characters."""
    if table != "fragments":
        while group := list(islice(rows, most)):
            yield group
        return
    group, characters = [], 0
    for row in rows:
        group.append(row)
        characters += len(getattr(row, "text", None) or "")
        if len(group) >= most or characters >= BATCH_CHARACTERS:
            yield group
            group, characters = [], 0
    if group:
        yield group


def _columns(table: str, schema: pa.Schema, group: list[Row], first_row: int) -> pa.RecordBatch:
    kind = _ROW_TYPES[table]
    for number, row in enumerate(group):
        if not isinstance(row, kind):
            raise InputError(
                f"The {table} contain a {type(row).__name__}.",
                where=f"{table}, row {first_row + number}",
            )
    arrays = []
    for field in schema:
        get = _getter(table, field.name)
        try:
            arrays.append(pa.array([get(row) for row in group], type=field.type))
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            raise _wrong_cell(table, field, group, get, first_row, error) from error
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _wrong_cell(
    table: str,
    field: pa.Field,
    group: list[Row],
    get: Callable[[Row], object],
    first_row: int,
    error: Exception,
) -> InputError:
    for number, row in enumerate(group):
        try:
            pa.array([get(row)], type=field.type)
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as cell_error:
            return InputError(
                f"The value of '{field.name}' cannot be stored as {field.type}: {cell_error}",
                where=f"{table}, row {first_row + number}",
            )
    return InputError(f"The values of '{field.name}' cannot be stored: {error}", where=table)


def _getter(table: str, column: str) -> Callable[[Any], object]:
    if table == "judges" and column == "judge":
        return lambda judge: judge.id
    if table == "judges" and column == "settings":
        return lambda judge: json.dumps(dict(judge.settings), sort_keys=True, ensure_ascii=False)
    if table == "judgements" and column == "time":
        return lambda judgement: None if judgement.time is None else _moment(judgement.time)
    if column == "sequence":
        return lambda judgement: None
    return lambda row: getattr(row, column)


def _moment(text: str) -> datetime:
    """An ISO 8601 time; without an offset it is UTC."""
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _parsed_times(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Arrow may hold times as ISO text, as the dataclasses do."""
    index = batch.schema.get_field_index("time")
    if index < 0 or schema.get_field_index("time") < 0:
        return batch
    given = batch.column(index)
    if not (pa.types.is_string(given.type) or pa.types.is_large_string(given.type)):
        return batch
    try:
        moments = [None if text is None else _moment(text) for text in given.to_pylist()]
    except ValueError as error:
        raise InputError(f"A 'time' is not an ISO 8601 time: {error}", where="judgements") from error
    return batch.set_column(index, "time", pa.array(moments, type=TIMESTAMP))


def _check_vocabularies(table: str, batch: pa.RecordBatch, first_row: int) -> None:
    for (name, column), values in VOCABULARIES.items():
        if name != table:
            continue
        array = batch.column(batch.schema.get_field_index(column))
        good = pc.or_(pc.is_in(array, value_set=pa.array(list(values), pa.string())), array.is_null())
        bad = good.index(pa.scalar(False)).as_py()
        if bad >= 0:
            raise InputError(
                f"'{array[bad].as_py()}' is not a valid {column} of {table}.",
                where=f"{table}, row {first_row + bad}",
                hint=f"Known: {', '.join(values)}.",
            )
