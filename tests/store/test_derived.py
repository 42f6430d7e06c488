"""Measures, verdicts, splits and detections: new files next to the core tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from clonetruth import __version__
from clonetruth.errors import BenchmarkError, InputError
from clonetruth.store import SCHEMA_VERSION, TABLES, Benchmark

from .samples import files_of, small

MEASURES = pa.table({"pair": [2, 0], "similarity_line": [0.5, None], "problem": [None, "does not parse"]})


def test_measures_are_written_beside_with_what_they_rest_on(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    before, content = files_of(benchmark.path), benchmark.content_hash
    benchmark.write_measures("bcb", MEASURES, {"cut_rule": "both"})
    after = files_of(benchmark.path)
    assert {name: after[name] for name in before} == before
    opened = Benchmark.open(benchmark.path)
    assert opened.content_hash == content
    assert opened.measure_names() == ["bcb"]
    assert opened.measures("bcb").schema.equals(TABLES["measures"].schema)
    assert opened.measures("bcb")["pair"].to_pylist() == [2, 0]
    assert opened.metadata("measures/bcb") == {
        "table": "measures",
        "schema_version": str(SCHEMA_VERSION),
        "version": __version__,
        "content_hash": content,
        "rule": "bcb",
        "cut_rule": "both",
    }


def test_measures_may_come_in_batches(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    benchmark.write_measures("bcb", (pa.record_batch({"pair": [number]}) for number in range(3)))
    assert benchmark.measures("bcb")["pair"].to_pylist() == [0, 1, 2]


def test_a_name_that_is_taken_is_refused_unless_asked_to_replace(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    benchmark.write_measures("bcb", MEASURES)
    with pytest.raises(InputError, match="already has measures 'bcb'"):
        benchmark.write_measures("bcb", MEASURES)
    benchmark.write_measures("bcb", MEASURES.slice(1), replace=True)
    assert benchmark.measures("bcb").num_rows == 1


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("measures", {"pair": [0, 3]}, "The pair 3 does not exist: there are 3"),
        ("measures", {"pair": [-1]}, "The pair -1 does not exist: there are 3"),
        ("measures", {"pair": [1, 1]}, "measures/x: The pair 1 occurs twice"),
        ("measures", {"pair": [1], "colour": ["red"]}, "There is no column 'colour'"),
        ("measures", {"similarity_line": [0.1]}, "The column 'pair' is missing"),
        ("splits", {"fragment": [0], "part": ["dev"]}, "'dev' is not a valid part"),
        ("splits", {"fragment": [4], "part": ["test"]}, "The fragment 4 does not exist: there are 4"),
        (
            "splits",
            {"fragment": [0, None], "part": ["test", "test"]},
            "row 1: The column 'fragment' has a missing value",
        ),
        (
            "verdicts",
            {"pair": [0], "verdict": ["maybe"], "judgements": [1], "reason": [""]},
            "'maybe' is not a valid verdict",
        ),
        ("results", {"pair": [0]}, "There is no kind of table 'results'"),
    ],
)
def test_rows_that_do_not_fit_are_refused_and_nothing_is_left(
    tmp_path: Path, kind: str, content: dict[str, Any], message: str
) -> None:
    benchmark = small(tmp_path / "b")
    before = files_of(benchmark.path)
    with pytest.raises(InputError, match=message):
        benchmark.write_table(kind, "x", pa.table(content))
    assert files_of(benchmark.path) == before


def test_detections_may_be_pairs_or_places(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    places = {"left_path": ["a", "b"], "left_first_line": [1, 2], "left_last_line": [3, 4]}
    benchmark.write_table("detections", "nicad", pa.table({"pair": [0, None], "score": [0.5, 1.0], **places}))
    assert benchmark.names("detections") == ["nicad"]
    assert benchmark.sql("SELECT sum(score) AS s FROM detections_nicad")["s"].to_pylist() == [1.5]


def test_a_query_is_streamed_into_a_table(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    benchmark.write_query(
        "splits",
        "random-1",
        "SELECT fragment, t.part AS part FROM fragments CROSS JOIN t ORDER BY fragment",
        {"seed": "1"},
        t=pa.table({"part": ["train"]}),
    )
    assert benchmark.table("splits/random-1")["part"].to_pylist() == ["train"] * 4
    assert benchmark.metadata("splits/random-1")["seed"] == "1"


def test_a_damaged_derived_table_is_named(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    path = benchmark.write_measures("bcb", MEASURES)
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(BenchmarkError, match=r"measures.bcb\.parquet"):
        benchmark.measures("bcb")
