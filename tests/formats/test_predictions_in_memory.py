"""Predictions in memory follow the rules of files."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.formats.predictions import PREDICTIONS, Predictions, read_predictions
from clonetruth.formats.predictions_in_memory import PredictionSource, load_predictions

Row = tuple[str, str, float | None, bool | None, int]


class Frame:
    """A data frame of some other library: it offers the Arrow stream and nothing else."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def rows(predictions: Predictions) -> list[Row]:
    assert predictions.table.schema.equals(PREDICTIONS)
    return [tuple(row.values()) for row in predictions.table.to_pylist()]


def faults(predictions: Predictions) -> list[tuple[str, int, int]]:
    return [(fault.reason, fault.rows, fault.line) for fault in predictions.faults]


COLUMNS = {"left": ["a", "c"], "right": ["b", "d"], "score": [0.5, 1.0]}
SCORED = [("a", "b", 0.5, None, 1), ("c", "d", 1.0, None, 2)]


@pytest.mark.parametrize(
    "source",
    [
        pa.table(COLUMNS),
        pa.RecordBatch.from_pydict(COLUMNS),
        pa.concat_tables([pa.table(COLUMNS).slice(0, 1), pa.table(COLUMNS).slice(1)]),
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).set_index(["left", "right"]),
        pd.DataFrame(COLUMNS).astype({"left": "category"}),
        Frame(pa.table(COLUMNS)),
        Frame(pa.table(COLUMNS).cast(pa.schema({"left": pa.string_view(), "right": pa.large_string(), "score": "f4"}))),
        {("a", "b"): 0.5, ("c", "d"): 1},
        {("a", "b"): np.float32(0.5), ("c", "d"): np.int64(1)},
    ],
    ids=lambda source: type(source).__name__,
)
def test_sources(source: PredictionSource) -> None:
    assert rows(load_predictions(source)) == SCORED


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"ID1": [10], " idx2 ": [20], "is_clone": [True]}, [("10", "20", None, True, 1)]),
        ({"id1": ["a"], "id2": ["b"], "label": [1], "probability": [0.2]}, [("a", "b", 0.2, True, 1)]),
        ({"left": [" a"], "right": ["b "], "prediction": ["yes"]}, [("a", "b", None, True, 1)]),
        ({"left": ["a"], "right": ["b"], "pred": [0.7]}, [("a", "b", 0.7, None, 1)]),
        ({"left": ["a"], "right": ["b"], "score": [Decimal("0.25")]}, [("a", "b", 0.25, None, 1)]),
        ({"left": ["a"], "right": ["b"], "label": [1], "prediction": [0]}, [("a", "b", None, False, 1)]),
    ],
)
def test_columns_have_the_names_that_files_may_use(
    tmp_path: Path, columns: dict[str, list[Any]], expected: list[Row]
) -> None:
    table = pa.table(columns)
    assert rows(load_predictions(table)) == rows(load_predictions(Frame(table))) == expected
    stripped = table.rename_columns([name.strip() for name in table.column_names])
    pq.write_table(stripped, tmp_path / "p.parquet")
    assert rows(read_predictions(tmp_path / "p.parquet")) == expected


def test_booleans_in_a_dict_are_decisions() -> None:
    found = load_predictions({("a", "b"): True, (3, 4): np.bool_(False)})
    assert rows(found) == [("a", "b", None, True, 1), ("3", "4", None, False, 2)]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (("c", "d", float("nan")), "the score is not a finite number"),
        (("c", "d", float("inf")), "the score is not a finite number"),
        (("c", "d", None), "the row has neither a score nor a label"),
        (("c", " ", 0.5), "a fragment has no id"),
        (("b", "a", 0.5), "the pair was predicted before, with the same answer"),
    ],
)
def test_bad_rows_are_counted_with_their_row_and_refused_when_strict(bad: tuple[str, str, Any], reason: str) -> None:
    given_rows = [("a", "b", 0.5), bad]
    left, right, score = (list(column) for column in zip(*given_rows, strict=True))
    table = pa.table({"left": left, "right": right, "score": pa.array(score, pa.float64())})
    for source in (table, Frame(table), {row[:2]: row[2] for row in given_rows}):
        found = load_predictions(source, name="mine")
        assert rows(found) == [("a", "b", 0.5, None, 1)]
        assert faults(found) == [(reason, 1, 2)]
        assert found.warnings() == (f"mine: 1 rows were left out, the first in row 2: {reason}.",)
        with pytest.raises(InputError, match=reason) as caught:
            load_predictions(source, name="mine", strict=True)
        assert caught.value.where == "mine, row 2"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"ab": 0.5}, "the key is not a pair of ids (two strings or integers)"),
        ({("a", "b", "c"): 0.5}, "the key is not a pair of ids (two strings or integers)"),
        ({("a", 1.5): 0.5}, "the key is not a pair of ids (two strings or integers)"),
        ({("a", True): 0.5}, "the key is not a pair of ids (two strings or integers)"),
        ({("c", "d"): "0.5"}, "a value of type 'str' is neither a number nor a boolean"),
        ({("c", "d"): [0.5]}, "a value of type 'list' is neither a number nor a boolean"),
    ],
)
def test_entries_of_a_dict_must_be_pairs_and_numbers(entry: dict[Any, Any], reason: str) -> None:
    found = load_predictions({("a", "b"): 0.5, **entry})
    assert rows(found) == [("a", "b", 0.5, None, 1)]
    assert faults(found) == [(reason, 1, 2)]


def test_a_dict_holds_scores_or_decisions_and_not_both() -> None:
    with pytest.raises(InputError, match="numbers in some rows and booleans in others") as caught:
        load_predictions({("a", "b"): 0.5, ("c", "d"): None, ("e", "f"): True}, name="mine")
    assert caught.value.where == "mine, row 3"


def test_a_pair_whose_rows_contradict_each_other_has_no_prediction() -> None:
    scores = {("a", "b"): 0.5, ("c", "d"): 1.0, ("b", "a"): 0.6}
    found = load_predictions(scores)
    assert rows(found) == [("c", "d", 1.0, None, 2)]
    assert faults(found) == [("rows for this pair contradict each other", 2, 1)]
    assert len(rows(load_predictions(scores, repeats=True))) == 3


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({}, "no usable prediction"),
        ({("a", "b"): float("nan")}, r"1 rows were left out: the score is not a finite number \(in row 1\)"),
        (pa.table({"left": ["a"], "right": ["b"]}), "no column for a score or a label; its columns: left, right"),
        (pd.DataFrame({"x": ["a"], "y": ["b"], "z": [1]}), "no column for the ids of a pair; its columns: x, y, z"),
        (pa.table({"left": ["a"], "right": ["b"], "score": [[1.0]]}), "cannot be read as predictions"),
        (pd.DataFrame({"left": ["a", 1], "right": ["b", 2], "score": [object(), 1]}), "cannot be read as predictions"),
        ([("a", "b", 0.5)], "type 'list' cannot be read as predictions"),
        (0.5, "type 'float' cannot be read as predictions"),
    ],
)
def test_unusable_sources_are_refused(source: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load_predictions(source)
    assert caught.value.where == "predictions"


def test_files_and_predictions_pass_through(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text("left,right,score\na,b,0.5\n", encoding="utf-8")
    for path in (file, str(file)):
        found = load_predictions(path)
        assert (found.title, rows(found)) == ("scores", [("a", "b", 0.5, None, 2)])
        assert load_predictions(found) is found


def test_title_and_digest() -> None:
    one, two = ({("a", "b"): value, ("c", "d"): 1.0} for value in (0.5, 0.6))
    assert load_predictions(one, name="mine").title == "mine"
    assert load_predictions(one).digest() == load_predictions(pa.table(COLUMNS)).digest()
    assert load_predictions(one).digest() != load_predictions(two).digest()


_IDS = st.text("abc1", min_size=1, max_size=2)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(_IDS, _IDS, st.sampled_from([0.0, 0.5, 2.0])), min_size=1, max_size=12))
def test_tables_frames_and_files_agree(tmp_path_factory: Any, given_rows: list[tuple[str, str, float]]) -> None:
    left, right, score = (list(column) for column in zip(*given_rows, strict=True))
    table = pa.table({"left": left, "right": right, "score": score})
    file = tmp_path_factory.mktemp("predictions") / "p.parquet"
    pq.write_table(table, file)
    outcomes = []
    for source in (file, table, Frame(table), table.to_pandas()):
        try:
            found = load_predictions(source)
        except InputError as error:
            outcomes.append(str(error.what).replace("on line", "in row"))
        else:
            outcomes.append(str((rows(found), faults(found))))
    assert len(set(outcomes)) == 1
