"""Running a tool on a source tree from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import clonetruth
from clonetruth.errors import CloneTruthWarning, InputError
from clonetruth.formats.reports import REPORTED
from tests.tools.fake_tools import twins_command


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name in ("a/1.java", "a/2.java", "b/3.java"):
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("class C {\n}\n")
    return tmp_path / "source"


def test_pairs_come_back_without_a_file(source: Path, tmp_path: Path) -> None:
    command = twins_command(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.warns(CloneTruthWarning, match="does not support a minimum number of tokens"):
        report = clonetruth.run_tool(command, str(source), by_folder=True)
    assert report.pairs.schema == REPORTED
    assert report.rows == (("a,1.java,1,2", "a,2.java,1,2"),)
    assert (report.tool, report.files, report.unread, report.runs) == ("command", 3, (), 2)
    assert "pyarrow" not in repr(report)
    assert sorted(tmp_path.rglob("*")) == before


def test_the_report_is_written_on_request(source: Path, tmp_path: Path) -> None:
    with pytest.warns(CloneTruthWarning):
        report = clonetruth.run_tool(twins_command(tmp_path), source, output=tmp_path / "r.csv", strip=1)
    assert report.pairs.num_rows == 3
    assert (tmp_path / "r.csv").read_text().splitlines()[0] == ".,1.java,1,2,.,2.java,1,2"


def test_an_output_in_a_missing_folder_is_refused_before_the_tool_runs(source: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="The output folder does not exist"):
        clonetruth.run_tool("command:false", source, output=tmp_path / "nowhere" / "r.csv")
