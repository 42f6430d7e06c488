"""Predictions given in memory: an Arrow table, a data frame, or a dict of scores.

They follow the rules of `read_predictions`: the same names of columns, the same checks, the same reasons for leaving a
row out. Rows are numbered from 1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.formats.batches import BATCH_ROWS
from clonetruth.formats.prediction_columns import HINT, find_roles
from clonetruth.formats.predictions import (
    FaultLog,
    PredictionOrigin,
    Predictions,
    RoleColumns,
    build_predictions,
    read_predictions,
)


@runtime_checkable
class ArrowStream(Protocol):
    """Anything that exports the Arrow PyCapsule stream: pyarrow tables, pandas and Polars frames, and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The stream, as a capsule."""
        ...


Scores: TypeAlias = Mapping[tuple[Any, Any], Any]
"""Scores (numbers) or decisions (booleans) by the ids of the two fragments."""

PredictionSource: TypeAlias = "str | os.PathLike[str] | Predictions | ArrowStream | pa.Table | pa.RecordBatch | Scores"
"""What `load_predictions` accepts."""

_BAD_KEY = "the key is not a pair of ids (two strings or integers)"


def load_predictions(
    source: PredictionSource, *, name: str = "predictions", strict: bool = False, repeats: bool = False
) -> Predictions:
    """Predictions from a file, an Arrow table, a data frame or a dict.

    Args:
        source: a path; a pyarrow Table or RecordBatch; any object with `__arrow_c_stream__`, such as a pandas or Polars
            frame, with the columns that a file has; or a dict ``{(left_id, right_id): value}``, where numbers are
            scores and booleans are decisions. `Predictions` are returned as they are.
        name: what messages call predictions in memory; also the default name of the detector.
        strict: raise an error at the first bad row. By default, bad rows are left out and counted.
        repeats: keep rows that repeat a pair, even if they contradict each other (for lists of answers).

    Raises:
        InputError: the source cannot be read, has no columns for a pair and a prediction, or has no usable row; with
            `strict`, also for a bad row.
    """
    if isinstance(source, Predictions):
        return source
    if isinstance(source, str | os.PathLike):
        return read_predictions(Path(source), strict=strict, repeats=repeats)
    faults = FaultLog(PredictionOrigin(name), strict)
    rows = _dict_rows(source, faults) if isinstance(source, Mapping) else _table_rows(_as_table(source, name), name)
    return build_predictions(rows, faults, repeats=repeats)


def _as_table(source: object, name: str) -> pa.Table:
    if not isinstance(source, pa.Table | pa.RecordBatch | ArrowStream):
        raise InputError(
            f"An object of type '{type(source).__name__}' cannot be read as predictions.",
            where=name,
            hint="Accepted: a path, an Arrow table, a pandas or Polars frame, or a dict {(left, right): score}.",
        )
    try:
        return pa.table(source)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise InputError(f"The columns cannot be read as predictions: {error}", where=name, hint=HINT) from error


def _table_rows(table: pa.Table, name: str) -> Iterator[RoleColumns]:
    names = [column.strip().lower() for column in table.column_names]
    roles = find_roles(names, name)
    wanted = table.select([names.index(column) for column in roles.values()]).rename_columns(list(roles))
    first = 1
    for batch in wanted.to_batches(max_chunksize=BATCH_ROWS):
        columns = dict(zip(roles, map(_plain, batch.columns), strict=True))
        yield columns, np.arange(first, first + batch.num_rows)
        first += batch.num_rows


def _plain(column: pa.Array) -> pa.Array:
    """A column of strings in the one representation that the checks know; others as they are."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    is_text = pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type)
    return column.cast(pa.string()) if is_text else column


def _dict_rows(scores: Scores, faults: FaultLog) -> Iterator[RoleColumns]:
    """The entries in their order: scores for numbers, labels for booleans."""
    left: list[str] = []
    right: list[str] = []
    values: list[float | bool | None] = []
    lines: list[int] = []
    for number, (key, value) in enumerate(scores.items(), start=1):
        ids = _ids(key)
        if ids is None:
            faults.add_row(number, _BAD_KEY)
        elif not isinstance(value, bool | int | float | np.bool_ | np.integer | np.floating | None):
            faults.add_row(number, f"a value of type '{type(value).__name__}' is neither a number nor a boolean")
        else:
            left.append(ids[0])
            right.append(ids[1])
            values.append(None if value is None else bool(value) if _is_decision(value) else float(value))
            lines.append(number)
    first = {
        isinstance(value, bool): line
        for value, line in reversed(list(zip(values, lines, strict=True)))
        if value is not None
    }
    if len(first) == 2:
        raise InputError(
            "The values are numbers in some rows and booleans in others.",
            where=faults.origin.where(max(first.values())),
            hint="Give scores (numbers) or decisions (booleans) for all pairs.",
        )
    role, kind = ("label", pa.bool_()) if True in first else ("score", pa.float64())
    columns = {"left": pa.array(left, pa.string()), "right": pa.array(right, pa.string()), role: pa.array(values, kind)}
    yield columns, np.array(lines, dtype=np.int64)


def _ids(key: object) -> tuple[str, str] | None:
    if not isinstance(key, tuple) or len(key) != 2:
        return None
    if any(isinstance(one, bool) or not isinstance(one, str | int | np.integer) for one in key):
        return None
    return str(key[0]), str(key[1])


def _is_decision(value: object) -> bool:
    return isinstance(value, bool | np.bool_)
