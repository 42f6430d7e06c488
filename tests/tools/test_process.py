"""External programs stay within their limits and leave no process behind."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from clonetruth.errors import InputError, ToolError
from clonetruth.tools import ProcessLimits
from clonetruth.tools.process import output_tail, run_process

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
    """Whether the process whose id a file holds has ended, or ends within moments."""
    process = int(file.read_text())
    for _ in range(50):
        if not alive(process):
            return True
        time.sleep(0.05)
    return False


def test_output_and_exit_code(tmp_path: Path) -> None:
    assert run("import sys; print('found'); print('well', file=sys.stderr); sys.exit(3)", tmp_path) == 3
    assert (tmp_path / "out").read_text() == "found\n"
    assert output_tail(tmp_path / "err", tmp_path / "out") == "well"
    assert run("print('alone')", tmp_path) == 0
    assert output_tail(tmp_path / "err", tmp_path / "out") == "alone"
    assert run("", tmp_path) == 0
    assert output_tail(tmp_path / "err", tmp_path / "out") == "(no output)"


def test_only_the_end_of_a_long_output_is_shown(tmp_path: Path) -> None:
    run("print('x' * 100_000); print('the end')", tmp_path)
    tail = output_tail(tmp_path / "err", tmp_path / "out")
    assert tail.endswith("the end")
    assert len(tail) <= 2_000


def test_a_program_gets_no_input(tmp_path: Path) -> None:
    assert run("import sys; sys.exit(len(sys.stdin.read()))", tmp_path) == 0


STARTS_ANOTHER = """
import pathlib, signal, subprocess, sys, time
if {stubborn}:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
pathlib.Path("child").write_text(str(child.pid))
time.sleep({seconds})
"""


def test_a_timeout_stops_all_child_processes(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"did not finish within 1\.5 seconds"):
        run(STARTS_ANOTHER.format(stubborn=False, seconds=60), tmp_path, ProcessLimits(timeout=1.5))
    assert gone(tmp_path / "child")


def test_a_program_that_ignores_sigterm_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clonetruth.tools.process._GRACE", 0.2)
    with pytest.raises(ToolError, match="did not finish"):
        run(STARTS_ANOTHER.format(stubborn=True, seconds=60), tmp_path, ProcessLimits(timeout=1.5))
    assert gone(tmp_path / "child")


def test_processes_left_behind_are_stopped(tmp_path: Path) -> None:
    assert run(STARTS_ANOTHER.format(stubborn=False, seconds=0), tmp_path) == 0
    assert gone(tmp_path / "child")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="memory is measured through /proc")
def test_the_memory_limit_stops_a_program(tmp_path: Path) -> None:
    greedy = "import time; kept = bytearray(b'x') * 300_000_000; time.sleep(60)"
    # The memory of child processes counts too.
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {greedy!r}])"
    with pytest.raises(ToolError, match="more than 100 MB"):
        run(script, tmp_path, ProcessLimits(memory=100 * 2**20))
    assert run("print('small')", tmp_path, ProcessLimits(memory=100 * 2**20, timeout=60)) == 0


def test_a_missing_program_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot be started: No such file"):
        run_process(["no-such-program"], tmp_path, tmp_path / "out", tmp_path / "err", NO_LIMITS)


@pytest.mark.parametrize(("timeout", "memory"), [(0.0, None), (-1.0, None), (float("nan"), None), (None, 0)])
def test_limits_must_be_positive(timeout: float | None, memory: int | None) -> None:
    with pytest.raises(InputError, match="is not positive"):
        ProcessLimits(timeout, memory)
