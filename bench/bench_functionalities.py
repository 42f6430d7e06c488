"""Recovering functionalities at CodeXGLUE's size: ``python -m bench.bench_functionalities [FRAGMENTS [PAIRS]]``.

A synthetic benchmark of 9,126 Java functions and 1.7 million labelled pairs (see `bench.bench_views`), in which every
tenth membership is known. Prints the time of each step, and the share of memberships that is recovered correctly.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.bench_views import make_benchmark
from bench.measurement import Measured, machine, measure, peak_memory
from clonetruth.build.functionalities.holdout_check import run_holdout
from clonetruth.build.functionalities.inference import best_functionalities, infer
from clonetruth.build.functionalities.joined_data import join
from clonetruth.build.functionalities.known_labels import benchmark_labels
from clonetruth.progress import no_progress

FRAGMENTS = 9_126
PAIRS = 1_731_860
KNOWN = 10
FOLDS = 5


def show(step: str, measured: Measured[Any]) -> None:
    """Print a line."""
    print(f"{step}: {measured.wall:.1f} s, {measured.cpu:.1f} CPU s", flush=True)


def main() -> None:
    """Generate, recover, print."""
    fragments = int(sys.argv[1]) if len(sys.argv) > 1 else FRAGMENTS
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else PAIRS
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        benchmark = make_benchmark(Path(name, "benchmark"), fragments, pairs)
        read = measure(lambda: benchmark_labels(benchmark))
        show("read pairs and members", read)
        truth = np.array([int(one.functionality[1:]) for one in read.result.members])
        known = replace(read.result, members=read.result.members[::KNOWN])
        joined = measure(lambda: join(known, [], no_progress))
        show("compare texts", joined)
        data = joined.result
        graph = data.graph
        print(f"  {len(graph.positive):,} positive, {len(graph.negative):,} negative pairs, {len(graph.twins):,} twins")
        inferred = measure(lambda: infer(graph, data.known, data.denied))
        show("infer once", inferred)
        show(f"measure by {FOLDS} folds", measure(lambda: run_holdout(data, data.chains, FOLDS, 0, no_progress)))
        unknown = np.flatnonzero(~data.known.any(axis=0))
        rows, lead = best_functionalities(inferred.result, unknown)
        names = np.array([int(one.id[1:]) for one in data.functionalities])
        right = names[rows[lead > 0]] == truth[unknown[lead > 0]]
        print(f"{(lead > 0).mean():.1%} of {len(unknown):,} recovered, {right.mean():.1%} of them right")
        print(f"{peak_memory():.2f} GB")


if __name__ == "__main__":
    main()
