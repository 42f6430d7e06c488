"""The least that a Python pair costs: ``python -m bench.bench_execution_floor [--pairs 40]``.

Compares small functions of our own that do the same, each pair with other constants, so that nothing is remembered, and
prints CPU milliseconds of the host and of the sandbox per pair, with the number of jobs and calls. What a pair of a
benchmark takes beyond that is because of its code.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from bench.bench_execution import cpu_below
from bench.measurement import machine
from clonetruth.execution import CallInput, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.harness.harness import FragmentRun
from clonetruth.execution.harness.python import PythonHarness
from clonetruth.execution.sandbox import Bubblewrap

_LEFT = "def f{0}(x, y):\n    if x > {0}:\n        return x + y\n    return x - y\n"
_RIGHT = "def f{0}(x, y):\n    if x <= {0}:\n        return x - y\n    return y + x\n"


@dataclass
class JobCounter:
    """Counts what a harness is asked to do."""

    jobs: int = 0
    calls: int = 0

    def watch(self, harness: PythonHarness) -> None:
        """Count from now on."""
        run = harness.run

        def counted(
            code: Code, calls: tuple[CallInput, ...] = (), *, seed: int = 0, coverage: bool = False
        ) -> FragmentRun:
            self.jobs += 1
            self.calls += len(calls)
            return run(code, calls, seed=seed, coverage=coverage)

        vars(harness)["run"] = counted


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=40)
    count: int = parser.parse_args().pairs
    counter = JobCounter()
    with Harnesses(Bubblewrap()) as harnesses:

        def compare(number: int) -> None:
            left, right = Code(_LEFT.format(number), "python"), Code(_RIGHT.format(number), "python")
            compare_behaviour(left, right, harnesses, budget=SearchBudget())

        # The sandboxes start with the first pair.
        compare(count)
        harness = harnesses.get("python")
        assert isinstance(harness, PythonHarness)
        counter.watch(harness)
        before, started = cpu_below(), time.process_time()
        for number in range(count):
            compare(number)
        host, total = time.process_time() - started, cpu_below().since(before)
    print(f"{count} pairs ({machine()})\n")
    print("| CPU ms a pair | host | sandbox | jobs | calls |\n| --- | --- | --- | --- | --- |")
    shown = [1000 * total, 1000 * host, 1000 * (total - host), counter.jobs, counter.calls]
    print(f"| {' | '.join(f'{one / count:.1f}' for one in shown)} |")


if __name__ == "__main__":
    main()
