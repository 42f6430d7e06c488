"""The checking process: reads Parquet and Arrow files completely, so that a crash happens here and not in the caller.

It is started as a script, imports nothing of clonetruth, and answers each line of standard input, a JSON object that
names a file and its limits, with a line: null, or what is wrong with the file.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_ROWS = 65_536
_DAY = 86_400
_FIRST, _LAST = -719_162 * _DAY, 2_932_897 * _DAY - 1
"""The years 1 to 9999 in seconds from 1970: the times that Python has."""
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6}


def problem_of(request: Mapping[str, Any]) -> str | None:
    """What is wrong with a file; None if it can be read.

    Args:
        request: `path`; `ipc`, whether it is an Arrow file; `sql`, whether DuckDB will read it too; `rows` and
            `bytes`, the limits of the decoded content; `memory`, the limit of the process.
    """
    path = Path(request["path"])
    try:
        rows = size = 0
        for batch in arrow_file(path) if request["ipc"] else _parquet(path):
            batch.validate(full=True)
            rows, size = rows + batch.num_rows, size + batch.nbytes
            if rows > request["rows"] or size > request["bytes"]:
                return f"decoded, it has more than {request['rows']:,} rows or {request['bytes']:,} bytes"
            for field, column in zip(batch.schema, batch.columns, strict=True):
                if pa.types.is_timestamp(field.type) and field.type.tz is not None and not _is_zone(field.type):
                    return f"the column '{field.name}' has the unknown time zone '{field.type.tz}'"
                if _out_of_range(column):
                    return f"a time in the column '{field.name}' is not in the years 1 to 9999"
        if request["sql"]:
            _read_with_duckdb(path)
    except MemoryError:
        return "reading it takes too much memory"
    except Exception as error:  # whatever the libraries raise: the file cannot be read
        return f"{error}".strip() or type(error).__name__
    return None


def arrow_file(path: Path) -> Iterator[pa.RecordBatch]:
    """The batches of an Arrow file, in the stream or the file format."""
    with pa.memory_map(str(path)) as source:
        if _starts(path, b"ARROW1"):
            file = pa.ipc.open_file(source)
            yield from (file.get_batch(index) for index in range(file.num_record_batches))
        else:
            yield from pa.ipc.open_stream(source)


def _starts(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


def _parquet(path: Path) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as pq  # not needed for Arrow files, and slow to load

    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        schema = file.schema_arrow
        for text in (*schema.names, *(part for pair in (schema.metadata or {}).items() for part in pair)):
            _ = text.decode() if isinstance(text, bytes) else text
        if len(set(schema.names)) != len(schema.names):
            raise ValueError("a column occurs twice")
        rows = 0
        for batch in file.iter_batches(_ROWS, use_threads=False):
            rows += batch.num_rows
            yield batch
        if rows != file.metadata.num_rows:
            raise ValueError(f"it has {rows} rows, and states {file.metadata.num_rows}")


def _is_zone(kind: pa.DataType) -> bool:
    try:
        pa.scalar(0, kind).as_py()
    except (pa.ArrowException, ValueError, KeyError, OSError):
        return False
    return True


def _out_of_range(column: pa.Array) -> bool:
    kind = column.type
    if pa.types.is_date(kind):
        scale = 1 / _DAY if pa.types.is_date32(kind) else 1000.0
    elif pa.types.is_timestamp(kind) and kind.unit in _PER_SECOND:
        scale = _PER_SECOND[kind.unit]
    else:
        return False
    width = pa.int32() if pa.types.is_date32(kind) else pa.int64()
    span = pc.min_max(column.cast(width)).as_py()
    return span["min"] is not None and not (_FIRST * scale <= span["min"] and span["max"] <= _LAST * scale)


@functools.cache
def _database() -> Any:
    import duckdb

    return duckdb.connect(config={"threads": 1})


def _read_with_duckdb(path: Path) -> None:
    # Brackets keep DuckDB from interpreting characters of the path as a glob.
    literal = "".join(f"[{character}]" if character in "*?[" else character for character in str(path.absolute()))
    text = "SELECT * FROM read_parquet([$path], hive_partitioning = false)"
    for _ in _database().sql(text, params={"path": literal}).to_arrow_reader(_ROWS):
        pass


def main() -> None:
    """Answer requests until standard input ends."""
    pa.set_cpu_count(1)
    for line in sys.stdin:
        request = json.loads(line)
        if sys.platform != "win32":
            import resource

            # A mapped file counts as memory.
            memory = request["memory"] + Path(request["path"]).stat().st_size
            # A limit that was set for this process before may be lower, and cannot be raised.
            _, most = resource.getrlimit(resource.RLIMIT_AS)
            least = memory if most == resource.RLIM_INFINITY else min(memory, most)
            resource.setrlimit(resource.RLIMIT_AS, (least, most))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        print(json.dumps(problem_of(request)), flush=True)


if __name__ == "__main__":
    main()
