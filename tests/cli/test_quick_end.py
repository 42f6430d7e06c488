"""A search ends at once: what is registered for the end still happens, and the exit code and the output are whole."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

_FUNCTION = """def {}(values):
    total = 0
    for one in values:
        if one > 3:
            total += one
    return total
"""
_ROUND = r"""
import atexit, os, sys, threading, time
def say(what):
    os.write(2, f"{what}\n".encode())
class Witness:
    def __del__(self):
        say("taken apart")
witness = Witness()
atexit.register(say, "registered")
if sys.argv[1] == "thread":
    threading.Thread(target=lambda: (time.sleep(0.5), say("finished"))).start()
del sys.argv[1]
from clonetruth.__main__ import main
main()
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("code")
    for name in "abc":
        (folder / f"{name}.py").write_text(_FUNCTION.format(name) * 40, encoding="utf-8")
    return folder


def ended(kind: str, *command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _ROUND, kind, *map(str, command)], capture_output=True, text=True, timeout=120
    )


def test_a_search_ends_at_once(code: Path) -> None:
    ran = ended("plain", "find", "--no-index", "--min-tokens", 10, "--format", "json", "--fail-on", "T1", code)
    assert ran.returncode == 1
    assert json.loads(ran.stdout)["classes"]
    assert "registered" in ran.stderr
    assert "taken apart" not in ran.stderr


def test_a_thread_is_waited_for(code: Path) -> None:
    ran = ended("thread", "find", "--no-index", "--min-tokens", 10, code)
    assert ran.returncode == 0
    assert "finished" in ran.stderr


def test_a_profiler_prints_its_results(code: Path) -> None:
    command = ["-m", "cProfile", "-m", "clonetruth", "find", "--no-index", "--min-tokens", "10", str(code)]
    ran = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0
    assert "function calls" in ran.stdout


def test_other_commands_and_engines_end_as_python_does(code: Path) -> None:
    for command in (("code", "languages"), ("find", "--no-index", "--min-tokens", 10, "--engine", "duckdb", code)):
        ran = ended("plain", *command)
        assert ran.returncode == 0, ran.stderr
        assert "taken apart" in ran.stderr
