"""Command templates with placeholders."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.tools import external_tool
from clonetruth.tools.command_template import command_tool, fill_command, is_command

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


def test_a_command_is_split_into_arguments_and_runs_in_the_current_folder() -> None:
    tool = command_tool("command[pmd]:mytool --in {source} 'a b' > {report}")
    assert tool.steps == (("mytool", "--in", "{source}", "a b"),)
    assert (tool.report_format, tool.shell, tool.folder) == ("pmd", False, str(Path.cwd()))
    assert command_tool("command:mytool {source}").report_format is None


def test_a_shell_is_used_only_on_request() -> None:
    tool = external_tool("command[shell, bigcloneeval]:mytool {source} | sort > {report}")
    assert (tool.shell, tool.report_format) == (True, "bigcloneeval")
    command = fill_command(tool.steps[0], {"source": "/a b/$(c)", "report": "r"}, shell=True)
    assert command == ["/bin/sh", "-c", "mytool '/a b/$(c)' | sort > r"]


@given(WORDS, st.lists(WORDS))
def test_a_value_never_becomes_several_arguments(source: str, files: list[str]) -> None:
    filled = fill_command(["t", "--in={source}", "{files}", "{}", "{print $1}"], {"source": source, "files": files})
    assert filled == ["t", f"--in={source}", *files, "{}", "{print $1}"]


def test_commands_are_recognised() -> None:
    assert is_command("command:x")
    assert is_command("command[pmd]:x y\nz")
    assert not is_command("commander")
    assert not is_command("jscpd:gap=2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("command:", "The command is empty"),
        ("command[pmd]:  ", "The command is empty"),
        ("command:mytool {sorce}", "no placeholder {sorce}"),
        ("command:{program} {source}", "no placeholder {program}"),
        ("command:mytool --in={files}", "stands for several arguments"),
        ("command[pmd,nicad]:mytool", "one format, not 2"),
        ("command:mytool 'a", "cannot be split into arguments"),
    ],
)
def test_invalid_commands_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("{", "\\{")):
        command_tool(text)


def test_an_unknown_report_format_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'nicad'"):
        command_tool("command[nicat]:mytool")
