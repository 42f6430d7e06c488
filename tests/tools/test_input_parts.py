"""How files are divided into runs."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.tools import EXTERNAL_TOOLS, ToolOptions, external_tool
from clonetruth.tools.runner import blocks, divide

NAMES = ("b/x.java", "a/y/1.java", "top.java", "a/2.java", "b/z.py", "notes.txt")


@given(st.integers(0, 40), st.integers(2, 12))
def test_every_two_files_meet_and_no_run_is_too_large(count: int, max_files: int) -> None:
    names = [f"{number}.c" for number in range(count)]
    together = list(blocks(names, max_files))
    assert all(len(block) <= max_files for block in together)
    met = {frozenset(pair) for block in together for pair in combinations(block, 2)}
    assert met == {frozenset(pair) for pair in combinations(names, 2)}


def test_without_a_limit_there_is_one_run() -> None:
    assert [part.names for part in divide(NAMES, external_tool("jscpd"), ToolOptions()).parts] == [tuple(sorted(NAMES))]


def test_top_level_folders_are_separate() -> None:
    parts = divide(NAMES, external_tool("jscpd"), ToolOptions(by_folder=True)).parts
    assert [part.names for part in parts] == [
        ("notes.txt", "top.java"),
        ("a/2.java", "a/y/1.java"),
        ("b/x.java", "b/z.py"),
    ]


def test_large_folders_are_divided_further() -> None:
    names = [f"{folder}/{number}.java" for folder in "ab" for number in range(3)]
    parts = divide(names, external_tool("jscpd"), ToolOptions(by_folder=True, max_files=2)).parts
    assert [len(part.names) for part in parts] == [2] * 6
    assert all(len({name[0] for name in part.names}) == 1 for part in parts)


def test_a_tool_that_needs_the_language_runs_once_per_language() -> None:
    division = divide(NAMES, EXTERNAL_TOOLS["nicad"], ToolOptions())
    assert [(part.language, len(part.names)) for part in division.parts] == [("java", 4), ("py", 1)]
    assert division.unread == ("notes.txt",)
    java_only = divide(NAMES, EXTERNAL_TOOLS["oreo"], ToolOptions())
    assert java_only.unread == ("b/z.py", "notes.txt")


def test_a_command_with_a_language_placeholder_gets_our_name() -> None:
    division = divide(NAMES, external_tool("command:x {language} {source}"), ToolOptions())
    assert [part.language for part in division.parts] == ["java", "python"]


def test_one_file_per_run_is_refused() -> None:
    with pytest.raises(InputError, match="no two files are compared"):
        ToolOptions(max_files=1)
