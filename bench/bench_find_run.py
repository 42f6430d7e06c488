"""What `find --run` shows of code: ``python -m bench.bench_find_run NAME=FOLDER… [--keep FOLDER] [--sample N]``.

Runs `clonetruth find FOLDER --run` on each tree, without tests and documentation, and prints a row for each: functions
that ran, copies that behave differently, functions that behave alike, and the CPU seconds of everything, the sandboxes
included. With ``--keep``, reports are kept as JSON in a folder, and a tree that has one there is not run again. With
``--sample N``, N of the pairs are printed with their code and input, drawn at random, for people to judge; with
``--reasons``, why the other functions did not run.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measurement import machine
from clonetruth.find import read_report
from clonetruth.find.behaviour_findings import BehaviourFindings, FunctionPlace

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER."""
_FINDERS = "exact,renamed,tokens,nearmiss"
_LEFT_OUT = ("tests", "test", "docs", "doc", "*_test.*", "test_*", "*.test.*", "conftest.py")


@dataclass(frozen=True)
class Run:
    """A tree, and what running it showed."""

    name: str
    folder: Path
    found: BehaviourFindings
    cpu: float | None


def run(name: str, folder: Path, report: Path, arguments: Sequence[str]) -> Run:
    """Run a tree, unless its report is there already."""
    cost = report.with_suffix(".cpu")
    if not report.exists():
        excluded = [word for one in _LEFT_OUT for word in ("--exclude", one)]
        command = [sys.executable, "-m", "clonetruth", "find", ".", "--run", "--with", _FINDERS, "--min-tokens", "25"]
        command += [*excluded, "--format", "json", "-o", str(report), "--no-index", *arguments]
        cost.write_text(str(_cpu_of(command, folder)))
    found = read_report(report).behaviour
    assert found is not None
    return Run(name, folder, found, float(cost.read_text()) if cost.exists() else None)


def _cpu_of(command: Sequence[str], folder: Path) -> float:
    """CPU seconds of a command with all its descendants, even those whose parents have ended."""
    before = _children()
    ended = subprocess.run(command, cwd=folder, stdout=sys.stderr, check=False)
    if ended.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} failed")
    return cpu_of_children() - before


def adopt_orphans() -> None:
    """Make what a sandbox leaves behind a child of this process, so that its time is counted."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def cpu_of_children() -> float:
    """CPU seconds of all descendants, once they have ended."""
    try:
        while True:
            os.wait()
    except ChildProcessError:
        return _children()


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def row(one: Run) -> str:
    """A row of the table."""
    found = one.found
    alike = sum(len(group.others) for group in found.semantic)
    numbers = (
        *(found.functions, found.ran, found.copies, len(found.inconsistent), found.consistent),
        *(found.candidates, alike, found.refuted),
    )
    cells = [one.name, *(f"{number:,}" for number in numbers), "" if one.cpu is None else f"{one.cpu:.0f}"]
    return f"| {' | '.join(cells)} |"


def pairs(one: Run) -> Iterator[str]:
    """All pairs with their code and the evidence."""
    for copy in one.found.inconsistent:
        yield _described(one, "≠", copy.first, copy.other, f"{copy.call}: {copy.first_did} / {copy.other_did}")
    for group in one.found.semantic:
        for clone in group.others:
            yield _described(
                one, "=", group.first, clone.function, f"{clone.call} {clone.did} ({clone.outputs} results)"
            )


def _described(one: Run, sign: str, first: FunctionPlace, other: FunctionPlace, evidence: str) -> str:
    texts = []
    for place in (first, other):
        lines = (one.folder / place.path).read_text(errors="replace").split("\n")
        texts.append("\n".join(lines[place.first_line - 1 : place.last_line]))
    return (
        f"{sign} {one.name}: {first.location} {first.name}, {other.location} {other.name}\n{evidence}\n"
        + "\n~~\n".join(texts)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trees", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--keep", type=Path, help="Folder of reports.")
    parser.add_argument("--sample", type=int, default=0, help="Pairs to print.")
    parser.add_argument("--seed", type=int, default=7, help="Random seed of the sample.")
    parser.add_argument("--reasons", action="store_true", help="Print why functions did not run.")
    parser.add_argument("--arguments", default="", help="Further arguments of clonetruth find.")
    asked = parser.parse_args()
    adopt_orphans()
    print(machine())
    print("| code | functions | ran | copies | differ | no difference | agreed | alike | refuted | CPU s |", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.keep or Path(temporary)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        runs = []
        for tree in asked.trees:
            name, _, place = tree.partition("=")
            one = run(name, Path(place), folder / f"{name}.json", asked.arguments.split())
            runs.append(one)
            print(row(one), flush=True)
            if asked.reasons:
                for what in ("not_run", "copies_undecided", "candidates_undecided"):
                    print(f"  {what}: {json.dumps(dict(getattr(one.found, what)))}")
    everything = [text for one in runs for text in pairs(one)]
    for text in random.Random(asked.seed).sample(everything, min(asked.sample, len(everything))):
        print(f"\n{text}")


if __name__ == "__main__":
    main()
