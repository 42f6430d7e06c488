"""Pairs of a benchmark, executed: ``python -m bench.bench_execution BENCHMARK [--language python] [--limit 300]``.

Runs both fragments of each pair with the same inputs in the sandbox and prints the funnel (pairs, executed, decided,
agreement with the label), why pairs are undecided, and the cost: pairs per second, and CPU seconds per pair including
everything that ran in the sandbox. BENCHMARK is a folder that `clonetruth import` made. ``--limit`` and ``--offset``
take a part of the pairs in an order that `--seed` decides, so that the rest stays unseen; ``--output FILE`` writes each
comparison as a line of JSON, for reading witnesses.
"""

from __future__ import annotations

import argparse
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


def read_pairs(path: Path, languages: Sequence[str], seed: int) -> list[dict[str, Any]]:
    """The pairs of a benchmark in the order that the seed decides; both fragments in one of the languages."""
    rows = Benchmark.open(path).sql(_PAIRS).to_pylist()
    wanted = [
        row
        for row in rows
        if not languages or (row["left_language"] in languages and row["right_language"] in languages)
    ]
    return sorted(wanted, key=lambda row: hashlib.md5(f"{row['pair']} {seed}".encode()).hexdigest())


class Worker:
    """Runs pairs in one process with its own sandbox."""

    harnesses: Harnesses

    def __init__(self, budget: SearchBudget) -> None:
        self.budget, self.harnesses = budget, Harnesses(Bubblewrap())

    def run(self, row: dict[str, Any]) -> Executed:
        """Run one pair; CPU seconds of the sandbox are those of all processes below this one."""
        started, before = time.monotonic(), cpu_below(os.getpid())
        left = Code(row["left_text"], row["left_language"])
        right = Code(row["right_text"], row["right_language"])
        found = compare_behaviour(left, right, self.harnesses, budget=self.budget)
        # A sandbox that ended within the pair takes its CPU seconds with it.
        cpu = max(0.0, cpu_below(os.getpid()) - before)
        return Executed(row["pair"], row["label"], found.to_dict(), time.monotonic() - started, cpu)


def cpu_below(process: int) -> float:
    """CPU seconds of a process and of all its descendants, finished ones included."""
    children: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                fields = (path / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(path.name))
            used[int(path.name)] = sum(map(int, fields[11:15])) / _TICKS
    waiting, total = [process], 0.0
    while waiting:
        one = waiting.pop()
        total += used.get(one, 0.0)
        waiting += children.get(one, [])
    return total


_worker: list[Worker] = []


def start_worker(budget: SearchBudget) -> None:
    """In a new process: the sandbox that all its pairs use."""
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
    cpu = sum(one.cpu for one in done)
    slowest = sorted(one.seconds for one in done)[len(done) // 2] if done else 0.0
    yield f"\n{len(done) / wall:.1f} pairs/s, {cpu / count * 1000:.0f} ms CPU per pair, median {slowest * 1000:.0f} ms"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("benchmark", type=Path)
    parser.add_argument("--language", action="append", default=[], help="both fragments in one of these languages")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=SearchBudget.runs)
    parser.add_argument("--seconds", type=float, default=SearchBudget.seconds)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    rows = read_pairs(arguments.benchmark, arguments.language, arguments.seed)
    rows = rows[arguments.offset :][: arguments.limit]
    budget = SearchBudget(runs=arguments.runs, seconds=arguments.seconds, seed=arguments.seed)
    started, done = time.monotonic(), []
    for one in execute(rows, budget, arguments.workers):
        done.append(one)
        if arguments.output:
            with arguments.output.open("a") as file:
                file.write(json.dumps({"pair": one.pair, "label": one.label, "cpu": one.cpu, **one.comparison}) + "\n")
    wall = time.monotonic() - started
    print(f"{arguments.benchmark.name}, seed {arguments.seed}, from pair {arguments.offset} ({machine()})\n")
    print("\n".join(report(done, wall)))


if __name__ == "__main__":
    main()
