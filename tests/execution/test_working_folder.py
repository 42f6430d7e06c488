"""The folder that fragments find: what a call did to it is seen, and the next call finds it as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clonetruth.execution.harness.inside import python_files
from clonetruth.execution.harness.inside.python_files import FILES, WorkingFolder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(python_files, "FOLDER", tmp_path / "files")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "files"


def _rewrite_with_the_same_length(folder: Path) -> None:
    (folder / "a.txt").write_text("HELLO WORLD\n")


def _swap(folder: Path) -> None:
    (folder / "a.txt").rename(folder / "c.txt")
    (folder / "b.txt").rename(folder / "a.txt")


def _link(folder: Path) -> None:
    (folder / "a.txt").unlink()
    (folder / "a.txt").symlink_to("b.txt")


DEEDS: list[tuple[Callable[[Path], object], str]] = [
    (_rewrite_with_the_same_length, "wrote a.txt: b'HELLO WORLD\\n'"),
    (lambda folder: (folder / "folder/deep/new.txt").write_text("x"), "wrote folder/deep/new.txt: b'x'"),
    (lambda folder: (folder / "data/inner").mkdir(), "wrote data/inner: (folder)"),
    (lambda folder: (folder / "folder/inner.txt").unlink(), "removed folder/inner.txt"),
    (_swap, "removed b.txt\nwrote a.txt: b'hello\\nworld\\nhello again\\n'\nwrote c.txt: b'hello world\\n'"),
    (_link, "wrote a.txt: (link)"),
    (lambda folder: (folder / "a.txt").write_text(FILES["a.txt"]), ""),
    (lambda folder: (folder / "a.txt").read_text(), ""),
]


@pytest.mark.parametrize(("deed", "seen"), DEEDS)
def test_what_a_call_did_is_seen_and_undone(folder: Path, deed: Callable[[Path], object], seen: str) -> None:
    found = WorkingFolder()
    for _ in range(2):
        found.reset()
        assert {name: (folder / name).read_text() for name in FILES} == FILES
        assert found.changes() == ""
        deed(folder)
        assert found.changes() == seen
    found.reset()
    # A call that raised is not asked what it changed.
    deed(folder)
    found.reset()
    assert sum(one.is_file() for one in folder.rglob("*")) == len(FILES)
    assert {name: (folder / name).read_text() for name in FILES} == FILES


def test_files_that_nobody_touched_are_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = WorkingFolder()
    found.reset()
    monkeypatch.setattr(python_files, "_content", lambda path: pytest.fail(f"{path} was read"))
    found.changes()
    found.reset()
    with pytest.raises(pytest.fail.Exception):
        WorkingFolder(trusts_times=False).reset()
