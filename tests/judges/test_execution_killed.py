"""`judge execute` killed at any moment and started again: no judgement lost, none doubled."""

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

from clonetruth.judges import judge_by_execution
from tests.execution.sandboxed import needs_sandbox
from tests.judges.executed import make_benchmark, values

pytestmark = pytest.mark.slow

COUNT = 24


def start(folder: Path) -> subprocess.Popen[bytes]:
    call = [sys.executable, "-m", "clonetruth", "judge", "execute", str(folder), "--runs", "40", "--jobs", "2"]
    return subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def children(process: int) -> list[int]:
    """The worker processes of a process."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
            is_worker = b"spawn_main" in (path.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(words[1]) == process and is_worker:
            found.append(int(path.parent.name))
    return found


def lines(folder: Path) -> list[str]:
    journal = folder / "execution" / "journal.jsonl"
    return journal.read_text().splitlines() if journal.exists() else []


@needs_sandbox
def test_killed_at_random_moments(tmp_path: Path) -> None:
    texts = [f"def f(a):\n    return sum(x + {number % 8} for x in a)\n" for number in range(COUNT + 1)]
    folder = tmp_path / "b"
    make_benchmark(folder, [(texts[at], texts[at + 1], None) for at in range(COUNT)])
    # Texts repeat, so that pairs do: eight are run, all are judged.
    chance = random.Random(5)
    killed = 0
    for _ in range(5):
        process = start(folder)
        target = len(lines(folder)) + chance.randint(1, 3)
        end = time.monotonic() + 60
        while len(lines(folder)) < target and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(chance.random() * 0.05)
        workers = children(process.pid)
        if chance.random() < 0.4 and workers:
            # Without a worker the command goes on.
            os.kill(chance.choice(workers), signal.SIGKILL)
            time.sleep(0.2)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.communicate()
        if process.returncode == 0:
            break
    assert killed >= 2
    report = judge_by_execution(folder, runs=40, jobs=2)
    assert set(values(folder)) == set(range(COUNT))
    assert set(values(folder).values()) == {"not-clone"}
    records = [json.loads(line) for line in lines(folder)[1:]]
    assert len({one["key"] for one in records}) == len(records) == 8
    assert report.kept + report.ran == 8
    assert judge_by_execution(folder, runs=40, jobs=2).added == 0


@needs_sandbox
def test_killed_workers_cost_no_judgement(tmp_path: Path) -> None:
    slow = "def f(a):\n    for x in range(100_000):\n        pass\n    return a + {}\n"
    folder = tmp_path / "b"
    make_benchmark(folder, [(slow.format(at), slow.format(at + 1), None) for at in range(3)])
    process = start(folder)
    end = time.monotonic() + 60
    while len(children(process.pid)) < 2 and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(0.5)
    for worker in children(process.pid):
        os.kill(worker, signal.SIGKILL)
    process.communicate(timeout=100)
    assert process.returncode == 0
    assert set(values(folder)) == {0, 1, 2}
    assert set(values(folder).values()) == {"not-clone"}
