"""The DuckDB engine."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.errors import BenchmarkError, InputError, OutOfMemoryError
from clonetruth.store import DuckDBEngine, Engine

NUMBERS = pa.table({"number": [1, 2, 3]})


@pytest.fixture(scope="module")
def engine() -> Engine:
    return DuckDBEngine(threads=2)


def test_tables_may_be_arrow_a_file_or_several_files(engine: Engine, tmp_path: Path) -> None:
    for name in ("a", "b"):
        pq.write_table(NUMBERS, tmp_path / f"{name}.parquet")
    result = engine.sql(
        "SELECT (SELECT count(*) FROM x) AS x, (SELECT count(*) FROM y) AS y, (SELECT count(*) FROM z) AS z",
        {"x": NUMBERS, "y": tmp_path / "a.parquet", "z": [tmp_path / "a.parquet", tmp_path / "b.parquet"]},
    )
    assert result.to_pylist() == [{"x": 3, "y": 3, "z": 6}]


def test_signs_of_a_path_are_not_a_glob(engine: Engine, tmp_path: Path) -> None:
    for name in ("it's [1] *?", "it's [1] *!"):
        (tmp_path / name).mkdir()
        pq.write_table(NUMBERS, tmp_path / name / "t.parquet")
    table = tmp_path / "it's [1] *?" / "t.parquet"
    assert engine.sql("SELECT count(*) AS n FROM t", {"t": table})["n"].to_pylist() == [3]


def test_variables_of_the_caller_are_no_tables(engine: Engine) -> None:
    secret = NUMBERS
    assert secret.num_rows == 3
    with pytest.raises(InputError, match="secret"):
        engine.sql("SELECT * FROM secret", {})


@pytest.mark.parametrize("text", ["SELEC 1", "SELECT missing FROM t", "SELECT number FROM t WHERE number = 'x'"])
def test_wrong_sql_is_told_in_plain_words(engine: Engine, text: str) -> None:
    with pytest.raises(InputError, match="The SQL cannot be run"):
        engine.sql(text, {"t": NUMBERS})


@pytest.mark.parametrize("text", ["", "SET threads = 1", "SELECT 1; SELECT 2", "COPY (SELECT 1) TO 'out.csv'"])
def test_only_one_select_is_run(engine: Engine, text: str) -> None:
    with pytest.raises(InputError, match="not a single SELECT"):
        engine.sql(text, {})


def test_a_missing_file_is_named(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"gone\.parquet"):
        engine.sql("SELECT * FROM t", {"t": tmp_path / "gone.parquet"})


@pytest.mark.parametrize(("memory_limit", "threads"), [("plenty", None), (None, -3)])
def test_invalid_options_are_reported(memory_limit: str | None, threads: int | None) -> None:
    with pytest.raises(InputError, match="DuckDB rejects its options"):
        DuckDBEngine(memory_limit=memory_limit, threads=threads).sql("SELECT 1", {})


def test_a_write_appears_whole_or_not_at_all(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "out" / "t.parquet"
    failing = "SELECT number, CASE WHEN number = 3 THEN CAST('x' AS INT) ELSE number END AS n FROM t"
    with pytest.raises(InputError):
        engine.write(failing, {"t": NUMBERS}, path)
    assert list(tmp_path.iterdir()) == []
    schema = pa.schema([pa.field("number", pa.int32(), nullable=False)])
    assert engine.write("SELECT number FROM t", {"t": NUMBERS}, path, schema=schema, metadata={"a": "b"}) == 3
    written = pq.read_table(path)
    assert written.schema.equals(schema)
    assert written.schema.metadata[b"clonetruth.a"] == b"b"


def test_an_error_in_mid_stream_is_reported(engine: Engine) -> None:
    text = "SELECT CASE WHEN i = 2900000 THEN error('boom') ELSE i END AS n FROM range(3000000) t(i)"
    with pytest.raises(InputError, match="boom"):
        engine.sql(text, {})


def test_threads_do_not_see_each_others_tables(engine: Engine) -> None:
    wrong: list[object] = []

    def ask(value: int) -> None:
        for _ in range(10):
            answer = engine.sql("SELECT max(v) AS v FROM t", {"t": pa.table({"v": [value]})})["v"].to_pylist()
            if answer != [value]:
                wrong.append(answer)

    threads = [threading.Thread(target=ask, args=(value,)) for value in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.slow
def test_a_table_larger_than_memory_is_sorted_by_spilling(tmp_path: Path) -> None:
    rows = 2_500_000
    small_engine = DuckDBEngine(memory_limit="150MB", threads=2, temp_directory=tmp_path)
    big = tmp_path / "big.parquet"
    columns = "i AS number, md5(CAST(i AS VARCHAR)) AS digest, CAST(i AS VARCHAR) AS padding"
    small_engine.write(f"SELECT {columns} FROM range({rows}) t(i)", {}, big)
    spilled, done = 0, threading.Event()

    def watch() -> None:
        nonlocal spilled
        while not done.is_set():
            sizes = [path.stat().st_size for path in tmp_path.glob("clonetruth-spill-*/*") if path.exists()]
            spilled = max(spilled, sum(sizes))
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        written = small_engine.write(
            "SELECT *, concat(padding, digest) AS more FROM big ORDER BY digest",
            {"big": big},
            tmp_path / "sorted.parquet",
        )
    finally:
        done.set()
        watcher.join()
    assert written == rows
    assert spilled > 50_000_000, "the sort should not have fitted into memory"
    ordered = pq.read_table(tmp_path / "sorted.parquet", columns=["digest"])["digest"].to_numpy()
    assert (ordered[1:] >= ordered[:-1]).all()
    # What was spilled goes with the query; the empty folder goes with the process, whose other queries may spill again.
    assert sum(path.stat().st_size for path in tmp_path.glob("clonetruth-spill-*/*")) < 1_000


def test_the_folder_for_spilling_goes_with_the_process(tmp_path: Path) -> None:
    script = f"""
from pathlib import Path
from clonetruth.store.engine import DuckDBEngine
engine = DuckDBEngine(memory_limit="40MB", threads=1, temp_directory=Path({str(tmp_path)!r}))
digests = "SELECT md5(CAST(i AS VARCHAR)) AS a, md5(CAST(i + 1 AS VARCHAR)) AS b FROM range(600000) t(i)"
engine.write(digests + " ORDER BY b", {{}}, Path({str(tmp_path / "sorted.parquet")!r}))
print(len(list(Path({str(tmp_path)!r}).glob("clonetruth-spill-*"))))
"""
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == "1", "the sort should have spilled"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sorted.parquet"]


def test_too_little_memory_is_told_with_what_to_do(tmp_path: Path) -> None:
    tiny = DuckDBEngine(memory_limit="20MB", threads=1, temp_directory=tmp_path)
    with pytest.raises(OutOfMemoryError, match=r"more memory than it may use\. Raise the memory limit"):
        tiny.sql("SELECT list(md5(CAST(i AS VARCHAR))) AS all_of_it FROM range(2000000) t(i)", {})
