"""Every Python and console snippet of the documentation runs, and shows what the page says."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from markdown_it import MarkdownIt

from tests.conftest import ROOT
from tests.snippets import COMMANDS, Snippet, matches, missing, read_page, run_page

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "docs" / "tutorials").glob("*.ipynb")),
]
PAGES = [page for page in PAGES if "_build" not in page.parts]
NOT_RUN = 30
"""The most blocks that may be left out, each with its reason."""


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def cases() -> list[ParameterSet]:
    """A case for each page and each set of things that some of its snippets need."""
    found = []
    for page in PAGES:
        snippets = [one for one in read_page(page) if one.not_run is None]
        for needs in sorted({one.needs for one in snippets}, key=sorted):
            marks = [pytest.mark.slow] if "minutes" in needs else []
            found.append(pytest.param(page, needs, marks=marks, id=" ".join([name(page), *sorted(needs)])))
    return found


@pytest.mark.parametrize(("page", "needs"), cases())
def test_snippets_show_what_the_page_says(page: Path, needs: frozenset[str], tmp_path: Path) -> None:
    if absent := missing(needs):
        pytest.skip(f"a snippet of {name(page)} needs {', '.join(absent)}")
    run_page(page, tmp_path, needs)


def test_few_blocks_are_left_out_and_each_says_why() -> None:
    left_out = [one for page in PAGES for one in read_page(page) if one.not_run is not None]
    assert all(one.not_run for one in left_out)
    assert len(left_out) <= NOT_RUN


@pytest.mark.parametrize("page", [page for page in PAGES if page.suffix == ".md"], ids=name)
def test_commands_stand_in_blocks_that_are_run(page: Path) -> None:
    """A command in an indented block, or in one of another language, would never be tried."""
    tokens = MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8"))
    blocks = [one for one in tokens if one.type == "code_block" or (one.type == "fence" and one.info in ("", "text"))]
    lines = [line for one in blocks for line in one.content.splitlines()]
    assert [line for line in lines if re.match(r" *(\$ *)?clonetruth ", line)] == []


@pytest.mark.parametrize(
    ("expected", "actual", "varies", "same"),
    [
        ("a\nb\n", "a\nb", False, True),
        ("a\nb", "a\nc", False, False),
        ("a\n…\nd", "a\nb\nc\nd", False, True),
        ("…\nd", "d", False, True),
        ("a\n…\nd", "a\nb", False, False),
        ("took … s", "took 3.5 s", False, True),
        ("took … s", "took 3.5 s\nmore", False, False),
        ("1.5 s, 3 files", "22.25 s, 4,000 files", True, True),
        ("1.5 s, 3 files", "22.25 s, 4,000 folders", True, False),
        ("1.5 s", "2.5 s", False, False),
        ("a.b", "axb", False, False),
        ("", "something", False, False),
    ],
)
def test_output_is_compared_by_these_rules(expected: str, actual: str, varies: bool, same: bool) -> None:
    assert matches(expected, actual, varies=varies) is same


def test_markers_are_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- file: a.txt -->\n```text\nhello\n```\n\n```console\n$ cat a.txt\nhello\n```\n\n"
        "<!-- needs: data/gcj, minutes -->\n<!-- exit: 1 -->\n```console\n$ false\n```\n\n"
        "```python\n1 + 1\n```\n\n<!-- varies: for fun -->\n```output\n2\n```\n\n"
        "<!-- not run: no server -->\n```sh\nserve\n```\n",
        encoding="utf-8",
    )
    file, shown, failing, added, left_out = read_page(page)
    assert (file.file, file.text) == ("a.txt", "hello\n")
    assert shown.commands == [("cat a.txt", "hello\n")]
    assert (failing.needs, failing.exit) == (frozenset({"data/gcj", "minutes"}), 1)
    assert (added.expected, added.varies) == ("2\n", "for fun")
    assert left_out.not_run == "no server"
    run_page(page, tmp_path / "run", frozenset())


@pytest.mark.parametrize("language", sorted(COMMANDS - {"console"}))
def test_shell_blocks_need_a_reason(language: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```{language}\nls\n```\n", encoding="utf-8")
    with pytest.raises(ValueError, match="say why it is not run"):
        read_page(page)


@pytest.mark.parametrize(
    "text", ["```python\nprint(1)\n```\n", "```console\n$ echo 1\n2\n```\n", "```console\n$ false\n```\n"]
)
def test_a_wrong_page_fails(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(AssertionError):
        run_page(page, tmp_path / "run", frozenset())


def test_a_command_goes_on_over_lines_that_end_in_a_backslash() -> None:
    assert Snippet("console", "$ a \\\n    b\nc\n$ d\n", 1).commands == [("a b", "c\n"), ("d", "")]


def test_notebooks_are_in_step_with_their_tutorials() -> None:
    spec = importlib.util.spec_from_file_location("notebooks", ROOT / "docs" / "notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    notebooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebooks)
    assert notebooks.stale() == [], "run: python docs/notebooks.py"
