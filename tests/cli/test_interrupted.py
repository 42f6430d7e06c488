"""Ctrl-C at any moment: the command ends within a second, and leaves nothing behind.

A terminal sends the signal to all processes of a command; another program may send it to the first one only.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clonetruth.cli.interruption import EXIT_CODE
from tests.cli.running import hear_ctrl_c

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see what is left running")

SECONDS = 1.0
SLOWER = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1) / 2)
"""A busy machine needs more time for everything, even for the end of a process."""
PATIENCE = 3 * SECONDS * SLOWER
"""It takes less than a second; a test on a machine with other work tells that from a hang."""

STATEMENTS = (
    "total += value * {0}",
    "print(total, value, {0})",
    "if value > {0}: total -= len(values)",
    "while total > {0}: total //= 2",
    "values = [one + {0} for one in values]",
    "names[{0}] = str(total)",
    "total = max(total, sum(values), {0})",
)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough files for several workers, and few enough functions for a quick search."""
    folder, draw = tmp_path_factory.mktemp("sources"), random.Random(7)
    for number in range(240):
        functions = []
        for at in range(3):
            body = [draw.choice(STATEMENTS).format(draw.randrange(100)) for _ in range(12)]
            lines = "\n    ".join(["total = 0", "names = {}", "for value in values:", *(f"    {one}" for one in body)])
            functions.append(f"def f{number}_{at}(values):\n    {lines}\n    return total, names\n")
        (folder / f"f{number}.py").write_text("\n\n".join(functions), encoding="utf-8")
    return folder


def running_in(session: int) -> list[str]:
    """The processes of a session that still run, except those that only wait to be collected."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, its_session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z":
                found.append((folder / "cmdline").read_text().replace("\0", " "))
        except OSError:  # it ended meanwhile
            continue
    return found


def interrupt(arguments: list[str], delay: float, *, group: bool, folder: Path) -> int:
    """Start a command in a folder, press Ctrl-C after a delay, check how it ended, and return its exit code."""
    (folder / "temporary").mkdir(parents=True)
    places = {name: str(folder / "temporary") for name in ("TMPDIR", "XDG_CACHE_HOME")}
    process = subprocess.Popen(
        [sys.executable, "-m", "clonetruth", *arguments],
        cwd=folder,
        env={**os.environ, **places},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,
    )
    try:
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            (os.killpg if group else os.kill)(process.pid, signal.SIGINT)
        pressed = time.monotonic()
        _, errors = process.communicate(timeout=60)
        took = time.monotonic() - pressed
        assert took < PATIENCE, f"pressed after {delay:.2f} s, it took {took:.2f} s"
        if process.returncode == -signal.SIGINT:
            assert "clonetruth/" not in errors, "only the start of Python itself is not ours"
        else:
            assert "Traceback" not in errors, errors
            assert process.returncode in (0, EXIT_CODE), errors
        deadline = time.monotonic() + PATIENCE
        while (left := running_in(process.pid)) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not left, "processes were left behind"
    finally:
        if running_in(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    unfinished = [path.name for path in folder.rglob("*") if path.is_file() and path.suffix not in (".part", ".note")]
    assert set(unfinished) <= {"clones.json"}
    if unfinished:
        assert json.loads((folder / "clones.json").read_text(encoding="utf-8"))["schema"] == "clonetruth-clones"
    return process.returncode


def test_ctrl_c_is_handled_before_anything_is_loaded() -> None:
    """Loading `signal` alone takes long enough to be interrupted, with a traceback."""
    script = """
import sys, types
before = set(sys.modules)
def main(leave):
    import _signal
    assert _signal.getsignal(_signal.SIGINT) is not _signal.default_int_handler
    # Those that are built in take no time.
    print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before} - set(sys.builtin_module_names)))
sys.modules["clonetruth.cli"] = types.SimpleNamespace(main=main)
sys.modules["clonetruth.cli.ending"] = types.SimpleNamespace(end_process=sys.exit)
import clonetruth.__main__
clonetruth.__main__.main()
"""
    python = [sys.executable, "-c", script]
    done = subprocess.run(python, capture_output=True, text=True, check=True, preexec_fn=hear_ctrl_c)
    assert done.stdout.split() == ["__future__", "clonetruth"]


@pytest.mark.parametrize("group", [True, False], ids=["terminal", "parent only"])
def test_ctrl_c_while_workers_start(group: bool, sources: Path, tmp_path: Path) -> None:
    arguments = ["code", "functions", str(sources), "--processes", "4", "--json"]
    codes = [
        interrupt(arguments, delay * SLOWER, group=group, folder=tmp_path / str(number))
        for number, delay in enumerate((0.35, 0.6))
    ]
    assert EXIT_CODE in codes


@pytest.mark.slow
@pytest.mark.parametrize("group", [True, False], ids=["terminal", "parent only"])
@pytest.mark.parametrize("verb", ["find", "code functions"])
def test_ctrl_c_at_any_moment(verb: str, group: bool, sources: Path, tmp_path: Path) -> None:
    arguments = [*verb.split(), str(sources), "--processes", "4"]
    arguments += ["--format", "json", "-o", "clones.json", "--min-tokens", "30"] if verb == "find" else ["--json"]
    started = time.monotonic()
    assert interrupt(arguments, 600, group=group, folder=tmp_path / "whole") == 0
    whole = time.monotonic() - started
    moments = random.Random(13)
    codes = {
        interrupt(arguments, moments.uniform(0, 1.1 * whole), group=group, folder=tmp_path / str(number))
        for number in range(16)
    }
    assert EXIT_CODE in codes
