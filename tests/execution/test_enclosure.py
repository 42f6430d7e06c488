"""The programs of the sandbox refuse to run anywhere else: they would execute code of strangers with all rights."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from importlib import resources
from pathlib import Path

import pytest

from clonetruth.execution import Code, Harnesses
from clonetruth.execution.harness.harness import CallInput
from clonetruth.execution.harness.inside import enclosure
from clonetruth.execution.harness.java.process import server_classes
from clonetruth.execution.harness.programs import inside_files
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.sandbox.seccomp import seccomp_filter
from tests.execution.sandboxed import needs_sandbox

_INSIDE = "clonetruth.execution.harness.inside"
_PROGRAMS = [one.name for one in resources.files(_INSIDE).iterdir() if one.name.endswith(".py")]
_REFUSED = "in the sandbox only"


def _job(mark: Path) -> bytes:
    source = f"open({str(mark)!r}, 'w').close()\ndef f(x):\n    return x\n"
    job: dict[str, object] = {
        "nonce": "n",
        "source": source,
        "entry": "f",
        "path": "",
        "project": None,
        "files": None,
        "contents": {},
        "packages": [],
        "calls": [{"arguments": [1], "stdin": ""}],
        "skips": False,
        "seconds": 5.0,
        "seconds_per_call": 1.0,
        "seconds_when_late": 1.0,
        "seed": 0,
        "coverage": False,
        "again": False,
        "filter": base64.b64encode(seccomp_filter()).decode(),
    }
    return json.dumps(job).encode() + b"\n"


def _lay_out(folder: Path) -> None:
    for name, content in inside_files(*_PROGRAMS).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _users() -> list[int | None]:
    """This user and, if that is root, one without rights."""
    return [None, 65534] if os.geteuid() == 0 else [None]


@pytest.mark.parametrize("user", _users())
@pytest.mark.parametrize("module", ["python_server", "program_server", "python_crosshair"])
def test_servers_in_python_refuse(module: str, user: int | None, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    tmp_path.chmod(0o777)
    for parent in tmp_path.parents:
        if parent.stat().st_uid == os.geteuid() and parent.is_relative_to(tempfile.gettempdir()):
            parent.chmod(parent.stat().st_mode | 0o055)
    _lay_out(tmp_path)
    done = subprocess.run(
        ["/usr/bin/python3", "-s", "-S", "-m", f"{_INSIDE}.{module}"],
        input=_job(mark),
        capture_output=True,
        cwd=tmp_path,
        user=user,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert _REFUSED in done.stderr.decode()
    assert not mark.exists()


def test_a_library_call_refuses(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    script = (
        "import json, sys\nfrom clonetruth.execution.harness.inside import python_server\n"
        "print(python_server.Server().run(json.loads(sys.stdin.read())))"
    )
    _lay_out(tmp_path)
    command = ["/usr/bin/python3", "-s", "-S", "-c", script]
    done = subprocess.run(command, input=_job(mark), capture_output=True, cwd=tmp_path, check=False)
    assert b"exited" in done.stdout, done
    assert not mark.exists(), done


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_server_in_javascript_refuses() -> None:
    server = resources.files(_INSIDE).joinpath("javascript_server.js")
    done = subprocess.run(["node", str(server)], input=b"{}\n", capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert _REFUSED in done.stderr.decode()


@needs_sandbox
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not installed")
@pytest.mark.parametrize("server", ["RunServer", "CompileServer"])
def test_the_servers_in_java_refuse(server: str, tmp_path: Path) -> None:
    for name, content in server_classes(Bubblewrap()).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    command = ["java", "-cp", str(tmp_path), f"server.{server}"]
    done = subprocess.run(command, input=b"{}\n", capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert _REFUSED in done.stderr.decode()


def test_every_mark_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(enclosure, "_STATUS", tmp_path / "none")
    found = enclosure.missing_marks()
    assert {one.split(" is not ")[0] for one in found} >= {"NoNewPrivs", "Seccomp", "CapEff", "the working folder"}


@needs_sandbox
def test_inside_nothing_is_missing() -> None:
    code = Code("def f(x):\n    return x + 1\n", "python")
    with Harnesses(Bubblewrap()) as harnesses:
        harness = harnesses.get("python")
        assert harness is not None
        (one,) = harness.run(code, [CallInput(({"int": "1"},))]).observations
    assert one.returned == {"int": "2"}
