"""The same code gives the same verdict in every process: nothing depends on the order in which a set is read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.execution.sandboxed import needs_sandbox

# Two classes are made up for what the fragment does not declare, and a variable may be of either.
REMOVE = """public K remove() {
    if (head == null) return null;
    K val = head.value;
    if (%s) { head = null; tail = null; } else { head = head.next; head.prev = null; }
    return val;
}
"""
PAIRS = {
    "java": (REMOVE % "head.next == null", REMOVE % "head == tail"),
    "py": (
        "def f(items):\n    return sorted({one.kind for one in items if check(one) and LIMIT > one.size}, key=rank)\n",
        "def f(items):\n    kept = [one for one in items if check(one) and one.size < LIMIT]\n"
        "    return sorted(set(one.kind for one in kept), key=rank)\n",
    ),
}


def compared(left: Path, right: Path, seed: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "clonetruth", "run", left, right, "--json"],
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        check=False,
    )
    said = json.loads(done.stdout)
    said.pop("manifest")
    return dict(said)


@pytest.mark.slow
@pytest.mark.jdk
@needs_sandbox
@pytest.mark.parametrize("ending", PAIRS)
def test_a_verdict_does_not_depend_on_the_process(ending: str, tmp_path: Path) -> None:
    left, right = tmp_path / f"left.{ending}", tmp_path / f"right.{ending}"
    left.write_text(PAIRS[ending][0])
    right.write_text(PAIRS[ending][1])
    first = compared(left, right, 0)
    assert first["left"]["entry"] in ("remove", "f")
    assert all(compared(left, right, seed) == first for seed in (1, 3))
