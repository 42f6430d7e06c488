"""A stranger's repository: whatever its configuration, attributes and commits say, git runs nothing for us."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from clonetruth.code.git import Repository, RevisionRange
from clonetruth.errors import InputError, MissingExtraError
from tests.code.test_git import commit, git

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository of two commits, with changes that are not committed."""
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, {"a.py": "1\n2\n3\n", "b.py": "1\n"})
    commit(folder, {"a.py": "1\nTWO\n3\n", "c.py": "1\n"})
    (folder / "a.py").write_text("1\nTWO\n3\nfour\n", encoding="utf-8")
    os.utime(folder / "b.py", (0, 0))
    return folder


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that leaves a trace."""
    path = tmp_path / "program.sh"
    path.write_text(f"#!/bin/sh\necho run >> {tmp_path / 'trace'}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def ran(program: Path) -> bool:
    trace = program.parent / "trace"
    found = trace.exists()
    trace.unlink(missing_ok=True)
    return found


def ask_everything(folder: Path) -> None:
    """Every question that clonetruth asks git; errors are answers, too."""
    questions: list[Callable[[], object]] = [
        lambda: Repository(folder).changes_since("HEAD~1"),
        lambda: Repository(folder).changed_files(RevisionRange("HEAD~1", None)),
        lambda: Repository(folder).changed_files(RevisionRange("HEAD~1", "HEAD")),
        lambda: read_files(Repository(folder), ["a.py", "c.py"]),
    ]
    for question in questions:
        try:
            question()
        except InputError:
            continue


def read_files(repository: Repository, names: list[str]) -> dict[str, str]:
    with repository.files_at("HEAD", names) as folder:
        return {name: (folder / name).read_text(encoding="utf-8") for name in names if (folder / name).is_file()}


def missing_object(folder: Path) -> None:
    """Remove the object of a file, so that a partial clone would fetch it."""
    name = git(folder, "rev-parse", "HEAD:c.py")
    (folder / ".git" / "objects" / name[:2] / name[2:]).unlink()
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
    }.items():
        git(folder, "config", key, value)


def fsmonitor(folder: Path, program: str) -> None:
    git(folder, "config", "core.fsmonitor", program)


def hooks_path(folder: Path, program: str) -> None:
    hooks = folder.parent / "hooks"
    hooks.mkdir()
    shutil.copy(program, hooks / "post-index-change")
    git(folder, "config", "core.hooksPath", str(hooks))


def hook(folder: Path, program: str) -> None:
    shutil.copy(program, folder / ".git" / "hooks" / "post-index-change")


def clean_filter(folder: Path, program: str) -> None:
    (folder / ".gitattributes").write_text("*.py filter=evil\n", encoding="utf-8")
    git(folder, "config", "filter.evil.clean", program)
    git(folder, "config", "filter.evil.required", "true")


def filter_with_an_odd_name(folder: Path, program: str) -> None:
    (folder / ".git" / "info" / "attributes").write_text("*.py filter=a=b.c\n", encoding="utf-8")
    git(folder, "config", "filter.a=b.c.clean", program)


def filter_process(folder: Path, program: str) -> None:
    (folder / ".gitattributes").write_text("*.py filter=evil\n", encoding="utf-8")
    git(folder, "config", "filter.evil.process", program)


def included_filter(folder: Path, program: str) -> None:
    clean_filter(folder, program)
    text = (folder / ".git" / "config").read_text(encoding="utf-8")
    at = text.index("[filter")
    (folder / ".git" / "more").write_text(text[at:], encoding="utf-8")
    (folder / ".git" / "config").write_text(text[:at] + "[include]\n\tpath = more\n", encoding="utf-8")


def external_diff(folder: Path, program: str) -> None:
    git(folder, "config", "diff.external", program)


def diff_driver(folder: Path, program: str) -> None:
    (folder / ".gitattributes").write_text("*.py diff=evil\n", encoding="utf-8")
    git(folder, "config", "diff.evil.command", program)


def textconv(folder: Path, program: str) -> None:
    (folder / ".gitattributes").write_text("*.py diff=evil\n", encoding="utf-8")
    git(folder, "config", "diff.evil.textconv", program)


def ssh_command(folder: Path, program: str) -> None:
    missing_object(folder)
    git(folder, "config", "remote.origin.url", "ssh://evil.example/x")
    git(folder, "config", "core.sshCommand", program)
    git(folder, "config", "protocol.ssh.allow", "always")


def external_transport(folder: Path, program: str) -> None:
    missing_object(folder)
    git(folder, "config", "remote.origin.url", f"ext::{program}")
    git(folder, "config", "protocol.ext.allow", "always")


def upload_pack(folder: Path, program: str) -> None:
    missing_object(folder)
    git(folder, "config", "remote.origin.url", str(folder))
    git(folder, "config", "remote.origin.uploadpack", program)


def submodule(folder: Path, program: str) -> None:
    inner = folder / "inner"
    inner.mkdir()
    git(inner, "init", "--quiet")
    commit(inner, {"x.py": "1\n"})
    git(folder, "add", "inner")
    git(folder, "commit", "--quiet", "-m", "inner")
    (inner / "x.py").write_text("2\n", encoding="utf-8")
    git(inner, "config", "core.fsmonitor", program)


PLANTED = [
    *(fsmonitor, hooks_path, hook, clean_filter, filter_with_an_odd_name, filter_process, included_filter),
    *(external_diff, diff_driver, textconv, ssh_command, external_transport, upload_pack, submodule),
]


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_nothing_that_a_repository_names_is_run(plant: Callable[[Path, str], None], tree: Path, program: Path) -> None:
    plant(tree, str(program))
    program.parent.joinpath("trace").unlink(missing_ok=True)
    control = program.parent / "control"
    shutil.copytree(tree, control)
    for command in ("diff HEAD~1", "status", "cat-file -p HEAD:c.py"):
        subprocess.run(["git", *command.split()], cwd=control, check=False, capture_output=True, timeout=20)
    assert ran(program), "git itself runs it"
    ask_everything(tree)
    assert not ran(program)


@pytest.mark.parametrize(
    "variable",
    ["GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_PAGER", "GIT_ASKPASS", "GIT_TRACE", "GIT_DIR", "GIT_WORK_TREE"],
)
def test_variables_of_git_lead_nowhere(
    variable: str, tree: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(program))
    assert Repository(tree).changes_since("HEAD").touch((tree / "a.py").resolve(), 4, 4)
    assert not ran(program)
    assert program.read_text(encoding="utf-8").startswith("#!/bin/sh\necho"), "nor is it written to"


def test_what_the_user_configures_by_variables_is_kept(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    environment = Repository(tree)._environment
    assert (environment["GIT_CONFIG_KEY_0"], environment["GIT_CONFIG_VALUE_0"]) == ("core.fsmonitor", "true")
    shown = subprocess.run(
        ["git", "config", "core.fsmonitor"], cwd=tree, env=environment, capture_output=True, text=True
    )
    assert shown.stdout == "false\n", "ours comes last, and wins"


def test_the_answers_are_right_with_filters_and_drivers_off(tree: Path, program: Path) -> None:
    for plant in (clean_filter, textconv, external_diff):
        plant(tree, str(program))
    repository = Repository(tree)
    changes = repository.changes_since("HEAD~1")
    assert [line for line in range(1, 5) if changes.touch((tree / "a.py").resolve(), line, line)] == [2, 4]
    assert read_files(repository, ["a.py"]) == {"a.py": "1\nTWO\n3\n"}


def test_the_index_is_not_written(tree: Path) -> None:
    index = tree / ".git" / "index"
    before = index.read_bytes()
    ask_everything(tree)
    assert index.read_bytes() == before


def test_a_git_that_ignores_our_configuration_is_refused(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "bin" / "git"
    old.parent.mkdir()
    old.write_text(f'#!/bin/sh\nunset GIT_CONFIG_COUNT\nexec {shutil.which("git")} "$@"\n', encoding="utf-8")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{old.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(MissingExtraError, match=r"git 2\.31"):
        Repository(tree)


def test_a_repository_cannot_name_another_working_tree(tree: Path, tmp_path: Path) -> None:
    git(tree, "config", "core.worktree", str(tmp_path))
    with pytest.raises(InputError, match="another working tree"):
        Repository(tree)


def test_a_folder_that_looks_like_a_bare_repository_is_none(tree: Path, program: Path) -> None:
    inner = tree / "inner"
    git(tree, "clone", "--quiet", "--bare", str(tree), str(inner))
    git(inner, "config", "core.bare", "false")
    git(inner, "config", "core.worktree", str(tree))
    git(inner, "config", "core.fsmonitor", str(program))
    ran(program)
    ask_everything(inner)
    assert not ran(program)


# --- commits that only a stranger makes


def tree_object(folder: Path, *entries: tuple[str, bytes, str]) -> str:
    """Write a tree without the checks of git; entries are mode, name and object."""
    data = b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(found) for mode, name, found in entries)
    command = ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"]
    return subprocess.run(command, cwd=folder, input=data, check=True, capture_output=True).stdout.decode().strip()


def committed(folder: Path, tree: str) -> None:
    git(folder, "update-ref", "HEAD", git(folder, "commit-tree", tree, "-p", "HEAD", "-m", "odd"))


@pytest.mark.parametrize("name", [b"..", b"../../planted", b"/planted"])
def test_a_file_of_a_commit_never_leaves_its_folder(name: bytes, tree: Path) -> None:
    blob = git(tree, "rev-parse", "HEAD:a.py")
    inner = tree_object(tree, ("100644", b"planted.py", blob))
    committed(tree, tree_object(tree, ("40000", name, inner)))
    repository = Repository(tree)
    names = repository.changed_files(RevisionRange("HEAD~1", "HEAD"))
    assert any("planted.py" in found for found in names)
    with pytest.raises(InputError, match="leads out of its folder"), repository.files_at("HEAD", names):
        pass


def test_a_name_with_a_line_break_is_one_name(tree: Path) -> None:
    odd = "x.py\nHEAD:a.py"
    (tree / odd.split("/")[0]).write_text("odd\n", encoding="utf-8")
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "-m", "odd")
    repository = Repository(tree)
    names = repository.changed_files(RevisionRange("HEAD~1", "HEAD"))
    assert odd in names
    assert read_files(repository, names)[odd] == "odd\n"


def test_a_file_inside_a_file_is_an_error(tree: Path) -> None:
    blob = git(tree, "rev-parse", "HEAD:a.py")
    inner = tree_object(tree, ("100644", b"y.py", blob))
    committed(tree, tree_object(tree, ("100644", b"x", blob), ("40000", b"x", inner)))
    repository = Repository(tree)
    with pytest.raises(InputError, match="cannot be written"), repository.files_at("HEAD", ["x", "x/y.py"]):
        pass


def test_symbolic_links_of_a_commit_are_left_out(tree: Path) -> None:
    (tree / "link.py").symlink_to("/etc/passwd")
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "-m", "link")
    assert read_files(Repository(tree), ["a.py", "link.py"]).keys() == {"a.py"}
