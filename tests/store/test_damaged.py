"""Damaged and foreign folders: a clear error that names the file, and nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.errors import BenchmarkError
from clonetruth.model import Fragment
from clonetruth.store import Benchmark
from clonetruth.store.croissant import HEADER_KEY

from .samples import files_of, small


def change_header(folder: Path, **changes: Any) -> None:
    path = folder / "benchmark.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document[HEADER_KEY].update(changes)
    path.write_text(json.dumps(document), encoding="utf-8")


def change_column(path: Path, column: str, values: pa.Array) -> None:
    table = pq.read_table(path)
    pq.write_table(table.set_column(table.schema.get_field_index(column), column, values), path)


def drop_header(folder: Path) -> None:
    path = folder / "benchmark.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    del document[HEADER_KEY]["card"]
    path.write_text(json.dumps(document), encoding="utf-8")


DAMAGES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "missing table": (lambda b: (b / "pairs.parquet").unlink(), "pairs.parquet", "is missing"),
    "no judgements": (lambda b: (b / "judgements/part-0.parquet").unlink(), "judgements", "has no file"),
    "missing column": (
        lambda b: pq.write_table(pq.read_table(b / "pairs.parquet").drop_columns(["pair_key"]), b / "pairs.parquet"),
        "pairs.parquet",
        "column 'pair_key' is missing",
    ),
    "wrong column type": (
        lambda b: change_column(b / "pairs.parquet", "left", pa.array(["0", "1", "2"])),
        "pairs.parquet",
        "column 'left' is string, not int64",
    ),
    "lost rows": (
        lambda b: pq.write_table(pq.read_table(b / "pairs.parquet").slice(1), b / "pairs.parquet"),
        "pairs.parquet",
        "has 2 rows, but the benchmark's header records 3",
    ),
    "truncated Parquet": (
        lambda b: (b / "fragments.parquet").write_bytes((b / "fragments.parquet").read_bytes()[:-20]),
        "fragments.parquet",
        "damaged, or not a Parquet file",
    ),
    "empty Parquet": (lambda b: (b / "fragments.parquet").write_bytes(b""), "fragments.parquet", "damaged"),
    "another file's content": (
        lambda b: (b / "judges/part-0.parquet").write_text("judge,kind\n", encoding="utf-8"),
        "judges/part-0.parquet",
        "damaged, or not a Parquet file",
    ),
    "newer schema": (
        lambda b: change_header(b, schema_version=99),
        "benchmark.json",
        "schema version 99; this clonetruth reads up to 1.*Install a newer clonetruth",
    ),
    "no schema version": (
        lambda b: change_header(b, schema_version="one"),
        "benchmark.json",
        "'one' is not a schema version",
    ),
    "broken JSON": (
        lambda b: (b / "benchmark.json").write_text('{"@context": ', encoding="utf-8"),
        "benchmark.json",
        "cannot be read as JSON",
    ),
    "binary JSON": (
        lambda b: (b / "benchmark.json").write_bytes(b"\xff\xfe\x00"),
        "benchmark.json",
        "cannot be read",
    ),
    "JSON of another kind": (
        lambda b: (b / "benchmark.json").write_text("[1]", encoding="utf-8"),
        "benchmark.json",
        "header is missing",
    ),
    "half a header": (drop_header, "benchmark.json", "cannot be read"),
    "strange card": (lambda b: change_header(b, card={"name": 1}), "benchmark.json", "cannot be read"),
    "no header": (lambda b: (b / "benchmark.json").unlink(), "benchmark.json", "Not a benchmark folder"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_folder_is_refused_by_the_name_of_the_file(tmp_path: Path, damage: str) -> None:
    harm, file, message = DAMAGES[damage]
    folder = small(tmp_path / "b").path
    harm(folder)
    before = files_of(folder)
    with pytest.raises(BenchmarkError, match=message) as caught:
        Benchmark.open(folder)
    assert caught.value.where is not None
    assert file in caught.value.where
    assert files_of(folder) == before


def test_opening_and_reading_change_nothing(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    before = files_of(benchmark.path)
    opened = Benchmark.open(benchmark.path)
    opened.verify()
    opened.sql("SELECT count(*) FROM judgements JOIN judges ON judgements.judge = judges.judge")
    _ = opened.counts, opened.judgements_hash, opened.datasheet()
    assert files_of(benchmark.path) == before


def test_a_folder_that_does_not_exist_or_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for name in ("nowhere", "file"):
        with pytest.raises(BenchmarkError, match=name):
            Benchmark.open(tmp_path / name)


def test_verify_names_the_table_whose_content_was_changed(tmp_path: Path) -> None:
    folder = small(tmp_path / "b").path
    change_column(folder / "pairs.parquet", "claimed_type", pa.array(["T4", "T1", None]))
    with pytest.raises(BenchmarkError, match="The content of the table 'pairs' is not what was recorded"):
        Benchmark.open(folder).verify()


def test_verify_sees_a_changed_card(tmp_path: Path) -> None:
    folder = small(tmp_path / "b").path
    card = json.loads((folder / "benchmark.json").read_text(encoding="utf-8"))[HEADER_KEY]["card"]
    change_header(folder, card={**card, "licence": "0BSD"})
    Benchmark.open(folder).verify()
    change_header(folder, card={**card, "problems_disjoint": True})
    with pytest.raises(BenchmarkError, match="The card or the hashes were changed"):
        Benchmark.open(folder).verify()


def test_damage_within_the_pages_is_found_when_they_are_read(tmp_path: Path) -> None:
    fragments = [Fragment(str(number), "java", f"int f() {{ return {number**9}; }}") for number in range(200)]
    folder = small(tmp_path / "b", fragments=fragments, memberships=(), pairs=(), judgements=()).path
    path = folder / "fragments.parquet"
    column = pq.ParquetFile(path).metadata.row_group(0).column(3)
    assert column.path_in_schema == "text"
    content = bytearray(path.read_bytes())
    start = column.dictionary_page_offset or column.data_page_offset
    content[start : start + column.total_compressed_size] = bytes(column.total_compressed_size)
    path.write_bytes(content)
    benchmark = Benchmark.open(folder)
    for read in (benchmark.verify, lambda: benchmark.table("fragments")):
        with pytest.raises(BenchmarkError, match=r"fragments\.parquet: The file is damaged"):
            read()


def test_a_table_that_another_program_rewrote_with_wider_strings_is_the_same(tmp_path: Path) -> None:
    folder = small(tmp_path / "b").path
    path = folder / "fragments.parquet"
    table = pq.read_table(path)
    wide = pa.schema([f.with_type(pa.large_string()) if f.type == pa.string() else f for f in table.schema])
    pq.write_table(table.cast(wide), path, compression="snappy", row_group_size=1)
    benchmark = Benchmark.open(folder)
    benchmark.verify()
    assert benchmark.table("fragments").schema.field("id").type == pa.string()
