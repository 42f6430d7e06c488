"""MBXP across languages: ``python -m bench.bench_mbxp_pairs FOLDER --language python --language javascript [--limit 60]``.

Runs the canonical solutions of a task in two languages with the inputs of the task's tests, then with generated ones,
and prints how many pairs are decided, what was found, and why the rest is undecided. ``--seed`` decides which pairs
``--limit`` takes; ``--output FILE`` writes each comparison as a line of JSON, for reading witnesses.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import time
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from bench.bench_execution import Executed, cpu_below, report
from bench.measurement import machine
from clonetruth.execution import CallInput, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.literal_calls import read_calls
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.sources.mbxp import SOURCE
from clonetruth.sources.source import ImportLog


@dataclass(frozen=True)
class CrossPair:
    """Two solutions of a task, with the inputs of its tests."""

    number: int
    left: Code
    right: Code
    inputs: tuple[CallInput, ...]


def read_cross_pairs(folder: Path, languages: list[str], seed: int, limit: int | None) -> list[CrossPair]:
    """Pairs of canonical solutions in two of the languages, in the order that the seed decides; `limit` of each two
    languages."""
    dataset = SOURCE.read([folder], {}, ImportLog())
    inputs = {
        one.functionality: tuple(call for call, _ in read_calls(one.calls)) for one in dataset.tests if one.calls
    }
    solutions: dict[str, dict[str, Code]] = {}
    for one in dataset.fragments:
        if one.id.endswith("/canonical") and one.language in languages:
            task = f"MBXP/{one.id.split('/')[1]}"
            solutions.setdefault(task, {})[one.language] = Code(one.text or "", one.language, one.name)
    tasks = sorted(solutions, key=lambda task: hashlib.md5(f"{task} {seed}".encode()).hexdigest())
    pairs: list[CrossPair] = []
    for first, second in combinations(languages, 2):
        both = [task for task in tasks if {first, second} <= solutions[task].keys()][:limit]
        pairs += [
            CrossPair(len(pairs) + at, solutions[task][first], solutions[task][second], inputs.get(task, ()))
            for at, task in enumerate(both)
        ]
    return pairs


_worker: list[tuple[Harnesses, SearchBudget]] = []


def start_worker(budget: SearchBudget) -> None:
    """In a new process: the sandboxes that all its pairs use."""
    _worker.append((Harnesses(Bubblewrap()), budget))


def run_pair(pair: CrossPair) -> tuple[CrossPair, Executed]:
    """Run one pair in this process's sandboxes."""
    harnesses, budget = _worker[0]
    started, before = time.monotonic(), cpu_below(os.getpid())
    found = compare_behaviour(pair.left, pair.right, harnesses, budget=budget, inputs=pair.inputs)
    cpu = max(0.0, cpu_below(os.getpid()) - before)
    return pair, Executed(pair.number, "clone", found.to_dict(), time.monotonic() - started, cpu)


def main() -> None:
    """Print a table for each two languages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", action="append", default=[])
    parser.add_argument("--limit", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    languages = arguments.language or ["python", "javascript", "typescript"]
    pairs = read_cross_pairs(arguments.folder, languages, arguments.seed, arguments.limit)
    budget = SearchBudget(runs=arguments.runs, seconds=arguments.seconds, seed=arguments.seed)
    started = time.monotonic()
    with multiprocessing.Pool(arguments.workers, start_worker, (budget,)) as pool:
        done = list(pool.imap_unordered(run_pair, pairs))
    wall = time.monotonic() - started
    print(f"MBXP across languages, seed {arguments.seed} ({machine()})")
    for first, second in combinations(languages, 2):
        mine = [one for pair, one in done if (pair.left.language, pair.right.language) == (first, second)]
        print(f"\n{first} and {second}\n")
        print("\n".join(report(mine, wall * len(mine) / max(len(done), 1))))
    if arguments.output:
        with arguments.output.open("w") as file:
            for pair, one in done:
                texts = {"left_text": pair.left.text, "right_text": pair.right.text}
                file.write(json.dumps({"pair": one.pair, **texts, **one.comparison}) + "\n")


if __name__ == "__main__":
    main()
