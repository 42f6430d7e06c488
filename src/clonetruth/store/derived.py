"""Tables added to a benchmark later: claims, descriptions, tests, measures, verdicts and others, one file each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.store.atomic import new_file
from clonetruth.store.engine import Engine
from clonetruth.store.parquet import ParquetSink, conform, table_metadata
from clonetruth.store.schemas import DERIVED, TABLES, VOCABULARIES

ArrowContent: TypeAlias = pa.Table | pa.RecordBatchReader | Iterable[pa.RecordBatch]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
UNIQUE_KEYS = {
    **dict.fromkeys(("claims", "measures", "verdicts", "samples"), "pair"),
    "splits": "fragment",
    "descriptions": "functionality",
}


@dataclass(frozen=True)
class DerivedFile:
    """The file of a derived table in a benchmark folder."""

    folder: Path
    kind: str
    name: str

    def __post_init__(self) -> None:
        if self.kind not in DERIVED:
            raise InputError(f"There is no kind of table '{self.kind}'.", hint=f"Known: {', '.join(DERIVED)}.")
        if not _NAME.fullmatch(self.name):
            raise InputError(
                f"'{self.name}' cannot name a file of {self.kind}.",
                hint="Use letters, digits, '.', '_', '+' and '-', and start with a letter or digit.",
            )

    @property
    def path(self) -> Path:
        """The Parquet file."""
        return self.folder / self.kind / f"{self.name}.parquet"

    def refuse_existing(self, replace: bool) -> None:
        """Refuse to overwrite a table, unless `replace` is set."""
        if not replace and self.path.exists():
            raise InputError(
                f"The benchmark already has {self.kind} '{self.name}'.",
                where=self.path,
                hint="Choose another name, or replace it (--replace).",
            )


def names(folder: Path, kind: str) -> list[str]:
    """The names of the tables of a kind, sorted."""
    return sorted(path.stem for path in (folder / kind).glob("*.parquet"))


def write(
    file: DerivedFile,
    content: ArrowContent,
    metadata: Mapping[str, str],
    *,
    limits: Mapping[str, int],
    engine: Engine,
) -> int:
    """Write a derived table atomically.

    Args:
        file: the file to write.
        content: its rows as Arrow.
        metadata: key-value metadata of the file.
        limits: the number of existing keys of `pair`, `fragment` and `functionality`.
        engine: checks that keys are unique.

    Returns:
        The number of rows.

    Raises:
        InputError: wrong columns, unknown or duplicate keys, values outside a vocabulary.
    """
    schema = TABLES[file.kind].schema
    where = f"{file.kind}/{file.name}"
    batches = content.to_batches() if isinstance(content, pa.Table) else content
    with new_file(file.path) as temporary:
        with ParquetSink(temporary, schema, table_metadata(file.kind, metadata)) as sink:
            for batch in batches:
                checked = conform(batch, schema, row=sink.rows, where=where)
                _check_batch(file.kind, checked, limits, where)
                sink.write(checked)
        key = UNIQUE_KEYS.get(file.kind)
        if key:
            _check_unique(engine, temporary, key, where)
    return sink.rows


def _check_batch(kind: str, batch: pa.RecordBatch, limits: Mapping[str, int], where: str) -> None:
    for name, limit in limits.items():
        index = batch.schema.get_field_index(name)
        if index < 0 or not batch.num_rows:
            continue
        span = pc.min_max(batch.column(index)).as_py()
        if span["min"] is not None and not 0 <= span["min"] <= span["max"] < limit:
            raise InputError(
                f"The {name} {span['min'] if span['min'] < 0 else span['max']} does not exist: there are {limit}.",
                where=where,
            )
    for (table, column), values in VOCABULARIES.items():
        if table == kind:
            unknown = set(batch.column(batch.schema.get_field_index(column)).unique().to_pylist()) - set(values)
            if unknown:
                raise InputError(
                    f"'{min(unknown)}' is not a valid {column}.", where=where, hint=f"Known: {', '.join(values)}."
                )


def _check_unique(engine: Engine, path: Path, key: str, where: str) -> None:
    duplicates = engine.sql(
        f"SELECT {key} AS key FROM written GROUP BY {key} HAVING count(*) > 1 ORDER BY {key} LIMIT 1",
        {"written": path},
    ).to_pylist()
    if duplicates:
        raise InputError(f"The {key} {duplicates[0]['key']} occurs twice.", where=where)
