"""Reading a benchmark folder that may be damaged or foreign: everything is checked, nothing is changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from clonetruth.errors import BenchmarkError
from clonetruth.store.header import Header
from clonetruth.store.parquet import parquet_file
from clonetruth.store.schemas import CORE, DERIVED, IMMUTABLE, TABLES

_WRITTEN = ("judges", "judgements", *DERIVED, "results", "records", "execution")
"""The folders in a benchmark that later commands add files to."""


def core_paths(folder: Path, table: str) -> list[Path]:
    """The Parquet files of a core table, in order of arrival.

    Raises:
        BenchmarkError: there are none.
    """
    pattern = TABLES[table].files
    if table in IMMUTABLE:
        return [folder / pattern]
    paths = sorted((folder / table).glob("*.parquet"))
    if not paths:
        raise BenchmarkError(
            f"The table '{table}' has no file.",
            where=folder / pattern,
            hint="Copy the benchmark folder again from its origin.",
        )
    return paths


def check_folder(folder: Path, header: Header) -> None:
    """Compare the columns of every core table with its schema, and its number of rows with the header.

    Raises:
        BenchmarkError: names the file that differs.
    """
    for name in _WRITTEN:
        if (folder / name).is_symlink():
            raise BenchmarkError(
                "The folder is a symbolic link: what is added to the benchmark would be written elsewhere.",
                where=folder / name,
                hint="Replace the link by the folder.",
            )
    for table in CORE:
        paths = core_paths(folder, table)
        rows = sum(check_file(path, table) for path in paths)
        if rows < header.counts[table] or (table in IMMUTABLE and rows != header.counts[table]):
            raise BenchmarkError(
                f"The table has {rows} rows, but the benchmark's header records {header.counts[table]}.",
                where=paths[0] if table in IMMUTABLE else folder / table,
                hint="Copy the benchmark folder again from its origin.",
            )


def check_file(path: Path, table: str) -> int:
    """Compare a file's columns with its table's schema; returns the number of rows.

    Raises:
        BenchmarkError: the file is missing, damaged, or has other columns.
    """
    with parquet_file(path) as file:
        found, rows = file.schema_arrow, file.metadata.num_rows
    for field in TABLES[table].schema:
        index = found.get_field_index(field.name)
        if index < 0:
            raise BenchmarkError(f"The column '{field.name}' is missing.", where=path, hint=_SCHEMA)
        if not _same_type(found.field(index).type, field.type):
            raise BenchmarkError(
                f"The column '{field.name}' is {found.field(index).type}, not {field.type}.",
                where=path,
                hint=_SCHEMA,
            )
    return int(rows)


_SCHEMA = "See docs/schema.md for the columns of every table; if in doubt, import the source again."


def _same_type(found: pa.DataType, wanted: pa.DataType) -> bool:
    """Equal apart from the width of string offsets: other programs rewrite Parquet with wider ones."""
    return bool(found == wanted or (pa.types.is_large_string(found) and pa.types.is_string(wanted)))


def read_files(paths: Sequence[Path], table: str) -> pa.Table:
    """The rows of Parquet files as one Arrow table with the table's schema.

    Raises:
        BenchmarkError: names the file that cannot be read.
    """
    schema = TABLES[table].schema
    tables = []
    for path in paths:
        check_file(path, table)
        with parquet_file(path) as file:
            try:
                tables.append(file.read(columns=schema.names).cast(schema))
            except (pa.ArrowException, OSError, ValueError) as error:
                raise BenchmarkError(
                    "The file is damaged.",
                    where=path,
                    hint=f"Copy the benchmark folder again from its origin. ({error})",
                ) from error
    return pa.concat_tables(tables)


def read_judges(paths: Sequence[Path]) -> pa.Table:
    """The judges of all parts, without duplicates.

    Raises:
        BenchmarkError: two parts define a judge differently.
    """
    definitions: dict[str, dict[str, object]] = {}
    for path in paths:
        for row in read_files([path], "judges").to_pylist():
            if definitions.setdefault(row["judge"], row) != row:
                raise BenchmarkError(
                    f"The judge '{row['judge']}' is defined differently in an earlier part.",
                    where=path,
                    hint="Give one of them another id, also in its judgements.",
                )
    return pa.Table.from_pylist(list(definitions.values()), schema=TABLES["judges"].schema)
