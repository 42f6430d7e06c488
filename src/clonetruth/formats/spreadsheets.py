"""Excel workbooks (.xlsx) as rows of cells, like CSV files. Needs openpyxl, the extra `xlsx`."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path

from clonetruth.errors import InputError, MissingExtraError
from clonetruth.formats.reads import report_read
from clonetruth.formats.trees import check_zip

WORKBOOK = ".xlsx"
"""The file ending of a workbook."""


def read_workbook(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The cells of every row of a workbook's first sheet, as text, with the row number from 1.

    An empty row has no cells. A formula gives the value that was stored with it. Cells look as in a CSV file: a whole
    number has no decimal point, and a date is an ISO date.

    Raises:
        InputError: the file is damaged, or not a workbook.
        MissingExtraError: openpyxl is not installed.
    """
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtraError.extra("Reading a workbook", "xlsx") from error
    report_read(path)
    check_zip(path)
    book = None
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        sheet = book.worksheets[0]
        # The stored size may be wrong; without it, rows are read until they end.
        sheet.reset_dimensions()
        for number, values in enumerate(sheet.iter_rows(values_only=True), start=1):
            cells = [_text(value) for value in values]
            yield number, cells if any(cells) else []
    except (zipfile.BadZipFile, OSError, KeyError, ValueError, IndexError, TypeError, EOFError, SyntaxError) as error:
        # SyntaxError: openpyxl lets XML parse errors through.
        raise InputError(f"The workbook cannot be read: {error}", where=path) from error
    finally:
        if book is not None:
            book.close()


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime | date | time):
        return cell.isoformat()
    return str(cell)
