"""Somebody else's repository: its settings, read by the command line as a process, run nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

CODE = "def add(first, second):\n    total = first + second\n    return total * 2 if total else None\n"


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A repository whose settings run a command, in the shell, for everybody who searches it."""
    root = tmp_path / "stranger"
    (root / ".git").mkdir(parents=True)
    (root / "a.py").write_text(CODE)
    (root / "b.py").write_text(CODE)
    command = f"command[bigcloneeval,shell]:touch {tmp_path / 'planted'}"
    (root / "pyproject.toml").write_text(f'[tool.clonetruth.find]\nmin-tokens = 5\nwith = ["{command}"]\n')
    return root


def test_a_command_in_the_settings_of_a_project_is_not_run(stranger: Path, tmp_path: Path) -> None:
    ran = run("find", ".", cwd=stranger)
    assert ran.code == 3
    assert not (tmp_path / "planted").exists()
    said = " ".join(ran.err.split())
    assert str(stranger / "pyproject.toml") in said
    assert "A project may not set 'with'" in said
    assert "--trust" in said
    assert str(Path("clonetruth", "config.toml")) in said
    ignored = run("find", ".", "--no-trust", cwd=stranger)
    assert (ignored.code, "1 clone class" in ignored.out) == (0, True), "the other settings are used"
    assert not (tmp_path / "planted").exists()
    run("find", ".", "--trust", cwd=stranger)
    assert (tmp_path / "planted").exists()


def test_a_command_in_the_users_own_settings_is_run(stranger: Path, tmp_path: Path) -> None:
    own = tmp_path / "config" / "clonetruth" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text((stranger / "pyproject.toml").read_text().replace("tool.clonetruth.", ""))
    (stranger / "pyproject.toml").unlink()
    run("find", ".", cwd=stranger, env={"XDG_CONFIG_HOME": str(tmp_path / "config")})
    assert (tmp_path / "planted").exists()
