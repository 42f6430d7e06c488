"""Appending judges and judgements: one definition per judge, in append-only parts.

A part has the same name in two folders: `judges/<part>.parquet` with the new judges, and
`judgements/<part>.parquet`. The judges are written first, so that no judgement is ever visible without its judge. The
seal of both is written last.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.store import incoming
from clonetruth.store.atomic import new_file, scratch_folder
from clonetruth.store.engine import Engine, TableLike
from clonetruth.store.parquet import ParquetSink, table_metadata
from clonetruth.store.resolve import check_references, write_resolved
from clonetruth.store.schemas import FIRST_APPENDED, TABLES, incoming_schema
from clonetruth.store.seals import seal


def unique_judges(batches: Iterable[pa.RecordBatch], known: pa.Table | None = None) -> pa.Table:
    """The judges that are not known yet.

    Raises:
        InputError: an id occurs twice, or its definition differs from the known one.
    """
    definitions = {row["judge"]: row for row in known.to_pylist()} if known is not None else {}
    new: dict[str, Mapping[str, object]] = {}
    for number, row in enumerate(row for batch in batches for row in batch.to_pylist()):
        judge = row["judge"]
        if judge in new or definitions.get(judge, row) != row:
            raise InputError(
                f"The judge '{judge}' is already defined" + ("." if judge in new else " differently."),
                where=f"judges, row {number}",
                hint="Another wording or another model is another judge: give it another id.",
            )
        if judge not in definitions:
            new[judge] = row
    return pa.Table.from_pylist(list(new.values()), schema=TABLES["judges"].schema)


def append(
    folder: Path,
    engine: Engine,
    tables: Mapping[str, TableLike],
    judges: incoming.Content,
    judgements: incoming.Content,
) -> int:
    """Add a part with new judges and judgements.

    Args:
        folder: the benchmark folder.
        engine: the engine that joins ids to keys.
        tables: the core tables, `judges` as Arrow.
        judges: judges, known or new.
        judgements: their judgements, with the source's string ids.

    Returns:
        The number of judgements added.
    """
    known = tables["judges"]
    new = unique_judges(incoming.batches("judges", judges), known if isinstance(known, pa.Table) else None)
    with scratch_folder(folder / "judgements") as scratch:
        staged = scratch / "staged"
        rows = stage(staged, judgements)
        base = next_sequence(engine, tables["judgements"])
        part = f"part-{base:017d}-{secrets.token_hex(8)}.parquet"
        everything = {**tables, "judges": pa.concat_tables([known, new])}
        check_references(engine, "judgements", staged, everything)
        try:
            if new.num_rows:
                _write_judges(new, folder / "judges" / part)
            if rows:
                write_resolved(engine, "judgements", staged, everything, folder / "judgements" / part, base)
            seal(folder, part)
        except BaseException:
            for table in ("judgements", "judges"):
                (folder / table / part).unlink(missing_ok=True)
            raise
    return rows


def _write_judges(new: pa.Table, path: Path) -> None:
    with new_file(path) as unfinished, ParquetSink(unfinished, new.schema, table_metadata("judges")) as sink:
        for batch in new.to_batches():
            sink.write(batch)


def stage(path: Path, judgements: incoming.Content) -> int:
    """Write incoming judgements, checked and numbered, as Parquet; returns their number."""
    schema = incoming_schema("judgements").append(pa.field("row_number", pa.int64()))
    with ParquetSink(path, schema) as sink:
        for batch in incoming.batches("judgements", judgements):
            numbers = pa.array(np.arange(sink.rows, sink.rows + batch.num_rows))
            # They arrive now, whenever they arrived elsewhere.
            sink.write(batch.drop_columns(["sequence"]).append_column("row_number", numbers))
    return sink.rows


def next_sequence(engine: Engine, judgements: TableLike) -> int:
    """The clock in microseconds, but later than every stored judgement in case the clock was set back.

    All judgements of a part share it: they arrive together, so that none of them is later than another.
    """
    last = engine.sql("SELECT max(sequence) AS last FROM judgements", {"judgements": judgements})["last"][0].as_py()
    return max(time.time_ns() // 1000, FIRST_APPENDED, 0 if last is None else last + 1)
