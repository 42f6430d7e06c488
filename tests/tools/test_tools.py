"""The declared tools: complete, and called as documented."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.code import LANGUAGES
from clonetruth.errors import InputError, MissingExtraError, UnknownNameError
from clonetruth.formats.reports import REPORT_FORMATS, ReadingLog
from clonetruth.tools import EXTERNAL_TOOLS, ToolOptions, external_pairs, external_tool
from clonetruth.tools.command_template import PLACEHOLDERS, used_placeholders
from tests.conftest import ROOT
from tests.tools.fake_tools import FAKE_TOOLS, install_fake

each_tool = pytest.mark.parametrize("name", list(EXTERNAL_TOOLS))
DOCS = ROOT / "docs" / "external-tools.md"
JAVA = "class A {\n  int f() {\n    return 1; } }\n"


@each_tool
def test_a_declaration_is_complete(name: str) -> None:
    tool = EXTERNAL_TOOLS[name]
    assert tool.name == name
    assert tool.programs
    assert tool.description.endswith(".")
    assert tool.install.endswith(".")
    assert tool.homepage.startswith("http")
    assert tool.licence
    assert tool.report_format in REPORT_FORMATS
    assert used_placeholders(tool) <= set(PLACEHOLDERS)
    assert set(tool.languages or ()) <= set(LANGUAGES)
    assert ("language" in used_placeholders(tool)) <= (tool.languages is not None)
    assert not tool.lists_all_pairs or tool.default_threshold is not None


@each_tool
def test_every_tool_is_documented(name: str) -> None:
    tool = EXTERNAL_TOOLS[name]
    row = next(line for line in DOCS.read_text("utf-8").splitlines() if line.startswith(f"| `{name}` |"))
    assert all(f"`{word}`" in row for word in (*tool.parameters, *tool.parameters.get("renaming", ())))
    assert all(program in row for program in tool.programs)
    assert ("min_lines" in row) == (tool.default_min_lines > 1)


def test_every_placeholder_of_a_command_is_documented() -> None:
    text = DOCS.read_text("utf-8")
    assert all(f"`{{{name}}}`" in text for name in PLACEHOLDERS if name not in ("program", "arguments", "home"))


@each_tool
def test_a_missing_tool_is_reported_with_installation_help(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(EXTERNAL_TOOLS[name].variable, raising=False)
    with pytest.raises(MissingExtraError, match=f"{name} is not installed") as error:
        external_pairs({"a.java": tmp_path / "a.java"}, EXTERNAL_TOOLS[name])
    assert EXTERNAL_TOOLS[name].homepage in str(error.value)
    assert f"CLONETRUTH_{name.upper()}" in str(error.value)


@each_tool
def test_a_tool_is_called_as_documented_and_its_report_read(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert name in FAKE_TOOLS, "a new tool needs a fake"
    (tmp_path / "home").mkdir()
    monkeypatch.setenv(EXTERNAL_TOOLS[name].variable, str(install_fake(tmp_path / "home", name)))
    files = {f"folder {letter}/x, y.java": tmp_path / f"{letter}.java" for letter in "abc"}
    for path in files.values():
        path.write_text(JAVA)
    tool = EXTERNAL_TOOLS[name]
    if "renaming" in tool.parameters:
        tool = tool.with_parameters(renaming=list(tool.parameters["renaming"])[1])
    log = ReadingLog()
    pairs = external_pairs(files, tool, ToolOptions(0.8, min_tokens=12), log=log).to_pylist()
    assert log.skipped == 0, log.first
    assert len(pairs) == 1
    found = pairs[0]
    assert (found["left_path"], found["right_path"]) == ("folder a/x, y.java", "folder b/x, y.java")
    assert found["left_first_line"] == found["right_first_line"] == 1
    assert found["score"] in (None, 0.9)
    if not tool.lists_all_pairs:
        assert found["left_last_line"] == found["right_last_line"] == 3


def test_a_variable_without_a_program_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLONETRUTH_PMD", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="CLONETRUTH_PMD is not the path of a program"):
        EXTERNAL_TOOLS["pmd"].program()


def test_tool_specifications() -> None:
    assert external_tool("jscpd:renaming=blind, gap=2").arguments() == (
        *("--ignore-identifiers", "--ignore-literals"),
        *("--max-gap-lines", "2"),
    )
    with pytest.raises(UnknownNameError, match="Did you mean 'jscpd'"):
        external_tool("jspcd")
    with pytest.raises(InputError, match="has no parameter 'renamed'"):
        external_tool("jscpd:renamed=blind")
    with pytest.raises(InputError, match="'blond' is not a valid renaming"):
        external_tool("jscpd:renaming=blond")
    with pytest.raises(InputError, match="is not a parameter setting"):
        external_tool("jscpd:renaming")
    with pytest.raises(InputError, match="set twice"):
        external_tool("jscpd:gap=1,gap=2")
