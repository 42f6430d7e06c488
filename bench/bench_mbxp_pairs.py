"""MBXP across languages: ``python -m bench.bench_mbxp_pairs FOLDER --language python --language javascript``.

Runs the canonical solutions of a task in two languages with the inputs of the task's tests, then with generated ones,
and prints how many pairs are decided, what was found, and why the rest is undecided. Go has no canonical solutions in
the data: there, the model's sample stands for it. ``--seed`` decides which pairs
``--limit`` takes; ``--passing`` takes only solutions that pass their own tests, because many that are called canonical
do not even parse; ``--output FILE`` writes each comparison as a line of JSON, for reading witnesses.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import time
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from bench.bench_execution import Executed, cpu_below, report
from bench.measurement import machine
from clonetruth.execution import CallInput, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.brought_tests import BroughtTest, run_brought_test
from clonetruth.execution.harness import ProgramRunner
from clonetruth.execution.literal_calls import read_calls
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.sources.mbxp import SOURCE
from clonetruth.sources.source import ImportLog


@dataclass(frozen=True)
class CrossPair:
    """Two solutions of a task, with the inputs of its tests and the programs that test them."""

    number: int
    left: Code
    right: Code
    inputs: tuple[CallInput, ...]
    tests: tuple[BroughtTest, ...]


def read_cross_pairs(folder: Path, languages: list[str], seed: int, limit: int | None) -> list[CrossPair]:
    """Pairs of canonical solutions in two of the languages, in the order that the seed decides; `limit` of each two
    languages."""
    dataset = SOURCE.read([folder], {}, ImportLog())
    tests = list(dataset.tests)
    inputs = {one.functionality: tuple(call for call, _ in read_calls(one.calls)) for one in tests if one.calls}
    solutions: dict[str, dict[str, Code]] = {}
    fragments = [one for one in dataset.fragments if one.language in languages]
    written = {one.language for one in fragments if one.id.endswith("/canonical")}
    for one in fragments:
        if one.id.endswith("/canonical" if one.language in written else "/sample-1"):
            task = f"MBXP/{one.id.split('/')[1]}"
            solutions.setdefault(task, {})[one.language] = Code(one.text or "", one.language, one.name)
    programs = {(one.functionality, one.language): BroughtTest(one.before or "", one.after or "") for one in tests}
    tasks = sorted(solutions, key=lambda task: hashlib.md5(f"{task} {seed}".encode()).hexdigest())
    pairs: list[CrossPair] = []
    for first, second in combinations(languages, 2):
        both = [task for task in tasks if {first, second} <= solutions[task].keys()][:limit]
        pairs += [
            CrossPair(
                len(pairs) + at,
                solutions[task][first],
                solutions[task][second],
                inputs.get(task, ()),
                tuple(programs[task, one] for one in (first, second)),
            )
            for at, task in enumerate(both)
        ]
    return pairs


@dataclass(frozen=True)
class CrossWorker:
    """The sandboxes of a process, and what it does."""

    harnesses: Harnesses
    runner: ProgramRunner
    budget: SearchBudget
    passing: bool


_worker: list[CrossWorker] = []


def start_worker(budget: SearchBudget, passing: bool) -> None:
    """In a new process: the sandboxes that all its pairs use."""
    _worker.append(CrossWorker(Harnesses(Bubblewrap()), ProgramRunner(Bubblewrap()), budget, passing))


def run_pair(pair: CrossPair) -> tuple[CrossPair, Executed | None]:
    """Run one pair in this process's sandboxes; None if a side does not pass its own tests and should."""
    harnesses, budget = _worker[0].harnesses, _worker[0].budget
    if _worker[0].passing and not all(
        run_brought_test(code.text, test, code.language, _worker[0].runner).passed
        for code, test in zip((pair.left, pair.right), pair.tests, strict=True)
    ):
        return pair, None
    started, before = time.monotonic(), cpu_below()
    found = compare_behaviour(pair.left, pair.right, harnesses, budget=budget, inputs=pair.inputs)
    cpu = cpu_below().since(before)
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
    parser.add_argument("--passing", action="store_true", help="only solutions that pass their own tests")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    languages = arguments.language or ["python", "javascript", "typescript"]
    pairs = read_cross_pairs(arguments.folder, languages, arguments.seed, arguments.limit)
    budget = SearchBudget(runs=arguments.runs, seconds=arguments.seconds, seed=arguments.seed)
    started = time.monotonic()
    with multiprocessing.Pool(arguments.workers, start_worker, (budget, arguments.passing)) as pool:
        run = list(pool.imap_unordered(run_pair, pairs))
    done = [(pair, one) for pair, one in run if one is not None]
    wall = time.monotonic() - started
    print(f"MBXP across languages, seed {arguments.seed} ({machine()})")
    for first, second in combinations(languages, 2):
        mine = [one for pair, one in done if (pair.left.language, pair.right.language) == (first, second)]
        taken = sum((pair.left.language, pair.right.language) == (first, second) for pair in pairs)
        print(f"\n{first} and {second}: {len(mine)} of {taken} pairs\n")
        print("\n".join(report(mine, wall * len(mine) / max(len(done), 1))))
    if arguments.output:
        with arguments.output.open("w") as file:
            for pair, one in done:
                texts = {"left_text": pair.left.text, "right_text": pair.right.text}
                file.write(json.dumps({"pair": one.pair, **texts, **one.comparison}) + "\n")


if __name__ == "__main__":
    main()
