"""What is new since a revision of git, and the files of a range."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.find import find_clones
from tests.code.test_git import commit, git
from tests.find.clone_trees import OTHER, PYTHON, SUM, java, plant

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two clone classes on `main`."""
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, {"a.py": PYTHON, "b.py": PYTHON, "A.java": java("A", SUM), "sub/B.java": java("B", SUM)})
    monkeypatch.chdir(folder)
    return folder


def test_only_classes_with_changed_lines_are_reported(tree: Path) -> None:
    assert find_clones([tree]).classes_found == 2
    assert find_clones([tree], since="HEAD").classes_found == 0
    (tree / "sub" / "B.java").write_text(java("B", OTHER, SUM), encoding="utf-8")
    assert find_clones([tree], since="main").classes_found == 0, "the clone itself was not touched"
    plant(tree, {"C.java": java("C", SUM)})
    report = find_clones([Path("sub"), Path()], since="main")
    assert report.only_new == "changed since main"
    (only,) = report.classes
    assert {member.path: member.new for member in only.members} == {
        "A.java": False,
        "sub/B.java": False,
        "C.java": True,
    }


def test_a_range_is_the_files_that_it_changed(tree: Path) -> None:
    git(tree, "checkout", "--quiet", "-b", "feature")
    commit(tree, {"C.java": java("C", SUM), "sub/D.java": java("D", SUM), "e_pb2.py": PYTHON})
    (tree / "C.java").write_text("class C {}\n", encoding="utf-8")
    report = find_clones([Path("main..feature")])
    (only,) = report.classes
    assert [member.path for member in only.members] == ["C.java", "sub/D.java"]
    assert only.representative.text == SUM.strip()
    assert report.files == 2
    assert [one.what for one in report.left_out] == ["generated files"]
    assert find_clones([Path("main..")]).classes_found == 0, "in the working tree one of them is gone"
    assert find_clones([Path("main..")]).files == 2
    assert find_clones([Path("feature..feature")]).files == 0


def test_a_range_stands_alone(tree: Path) -> None:
    with pytest.raises(InputError, match="by itself"):
        find_clones([Path("main.."), Path("a.py")])
    with pytest.raises(InputError, match="by itself"):
        find_clones([Path("main..")], since="main")
    with pytest.raises(InputError, match="does not know"):
        find_clones([Path("main..nothing")])


def test_since_needs_a_repository(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a git repository"):
        find_clones([plant(tmp_path, {"a.py": PYTHON})], since="main")
