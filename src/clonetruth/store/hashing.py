"""Hashes of logical content: the same rows give the same hash, however they are stored.

A table's hash covers its column names and, for each column, three streams over all rows in order: validity (one byte
per row), lengths (of texts), and values (numbers as 8 bytes little-endian, times as microseconds, texts as concatenated
UTF-8; a null gives a zero or no bytes). The streams are independent of batches, row groups, offsets and string widths,
and so is the hash. All work is on whole Arrow buffers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import BenchmarkError
from clonetruth.model import Card
from clonetruth.store.parquet import parquet_file

_VERSION = b"clonetruth table hash 1"


class TableHasher:
    """Hashes a table that arrives in batches.

    Args:
        columns: the columns to hash, in order.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = {name: _ColumnHasher() for name in columns}
        self._rows = 0

    def update(self, batch: pa.RecordBatch) -> None:
        """Add the rows of a batch."""
        self._rows += batch.num_rows
        for name, hasher in self._columns.items():
            hasher.update(batch.column(batch.schema.get_field_index(name)))

    def hexdigest(self) -> str:
        """The hash of all rows so far."""
        return self.digests().hash(list(self._columns))

    def digests(self) -> ColumnDigests:
        """The digests of the columns so far."""
        return ColumnDigests(self._rows, {name: hasher.digest().hex() for name, hasher in self._columns.items()})


@dataclass(frozen=True)
class ColumnDigests:
    """The number of rows of a table and the digest of each column: the hash of any choice of columns follows."""

    rows: int
    columns: Mapping[str, str]

    def hash(self, columns: Sequence[str]) -> str:
        """The hash of the table with these columns, in this order."""
        total = hashlib.sha256(_VERSION)
        total.update(self.rows.to_bytes(8, "little"))
        for name in columns:
            encoded = name.encode()
            total.update(len(encoded).to_bytes(8, "little") + encoded + bytes.fromhex(self.columns[name]))
        return total.hexdigest()


class _ColumnHasher:
    def __init__(self) -> None:
        self._validity = hashlib.sha256()
        self._lengths = hashlib.sha256()
        self._values = hashlib.sha256()

    def update(self, array: pa.Array) -> None:
        if array.null_count:
            self._validity.update(array.is_valid().to_numpy(zero_copy_only=False).astype(np.uint8).data)
        else:
            self._validity.update(np.ones(len(array), np.uint8).data)
        if pa.types.is_floating(array.type):
            self._values.update(_canonical_floats(array).data)
        elif pa.types.is_integer(array.type) or pa.types.is_timestamp(array.type):
            numbers = array.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
            self._values.update(np.ascontiguousarray(numbers, dtype="<i8").data)
        else:
            self._update_texts(array)

    def _update_texts(self, array: pa.Array) -> None:
        texts = array.cast(pa.large_string())
        lengths = pc.binary_length(texts).fill_null(0).to_numpy(zero_copy_only=False)
        self._lengths.update(np.ascontiguousarray(lengths, dtype="<i8").data)
        # The buffer content under a null is undefined; dropping nulls removes it.
        present = texts.drop_null() if texts.null_count else texts
        _, offsets, data = present.buffers()
        if data is None or not len(present):
            return
        bounds = np.frombuffer(offsets, dtype="<i8")
        start, end = bounds[present.offset], bounds[present.offset + len(present)]
        self._values.update(memoryview(data)[int(start) : int(end)])

    def digest(self) -> bytes:
        return self._validity.digest() + self._lengths.digest() + self._values.digest()


def _canonical_floats(array: pa.Array) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Equal numbers as equal bytes: a single NaN, and no negative zero."""
    numbers = array.cast(pa.float64()).fill_null(0.0).to_numpy(zero_copy_only=False) + 0.0
    numbers[np.isnan(numbers)] = np.nan
    return np.ascontiguousarray(numbers, dtype="<f8")


def hash_parquet(paths: Iterable[Path], columns: Sequence[str]) -> str:
    """The hash of the rows of Parquet files as one table; see `digest_parquet`."""
    return digest_parquet(paths, columns).hash(columns)


def digest_parquet(paths: Iterable[Path], columns: Sequence[str]) -> ColumnDigests:
    """The digests of the columns of Parquet files as one table, read one row group at a time.

    Raises:
        BenchmarkError: names the file that cannot be read.
    """
    hasher = TableHasher(columns)
    for path in paths:
        with parquet_file(path) as file:
            try:
                for batch in file.iter_batches(columns=list(columns)):
                    hasher.update(batch)
            except (pa.ArrowException, OSError, KeyError) as error:
                raise BenchmarkError(
                    "The file is damaged.", where=path, hint=f"Copy it again from its origin. ({error})"
                ) from error
    return hasher.digests()


def hash_json(value: Any) -> str:
    """The hash of a JSON value, independent of the order of keys."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def hash_content(card: Card, tables: Mapping[str, str]) -> str:
    """The content hash of a benchmark: its card's identity and the hashes of its immutable tables.

    Correcting a licence, citation or description keeps results comparable; changing the meaning of the labels does not.
    """
    identity = {
        "name": card.name,
        "version": card.version,
        "criterion": card.criterion,
        "languages": list(card.languages),
        "problems_disjoint": card.problems_disjoint,
    }
    return hash_json({"card": identity, "tables": dict(tables)})


def hash_file(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
