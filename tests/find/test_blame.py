"""Who last changed a clone, asked of real repositories, also of strangers' ones."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from clonetruth.code.git import BlamedLine, Repository
from clonetruth.errors import InputError
from clonetruth.find import CloneReport, LastChange, blame, find_clones
from clonetruth.find.blame import last_change
from tests.cli.running import run
from tests.code.test_git import commit, git
from tests.find.clone_trees import PYTHON, plant

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

HOSTILE = "Eve \x1b[31m<b>|*x*\u202e"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a copy that two authors changed."""
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ada")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2020-01-02T12:00:00Z")
    commit(folder, {"a.py": PYTHON, "sub/b c.py": PYTHON})
    monkeypatch.setenv("GIT_AUTHOR_NAME", HOSTILE)
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2024-05-06T12:00:00Z")
    commit(folder, {"sub/b c.py": PYTHON.replace("The mean.", "The mean!")})
    monkeypatch.chdir(folder)
    return folder


def changes(report: CloneReport) -> dict[str, LastChange | None]:
    return {member.path: member.last_change for one in report.classes for member in one.members}


def test_each_member_has_its_last_change(tree: Path) -> None:
    assert set(changes(find_clones([Path()])).values()) == {None}
    found = changes(find_clones([Path()], blame=True))
    head = git(tree, "rev-parse", "HEAD")
    assert found["sub/b c.py"] == LastChange(head, HOSTILE.replace("<b>", "b"), "2024-05-06", 2, 0)
    first = found["a.py"]
    assert first is not None
    assert (first.author, first.date, first.authors, str(first)[:17]) == ("Ada", "2020-01-02", 1, "Ada, 2020-01-02, ")


def test_lines_that_are_not_committed_are_counted(tree: Path) -> None:
    (tree / "a.py").write_text(PYTHON.replace("The mean.", "Their mean."), encoding="utf-8")
    git(tree, "rm", "--quiet", "--cached", "sub/b c.py")
    git(tree, "commit", "--quiet", "-m", "gone")
    report = find_clones([Path()], blame=True)
    found = changes(report)
    assert found["sub/b c.py"] is None, "git no longer knows it"
    assert report.notes == (
        "Who changed what is not known: 1 file is not in git, or git could not tell (first: sub/b c.py).",
    )
    assert found["a.py"] is not None
    assert (found["a.py"].author, found["a.py"].uncommitted) == ("Ada", 1)
    assert str(found["a.py"]).endswith("; 1 line not committed")


@pytest.mark.slow
def test_commits_that_the_project_ignores_do_not_count(tree: Path) -> None:
    (tree / "ignored").write_text(git(tree, "rev-parse", "HEAD"), encoding="utf-8")
    git(tree, "config", "blame.ignoreRevsFile", "ignored")
    assert {change.date for change in changes(find_clones([Path()], blame=True)).values() if change} == {"2020-01-02"}
    (tree / "ignored").unlink()
    assert "git could not tell" in find_clones([Path()], blame=True).notes[0]


@pytest.mark.slow
def test_outside_of_git_nothing_is_known(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": PYTHON, "b.py": PYTHON})
    report = find_clones([tmp_path], blame=True)
    assert set(changes(report).values()) == {None}
    assert "2 of the files are not in git" in report.notes[0]


@pytest.mark.slow
def test_the_number_of_files_is_limited(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blame, "MAX_FILES", 1)
    report = find_clones([Path()], blame=True)
    assert sum(change is not None for change in changes(report).values()) == 1
    assert "not about 1 more" in report.notes[0]


def test_a_repository_cannot_make_git_run_a_program(tree: Path, tmp_path: Path) -> None:
    proof = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {proof}\ncat\n", encoding="utf-8")
    program.chmod(0o755)
    (tree / ".gitattributes").write_text("*.py diff=evil filter=evil\n", encoding="utf-8")
    for key in ("diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge", "core.fsmonitor", "core.pager"):
        git(tree, "config", key, str(program))
    proof.unlink(missing_ok=True)
    os.utime(tree / "a.py", (1, 1))  # git looks at the file again
    assert None not in changes(find_clones([Path()], blame=True)).values()
    assert not proof.exists()


def test_git_says_what_it_cannot_blame(tree: Path) -> None:
    repository = Repository(tree)
    for name, span in (("a.py", (998, 999)), ("nowhere.py", (1, 1)), ("--output=x", (1, 1))):
        with pytest.raises(InputError, match="Git reports"):
            repository.blame(name, [span])
    assert not (tree / "x").exists()
    with pytest.raises(InputError, match="did not answer within 0 seconds"):
        repository.blame("a.py", [(1, 2)], seconds=0)
    assert [line.line for line in repository.blame("a.py", [(5, 6), (1, 2)])] == [1, 2, 5, 6]


def test_dates_that_are_none() -> None:
    odd = [BlamedLine(1, "a" * 40, "x", 10**17), BlamedLine(2, "b" * 40, "y", None), BlamedLine(3, None, "", 5)]
    assert last_change(odd) == LastChange("a" * 40, "x", None, 2, 1)
    assert str(last_change(odd)) == "x and 1 more, no valid date, aaaaaaaaaa; 1 line not committed"
    assert last_change(odd[2:]) == LastChange(None, None, None, 0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
def test_every_format_for_readers_shows_it_and_no_format_obeys_an_author(tree: Path, form: str) -> None:
    done = run("find", ".", "--blame", "--hints", "--format", form, cwd=tree)
    assert done.code == 0, done.err
    assert "2024-05-06" in done.out
    assert "one function, without new parameters" in done.out or form == "json"
    assert not {"\x1b", "\u202e"} & set(done.out)
    if form in ("html", "markdown"):
        assert "<b>" not in done.out
    if form == "markdown":
        assert "\\|\\*x\\*" in done.out
    if form == "json":
        (only,) = done.json["classes"]
        assert only["hint"] == {"parameters": [], "differing": 0, "obstacles": []}
        assert {member["last_change"]["authors"] for member in only["members"]} == {1, 2}
