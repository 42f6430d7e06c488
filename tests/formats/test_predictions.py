"""Predictions are read from the file formats that detectors write."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.formats.predictions import PREDICTIONS, read_predictions

Row = tuple[str, str, float | None, bool | None, int]


def rows(path: Path, **options: bool) -> list[Row]:
    table = read_predictions(path, **options).table
    assert table.schema.equals(PREDICTIONS)
    return [tuple(row.values()) for row in table.to_pylist()]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def faults(path: Path) -> list[tuple[str, int, int]]:
    return [(fault.reason, fault.rows, fault.line) for fault in read_predictions(path).faults]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("p.csv", "left,right,score\na,b,0.5\nc,d,1\n", [("a", "b", 0.5, None, 2), ("c", "d", 1.0, None, 3)]),
        ("p.csv", "label,ID2,id1\n1,b,a\nfalse,d,c\n", [("a", "b", None, True, 2), ("c", "d", None, False, 3)]),
        ("p.csv", "idx1,idx2,probability,pred\na,b,0.2,1\n", [("a", "b", 0.2, True, 2)]),
        ("p.tsv", "left\tright\tsimilarity\n a \tb\t.5\n", [("a", "b", 0.5, None, 2)]),
        ("p.csv", "a,b,0.25\nc,d,1\n", [("a", "b", 0.25, None, 1), ("c", "d", 1.0, None, 2)]),
        ("p.tsv", "1\t2\t1\n3\t4\t0\n", [("1", "2", None, True, 1), ("3", "4", None, False, 2)]),
        ("p.jsonl", '{"Left": 1, "right": "b", "label": true}\n\n', [("1", "b", None, True, 1)]),
        ("p.txt", "13\t21\t0\n11\t88\t1", [("13", "21", None, False, 1), ("11", "88", None, True, 2)]),
        ("p", "7 8 1\n", [("7", "8", None, True, 1)]),
    ],
)  # fmt: skip
def test_formats(tmp_path: Path, name: str, text: str, expected: list[Row]) -> None:
    assert rows(written(tmp_path / name, text)) == expected


def test_compressed_files_and_parquet(tmp_path: Path) -> None:
    packed = tmp_path / "scores.csv.gz"
    packed.write_bytes(gzip.compress(b"left,right,score\na,b,0.5\n"))
    assert rows(packed) == [("a", "b", 0.5, None, 2)]
    assert read_predictions(packed).title == "scores"
    table = pa.table({"id1": [10, 30], "id2": [20, 40], "prediction": [True, False]})
    pq.write_table(table, tmp_path / "p.parquet")
    assert rows(tmp_path / "p.parquet") == [("10", "20", None, True, 1), ("30", "40", None, False, 2)]


def test_a_column_of_predictions_holds_scores_if_one_number_is_not_a_label(tmp_path: Path) -> None:
    decided = written(tmp_path / "decided.csv", "left,right,prediction\na,b,1\nc,d,0\n")
    assert [row[2:4] for row in rows(decided)] == [(None, True), (None, False)]
    scored = written(tmp_path / "scored.csv", "left,right,prediction\na,b,1\nc,d,0.7\ne,f,yes\n")
    assert [row[2:4] for row in rows(scored)] == [(1.0, None), (0.7, None)]
    assert faults(scored) == [("the prediction is not a finite number", 1, 4)]


def test_a_files_own_truth_is_not_taken_for_a_prediction(tmp_path: Path) -> None:
    file = written(tmp_path / "p.csv", "left,right,label,prediction\na,b,1,0\n")
    assert rows(file) == [("a", "b", None, False, 2)]


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("a,b,0.5\nc,d,nan\n", "the score is not a finite number", 3),
        ("a,b,0.5\nc,d,inf\n", "the score is not a finite number", 3),
        ("a,b,0.5\nc,d,high\n", "the score is not a finite number", 3),
        ("a,b,0.5\nc,d,\n", "the row has neither a score nor a label", 3),
        ("a,b,0.5\nc, ,0.5\n", "a fragment has no id", 3),
        ("a,b,0.5\nc,d\n", "the row has 2 columns instead of 3", 3),
        ("a,b,0.5\n\nc,d,0.5,1\n", "the row has 4 columns instead of 3", 4),
        ("a,b,0.5\nc,d,.5\nb,a,0.5\n", "the pair was predicted before, with the same answer", 4),
    ],
)
def test_bad_rows_are_counted_with_their_line_and_refused_when_strict(
    tmp_path: Path, text: str, reason: str, line: int
) -> None:
    file = written(tmp_path / "p.csv", f"left,right,score\n{text}")
    assert rows(file)[0] == ("a", "b", 0.5, None, 2)
    assert faults(file) == [(reason, 1, line)]
    assert read_predictions(file).skipped == 1
    assert read_predictions(file).warnings() == (f"p.csv: 1 rows were left out, the first on line {line}: {reason}.",)
    with pytest.raises(InputError, match=reason) as caught:
        read_predictions(file, strict=True)
    assert caught.value.where == f"{file}:{line}"


def test_a_pair_whose_rows_contradict_each_other_has_no_prediction(tmp_path: Path) -> None:
    file = written(tmp_path / "p.csv", "left,right,label\na,b,1\nc,d,1\nb,a,0\na,b,1\n")
    assert rows(file) == [("c", "d", None, True, 3)]
    assert faults(file) == [("rows for this pair contradict each other", 3, 2)]
    assert len(rows(file, repeats=True)) == 4


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.csv", b"", "no column for the ids of a pair"),
        ("p.csv", b"left,right\na,b\n", "no column for a score or a label; its columns: left, right"),
        ("p.csv", b"x,y,z\na,b,c\n", "no column for the ids of a pair; its columns: x, y, z"),
        ("p.csv", b"left,right,score\n", "no usable prediction"),
        (
            "p.csv",
            b"left,right,score\na,b,x\n",
            r"1 rows were left out: the score is not a finite number \(on line 2\)",
        ),
        ("p.jsonl", b"[1]\n{", "no usable prediction"),
        ("p.jsonl", b'{"a": 1}\n', "no column for the ids"),
        ("p.txt", b"a b 0.5\n", "name ends in .csv, .tsv, .jsonl"),
        ("p.json", b'[{"left": "a", "right": "b", "score": 1}]', "name ends in .csv, .tsv, .jsonl"),
        ("p.csv", b"left;right;score\na;b;0.5\n", "The columns are separated by semicolons"),
        ("p.csv", b"left\tright\tscore\na\tb\t0.5\n", "The columns are separated by tabs"),
        ("p.tsv", b"left,right,score\na,b,0.5\n", "The columns are separated by commas"),
        ("p.csv", b"left,right,score\ra,b,0.5\r", "The lines end with a carriage return alone"),
        ("p.parquet", b"no parquet", "The file is damaged: Parquet magic bytes not found"),
        ("p.csv.gz", b"no gzip", "damaged"),
    ],
)
def test_unusable_files_are_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_predictions(file)


def test_a_missing_file_and_odd_types_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read the file"):
        read_predictions(tmp_path / "absent.csv")
    pq.write_table(pa.table({"left": ["a"], "right": ["b"], "score": [[1.0]]}), tmp_path / "p.parquet")
    with pytest.raises(InputError, match="cannot be read as predictions"):
        read_predictions(tmp_path / "p.parquet")


_IDS = st.text("abc1", min_size=1, max_size=2)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(_IDS, _IDS, st.sampled_from([0.0, 0.5, 2.0])), min_size=1, max_size=12))
def test_every_row_is_a_prediction_or_a_fault(tmp_path_factory: Any, given_rows: list[tuple[str, str, float]]) -> None:
    """Each unordered pair keeps its only answer; formats agree."""
    folder: Path = tmp_path_factory.mktemp("predictions")
    lines = "".join(f"{left},{right},{score}\n" for left, right, score in given_rows)
    objects = "".join(json.dumps({"left": a, "right": b, "score": score}) + "\n" for a, b, score in given_rows)
    answers: dict[frozenset[str], set[float]] = {}
    for left, right, score in given_rows:
        answers.setdefault(frozenset((left, right)), set()).add(score)
    clear = {pair: scores.pop() for pair, scores in answers.items() if len(scores) == 1}
    csv = written(folder / "p.csv", f"left,right,score\n{lines}")
    if not clear:
        with pytest.raises(InputError, match="contradict"):
            read_predictions(csv)
        return
    found = read_predictions(csv)
    assert found.table.num_rows + found.skipped == len(given_rows)
    assert {frozenset(row[:2]): row[2] for row in rows(csv)} == clear
    assert [row[:4] for row in rows(written(folder / "p.jsonl", objects))] == [row[:4] for row in rows(csv)]


def test_the_evaluators_toy_files(shared_data: Path) -> None:
    folder = shared_data / "bigclonebench" / "codexglue"
    assert [row[3] for row in rows(folder / "evaluator_predictions.txt")] == [False, True, False, True]
    assert len(rows(folder / "test_sampled.txt")) == 4_000
