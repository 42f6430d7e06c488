"""Damaged and foreign folders: a clear error that names the file, and nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.errors import BenchmarkError, InputError
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
        "schema version 99; this clonetruth reads up to 2.*Install a newer clonetruth",
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


def test_damage_within_the_pages_is_found_on_opening(tmp_path: Path) -> None:
    fragments = [Fragment(str(number), "java", f"int f() {{ return {number**9}; }}") for number in range(200)]
    folder = small(tmp_path / "b", fragments=fragments, memberships=(), pairs=(), judgements=()).path
    path = folder / "fragments.parquet"
    column = pq.ParquetFile(path).metadata.row_group(0).column(3)
    assert column.path_in_schema == "text"
    content = bytearray(path.read_bytes())
    start = column.dictionary_page_offset or column.data_page_offset
    content[start : start + column.total_compressed_size] = bytes(column.total_compressed_size)
    path.write_bytes(content)
    with pytest.raises(BenchmarkError, match=r"fragments\.parquet: The file is damaged"):
        Benchmark.open(folder)


def test_a_table_that_another_program_rewrote_with_wider_strings_is_the_same(tmp_path: Path) -> None:
    folder = small(tmp_path / "b").path
    path = folder / "fragments.parquet"
    table = pq.read_table(path)
    wide = pa.schema([f.with_type(pa.large_string()) if f.type == pa.string() else f for f in table.schema])
    pq.write_table(table.cast(wide), path, compression="snappy", row_group_size=1)
    benchmark = Benchmark.open(folder)
    benchmark.verify()
    assert benchmark.table("fragments").schema.field("id").type == pa.string()


def change_rows(path: Path, **columns: list[Any]) -> None:
    table = pq.read_table(path)
    for name, values in columns.items():
        change = pa.array(values, table.schema.field(name).type)
        table = table.set_column(table.schema.get_field_index(name), pa.field(name, change.type), change)
    pq.write_table(table, path)


def pairs(**columns: list[Any]) -> Callable[[Path], None]:
    return lambda folder: change_rows(folder / "pairs.parquet", **columns)


def fragments(**columns: list[Any]) -> Callable[[Path], None]:
    return lambda folder: change_rows(folder / "fragments.parquet", **columns)


def settings(text: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / "judges" / "part-0.parquet"
        change_rows(path, settings=[text] * pq.read_metadata(path).num_rows)

    return change


def judgements(column: str, value: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / "judgements" / "part-0.parquet"
        values = pq.read_table(path)[column].to_pylist()
        change_rows(path, **{column: [value, *values[1:]]})

    return change


WRONG_ROWS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a pair of an unknown fragment": (pairs(left=[1, 0, 99]), "The left '99' is not among the fragments"),
    "a pair of a negative fragment": (pairs(right=[-1, 1, 2]), "The right '-1' is not among the fragments"),
    "an unknown functionality": (pairs(functionality=[7, None, None]), "The functionality '7' is not among"),
    "a repeated key": (pairs(pair=[0, 1, 1]), "The keys of 'pair' are not 0 to 2, each once"),
    "another pair key": (pairs(pair_key=[5, 6, 7]), "pair_key of 3 rows"),
    "a repeated id": (fragments(id=["a", "a", "b", "c"]), "The id 'a' occurs 2 times"),
    "an unknown kind": (fragments(kind=["function", "poem", "function", "file"]), "'poem' is not a valid kind"),
    "a missing text": (fragments(text=["a", None, "b", "c"]), "The column 'text' has 1 missing values"),
    "a negative line": (fragments(first_line=[-5, None, 1, None]), "1 fragments have a negative line number"),
    "an unknown part": (pairs(claimed_part=["train", "tests", None]), "'tests' is not a valid claimed_part"),
    "deeply nested settings": (
        settings('{"a":' * 3000 + "1" + "}" * 3000),
        "settings of the judge .* not a JSON object",
    ),
    "settings that are a list": (settings("[1]"), "settings of the judge .* not a JSON object"),
    "an unknown criterion": (judgements("criterion", "beauty"), "'beauty' is not a valid criterion"),
    "a foreign answer": (judgements("value", "perhaps"), "does not permit the answer 'perhaps'"),
    "a confidence that is not a number": (judgements("confidence", float("nan")), "confidence of 1 answers"),
    "an answer on an unknown pair": (judgements("pair", 12345), "The pair '12345' is not among the pairs"),
    "an unknown judge": (judgements("judge", "nobody"), "The judge 'nobody' is not among the judges"),
}


@pytest.mark.parametrize("harm", WRONG_ROWS)
def test_wrong_rows_are_found_on_opening(tmp_path: Path, harm: str) -> None:
    change, message = WRONG_ROWS[harm]
    folder = small(tmp_path / "b").path
    change(folder)
    for _ in range(2):
        with pytest.raises(BenchmarkError, match=message):
            Benchmark.open(folder)


def test_everything_that_is_wrong_with_the_rows_is_listed_at_once(tmp_path: Path) -> None:
    folder = small(tmp_path / "b").path
    pairs(left=[1, 0, 99])(folder)
    judgements("judge", "nobody")(folder)
    with pytest.raises(BenchmarkError) as caught:
        Benchmark.open(folder)
    assert "'99'" in str(caught.value)
    assert "nobody" in str(caught.value)


WRONG_HEADERS: dict[str, dict[str, Any]] = {
    "counts without a table": {"counts": {"pairs": 3}},
    "a negative count": {"counts": {**dict.fromkeys(("fragments", "pairs", "judges", "judgements"), 1), "pairs": -1}},
    "a list of counts": {"counts": [1]},
    "no hashes": {"table_hashes": {}},
    "a seal outside the folder": {"part_hashes": {"../../secret.parquet": "0"}},
    "a seal of another kind": {"part_hashes": {"measures/x.parquet": "0"}},
    "ancestors that are numbers": {"ancestors": [1]},
    "a recipe that is a text": {"recipe": "mix"},
    "a version that is a list": {"version": [1]},
}


@pytest.mark.parametrize("harm", WRONG_HEADERS)
def test_a_header_of_the_wrong_shape_is_refused(tmp_path: Path, harm: str) -> None:
    folder = small(tmp_path / "b").path
    change_header(folder, **WRONG_HEADERS[harm])
    with pytest.raises(BenchmarkError, match=r"benchmark\.json: The benchmark's header cannot be read"):
        Benchmark.open(folder)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 500 + "1" + "}" * 500], ids=["open", "closed"])
def test_a_deeply_nested_header_is_refused(tmp_path: Path, text: str) -> None:
    folder = small(tmp_path / "b").path
    (folder / "benchmark.json").write_text(text, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=r"cannot be read as JSON.*nested more than 100 levels"):
        Benchmark.open(folder)


def test_a_table_that_was_added_later_is_checked_when_it_is_used(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    path = benchmark.write_table("splits", "random-1", pa.table({"fragment": [0, 1], "part": ["train", "test"]}))
    change_rows(path, fragment=[0, 77])
    with pytest.raises(BenchmarkError, match="1 rows name a fragment that does not exist"):
        Benchmark.open(benchmark.path).table("splits/random-1")
    change_rows(path, fragment=[0, 0])
    with pytest.raises(BenchmarkError, match="The fragment 0 occurs twice"):
        Benchmark.open(benchmark.path).table("splits/random-1")
    change_rows(path, fragment=[0, 1], part=["train", "exam"])
    with pytest.raises(BenchmarkError, match="'exam' is not a valid part"):
        Benchmark.open(benchmark.path).table("splits/random-1")


def test_a_negative_line_is_refused_at_creation(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="fragments, row 0: The line number is negative"):
        small(
            tmp_path / "b", fragments=[Fragment("1", "c", "x", first_line=-1)], memberships=(), pairs=(), judgements=()
        )
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("name", ["judgements", "judges", "measures", "verdicts", "splits", "results", "records"])
def test_a_folder_that_is_a_link_is_refused(name: str, tmp_path: Path) -> None:
    """What a later command adds would be written to wherever a stranger's link leads."""
    small(tmp_path / "b")
    outside = tmp_path / "outside"
    (tmp_path / "b" / name).mkdir(exist_ok=True)
    (tmp_path / "b" / name).rename(outside)
    (tmp_path / "b" / name).symlink_to(outside, target_is_directory=True)
    with pytest.raises(BenchmarkError, match="symbolic link") as raised:
        Benchmark.open(tmp_path / "b")
    assert str(tmp_path / "b" / name) in str(raised.value)
