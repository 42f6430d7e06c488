"""Large tables as batches."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.formats.batches import IdIndex, as_numbers, read_batches


def read(path: Path, *columns: str, optional: tuple[str, ...] = ()) -> tuple[list[list[object]], list[int], list[int]]:
    """The rows, their lines, and the lines that were left out."""
    bad: list[int] = []
    rows, lines = [], []
    for batch in read_batches(path, columns, optional=optional, on_bad_row=lambda line, why: bad.append(line)):
        rows += [list(row.values()) for row in batch.rows.to_pylist()]
        lines += [batch.line(row) for row in range(batch.rows.num_rows)]
    return rows, lines, bad


def test_csv_with_any_case_quotes_and_empty_cells(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text('"ID","Name"\n"1","a"\n2,\n')
    assert read(file, "name", "id", optional=("more",))[0] == [["a", "1", None], [None, "2", None]]


def test_line_numbers_are_right_after_bad_and_empty_lines(tmp_path: Path) -> None:
    file = tmp_path / "t.csv.gz"
    file.write_bytes(gzip.compress(b"a,b\n1,2\n\n3\n4,5\n6,7,8\n9,10\n"))
    assert read(file, "a") == ([["1"], [None], ["4"], ["9"]], [2, 3, 5, 7], [4, 6])


def test_rows_with_bytes_that_are_not_utf8_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_bytes(b"a,b\n1,2\n\xff,3\n\xff\n4,5\n")
    assert read(file, "a") == ([["1"], ["\ufffd"], ["4"]], [2, 3, 5], [4])


def test_a_bad_row_far_down_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clonetruth.formats.batches.BLOCK_BYTES", 200)
    file = tmp_path / "t.csv"
    file.write_text("a,b\n" + "".join(f"{row},x\n" for row in range(500)) + "bad\n" + "500,x\n")
    rows, lines, bad = read(file, "a")
    assert rows == [[str(row)] for row in range(501)]
    assert lines == [*range(2, 502), 503]
    assert bad == [502]


def test_parquet_keeps_its_types_and_counts_rows(tmp_path: Path) -> None:
    pq.write_table(pa.table({"A": [1, 2], "b": ["x", None]}), tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet", "b", "a") == ([["x", 1], [None, 2]], [1, 2], [])


@pytest.mark.parametrize("content", [b"", b"a\n1\n", b"\xff\xfe\0\0"])
def test_files_that_are_not_tables_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(InputError):
        read(tmp_path / "t.csv", "a", "b")


def test_text_becomes_numbers_or_null() -> None:
    assert as_numbers(pa.array(["1", " 0.5 ", "x", None, "1e-3"])).to_pylist() == [1.0, 0.5, None, None, 0.001]
    assert as_numbers(pa.array([1, None])).to_pylist() == [1.0, None]


@settings(deadline=None)
@given(
    st.lists(st.one_of(st.integers(0, 10**8).map(str), st.text("0a ", max_size=3)), unique=True, max_size=20), st.data()
)
def test_positions_equal_those_of_a_search(known: list[str], data: st.DataObject) -> None:
    known = [one.strip() for one in known if one.strip()]
    known = list(dict.fromkeys(known))
    asked = data.draw(st.lists(st.one_of(st.sampled_from([*known, "7"]), st.just("x"), st.none()), max_size=20))
    positions = IdIndex(known).positions(pa.array(asked, pa.string()))
    expected = [known.index(one) if one in known else -1 for one in asked]
    assert positions.tolist() == expected


def test_positions_of_numbers_and_padded_texts() -> None:
    index = IdIndex(["12", "5", "900"])
    assert index.positions(pa.array([5, 900, 7, None, -1, 10**12])).tolist() == [1, 2, -1, -1, -1, -1]
    assert index.positions(pa.array([" 5 ", "900", "x"])).tolist() == [1, 2, -1]
    assert index.ids_at(np.array([2, 0])).to_pylist() == ["900", "12"]
