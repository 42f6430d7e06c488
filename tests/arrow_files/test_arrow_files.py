"""Parquet and Arrow files of strangers: read, or refused with a reason, and never a crash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.arrow_files import checker, checking, open_parquet, parquet_batches, read_parquet, remember_files
from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from clonetruth.store.parquet import ParquetSink
from clonetruth.user_cache import CACHE_VARIABLE
from tests.arrow_files.flipped_bits import KINDS, outcomes
from tests.store.samples import small


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """The files that were checked in the other process; nothing is known before."""
    seen: list[Path] = []
    original = checking._CHECKER.problem_of

    def problem_of(path: Path, *, ipc: bool, sql: bool) -> str | None:
        seen.append(path)
        return original(path, ipc=ipc, sql=sql)

    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(checking._CHECKER, "problem_of", problem_of)
    checking._marks.cache_clear()
    return seen


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_files_with_flipped_bits(kind: str) -> None:
    found = Counter(outcomes(kind, 0, 12).values())
    assert set(found) <= {"read", "refused"}
    assert sum(found.values()) == 12


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_files_with_flipped_bits(kind: str) -> None:
    found = outcomes(kind, 100, 180)
    assert len(found) == 180
    assert {number: outcome for number, outcome in found.items() if outcome not in ("read", "refused")} == {}
    assert Counter(found.values())["refused"] > 9


def test_a_file_that_crashes_its_reader_is_refused_and_the_next_one_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "bad.parquet")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "good.parquet")
    crashing = tmp_path / "checker.py"
    crashing.write_text(
        f"import os, sys\nsys.path.insert(0, {str(Path(checker.__file__).parent)!r})\nimport checker\n"
        "good = checker.problem_of\n"
        "checker.problem_of = lambda request: os.abort() if 'bad' in request['path'] else good(request)\n"
        "checker.main()\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(checking, "__file__", str(tmp_path / "checking.py"))
    monkeypatch.setattr(checking, "_CHECKER", other := checking._Checker())
    for _ in range(2):
        with pytest.raises(InputError, match=r"bad\.parquet: .*crashed \(SIGABRT\)"):
            read_parquet(tmp_path / "bad.parquet")
        assert read_parquet(tmp_path / "good.parquet").num_rows == 1
    other.stop()


def test_a_file_is_checked_once_until_it_changes(tmp_path: Path, checked: list[Path]) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": [1, 2]}), path)
    for _ in range(3):
        assert read_parquet(path).num_rows == 2
    assert checked == [path]
    pq.write_table(pa.table({"a": [1, 2, 3]}), path)
    assert read_parquet(path).num_rows == 3
    assert checked == [path, path]
    checking._marks.cache_clear()  # as in another process
    assert open_parquet(path).metadata.num_rows == 3
    assert checked == [path, path]


def test_what_the_library_wrote_itself_is_not_checked(tmp_path: Path, checked: list[Path]) -> None:
    folder = small(tmp_path / "b").path
    checking._marks.cache_clear()
    Benchmark.open(folder).sql("SELECT count(*) FROM pairs")
    assert checked == []
    shutil.copytree(folder, tmp_path / "copy")
    Benchmark.open(tmp_path / "copy")
    assert {path.name for path in checked} >= {"pairs.parquet", "fragments.parquet"}


def test_pages_that_the_store_writes_have_checksums(tmp_path: Path) -> None:
    schema = pa.schema([pa.field("a", pa.int64())])
    with ParquetSink(tmp_path / "x.parquet", schema) as sink:
        sink.write(pa.record_batch([pa.array(range(1000))], schema=schema))
    data = bytearray((tmp_path / "x.parquet").read_bytes())
    data[200] ^= 1
    (tmp_path / "y.parquet").write_bytes(data)
    with pytest.raises(InputError, match=r"CRC|corrupt"):
        read_parquet(tmp_path / "y.parquet")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pa.table({"t": pa.array([2**62], pa.timestamp("us"))}), "not in the years 1 to 9999"),
        (pa.table({"t": pa.array([2**31 - 1], pa.date32())}), "not in the years 1 to 9999"),
        (pa.table([[1], [2]], names=["a", "a"]), "occurs twice"),
    ],
    ids=["timestamp", "date", "columns"],
)
def test_what_python_cannot_hold_is_refused(table: pa.Table, message: str, tmp_path: Path) -> None:
    pq.write_table(table, tmp_path / "x.parquet")
    with pytest.raises(InputError, match=message):
        list(parquet_batches(tmp_path / "x.parquet"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of memory")
def test_a_file_that_expands_beyond_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # One value of a dictionary, many times: a small file with gigabytes of text.
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 200, pa.int32()), ["x" * 10_000_000])
    pq.write_table(pa.table({"text": text}), tmp_path / "x.parquet", compression="zstd", store_schema=False)
    assert (tmp_path / "x.parquet").stat().st_size < 1_000_000
    monkeypatch.setattr(checking, "_memory", lambda: 1_000_000_000)
    with pytest.raises(InputError, match="memory"):
        read_parquet(tmp_path / "x.parquet")


def test_modules_in_the_current_folder_are_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyarrow", "json", "duckdb"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')", encoding="utf-8")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "x.parquet")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checking, "_CHECKER", other := checking._Checker())
    assert read_parquet(Path("x.parquet")).num_rows == 1
    assert not (tmp_path / "ran").exists()
    other.stop()


def test_a_forked_process_has_its_own_checker(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "one.parquet")
    read_parquet(tmp_path / "one.parquet")
    parent = checking._CHECKER._process
    assert parent is not None
    pq.write_table(pa.table({"a": [2]}), tmp_path / "two.parquet")
    checking._CHECKER._owner = os.getppid()  # as after a fork
    read_parquet(tmp_path / "two.parquet")
    assert checking._CHECKER._process is not parent
    parent.communicate(timeout=30)


def test_a_process_that_does_not_end_by_itself_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "_SECONDS_TO_END", 0.01)
    process = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(60)"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    slow = checking._Checker()
    slow._process, slow._owner = process, os.getpid()
    slow.stop()
    assert process.poll() is not None


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.parquet: There is no such file"):
        read_parquet(tmp_path / "gone.parquet")
    with pytest.raises(OSError, match="gone"):
        remember_files([tmp_path / "gone.parquet"])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_files_are_read_under_a_lower_limit_of_memory(tmp_path: Path) -> None:
    """The checking process cannot raise the limit that it inherits; it refused every file."""
    pq.write_table(pa.table({"a": [1]}), tmp_path / "x.parquet")
    program = (
        "import resource, sys; from pathlib import Path; from clonetruth.arrow_files import read_parquet\n"
        "resource.setrlimit(resource.RLIMIT_AS, (6 * 1024**3, 6 * 1024**3))\n"
        "print(read_parquet(Path(sys.argv[1])).num_rows)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "x.parquet"], capture_output=True, text=True, check=False
    )
    assert done.stdout == "1\n", done.stderr
