"""What git knows of a source tree, asked of a real repository."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from clonetruth.code.git import Repository, RevisionRange
from clonetruth.errors import InputError, MissingExtraError

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false")
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path, files: dict[str, str], message: str = "more") -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with a commit on `main`."""
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, {"a.py": "1\n2\n3\n4\n5\n", "sub/b c.py": "1\n2\n", "gone.py": "1\n"})
    return folder


def changed_lines(tree: Path, revision: str, name: str, last: int) -> list[int]:
    changes = Repository(tree).changes_since(revision)
    return [line for line in range(1, last + 1) if changes.touch((tree / name).resolve(), line, line)]


def test_lines_of_the_working_tree_count(tree: Path) -> None:
    (tree / "a.py").write_text("1\nTWO\n3\n4\n5\n6\n", encoding="utf-8")
    (tree / "new.py").write_text("1\n2\n", encoding="utf-8")
    (tree / "gone.py").unlink()
    assert changed_lines(tree, "HEAD", "a.py", 6) == [2, 6]
    assert changed_lines(tree, "HEAD", "new.py", 2) == [1, 2]
    assert changed_lines(tree, "HEAD", "sub/b c.py", 2) == []


def test_a_deletion_touches_what_is_around_it(tree: Path) -> None:
    (tree / "a.py").write_text("1\n2\n5\n", encoding="utf-8")
    changes = Repository(tree).changes_since("HEAD")
    path = (tree / "a.py").resolve()
    assert changes.touch(path, 1, 3)
    assert changes.touch(path, 2, 3)
    assert not changes.touch(path, 1, 2), "the deletion was behind it"
    assert not changes.touch(path, 3, 3), "the deletion was before it"


def test_what_others_did_meanwhile_does_not_count(tree: Path) -> None:
    git(tree, "checkout", "--quiet", "-b", "feature")
    commit(tree, {"a.py": "1\n2\n3\n4\nFIVE\n"})
    git(tree, "checkout", "--quiet", "main")
    commit(tree, {"a.py": "ONE\n2\n3\n4\n5\n", "sub/b c.py": "x\n"})
    git(tree, "checkout", "--quiet", "feature")
    assert changed_lines(tree, "main", "a.py", 5) == [5]
    assert changed_lines(tree, "main", "sub/b c.py", 2) == []


@pytest.mark.parametrize(
    "name", ["naïve.py", 'quo"ted.py', "tab\t\a\\.py", "two\nlines.py", os.fsdecode(b"caf\xe9.py"), "diff --git x.py"]
)
def test_any_file_name_is_understood(tree: Path, name: str) -> None:
    commit(tree, {name: "1\n2\n3\n"})
    (tree / name).write_text("1\ntwo\n3\n", encoding="utf-8")
    (tree / "a.py").write_text("diff --git a/a b/a\n2\n3\n4\n5\n", encoding="utf-8")
    assert changed_lines(tree, "HEAD", name, 3) == [2]
    assert changed_lines(tree, "HEAD", "a.py", 5) == [1]


def test_odd_changes_and_settings_do_no_harm(tree: Path) -> None:
    git(tree, "config", "diff.noprefix", "true")
    git(tree, "config", "diff.mnemonicPrefix", "true")
    (tree / "a.py").chmod(0o755)
    (tree / "sub" / "b c.py").unlink()
    (tree / "sub" / "b c.py").symlink_to(tree / "a.py")
    (tree / "gone.py").write_bytes(b"\0\1")
    commit(tree, {"new.py": "++ b/a.py\n"})
    assert changed_lines(tree, "HEAD~1", "new.py", 1) == [1]
    assert changed_lines(tree, "HEAD~1", "a.py", 5) == []


def test_a_conflict_is_no_obstacle(tree: Path) -> None:
    git(tree, "checkout", "--quiet", "-b", "feature")
    commit(tree, {"a.py": "1\n2\n3\n4\nFIVE\n"})
    git(tree, "checkout", "--quiet", "main")
    commit(tree, {"a.py": "1\n2\n3\n4\nfive\n"})
    with pytest.raises(subprocess.CalledProcessError):
        git(tree, "merge", "feature")
    assert changed_lines(tree, "main", "a.py", 9) == [5, 7, 8, 9]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("main..feature", RevisionRange("main", "feature")),
        ("main...feature", RevisionRange("main", "feature")),
        ("HEAD~3..", RevisionRange("HEAD~3", None)),
        ("v1.2..origin/v1.3", RevisionRange("v1.2", "origin/v1.3")),
        ("../src", None),
        ("src/../tests", None),
        ("..", None),
        ("a.py", None),
        ("src", None),
    ],
)
def test_a_range_is_distinguished_from_a_path(text: str, expected: RevisionRange | None) -> None:
    assert RevisionRange.parse(text) == expected


def test_a_file_with_the_name_of_a_range_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a..b").touch()
    monkeypatch.chdir(tmp_path)
    assert RevisionRange.parse("a..b") is None


def test_the_files_of_a_range_are_those_of_its_end(tree: Path) -> None:
    git(tree, "tag", "before")
    commit(tree, {"a.py": "new\n", "sub/naïve.py": "x\n"})
    git(tree, "tag", "after")
    (tree / "a.py").write_text("newer\n", encoding="utf-8")
    (tree / "gone.py").unlink()
    repository = Repository(tree / "sub")
    asked = RevisionRange("before", "after")
    names = repository.changed_files(asked)
    assert names == ["a.py", "sub/naïve.py"]
    with repository.files_at("after", names) as folder:
        assert [(folder / name).read_text(encoding="utf-8") for name in names] == ["new\n", "x\n"]
    assert not folder.exists()
    assert sorted(repository.changed_files(RevisionRange("after", None))) == ["a.py"]


@pytest.mark.parametrize("revision", ["nothing", "--output=x", "HEAD:a.py"])
def test_an_unknown_revision_is_an_error(tree: Path, revision: str) -> None:
    with pytest.raises(InputError, match="does not know the revision"):
        Repository(tree).changes_since(revision)


def test_a_folder_outside_of_a_repository_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a git repository"):
        Repository(tmp_path)


def test_missing_git_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtraError, match="not installed"):
        Repository(tmp_path)


@pytest.mark.parametrize("attribute", ["-diff", "binary", "-text -diff", "diff=own"])
@pytest.mark.parametrize("where", [".gitattributes", ".git/info/attributes"])
def test_attributes_do_not_hide_lines(attribute: str, where: str, tree: Path) -> None:
    (tree / where).parent.mkdir(exist_ok=True)
    (tree / where).write_text(f"*.py {attribute}\n", encoding="utf-8")
    git(tree, "config", "diff.own.binary", "true")
    (tree / "a.py").write_text("1\n2\n3\n4\n5\n6\n", encoding="utf-8")
    commit(tree, {"new.py": "1\n"})
    assert changed_lines(tree, "HEAD~1", "a.py", 6) == [6]
    assert changed_lines(tree, "HEAD~1", "new.py", 1) == [1]


def test_a_nul_does_not_hide_lines(tree: Path) -> None:
    (tree / "a.py").write_bytes(b"1\n2\n3\n4\n5\n" + b"#\n" * 5_000 + b"#\0\n")
    assert changed_lines(tree, "HEAD", "a.py", 10) == [6, 7, 8, 9, 10]


def test_without_a_commit_everything_is_new(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "staged.py").write_text("1\n", encoding="utf-8")
    git(tmp_path, "add", ".")
    (tmp_path / "untracked.py").write_text("1\n", encoding="utf-8")
    assert changed_lines(tmp_path, "HEAD", "staged.py", 1) == [1]
    assert changed_lines(tmp_path, "HEAD", "untracked.py", 1) == [1]
    with pytest.raises(InputError, match="does not know"):
        Repository(tmp_path).changes_since("main")


@pytest.mark.parametrize("committed", [False, True], ids=["not committed", "committed"])
def test_a_new_repository_inside_is_new(committed: bool, tree: Path) -> None:
    inner = tree / "inner"
    inner.mkdir()
    git(inner, "init", "--quiet")
    commit(inner, {"deep/c.py": "1\n"})
    if committed:
        commit(tree, {})
    assert changed_lines(tree, "HEAD~1" if committed else "HEAD", "inner/deep/c.py", 1) == [1]


def test_in_a_submodule_what_changed_since_its_commit_counts(tree: Path) -> None:
    inner = tree / "inner"
    inner.mkdir()
    git(inner, "init", "--quiet")
    commit(inner, {"c.py": "1\n2\n", "d.py": "1\n"})
    commit(tree, {})
    assert changed_lines(tree, "HEAD", "inner/c.py", 2) == []
    commit(inner, {"c.py": "1\n2\n3\n"})
    (inner / "new.py").write_text("1\n", encoding="utf-8")
    for _ in range(2):
        assert changed_lines(tree, "HEAD", "inner/c.py", 3) == [3]
        assert changed_lines(tree, "HEAD", "inner/d.py", 1) == []
        assert changed_lines(tree, "HEAD", "inner/new.py", 1) == [1]
        git(tree, "add", "inner")
    shutil.rmtree(inner / ".git")
    assert changed_lines(tree, "HEAD", "inner/d.py", 1) == [1], "what it was is unknown"
    shutil.rmtree(inner)
    inner.mkdir()
    assert changed_lines(tree, "HEAD", "a.py", 5) == [], "a submodule that is not checked out"
