"""The only entrance for Parquet and Arrow files.

pyarrow and DuckDB believe what a file states about itself, and a flipped bit or a hostile file can end the process. So
a file that this machine has not written or checked before is first read completely in another process.
"""

from __future__ import annotations

from clonetruth.arrow_files.checking import check_files, remember_files
from clonetruth.arrow_files.reading import (
    arrow_batches,
    open_parquet,
    parquet_batches,
    python_rows,
    read_parquet,
    sealed_table,
    write_parquet,
)

__all__ = [
    "arrow_batches",
    "check_files",
    "open_parquet",
    "parquet_batches",
    "python_rows",
    "read_parquet",
    "remember_files",
    "sealed_table",
    "write_parquet",
]
