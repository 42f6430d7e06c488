"""Rows of CSV, TSV, JSON lines and Parquet files, plain or compressed, and of workbooks, each with its line number."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.arrow_files import parquet_batches, python_rows
from clonetruth.budgets import ReadingBudget, budget
from clonetruth.errors import InputError
from clonetruth.formats.reads import report_read
from clonetruth.formats.spreadsheets import WORKBOOK, read_workbook
from clonetruth.formats.streams import inner_suffix, open_text, read_lines
from clonetruth.parsing import parse_json


@dataclass(frozen=True)
class Row:
    """A row: its values by column name, and its first line (in a Parquet file, its row number), from 1."""

    line: int
    values: dict[str, Any]


TABLE_SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
"""File endings of tables that may have millions of rows."""


def read_rows(path: str | os.PathLike[str], *, header: tuple[str, ...] | None = None) -> Iterator[Row]:
    """The rows of a table, one at a time. The ending determines the format.

    Args:
        path: the file.
        header: the column names of a CSV or TSV file without a header.

    Raises:
        InputError: the file is damaged or has an unknown format, or a JSON line is not an object; `read_json_lines`
            gives such values one by one.
    """
    path = Path(path)
    suffix = inner_suffix(path)
    if suffix in (".csv", ".tsv", WORKBOOK):
        yield from read_csv(path, delimiter="\t" if suffix == ".tsv" else ",", header=header)
    elif suffix in (".jsonl", ".ndjson"):
        for line, value in read_json_lines(path):
            if not isinstance(value, dict):
                raise InputError("The line is not a JSON object.", where=f"{path}:{line}")
            yield Row(line, value)
    elif suffix == ".parquet":
        yield from _parquet(path)
    else:
        raise InputError(
            f"The format of '{path.name}' is unknown.",
            where=path,
            hint=f"Known: {', '.join((*TABLE_SUFFIXES, WORKBOOK))}.",
        )


def read_csv(
    path: str | os.PathLike[str], *, delimiter: str = ",", header: tuple[str, ...] | None = None
) -> Iterator[Row]:
    """The rows of a CSV file. Values of columns beyond the header are stored under the name ``""``."""
    path = Path(path)
    names = list(header) if header else None
    for line, values in read_cells(path, delimiter=delimiter):
        if not values:
            continue
        if names is None:
            names = [name.strip() for name in values]
            continue
        row: dict[str, Any] = dict(zip(names, values, strict=False))
        if len(values) > len(names):
            row[""] = values[len(names) :]
        yield Row(line, row)


def read_cells(path: Path, *, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The cells of every row of a CSV file or workbook, with its first line. The header and empty rows are included.

    Raises:
        InputError: the file is not CSV.
    """
    if path.suffix.lower() == WORKBOOK:
        yield from read_workbook(path)
        return
    limits = budget()
    csv.field_size_limit(limits.line)
    with open_text(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
        reader = csv.reader(_bounded_lines(text, limits, path), delimiter=delimiter)
        while True:
            line = reader.line_num + 1
            try:
                values = next(reader, None)
            except csv.Error as error:
                if "field limit" in str(error):
                    raise limits.exceeded("line", "A field", f"{path}:{line}") from error
                raise not_csv(error, f"{path}:{line}") from error
            if values is None:
                return
            yield line, values


def not_csv(error: csv.Error, where: object) -> InputError:
    """The error of a file that Python's reader refuses."""
    if "new-line character" in str(error):
        return InputError(
            "The lines end with a carriage return alone.", where=where, hint="Save the file with line feeds (Unix)."
        )
    return InputError(f"The file is not CSV: {error}", where=where)


def _bounded_lines(text: io.TextIOWrapper, limits: ReadingBudget, path: Path) -> Iterator[str]:
    number = 0
    while line := text.readline(limits.line + 1):
        number += 1
        if len(line) > limits.line:
            raise limits.exceeded("line", "The line", f"{path}:{number}")
        yield line


def read_json_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, Any]]:
    """The values of a JSON lines file with their line numbers. Empty lines are skipped.

    Raises:
        InputError: a line is not JSON.
    """
    path = Path(path)
    for number, line in read_lines(path):
        if line.strip():
            try:
                yield number, parse_json(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"The line is not JSON: {error}", where=f"{path}:{number}") from error


def _parquet(path: Path) -> Iterator[Row]:
    number = 0
    report_read(path)
    for batch in parquet_batches(path, 10_000):
        for values in python_rows(batch, path):
            number += 1
            yield Row(number, values)
