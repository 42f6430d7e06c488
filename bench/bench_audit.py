"""The audit at full size: ``python -m bench.bench_audit [PAIRS [FRAGMENTS]]``.

First, all rules that need no texts, on a synthetic BigCloneBench (see `bench.bench_import`; 8.6 million pairs, 73,319
functions), rule by rule. Then the search for near duplicates among 100,000 synthetic functions, from text to pairs, and
among a half and a quarter of them, to show its growth.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from bench.bench_import import Sizes, write_export
from bench.measurement import machine, measure, peak_memory
from clonetruth.audit import RULES, Need, audit_benchmark
from clonetruth.code import Bags, OverlapGroups, language, overlap_groups, words
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark

FRAGMENTS = 100_000
OVERLAP = 0.8


def synthetic_functions(count: int, seed: int = 1) -> list[str]:
    """Java functions with Zipf-distributed words; a fifth are copies with a tenth of the words changed."""
    random = np.random.default_rng(seed)
    vocabulary = np.array([f"name{number}" for number in range(200_000)])
    sizes = np.clip(random.lognormal(4.2, 0.8, count), 8, 2000).astype(int)
    texts: list[list[str]] = []
    for number, size in enumerate(sizes.tolist()):
        if number and random.random() < 0.2:
            chosen = list(texts[int(random.integers(number))])
            changed = random.integers(0, len(chosen), max(len(chosen) // 10, 1))
        else:
            chosen = vocabulary[np.minimum(random.zipf(1.25, size) - 1, len(vocabulary) - 1)].tolist()
            changed = np.empty(0, int)
        for at in changed.tolist():
            chosen[at] = f"other{int(random.integers(1000))}"
        texts.append(chosen)
    return [f"void f() {{ {'; '.join(chosen)}; }}" for chosen in texts]


def near_duplicates(texts: list[str]) -> OverlapGroups:
    """From texts to pairs, as in the audit."""
    java = language("java")
    return overlap_groups(Bags.of(words(text, java) for text in texts), OVERLAP, minimum=10)


def main() -> None:
    """Generate, audit, print."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else Sizes().clones
    fragments = int(sys.argv[2]) if len(sys.argv) > 2 else FRAGMENTS
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        export = Path(name, "export")
        export.mkdir()
        write_export(export, "parquet", Sizes(clones=pairs))
        import_dataset("bigclonebench", [export], output=Path(name, "benchmark"))
        benchmark = Benchmark.open(Path(name, "benchmark"))
        measured = measure(lambda: audit_benchmark(benchmark))
        report = measured.result
        counts = benchmark.counts
        print(
            f"{len(report.rules)} rules on {counts['pairs']:,} pairs of {counts['fragments']:,} fragments: "
            f"{measured.wall:.1f} s, {measured.cpu:.1f} CPU s, {peak_memory():.2f} GB peak, "
            f"{len(report.findings)} findings"
        )
        for code, seconds in sorted(report.seconds.items(), key=lambda item: -item[1])[:8]:
            print(f"  {code} {RULES[code].name}: {seconds:.1f} s")
        unread = [one.code for one in report.not_run if Need.TEXTS in RULES[one.code].needs]
        print(f"  not run without texts: {len(unread)} rules")
    for count in (fragments // 4, fragments // 2, fragments):
        texts = synthetic_functions(count)
        found = measure(partial(near_duplicates, texts))
        print(
            f"near duplicates among {count:,} functions: {found.wall:.1f} s, {found.cpu:.1f} CPU s, "
            f"{len(found.result.pairs):,} pairs"
        )


if __name__ == "__main__":
    main()
