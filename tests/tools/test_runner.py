"""Running tools on files."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from clonetruth.errors import InputError, ToolError
from clonetruth.formats.reports import REPORTED, ReadingLog
from clonetruth.tools import ToolOptions, external_pairs, external_tool, read_pairs, run_on_files
from tests.tools.fake_tools import twins_command, write_program

Pair = tuple[str, str]


@pytest.fixture
def files(tmp_path: Path) -> Mapping[str, Path]:
    """Nine files in three folders; every third has the same text."""
    paths = {}
    for number in range(9):
        name = f"{'xyz'[number // 3]}/a, b {number}.java"
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"class C {{\n  int n = {number % 3};\n}}\n")
        paths[name] = path
    return paths


def pairs(files: Mapping[str, Path], tool: str, options: ToolOptions | None = None) -> set[Pair]:
    table = external_pairs(files, external_tool(tool), options)
    assert table.schema == REPORTED
    names = [(row["left_path"], row["right_path"]) for row in table.to_pylist()]
    assert len(set(names)) == len(names)
    return set(names)


def twins(files: Mapping[str, Path]) -> set[Pair]:
    names = sorted(files)
    return {(a, b) for a in names for b in names if a < b and files[a].read_text() == files[b].read_text()}


@pytest.mark.parametrize("max_files", [None, 2, 3, 4, 5, 8, 9, 100])
def test_no_pair_is_lost_or_duplicated_however_files_are_divided(
    files: Mapping[str, Path], tmp_path: Path, max_files: int | None
) -> None:
    assert pairs(files, twins_command(tmp_path), ToolOptions(max_files=max_files)) == twins(files)


def test_by_folder_compares_within_folders_only(files: Mapping[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy.java"
    copy.write_bytes(files["x/a, b 0.java"].read_bytes())
    more = {**files, "x/deep/copy.java": copy}
    assert pairs(more, twins_command(tmp_path), ToolOptions(by_folder=True)) == {("x/a, b 0.java", "x/deep/copy.java")}


def test_the_tool_sees_copies_with_plain_names(files: Mapping[str, Path], tmp_path: Path) -> None:
    nosy = write_program(
        tmp_path / "nosy",
        """
        for path in Path(sys.argv[1]).iterdir():
            assert path.name[:6].isdigit() and path.suffix == ".java"
            path.write_text("spoilt")
        """,
    )
    before = {name: path.read_text() for name, path in files.items()}
    assert pairs(files, f"command:{nosy} {{source}}") == set()
    assert {name: path.read_text() for name, path in files.items()} == before


def test_a_tool_that_takes_the_language_sees_its_main_extension(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("a.h", "b.c")}
    for path in files.values():
        path.write_text("int f;\n")
    lister = write_program(tmp_path / "lister", "sys.exit(str([path.suffix for path in Path(sys.argv[1]).iterdir()]))")
    with pytest.raises(ToolError, match=r"\['.c', '.c'\]"):
        pairs(files, f"command:{lister} {{source}} {{language}}")


def test_a_run_records_what_was_done(files: Mapping[str, Path], tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    reported: list[tuple[str, int, int]] = []
    tool = external_tool(twins_command(tmp_path))
    options = ToolOptions(0.9, min_lines=2, max_files=6)
    run = run_on_files(tool, files, options, workdir=work, progress=lambda *what: reported.append(what))
    assert reported == [("Running command", 1, 3)] * 3
    assert run.seconds > 0
    assert [len(part.names) for part in run.parts] == [6, 6, 6]
    assert run.parts[0].commands[0][0] == sys.executable
    assert run.notes == (
        "command does not support a threshold: it ran without.",
        "command does not support a minimum number of tokens: it ran without.",
        "command does not support a minimum number of lines: it ran without.",
    )
    assert read_pairs(run, ReadingLog()).num_rows == len(twins(files))
    assert not list(work.glob("*/source")), "copies are removed at once"
    with pytest.raises(InputError, match="work folder is not empty"):
        run_on_files(tool, files, workdir=work)


def test_the_format_of_a_report_file_is_detected(files: Mapping[str, Path], tmp_path: Path) -> None:
    writer = write_program(
        tmp_path / "writer",
        """
        rows = "".join(f'<file line="1" endline="3" path="{name}"/>' for name in names[:3])
        report = f'<pmd-cpd><duplication lines="3" tokens="9">{rows}</duplication></pmd-cpd>'
        Path(at("--to")).write_text(report)
        print("much that is not a report")
        """,
    )
    assert len(pairs(files, f"command:{writer} {{source}} --to {{report}}")) == 3


def test_a_shell_command(files: Mapping[str, Path]) -> None:
    line = "command[bigcloneeval,shell]:cd {source}; echo a,000001.java,1,2,b,000000.java,1,2 | cat; exit 0"
    assert pairs(files, line) == {("x/a, b 0.java", "x/a, b 1.java")}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("print('source,000000.java,1,3,source,000003.java,1,3'); sys.exit('no TXL')", "code 1(.|\n)*no TXL"),
        ("import os; os.kill(os.getpid(), 9)", "killed by signal 9"),
    ],
)
def test_the_output_of_a_failing_tool_is_discarded(
    files: Mapping[str, Path], tmp_path: Path, body: str, message: str
) -> None:
    with pytest.raises(ToolError, match=message) as error:
        pairs(files, f"command:{write_program(tmp_path / 'failing', body)} {{source}}")
    assert error.value.exit_code == 7


def test_messages_of_a_tool_show_the_original_file_names(files: Mapping[str, Path], tmp_path: Path) -> None:
    failing = write_program(tmp_path / "failing", "sys.exit(f'cannot parse {sys.argv[1]}/000004.java')")
    with pytest.raises(ToolError, match=r"source/y/a, b 4\.java"):
        pairs(files, f"command:{failing} {{source}}")


def test_a_tool_without_a_report_has_failed(files: Mapping[str, Path]) -> None:
    with pytest.raises(ToolError, match="wrote no report"):
        pairs(files, f"command[pmd]:{sys.executable} -c pass {{report}}")


def test_a_truncated_report_is_refused(files: Mapping[str, Path], tmp_path: Path) -> None:
    cut = write_program(tmp_path / "cut", """print('<pmd-cpd><duplication lines="3"><file line="1" end')""")
    with pytest.raises(InputError):
        pairs(files, f"command[pmd]:{cut} {{source}}")


def test_locations_in_other_files_are_skipped_and_logged(files: Mapping[str, Path]) -> None:
    log = ReadingLog()
    tool = external_tool(f"command[bigcloneeval]:{sys.executable} -c \"print('a,000000.java,1,2,b,Else.java,1,2')\"")
    assert external_pairs(files, tool, log=log).num_rows == 0
    assert (log.skipped, log.first[0][2]) == (1, "a location is in none of the files given to the tool")


def test_a_location_is_not_paired_with_itself_and_sides_are_ordered(files: Mapping[str, Path]) -> None:
    rows = "s,000001.java,1,2,s,000000.java,3,4|s,000000.java,3,4,s,000001.java,1,2|s,000000.java,1,2,s,000000.java,1,2"
    tool = external_tool(f"command[bigcloneeval,shell]:echo '{rows}' | tr '|' '\\n'")
    assert external_pairs(files, tool).drop_columns("score").to_pylist() == [
        {
            "left_path": "x/a, b 0.java",
            "left_first_line": 3,
            "left_last_line": 4,
            "right_path": "x/a, b 1.java",
            "right_first_line": 1,
            "right_last_line": 2,
        }
    ]


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read the file"):
        pairs({"a.java": tmp_path / "a.java"}, twins_command(tmp_path))


def test_files_that_a_tool_cannot_read_are_noted(
    files: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "print('<pmd-cpd></pmd-cpd>'); print('lexical error in 000002.java', file=sys.stderr); sys.exit(5)"
    monkeypatch.setenv("CLONETRUTH_PMD", str(write_program(tmp_path / "pmd", body)))
    log = ReadingLog()
    more = {**files, "notes.txt": tmp_path / "notes.txt"}
    assert external_pairs(more, external_tool("pmd"), log=log).num_rows == 0
    assert log.notes == [
        "pmd could not read all files; its output:\nlexical error in x/a, b 2.java",
        "Files in languages that pmd does not support: 1.",
    ]
