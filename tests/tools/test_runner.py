"""Running tools over files."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from clonetruth.errors import InputError, ToolError
from clonetruth.formats.reports import REPORTED, ReadingLog
from clonetruth.tools import ToolOptions, external_pairs, external_tool, run_pairs, run_tool
from tests.tools.stand_ins import program, twins_command

Pair = tuple[str, str]


@pytest.fixture
def files(tmp_path: Path) -> Mapping[str, Path]:
    """Nine files in three folders; every third has the same text."""
    found = {}
    for number in range(9):
        name = f"{'xyz'[number // 3]}/a, b {number}.java"
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"class C {{\n  int n = {number % 3};\n}}\n")
        found[name] = path
    return found


def pairs(files: Mapping[str, Path], tool: str, options: ToolOptions | None = None) -> set[Pair]:
    table = external_pairs(files, external_tool(tool), options)
    assert table.schema == REPORTED
    found = [(row["left_path"], row["right_path"]) for row in table.to_pylist()]
    assert len(set(found)) == len(found)
    return set(found)


def twins(files: Mapping[str, Path]) -> set[Pair]:
    names = sorted(files)
    return {(a, b) for a in names for b in names if a < b and files[a].read_text() == files[b].read_text()}


@pytest.mark.parametrize("most", [None, 2, 3, 4, 5, 8, 9, 100])
def test_nothing_is_lost_or_doubled_however_the_files_are_divided(
    files: Mapping[str, Path], tmp_path: Path, most: int | None
) -> None:
    assert pairs(files, twins_command(tmp_path), ToolOptions(max_files=most)) == twins(files)


def test_folders_apart(files: Mapping[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy.java"
    copy.write_bytes(files["x/a, b 0.java"].read_bytes())
    more = {**files, "x/deep/copy.java": copy}
    assert pairs(more, twins_command(tmp_path), ToolOptions(by_folder=True)) == {("x/a, b 0.java", "x/deep/copy.java")}


def test_the_tool_sees_copies_with_plain_names(files: Mapping[str, Path], tmp_path: Path) -> None:
    nosy = program(
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


def test_a_tool_that_is_told_the_language_sees_its_usual_ending(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("a.h", "b.c")}
    for path in files.values():
        path.write_text("int f;\n")
    lister = program(tmp_path / "lister", "sys.exit(str([path.suffix for path in Path(sys.argv[1]).iterdir()]))")
    with pytest.raises(ToolError, match=r"\['.c', '.c'\]"):
        pairs(files, f"command:{lister} {{source}} {{language}}")


def test_a_run_says_what_was_done(files: Mapping[str, Path], tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    told: list[tuple[str, int, int]] = []
    tool = external_tool(twins_command(tmp_path))
    options = ToolOptions(0.9, min_lines=2, max_files=6)
    run = run_tool(tool, files, options, workdir=work, progress=lambda *what: told.append(what))
    assert told == [("Running command", 1, 3)] * 3
    assert run.seconds > 0
    assert [len(part.names) for part in run.parts] == [6, 6, 6]
    assert run.parts[0].commands[0][0] == sys.executable
    assert run.notes == (
        "command takes no threshold: it was run without.",
        "command takes no minimum of tokens: it was run without.",
        "command takes no minimum of lines: it was run without.",
    )
    assert run_pairs(run, ReadingLog()).num_rows == len(twins(files))
    assert not list(work.glob("*/source")), "copies are removed at once"
    with pytest.raises(InputError, match="work folder is not empty"):
        run_tool(tool, files, workdir=work)


def test_a_report_in_a_file_of_a_format_that_is_recognised(files: Mapping[str, Path], tmp_path: Path) -> None:
    writer = program(
        tmp_path / "writer",
        """
        rows = "".join(f'<file line="1" endline="3" path="{name}"/>' for name in names[:3])
        report = f'<pmd-cpd><duplication lines="3" tokens="9">{rows}</duplication></pmd-cpd>'
        Path(at("--to")).write_text(report)
        print("much that is no report")
        """,
    )
    assert len(pairs(files, f"command:{writer} {{source}} --to {{report}}")) == 3


def test_a_line_for_the_shell(files: Mapping[str, Path]) -> None:
    line = "command[bigcloneeval,shell]:cd {source}; echo a,000001.java,1,2,b,000000.java,1,2 | cat; exit 0"
    assert pairs(files, line) == {("x/a, b 0.java", "x/a, b 1.java")}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("print('source,000000.java,1,3,source,000003.java,1,3'); sys.exit('no TXL')", "code 1(.|\n)*no TXL"),
        ("import os; os.kill(os.getpid(), 9)", "ended by signal 9"),
    ],
)
def test_nothing_counts_that_a_failing_tool_wrote(
    files: Mapping[str, Path], tmp_path: Path, body: str, said: str
) -> None:
    with pytest.raises(ToolError, match=said) as error:
        pairs(files, f"command:{program(tmp_path / 'failing', body)} {{source}}")
    assert error.value.exit_code == 7


def test_files_are_called_by_their_names_in_what_a_tool_says(files: Mapping[str, Path], tmp_path: Path) -> None:
    failing = program(tmp_path / "failing", "sys.exit(f'cannot parse {sys.argv[1]}/000004.java')")
    with pytest.raises(ToolError, match=r"source/y/a, b 4\.java"):
        pairs(files, f"command:{failing} {{source}}")


def test_a_tool_that_leaves_no_report_has_failed(files: Mapping[str, Path]) -> None:
    with pytest.raises(ToolError, match="left no report"):
        pairs(files, f"command[pmd]:{sys.executable} -c pass {{report}}")


def test_a_report_that_is_cut_off_is_refused(files: Mapping[str, Path], tmp_path: Path) -> None:
    cut = program(tmp_path / "cut", """print('<pmd-cpd><duplication lines="3"><file line="1" end')""")
    with pytest.raises(InputError):
        pairs(files, f"command[pmd]:{cut} {{source}}")


def test_places_in_other_files_are_left_out_and_told(files: Mapping[str, Path]) -> None:
    log = ReadingLog()
    tool = external_tool(f"command[bigcloneeval]:{sys.executable} -c \"print('a,000000.java,1,2,b,Else.java,1,2')\"")
    assert external_pairs(files, tool, log=log).num_rows == 0
    assert (log.skipped, log.first[0][2]) == (1, "a place is in none of the files that the tool was given")


def test_a_place_is_no_clone_of_itself_and_sides_are_ordered(files: Mapping[str, Path]) -> None:
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


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read the file"):
        pairs({"a.java": tmp_path / "a.java"}, twins_command(tmp_path))


def test_files_that_a_tool_could_not_read_are_told(
    files: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "print('<pmd-cpd></pmd-cpd>'); print('lexical error in 000002.java', file=sys.stderr); sys.exit(5)"
    monkeypatch.setenv("CLONETRUTH_PMD", str(program(tmp_path / "pmd", body)))
    log = ReadingLog()
    more = {**files, "notes.txt": tmp_path / "notes.txt"}
    assert external_pairs(more, external_tool("pmd"), log=log).num_rows == 0
    assert log.notes == [
        "pmd could not read all files in its run; it said:\nlexical error in x/a, b 2.java",
        "pmd was not given 1 files: it does not read their languages.",
    ]
