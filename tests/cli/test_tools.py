"""`tools run` and the list of tools on the command line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clonetruth.tools import EXTERNAL_TOOLS
from tests.cli.running import run
from tests.tools.fake_tools import twins_command, write_program


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
    ran = run("tools", "run", twins_command(tmp_path), source, "-o", report, "--max-files", 2, "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["files"], ran.json["runs"], ran.json["pairs"]) == (4, 6, 3)
    assert "command does not support a minimum number of tokens" in ran.err
    assert report.read_text().splitlines() == [
        "2/default,2.java,1,2,2/selected,1.java,1,2",
        "2/default,2.java,1,2,3/sample,7.java,1,2",
        "2/selected,1.java,1,2,3/sample,7.java,1,2",
    ]


def test_as_bigcloneeval_runs_a_tool(source: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.csv"
    ran = run("tools", "run", twins_command(tmp_path), source, "-o", report, "--by-folder", "--strip", 1)
    assert ran.code == 0, ran.err
    assert "Run of command" in ran.out
    assert report.read_text() == "default,2.java,1,2,selected,1.java,1,2\n"


def test_without_an_output_the_report_is_printed(source: Path, tmp_path: Path) -> None:
    ran = run("tools", "run", twins_command(tmp_path), source / "2")
    assert (ran.code, ran.out) == (0, "default,2.java,1,2,selected,1.java,1,2\n")


def test_the_former_command_works_with_a_notice(source: Path, tmp_path: Path) -> None:
    former = run("run-tool", twins_command(tmp_path), source / "2")
    assert former.out == run("tools", "run", twins_command(tmp_path), source / "2").out
    assert "notice: `run-tool` is now `tools run`" in former.err
    assert "run-tool" not in run("--help").out


def test_names_that_the_format_cannot_hold_are_counted(source: Path, tmp_path: Path) -> None:
    (source / "2" / "a,b.java").write_text("class a {\n}\n")
    report = tmp_path / "report.csv"
    ran = run("tools", "run", twins_command(tmp_path), source, "-o", report, "--json")
    assert ran.json["pairs"] == 3
    assert "cannot hold the file names of 3 pairs" in ran.err


def test_names_that_are_not_utf8_are_escaped(source: Path, tmp_path: Path) -> None:
    odd = os.fsdecode(b"odd\xff.java")
    (source / odd).write_text("class b {\n}\n")
    report = tmp_path / "report.csv"
    ran = run("tools", "run", twins_command(tmp_path), source, "-o", report)
    assert ran.code == 0, ran.err
    assert "3/sample,8.java,1,2,.,odd\\xff.java,1,2" in report.read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("jspcd",), 5, "Did you mean 'jscpd'"),
        (("command:sleep 20", "--timeout", "0.2"), 7, "did not finish within 0.2 seconds"),
        (("command:true", "--language", "go"), 3, "no source file"),
        (("command:true", "--report-format", "nicat"), 5, "Did you mean 'nicad'"),
    ],
)
def test_errors_are_reported_and_nothing_is_written(
    source: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    report = tmp_path / "report.csv"
    tool, *options = arguments
    ran = run("tools", "run", tool, source, "-o", report, *options)
    assert ran.code == code
    assert message in ran.err
    assert not report.exists()


def test_missing_folders_are_reported(source: Path, tmp_path: Path) -> None:
    ran = run("tools", "run", "command:true", tmp_path / "nowhere", "-o", tmp_path / "report.csv")
    assert (ran.code, "no such folder" in ran.err) == (3, True)
    ran = run("tools", "run", "command:true", source, "-o", tmp_path / "nowhere" / "report.csv")
    assert (ran.code, "output folder does not exist" in ran.err) == (3, True)


def test_a_missing_tool_is_reported_with_installation_help(source: Path, tmp_path: Path) -> None:
    ran = run("tools", "run", "dolos", source, "-o", tmp_path / "r.csv", env={"PATH": str(tmp_path)})
    assert ran.code == 6
    assert "npm install -g" in ran.err


def test_tools_are_listed_with_their_programs(tmp_path: Path) -> None:
    pmd = write_program(tmp_path / "pmd", "pass")
    environment = {"PATH": str(tmp_path), "CLONETRUTH_SIMIAN": str(tmp_path / "nowhere")}
    rows = {row["name"]: row for row in run("detectors", "--json", env=environment).json if row["kind"] == "tool"}
    assert set(rows) == set(EXTERNAL_TOOLS)
    assert rows["pmd"]["program"] == str(pmd)
    assert rows["jscpd"]["program"] is None
    assert rows["jscpd"]["parameters"]["renaming"] == ["none", "blind"]
    assert "is not the path of a program" in rows["simian"]["program"]
    shown = run("detectors", env=environment).out
    assert "External tools" in shown
    assert "missing" in shown
