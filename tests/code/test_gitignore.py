"""Ignore patterns mean what they mean to git, however odd they are."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clonetruth.code.gitignore import IgnoreRules

NAMES = (
    *("a", "b", "ab", "ba", "aab", "z", "A", "1", "b.py", ".py", "a]", "[", "]", "[a", "[ab]", "[a-c]", "-", "a-"),
    *("!", "!a", "#", "#a", "^", "*", "**", "?", "\\", "a\\", "a ", " ", "\t", "a:", "é", "\x0b", "\x7f", "{", "_"),
)
FOLDERS = ("a", "ab", "b", "1", "]", "é")


@dataclass(frozen=True)
class Repository:
    """A repository with oddly named files and folders, whose ignore patterns a test writes."""

    root: Path
    paths: dict[str, bool]
    """Every path, parents first, and whether it is a folder."""

    def write(self, patterns: list[str], inner: list[str]) -> None:
        (self.root / ".gitignore").write_bytes("\n".join(patterns).encode())
        (self.root / "a" / ".gitignore").write_bytes("\n".join(inner).encode())

    def ignored_by_git(self) -> set[str]:
        done = subprocess.run(
            ["git", "-c", "core.excludesFile=", "check-ignore", "-z", "--stdin"],
            cwd=self.root,
            input=os.fsencode("\0".join(self.paths)),
            capture_output=True,
        )
        assert done.returncode in (0, 1), done.stderr
        return set(os.fsdecode(done.stdout).split("\0")) - {""}

    def ignored_by_us(self) -> set[str]:
        rules = {"": IgnoreRules.around(str(self.root)).inside(str(self.root))}
        ignored: set[str] = set()
        for path, is_folder in self.paths.items():
            parent = path.rpartition("/")[0]
            if parent in ignored or rules[parent].exclude(str(self.root / path), is_folder=is_folder):
                ignored.add(path)
            elif is_folder:
                rules[path] = rules[parent].inside(str(self.root / path))
        return ignored


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    folders = [*FOLDERS, *(f"{outer}/{inner}" for outer, inner in product(FOLDERS, ("a", "1")))]
    paths: dict[str, bool] = {}
    for folder in ("", *folders):
        if folder:
            (root / folder).mkdir()
            paths[folder] = True
        for name in NAMES:
            path = f"{folder}/{name}" if folder else name
            if path not in folders:
                (root / path).touch()
                paths[path] = False
    return Repository(root, paths)


_SETS = st.builds(
    lambda sign, items, end: f"[{sign}{''.join(items)}{end}",
    st.sampled_from(["", "!", "^"]),
    st.lists(
        st.sampled_from(
            [
                *("a", "b", "1", "-", "]", "[", "!", "^", "/", "*", "é", "a-c", "c-a", "-b", "a-", "--b", "]-a"),
                *("\\]", "\\\\", "\\-", "\\a", "a-\\]", "\\a-c", "[:digit:]", "[:alpha:]", "[:alnum:]", "[:blank:]"),
                *("[:cntrl:]", "[:graph:]", "[:lower:]", "[:print:]", "[:punct:]", "[:space:]", "[:upper:]"),
                *("[:xdigit:]", "[:unknown:]", "[:Digit:]", "[::]", "[:", "[:]", "[:digit]", ":]"),
            ]
        ),
        max_size=3,
    ),
    st.sampled_from(["]", "]", "]", ""]),
)
_PARTS = st.one_of(
    st.sampled_from(["a", "b", "ab", "1", "A", ".py", "é", "!", "#", "^", "-", "]", " ", "\\ ", "\t", "/", "/", "/"]),
    st.sampled_from(["*", "**", "***", "?", "/**/", "**/", "/**", "\\*", "\\?", "\\[", "\\]", "\\\\", "\\a", "\\/"]),
    _SETS,
)
_PATTERNS = st.builds(
    lambda sign, root, parts, end: f"{sign}{root}{''.join(parts)}{end}",
    st.sampled_from(["", "", "", "!", "\\!", "#", "\\#"]),
    st.sampled_from(["", "", "/", "**/", "**"]),
    st.lists(_PARTS, min_size=1, max_size=4),
    st.sampled_from(["", "", "", "/", " ", "  ", "\\ ", "\\  ", "\\", "\\\\ ", "/**", "**", "\r", "["]),
)


@pytest.mark.slow
@settings(max_examples=150)
@given(outer=st.lists(_PATTERNS, min_size=1, max_size=3), inner=st.lists(_PATTERNS, max_size=2))
@example(outer=["[[:digit:]]"], inner=["[![:alpha:]]", "[[:unknown:]]"])
@example(outer=["[a\\]]", "[\\]]/"], inner=["[a-\\]]", "[]a]", "[!]]"])
@example(outer=["[a", "a[", "[["], inner=["[[:digit:]", "[[:", "[!", "[^]"])
@example(outer=["a**/b", "/**", "!a"], inner=["**/b", "**", "a/**/b", "***/", "a/**"])
@example(outer=["a\\ ", "a\\", "!b  ", "\\#a", "\\!a"], inner=["\\\\ ", "!", "/", "//", "#a"])
@example(outer=["a\x0bb", "\x0b"], inner=["a\r", "?", "[é]"])
def test_adversarial_patterns_match_what_git_matches(
    outer: list[str], inner: list[str], repository: Repository
) -> None:
    repository.write(outer, inner)
    assert repository.ignored_by_us() == repository.ignored_by_git()


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("[[:digit:]]", {"1"}),
        ("[a\\]]", {"a", "]"}),
        ("[a", set()),
        ("a[", set()),
        ("[[:unknown:]]", set()),
        ("a\\", set()),
        ("[!ab1]", {"]"}),
        ("[^ab1]", {"]"}),
        ("[c-a]", set()),
    ],
)
def test_patterns_without_git(pattern: str, matches: set[str], tmp_path: Path) -> None:
    rules = IgnoreRules.from_lines(str(tmp_path), [pattern])
    names = ("a", "b", "1", "]", "[a", "a[", "a\\")
    assert {name for name in names if rules.exclude(str(tmp_path / name), is_folder=False)} == matches


def test_a_byte_order_mark_is_not_part_of_the_first_pattern(repository: Repository) -> None:
    repository.write(["\ufeffz", "A"], [])
    assert {"z", "A"} <= repository.ignored_by_git() == repository.ignored_by_us()
