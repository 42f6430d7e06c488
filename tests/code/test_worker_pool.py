"""The worker pool: tasks run in separate processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from clonetruth.code.worker_pool import LostWorker, run_in_processes
from tests.conftest import ROOT


def double(number: int) -> int:
    return 2 * number


def die_at(deadly: int, number: int) -> int:
    if number == deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def leave(number: int) -> int:
    os._exit(number)


def report_and_sleep(folder: Path, number: int) -> int:
    (folder / str(number)).write_text(str(os.getpid()))
    time.sleep(60)
    return number


def test_every_task_comes_back_once() -> None:
    found = list(run_in_processes(double, list(range(7)), 2))
    assert sorted((one.task, one.outcome) for one in found) == [(number, 2 * number) for number in range(7)]
    assert all(one.seconds >= 0 for one in found)
    assert list(run_in_processes(double, [], 2)) == []


def test_a_process_that_dies_takes_its_own_task_only() -> None:
    found = {one.task: one.outcome for one in run_in_processes(partial(die_at, 1), list(range(5)), 2)}
    assert found == {0: 0, 1: LostWorker(-signal.SIGKILL), 2: 2, 3: 3, 4: 4}
    assert "signal 9" in str(found[1])


def test_the_exit_code_is_reported() -> None:
    (lost,) = run_in_processes(leave, [3], 1)
    assert lost.outcome == LostWorker(3)
    assert "code 3" in str(lost.outcome)


@pytest.mark.slow
def test_closing_the_pool_leaves_no_process(tmp_path: Path) -> None:
    started = run_in_processes(partial(report_and_sleep_or_not, tmp_path), [0, 1], 2)
    assert next(started).task == 0
    wait_for(tmp_path / "1")
    started.close()
    assert is_gone(int((tmp_path / "1").read_text()))


def report_and_sleep_or_not(folder: Path, number: int) -> int:
    return report_and_sleep(folder, number) if number else number


def test_workers_die_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    """Otherwise they would write next to the run that continues."""
    script = (
        "from functools import partial; from pathlib import Path\n"
        "from clonetruth.code.worker_pool import run_in_processes\n"
        "from tests.code.test_worker_pool import report_and_sleep\n"
        "if __name__ == '__main__':\n"
        f"    list(run_in_processes(partial(report_and_sleep, Path({str(tmp_path)!r})), [0], 1))\n"
    )
    (tmp_path / "script.py").write_text(script)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, tmp_path / "script.py"], env=environment)
    try:
        wait_for(tmp_path / "0")
    finally:
        parent.kill()
        parent.wait()
    assert is_gone(int((tmp_path / "0").read_text()))


def wait_for(path: Path, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < end, f"{path.name} did not appear"
        time.sleep(0.05)


def is_gone(process: int, seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{process}/stat").exists() and ") Z " in Path(f"/proc/{process}/stat").read_text():
            return True  # dead, but not yet reaped by its new parent
        time.sleep(0.05)
    return False
