"""Pynguin against our own inputs: ``python -m bench.bench_pynguin PYNGUIN [--functions 6] [--seconds 20]``.

PYNGUIN is the program in an environment that has pynguin and pytest. For some functions of the embedded benchmark, and
for needles (a number that only equals one constant shows the change), Pynguin writes tests, which run against seeded
changes (`clonetruth.execution.mutants`); our search compares the same changes with the original. Both are printed with
the CPU seconds that they took. Pynguin executes the functions, so it runs in bubblewrap, as another user than root.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.bench_execution import cpu_below
from bench.bench_mutants_killed import drawn, embedded_functions
from bench.measurement import machine
from clonetruth.execution import BehaviourVerdict, Code, Difference, DifferencePolicy, Harnesses, SearchBudget
from clonetruth.execution import compare_behaviour as compare
from clonetruth.execution.sandbox import Bubblewrap

_NEEDLES = (
    (
        "needle 77777",
        "def f(x: int) -> int:\n    if x == 77777:\n        return 1\n    return 0\n",
        "return 1",
        "return 2",
    ),
    (
        "needle 3 * x + 7",
        "def f(x: int) -> int:\n    if 3 * x + 7 == 370369:\n        return 1\n    return 0\n",
        "return 1",
        "return 2",
    ),
)
_NOTICED = DifferencePolicy(counted=frozenset(Difference) - {Difference.ORDER})
_NOBODY = "65534"


_TIMES = '"$@"; code=$?; times >> cpu.txt; exit $code'
"""Bubblewrap does not pass on the CPU seconds of what it runs: the shell inside writes them down."""


def enclosed(command: Sequence[str], folder: Path) -> int:
    """Run a command in bubblewrap, with one writable folder; its exit code."""
    drop = ["setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups"] if os.getuid() == 0 else []
    box = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    box += ["--bind", str(folder), str(folder), "--chdir", str(folder)]
    box += ["--setenv", "PYNGUIN_DANGER_AWARE", "1", "--setenv", "PYTHONDONTWRITEBYTECODE", "1"]
    inside = ["sh", "-c", _TIMES, "sh", *command]
    return subprocess.run([*drop, *box, *inside], capture_output=True, check=False).returncode


def cpu_seconds(folder: Path) -> float:
    """CPU seconds of the commands that ran in a folder."""
    found = [re.fullmatch(r"(\d+)m([\d.]+)s", word) for word in (folder / "cpu.txt").read_text().split()]
    return sum(int(one[1]) * 60 + float(one[2]) for one in found if one is not None)


def killed_by_pynguin(program: Path, text: str, mutants: Sequence[str], seconds: int) -> tuple[int | None, float]:
    """How many mutants fail the tests that Pynguin wrote, None if it wrote none that pass; and CPU seconds."""
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o777)
        (folder / "subject.py").write_text(text)
        where = ["--project-path", str(folder), "--module-name", "subject", "--output-path", str(folder)]
        wanted = ["--maximum-search-time", str(seconds), "--assertion-generation", "SIMPLE", "--seed", "1"]
        enclosed([str(program), *where, *wanted], folder)
        if not (folder / "test_subject.py").exists():
            return None, cpu_seconds(folder)
        pytest = [
            str(program.with_name("python")),
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "test_subject.py",
        ]
        if enclosed(pytest, folder) != 0:
            return None, cpu_seconds(folder)
        killed = 0
        for mutant in mutants:
            (folder / "subject.py").write_text(mutant)
            killed += enclosed(pytest, folder) == 1
        return killed, cpu_seconds(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Print both numbers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--functions", type=int, default=6)
    parser.add_argument("--per-function", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=20)
    arguments = parser.parse_args()
    every = list(embedded_functions())
    chosen = every[:: max(1, len(every) // arguments.functions)][: arguments.functions]
    subjects: dict[str, tuple[str, list[str]]] = {}
    for name, text, change in drawn(chosen, arguments.per_function, 0):
        subjects.setdefault(name, (text, []))[1].append(change.text)
    for name, text, before, after in _NEEDLES:
        subjects[name] = (text, [text.replace(before, after)])
    print(
        f"{machine()}\n\n| function | changes | Pynguin | CPU s | ours | CPU s |\n| --- | --- | --- | --- | --- | --- |"
    )
    for name, (text, mutants) in subjects.items():
        theirs, seconds = killed_by_pynguin(arguments.program, text, mutants, arguments.seconds)
        middle, ours = cpu_below(), 0
        with Harnesses(Bubblewrap()) as harnesses:
            for mutant in mutants:
                sides = Code(text, "python"), Code(mutant, "python")
                found = compare(*sides, harnesses, budget=SearchBudget(seconds=6.0), policy=_NOTICED)
                ours += found.verdict is BehaviourVerdict.DIFFERENT
            own = cpu_below().since(middle)
        shown = "no tests" if theirs is None else theirs
        line = f"{name} | {len(mutants)} | {shown} | {seconds:.1f} | {ours} | {own:.1f}"
        print(f"| {line} |", flush=True)


if __name__ == "__main__":
    main()
