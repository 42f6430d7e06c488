"""`run-tool` and the list of tools, as a user meets them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clonetruth.tools import EXTERNAL_TOOLS
from tests.cli.running import run
from tests.tools.stand_ins import program, twins_command


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Two functionalities as BigCloneEval lays them out; three files are twins."""
    for name, text in (("2/selected/1", "a"), ("2/default/2", "a"), ("3/sample/7", "a"), ("3/sample/8", "b")):
        path = tmp_path / "source" / f"{name}.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"class {text} {{\n}}\n")
    return tmp_path / "source"


def test_a_command_writes_a_report_for_bigcloneeval(source: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.csv"
    ran = run("run-tool", twins_command(tmp_path), source, "-o", report, "--max-files", 2, "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["files"], ran.json["runs"], ran.json["pairs"]) == (4, 6, 3)
    assert "command takes no minimum of tokens" in ran.err
    assert report.read_text().splitlines() == [
        "2/default,2.java,1,2,2/selected,1.java,1,2",
        "2/default,2.java,1,2,3/sample,7.java,1,2",
        "2/selected,1.java,1,2,3/sample,7.java,1,2",
    ]


def test_as_bigcloneeval_runs_a_tool(source: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.csv"
    ran = run("run-tool", twins_command(tmp_path), source, "-o", report, "--by-folder", "--strip", 1)
    assert ran.code == 0, ran.err
    assert "Run of command" in ran.out
    assert report.read_text() == "default,2.java,1,2,selected,1.java,1,2\n"


def test_names_that_the_format_cannot_hold_are_counted(source: Path, tmp_path: Path) -> None:
    (source / "2" / "a,b.java").write_text("class a {\n}\n")
    report = tmp_path / "report.csv"
    ran = run("run-tool", twins_command(tmp_path), source, "-o", report, "--json")
    assert ran.json["pairs"] == 3
    assert "3 pairs were left out" in ran.err


def test_names_that_are_not_utf8_are_shown_as_far_as_they_can(source: Path, tmp_path: Path) -> None:
    odd = os.fsdecode(b"odd\xff.java")
    (source / odd).write_text("class b {\n}\n")
    report = tmp_path / "report.csv"
    ran = run("run-tool", twins_command(tmp_path), source, "-o", report)
    assert ran.code == 0, ran.err
    assert "3/sample,8.java,1,2,.,odd\\xff.java,1,2" in report.read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("jspcd",), 5, "Did you mean 'jscpd'"),
        (("command:sleep 20", "--timeout", "0.2"), 7, "did not end within 0.2 seconds"),
        (("command:true", "--language", "go"), 3, "no source file"),
        (("command:true", "--report-format", "nicat"), 5, "Did you mean 'nicad'"),
    ],
)
def test_what_cannot_be_done_is_told_and_nothing_is_written(
    source: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    report = tmp_path / "report.csv"
    tool, *options = arguments
    ran = run("run-tool", tool, source, "-o", report, *options)
    assert ran.code == code
    assert said in ran.err
    assert not report.exists()


def test_folders_that_are_not_there(source: Path, tmp_path: Path) -> None:
    ran = run("run-tool", "command:true", tmp_path / "nowhere", "-o", tmp_path / "report.csv")
    assert (ran.code, "no such folder" in ran.err) == (3, True)
    ran = run("run-tool", "command:true", source, "-o", tmp_path / "nowhere" / "report.csv")
    assert (ran.code, "folder to write into does not exist" in ran.err) == (3, True)


def test_a_missing_tool_is_told_with_what_to_install(source: Path, tmp_path: Path) -> None:
    ran = run("run-tool", "dolos", source, "-o", tmp_path / "r.csv", env={"PATH": str(tmp_path)})
    assert ran.code == 6
    assert "npm install -g" in ran.err


def test_tools_are_listed_with_where_they_are(tmp_path: Path) -> None:
    pmd = program(tmp_path / "pmd", "pass")
    environment = {"PATH": str(tmp_path), "CLONETRUTH_SIMIAN": str(tmp_path / "nowhere")}
    rows = {row["name"]: row for row in run("detectors", "--json", env=environment).json if row["kind"] == "tool"}
    assert set(rows) == set(EXTERNAL_TOOLS)
    assert rows["pmd"]["program"] == str(pmd)
    assert rows["jscpd"]["program"] is None
    assert rows["jscpd"]["parameters"]["renaming"] == ["none", "blind"]
    assert "names no program" in rows["simian"]["program"]
    shown = run("detectors", env=environment).out
    assert "Tools of others" in shown
    assert "missing" in shown
