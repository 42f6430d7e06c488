"""BigCloneEval's CSV: we accept what its own importer accepts, and name the rows that it refuses."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.formats import streams
from clonetruth.formats.reports import REPORTED, ReadingLog
from clonetruth.formats.reports.bigcloneeval import FORMAT

GOOD = "selected,1.java,1,10,default,2.java,5,20\n"


def read(path: Path, *, strict: bool = False) -> tuple[list[tuple[Any, ...]], ReadingLog]:
    log = ReadingLog(strict=strict)
    rows = []
    for batch in FORMAT.read([path], log):
        assert batch.schema == REPORTED
        rows += [tuple(row.values()) for row in batch.to_pylist()]
    assert log.pairs == len(rows)
    return rows, log


def expected(row: list[Any]) -> tuple[Any, ...]:
    return (f"{row[0]}/{row[1]}", row[2], row[3], f"{row[4]}/{row[5]}", row[6], row[7], None)


def test_every_recorded_import_agrees(shared_bigcloneeval: Path, tmp_path: Path) -> None:
    cases = json.loads((shared_bigcloneeval / "import_cases.json").read_text(encoding="utf-8"))
    assert len(cases) > 15
    for case in cases:
        path = tmp_path / "report.csv"
        path.write_bytes(case["input"].encode("utf-8"))
        if case["accepted"]:
            rows, log = read(path, strict=True)
            assert rows == [expected(row) for row in case["rows"]], case["case"]
            assert log.pairs == case["stored"]
        else:
            with pytest.raises(InputError) as refused:
                read(path, strict=True)
            # The original names only the problem; we name the location too.
            assert case["error"] in str(refused.value), case["case"]
            assert "line" in str(refused.value.where), case["case"]
            assert read(path)[1].skipped >= 1


@pytest.mark.parametrize(
    ("bad", "line"),
    [
        (GOOD * 3 + "selected,1.java,x,10,default,2.java,5,20\n" + GOOD, 4),
        (GOOD + "\n\n" + "selected,1.java,1,10\n", 4),
        ("selected,1.java,1,99999999999,default,2.java,5,20\n" + GOOD, 1),
        ("selected,1.java,1,4294967296,default,2.java,5,20\n", 1),
        (GOOD + ' "a" , 1.java , 1, 2, b, c , 1.5 , 2\n', 2),
    ],
)
def test_a_bad_row_is_named_by_its_line_and_the_others_are_kept(bad: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text(bad, encoding="utf-8")
    rows, log = read(path)
    assert len(rows) == bad.count(GOOD)
    assert [one[1] for one in log.first] == [line]
    with pytest.raises(InputError, match="A row of the report is invalid") as refused:
        read(path, strict=True)
    assert f"line {line}" in str(refused.value.where)


def test_lines_are_counted_over_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BLOCK_BYTES", 100)
    path = tmp_path / "report.csv"
    path.write_text(GOOD * 20 + "bad\n" + GOOD * 20, encoding="utf-8")
    rows, log = read(path)
    assert len(rows) == 40
    assert log.first == [(path, 21, "missing value: there are 1 columns of 8")]


names = st.text(alphabet="abcdefgh.$_-'\\0123456789", min_size=1, max_size=12)
numbers = st.integers(-(2**31), 2**31 - 1)


@given(
    rows=st.lists(st.tuples(names, names, numbers, numbers, names, names, numbers, numbers), max_size=8),
    dress=st.sampled_from(["{}", " {} ", '"{}"', '"{}" ']),
    end=st.sampled_from(["\n", "\r\n", "\n\n"]),
    surplus=st.sampled_from(["", ",0.93", ",,x"]),
)
def test_formatting_does_not_change_the_pairs(
    rows: list[Any], dress: str, end: str, surplus: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("report") / "report.csv"
    text = "".join(",".join(dress.format(cell) for cell in row) + surplus + end for row in rows)
    path.write_bytes(text.encode())
    assert read(path, strict=True)[0] == [expected(list(row)) for row in rows]


def test_compressed_reports_are_read(tmp_path: Path) -> None:
    path = tmp_path / "report.csv.gz"
    path.write_bytes(gzip.compress((GOOD * 5).encode()))
    assert len(read(path)[0]) == 5


def test_the_format_is_recognised_by_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    for text, fits in ((GOOD, True), ("", True), ("left,right,score\na,b,0.5\n", False), ("1\t2\t1\n", False)):
        path.write_text(text, encoding="utf-8")
        assert FORMAT.recognise([path]) is fits, text
