"""Pairs of a benchmark, executed: ``python -m bench.bench_execution BENCHMARK [--language python] [--limit 300]``.

Runs both fragments of each pair with the same inputs in the sandbox and prints the funnel (pairs, executed, decided,
agreement with the label), why pairs are undecided, and the cost: pairs per second, and CPU seconds per pair including
everything that ran in the sandbox. BENCHMARK is a folder that `clonetruth import` made. ``--limit`` and ``--offset``
take a part of the pairs in an order that `--seed` decides, so that the rest stays unseen; ``--output FILE`` writes each
comparison as a line of JSON, for reading witnesses. ``--before FILE`` reads such a file of an earlier version and adds
what became of the same pairs: CPU seconds as a ratio, and every pair with another verdict.

CPU seconds are those of all processes, those of the sandbox and finished ones included, so that they do not depend on
what else the machine does; pairs per second on free cores are the cores divided by CPU seconds per pair.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import hashlib
import json
import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.measurement import machine
from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.judges.execution_worker import default_workers
from clonetruth.store import Benchmark

_PAIRS = """
    WITH labels AS (
        SELECT pair, max_by(value, sequence) AS label FROM judgements
        WHERE pair IS NOT NULL AND value IN ('clone', 'not-clone') GROUP BY pair
    )
    SELECT p.pair, l.language AS left_language, l.text AS left_text, r.language AS right_language,
           r.text AS right_text, labels.label
    FROM pairs p
    JOIN fragments l ON p.left = l.fragment
    JOIN fragments r ON p.right = r.fragment
    LEFT JOIN labels ON p.pair = labels.pair
    ORDER BY p.pair
"""
_DECIDED = {
    BehaviourVerdict.DIFFERENT: "not-clone",
    BehaviourVerdict.NO_DIFFERENCE_FOUND: "clone",
    BehaviourVerdict.PROVED_EQUAL: "clone",
}
_TICKS = os.sysconf("SC_CLK_TCK")
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Executed:
    """A pair with what running it showed."""

    pair: int
    label: str | None
    comparison: dict[str, Any]
    seconds: float
    cpu: float

    @property
    def ran(self) -> bool:
        """Whether both fragments ran on at least one common input."""
        return bool(self.comparison["strength"]["runs"])


def read_pairs(path: Path, languages: Sequence[str], seed: int, across: bool = False) -> list[dict[str, Any]]:
    """The pairs of a benchmark in the order that the seed decides; both fragments in one of the languages, or each in
    another one."""
    rows = Benchmark.open(path).sql(_PAIRS).to_pylist()
    wanted = [
        row
        for row in rows
        if (not languages or {row["left_language"], row["right_language"]} <= set(languages))
        and not (across and row["left_language"] == row["right_language"])
    ]
    return sorted(wanted, key=lambda row: hashlib.md5(f"{row['pair']} {seed}".encode()).hexdigest())


class Worker:
    """Runs pairs in one process with its own sandbox."""

    harnesses: Harnesses

    def __init__(self, budget: SearchBudget) -> None:
        self.budget, self.harnesses = budget, Harnesses(Bubblewrap())
        self.looked = cpu_below()

    def run(self, row: dict[str, Any]) -> Executed:
        """Run one pair; CPU seconds are those of this process and of all below it since the pair before."""
        started, before = time.monotonic(), self.looked
        left = Code(row["left_text"], row["left_language"])
        right = Code(row["right_text"], row["right_language"])
        found = compare_behaviour(left, right, self.harnesses, budget=self.budget)
        self.looked = cpu_below()
        cpu = self.looked.since(before)
        return Executed(row["pair"], row["label"], found.to_dict(), time.monotonic() - started, cpu)


@dataclass(frozen=True)
class CpuSeconds:
    """CPU seconds of processes until we looked, and what it cost to look."""

    total: float
    cost: float

    def since(self, before: CpuSeconds) -> float:
        """CPU seconds between two looks, without those of the first, which can cost as much as a pair."""
        return max(0.0, self.total - before.total - before.cost)


def cpu_below() -> CpuSeconds:
    """CPU seconds of this process and of all its descendants, finished ones included."""
    # The clock of /proc is coarse, and moves while we look: only for others.
    started, this = time.process_time(), os.getpid()
    children = None if Path(f"/proc/{this}/task/{this}/children").exists() else _children()
    waiting, total = [this], started
    while waiting:
        one = waiting.pop()
        try:
            fields = _read(f"/proc/{one}/stat").rpartition(b")")[2].split()
            # Without the own ones of this process, but with those that each one waited for.
            total += sum(map(int, fields[13:15] if one == this else fields[11:15])) / _TICKS
            waiting += _children_of(one, int(fields[17])) if children is None else children.get(one, [])
        except OSError:
            # It ended since.
            continue
    return CpuSeconds(total, time.process_time() - started)


def _read(path: str) -> bytes:
    """A file of the kernel, which is looked at many times a second."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 1 << 16)
    finally:
        os.close(file)


def _children_of(process: int, threads: int) -> list[int]:
    """The processes that a process started, whichever of its threads did."""
    names = [str(process)] if threads == 1 else [one.name for one in os.scandir(f"/proc/{process}/task")]
    return [int(child) for one in names for child in _read(f"/proc/{process}/task/{one}/children").split()]


def _children() -> dict[int, list[int]]:
    """The same for all processes, where the kernel does not say it: each names the one that started it."""
    found: dict[int, list[int]] = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            with contextlib.suppress(OSError):
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
                found.setdefault(parent, []).append(int(path.name))
    return found


_worker: list[Worker] = []


def start_worker(budget: SearchBudget) -> None:
    """In a new process: the sandbox that all its pairs use.

    What is orphaned below becomes a child of this process, which does not wait for it, so that its CPU seconds stay.
    """
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # What was loaded before is no garbage.
    gc.freeze()
    _worker.append(Worker(budget))


def run_row(row: dict[str, Any]) -> Executed:
    """Run one pair in this process's sandbox."""
    return _worker[0].run(row)


def execute(rows: Sequence[dict[str, Any]], budget: SearchBudget, workers: int) -> Iterator[Executed]:
    """Run pairs in several processes."""
    with multiprocessing.Pool(workers, start_worker, (budget,)) as pool:
        yield from pool.imap_unordered(run_row, rows)


def report(done: Sequence[Executed], wall: float) -> Iterator[str]:
    """The funnel, the reasons and the cost, as Markdown."""
    count = max(len(done), 1)
    verdicts = Counter(one.comparison["verdict"] for one in done)
    decided = [one for one in done if one.comparison["verdict"] in _DECIDED]
    labelled = [one for one in decided if one.label]
    agreeing = sum(_DECIDED[one.comparison["verdict"]] == one.label for one in labelled)
    ran = sum(one.ran for one in done)
    yield "| step | pairs | share |\n| --- | --- | --- |"
    yield f"| pairs | {len(done)} | |"
    yield f"| executed | {ran} | {ran / count:.1%} |"
    yield f"| decided | {len(decided)} | {len(decided) / count:.1%} |"
    for verdict in _DECIDED:
        yield f"| – {verdict} | {verdicts[verdict]} | {verdicts[verdict] / count:.1%} |"
    yield f"| agree with the label | {agreeing} of {len(labelled)} | {agreeing / max(len(labelled), 1):.1%} |"
    yield "\n| undecided because | pairs | most frequent detail |\n| --- | --- | --- |"
    reasons = Counter(one.comparison["why"] for one in done if one.comparison["why"])
    for reason, number in reasons.most_common():
        details = Counter(one.comparison["detail"] for one in done if one.comparison["why"] == reason)
        yield f"| {reason} | {number} | {'; '.join(text for text, _ in details.most_common(4) if text)[:90]} |"
    yield "\n| difference | pairs |\n| --- | --- |"
    kinds = Counter(kind for one in done for kind in one.comparison["counts"])
    yield from (f"| {kind} | {number} |" for kind, number in kinds.most_common())
    yield f"\n{len(done) / max(wall, 1e-9):.1f} pairs/s by the clock; CPU seconds per pair:\n"
    yield "| mean | median | 90 % below | largest | pairs/s on two free cores |\n| --- | --- | --- | --- | --- |"
    cpu = sorted(one.cpu for one in done) or [0.0]
    mean = sum(cpu) / len(cpu)
    shown = (mean, cpu[len(cpu) // 2], cpu[len(cpu) * 9 // 10], cpu[-1])
    yield f"| {' | '.join(f'{one:.3f}' for one in shown)} | {2 / max(mean, 1 / _TICKS):.1f} |"


def read_output(path: Path) -> dict[int, dict[str, Any]]:
    """What an earlier run wrote with ``--output``, by pair."""
    return {one["pair"]: one for one in map(json.loads, path.read_text().splitlines())}


def compared(before: dict[int, dict[str, Any]], done: Sequence[Executed]) -> Iterator[str]:
    """The pairs that both runs have: CPU seconds before and after, and verdicts that changed, as Markdown."""
    both = [(before[one.pair], one) for one in done if one.pair in before]
    if not both:
        yield "\nNo pair is in both runs."
        return
    earlier, later = (sum(cpu) / len(both) for cpu in ([old["cpu"] for old, _ in both], [new.cpu for _, new in both]))
    yield "\n| pairs in both | CPU seconds per pair, before | after | ratio |\n| --- | --- | --- | --- |"
    yield f"| {len(both)} | {earlier:.3f} | {later:.3f} | {later / max(earlier, 1e-9):.2f} |"
    changed = [(old, new) for old, new in both if _said(old) != _said(new.comparison)]
    yield f"\n{len(both) - len(changed)} of {len(both)} pairs have the same verdict and the same reason."
    if changed:
        yield "\n| pair | before | after |\n| --- | --- | --- |"
    yield from (f"| {new.pair} | {_said(old)} | {_said(new.comparison)} |" for old, new in changed)


def _said(comparison: dict[str, Any]) -> str:
    """A verdict; if there is none, why."""
    reason = comparison["why"]
    return f"{comparison['verdict']}: {reason}" if reason else str(comparison["verdict"])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("benchmark", type=Path)
    parser.add_argument("--language", action="append", default=[], help="both fragments in one of these languages")
    parser.add_argument("--across", action="store_true", help="only pairs of two languages")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=SearchBudget.runs)
    parser.add_argument("--seconds", type=float, default=SearchBudget.seconds)
    parser.add_argument("--prove", type=float, default=0.0, help="seconds for provers where no difference was found")
    parser.add_argument("--workers", type=int, default=default_workers(), help="default: one more than cores")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--before", type=Path, help="what an earlier version wrote with --output")
    arguments = parser.parse_args()
    rows = read_pairs(arguments.benchmark, arguments.language, arguments.seed, arguments.across)
    rows = rows[arguments.offset :][: arguments.limit]
    budget = SearchBudget(
        runs=arguments.runs, seconds=arguments.seconds, seed=arguments.seed, proof_seconds=arguments.prove
    )
    started, done = time.monotonic(), []
    for one in execute(rows, budget, arguments.workers):
        done.append(one)
        if arguments.output:
            with arguments.output.open("a") as file:
                file.write(json.dumps({"pair": one.pair, "label": one.label, "cpu": one.cpu, **one.comparison}) + "\n")
    wall = time.monotonic() - started
    print(f"{arguments.benchmark.name}, seed {arguments.seed}, from pair {arguments.offset} ({machine()})\n")
    print("\n".join(report(done, wall)))
    if arguments.before:
        print("\n".join(compared(read_output(arguments.before), done)))


if __name__ == "__main__":
    main()
