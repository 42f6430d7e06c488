"""BigCloneEval's CSV of clone pairs: `folder,file,start,end,folder,file,start,end`, without a header.

The file is read in blocks of whole lines. Arrow parses plain blocks. A block with quotes, blanks, rows with extra
columns or bad rows is read line by line like BigCloneEval's own reader: fields are trimmed, quotes removed, extra
columns, blank lines and a byte-order mark ignored.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from clonetruth.formats.reports.report import REPORTED, ReadingLog
from clonetruth.formats.streams import open_stream, read_line_blocks

_COLUMNS = ("folder_1", "file_1", "start_1", "end_1", "folder_2", "file_2", "start_2", "end_2")
_NUMBERS = (2, 3, 6, 7)
_BOM = b"\xef\xbb\xbf"
_NOT_PLAIN = (b'"', b" ", b"\t", b"\v", b"\f")
_WHOLE = re.compile(r"[+-]?[0-9]{1,10}")
_INT32 = range(-(2**31), 2**31)


class BigCloneEvalCsv:
    """The registered format."""

    name = "bigcloneeval"
    description = "BigCloneEval's CSV: folder, file, first and last line of both fragments, without a header"

    def recognise(self, paths: Sequence[Path]) -> bool:
        """See `ReportFormat.recognise`."""
        return len(paths) == 1 and _matches(paths[0])

    def read(self, paths: Sequence[Path], log: ReadingLog) -> Iterator[pa.RecordBatch]:
        """See `ReportFormat.read`."""
        for path in paths:
            for line, block in read_line_blocks(path):
                batch = _plain(block)
                if batch is None:
                    batch = _line_by_line(block, path, line, log)
                log.pairs += batch.num_rows
                yield batch


FORMAT = BigCloneEvalCsv()


def _matches(path: Path) -> bool:
    with open_stream(path) as stream:
        head = stream.read(4096).removeprefix(_BOM).decode("utf-8", errors="replace")
    rows = [row for row in csv.reader(head.splitlines()[:5]) if row]
    return any(_pair(row)[0] is not None for row in rows) or not head.strip()


def _plain(block: bytes) -> pa.RecordBatch | None:
    """The block as parsed by Arrow; None if it must be read line by line."""
    if any(sign in block for sign in _NOT_PLAIN):
        return None
    first = block.lstrip(b"\r\n").partition(b"\n")[0]
    extra = [f"extra_{number}" for number in range(first.count(b",") + 1 - len(_COLUMNS))]
    types = {name: pa.int32() if at in _NUMBERS else pa.string() for at, name in enumerate(_COLUMNS)}
    try:
        table = pa_csv.read_csv(
            pa.BufferReader(block),
            read_options=pa_csv.ReadOptions(
                column_names=[*_COLUMNS, *extra], block_size=len(block) + 1, use_threads=False
            ),
            parse_options=pa_csv.ParseOptions(quote_char=False),
            convert_options=pa_csv.ConvertOptions(
                column_types=types, include_columns=list(_COLUMNS), null_values=[""], strings_can_be_null=True
            ),
        )
    except pa.ArrowException:
        return None
    if any(column.null_count for column in table.columns):
        return None
    batches = table.combine_chunks().to_batches()
    return _reported(batches[0].columns) if batches else _reported([pa.array([], types[name]) for name in _COLUMNS])


def _reported(columns: Sequence[pa.Array]) -> pa.RecordBatch:
    folder_1, file_1, start_1, end_1, folder_2, file_2, start_2, end_2 = columns
    left = pc.binary_join_element_wise(folder_1, file_1, "/")
    right = pc.binary_join_element_wise(folder_2, file_2, "/")
    score = pa.nulls(len(left), pa.float64())
    return pa.RecordBatch.from_arrays([left, start_1, end_1, right, start_2, end_2, score], schema=REPORTED)


def _line_by_line(block: bytes, path: Path, first_line: int, log: ReadingLog) -> pa.RecordBatch:
    """Read the block line by line; bad rows are logged with their line."""
    columns: list[list[str | int]] = [[] for _ in _COLUMNS]
    for line, text in enumerate(block.decode("utf-8", errors="replace").split("\n"), start=first_line):
        if not text.strip():
            continue
        try:
            pair, why = _pair(next(csv.reader([text.strip("\r")], skipinitialspace=True)))
        except csv.Error as error:
            pair, why = None, str(error)
        if pair is None:
            log.skip(path, line, why)
            continue
        for column, value in zip(columns, pair, strict=True):
            column.append(value)
    types = (pa.int32() if at in _NUMBERS else pa.string() for at in range(len(_COLUMNS)))
    return _reported([pa.array(column, type_) for column, type_ in zip(columns, types, strict=True)])


def _pair(cells: Sequence[str]) -> tuple[list[str | int] | None, str]:
    """The eight values of a row, or the reason why there are none."""
    texts = [cell.strip() for cell in cells[: len(_COLUMNS)]]
    if len(texts) < len(_COLUMNS):
        return None, f"missing value: there are {len(texts)} columns of {len(_COLUMNS)}"
    values: list[str | int] = []
    for at, text in enumerate(texts):
        if not text:
            return None, f"missing value: column {at + 1} is empty"
        if at not in _NUMBERS:
            values.append(text)
        elif _WHOLE.fullmatch(text) and int(text) in _INT32:
            values.append(int(text))
        else:
            return None, f"'{text[:40]}' in column {at + 1} is not an integer"
    return values, ""
