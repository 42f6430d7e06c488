"""Views at full size: ``python -m bench.bench_views [FRAGMENTS [PAIRS]]``.

A synthetic benchmark of 100,000 Java functions (see `bench.bench_audit`), 60 functionalities of unequal sizes, 5,000
projects and 10 million labelled pairs. The verdicts are materialised first, as for any other command. Every view runs
in a separate process, including near duplicates and the leakage rules. Prints time and peak memory.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from bench.bench_audit import synthetic_functions
from bench.measurement import machine, measure, peak_memory
from clonetruth.model import Card, Fragment, Functionality, Judge, JudgeKind, Membership, Role
from clonetruth.splits import SplitSpec, create_split
from clonetruth.store import Benchmark, BenchmarkWriter
from clonetruth.verdicts import judge_verdicts

FRAGMENTS = 100_000
PAIRS = 10_000_000
FUNCTIONALITIES = 60
PROJECTS = 5_000
CRITERION = "shares-functionality"
CASES = (
    ("random", None),
    ("cross-project", None),
    ("cross-functionality", None),
    ("cross-functionality", "li2023"),
    ("cross-all", None),
)
_BATCH = 500_000


def make_benchmark(folder: Path, fragments: int, pairs: int, seed: int = 1) -> Benchmark:
    """Write the benchmark: half of the pairs within functionalities (clones), half anywhere."""
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, FUNCTIONALITIES + 1) ** 0.7
    group = np.sort(random.choice(FUNCTIONALITIES, fragments, p=weights / weights.sum()))
    project = random.integers(0, PROJECTS, fragments)
    starts = np.searchsorted(group, np.arange(FUNCTIONALITIES))
    sizes = np.bincount(group, minlength=FUNCTIONALITIES)
    texts = synthetic_functions(fragments)
    card = Card("views", "1", "Synthetic.", "MIT", "Nobody", CRITERION, ("java",))
    with BenchmarkWriter(folder, card) as writer:
        writer.add(
            "fragments", (Fragment(f"f{at}", "java", text, project=f"p{project[at]}") for at, text in enumerate(texts))
        )
        writer.add("functionalities", (Functionality(f"u{at}", f"u{at}") for at in range(FUNCTIONALITIES)))
        writer.add("memberships", (Membership(f"f{at}", f"u{group[at]}", Role.TAGGED_TRUE) for at in range(fragments)))

        def rows() -> Iterator[tuple[pa.Array, pa.Array, pa.Array]]:
            names = pa.array([f"f{at}" for at in range(fragments)])
            chosen = np.random.default_rng(seed + 1)
            for begin in range(0, pairs, _BATCH):
                count = min(_BATCH, pairs - begin)
                left = chosen.integers(0, fragments, count)
                near = starts[group[left]] + chosen.integers(0, sizes[group[left]])
                right = np.where(chosen.random(count) < 0.5, near, chosen.integers(0, fragments, count))
                labels = np.where(group[left] == group[right], "clone", "not-clone").tolist()
                yield names.take(pa.array(left)), names.take(pa.array(right)), pa.array(labels)

        writer.add("pairs", (pa.record_batch({"left": one, "right": other}) for one, other, _ in rows()))
        writer.add("judges", [Judge("rule", JudgeKind.RULE, "The rule")])
        numbers = iter(range(0, pairs, _BATCH))
        writer.add(
            "judgements",
            (
                pa.record_batch(
                    {
                        "judge": pa.array(["rule"] * len(label)),
                        "criterion": pa.array([CRITERION] * len(label)),
                        "value": label,
                        "pair": pa.array(np.arange(len(label)) + next(numbers)),
                    }
                )
                for _, _, label in rows()
            ),
        )
    return Benchmark.open(folder)


def run(folder: Path, view: str, variant: str | None) -> None:
    """Split once, and print a line."""
    options = SplitSpec(view, variant=variant, policy="origin", both_classes=False, min_pairs=0, min_fragments=0)
    measured = measure(lambda: create_split(Benchmark.open(folder), options))
    made = measured.result
    parts = ", ".join(f"{name} {one.fragments:,}/{one.pairs:,}" for name, one in made.parts.items())
    print(f"{made.name}: {measured.wall:.1f} s, {measured.cpu:.1f} CPU s, {peak_memory():.2f} GB; {parts}", flush=True)


def main() -> None:
    """Generate, split by every view, print."""
    if len(sys.argv) > 1 and sys.argv[1] == "--one":
        run(Path(sys.argv[2]), sys.argv[3], sys.argv[4] if len(sys.argv) > 4 else None)
        return
    fragments = int(sys.argv[1]) if len(sys.argv) > 1 else FRAGMENTS
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else PAIRS
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "benchmark")
        benchmark = make_benchmark(folder, fragments, pairs)
        measured = measure(lambda: judge_verdicts(benchmark, "origin"))
        print(f"verdicts on {pairs:,} pairs: {measured.wall:.1f} s")
        for case in CASES:
            words = ["-m", "bench.bench_views", "--one", str(folder), *(word for word in case if word)]
            subprocess.run([sys.executable, *words], check=True)


if __name__ == "__main__":
    main()
