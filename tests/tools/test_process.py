"""Programs of others are kept within their limits, and leave nothing running."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from clonetruth.errors import InputError, ToolError
from clonetruth.tools import ProcessLimits
from clonetruth.tools.process import last_words, run_process

NO_LIMITS = ProcessLimits()


def run(script: str, folder: Path, limits: ProcessLimits = NO_LIMITS) -> int:
    return run_process([sys.executable, "-c", script], folder, folder / "out", folder / "err", limits)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def gone(file: Path) -> bool:
    """Whether the process whose number a file holds is gone, or goes within moments."""
    process = int(file.read_text())
    for _ in range(50):
        if not alive(process):
            return True
        time.sleep(0.05)
    return False


def test_what_a_program_prints_and_how_it_ends(tmp_path: Path) -> None:
    assert run("import sys; print('found'); print('well', file=sys.stderr); sys.exit(3)", tmp_path) == 3
    assert (tmp_path / "out").read_text() == "found\n"
    assert last_words(tmp_path / "err", tmp_path / "out") == "well"
    assert run("print('alone')", tmp_path) == 0
    assert last_words(tmp_path / "err", tmp_path / "out") == "alone"
    assert run("", tmp_path) == 0
    assert last_words(tmp_path / "err", tmp_path / "out") == "(it said nothing)"


def test_only_the_end_of_a_long_story_is_told(tmp_path: Path) -> None:
    run("print('x' * 100_000); print('the end')", tmp_path)
    said = last_words(tmp_path / "err", tmp_path / "out")
    assert said.endswith("the end")
    assert len(said) <= 2_000


def test_a_program_reads_nothing_from_the_user(tmp_path: Path) -> None:
    assert run("import sys; sys.exit(len(sys.stdin.read()))", tmp_path) == 0


STARTS_ANOTHER = """
import pathlib, signal, subprocess, sys, time
if {stubborn}:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
pathlib.Path("child").write_text(str(child.pid))
time.sleep({seconds})
"""


def test_out_of_time_all_that_it_started_is_ended(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"did not end within 1\.5 seconds"):
        run(STARTS_ANOTHER.format(stubborn=False, seconds=60), tmp_path, ProcessLimits(timeout=1.5))
    assert gone(tmp_path / "child")


def test_a_program_that_does_not_listen_is_ended_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clonetruth.tools.process._GRACE", 0.2)
    with pytest.raises(ToolError, match="did not end"):
        run(STARTS_ANOTHER.format(stubborn=True, seconds=60), tmp_path, ProcessLimits(timeout=1.5))
    assert gone(tmp_path / "child")


def test_what_a_program_leaves_behind_is_ended(tmp_path: Path) -> None:
    assert run(STARTS_ANOTHER.format(stubborn=False, seconds=0), tmp_path) == 0
    assert gone(tmp_path / "child")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="memory is watched through /proc")
def test_out_of_memory_it_is_ended(tmp_path: Path) -> None:
    greedy = "import time; kept = bytearray(b'x') * 300_000_000; time.sleep(60)"
    # The memory of what it starts counts too.
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {greedy!r}])"
    with pytest.raises(ToolError, match="more than 100 MB"):
        run(script, tmp_path, ProcessLimits(memory=100 * 2**20))
    assert run("print('small')", tmp_path, ProcessLimits(memory=100 * 2**20, timeout=60)) == 0


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot be started: No such file"):
        run_process(["no-such-program"], tmp_path, tmp_path / "out", tmp_path / "err", NO_LIMITS)


@pytest.mark.parametrize(("timeout", "memory"), [(0.0, None), (-1.0, None), (float("nan"), None), (None, 0)])
def test_a_limit_leaves_room(timeout: float | None, memory: int | None) -> None:
    with pytest.raises(InputError, match="leaves no room"):
        ProcessLimits(timeout, memory)
