"""How fast `semantic` is: `python -m bench.bench_semantic FOLDER… [--functions N]` reads functions of source trees.

Prints functions a second (views, and views with the comparison with the cohort), pairs a second, and what a search for
the nearest functions of all takes, of one core in CPU seconds. `OMP_NUM_THREADS=1` keeps other cores out.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from bench.train_semantic import source_texts
from clonetruth.code.canonical import ViewCounts, read_views
from clonetruth.detectors.semantic import SEMANTIC, SemanticFragments, shipped_model
from clonetruth.progress import no_progress

PAIRS = 200_000


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--functions", type=int, default=3_000)
    given = parser.parse_args()
    found = [(name, text) for one in given.folders for name, kind, text in source_texts(one) if kind == "function"]
    names, texts = (list(column) for column in zip(*found[: given.functions], strict=True))
    list(read_views(texts[:50], names[:50]))  # load the grammars
    start = time.process_time()
    counts = ViewCounts.joined(list(read_views(texts, names)))
    read = time.process_time()
    background, model = shipped_model().background, shipped_model().model
    ready = time.process_time()
    own = SemanticFragments.of(counts, names, background)
    compared = time.process_time()
    left, right = np.random.default_rng(0).integers(0, len(own), (2, PAIRS))
    paired = time.process_time()
    model.probabilities(*own.similarities(left, right, model.used))
    end = time.process_time()
    comparison = SEMANTIC.compare([(name.encode(), text.encode()) for name, text in zip(names, texts, strict=True)])
    search = time.process_time()
    matches = sum(len(one) for one in comparison.matches(0.9, no_progress))
    searched = time.process_time()
    lines = sum(text.count("\n") + 1 for text in texts) / len(texts)
    print(f"{len(texts):,} functions of {lines:.1f} lines on average")
    print(f"views: {len(texts) / (read - start):,.0f} functions a second")
    print(f"views and cohort: {len(texts) / (read - start + compared - ready):,.0f} functions a second")
    print(f"pairs: {PAIRS / (end - paired):,.0f} a second, {int(model.used.sum())} views with weight")
    print(f"search and scores of candidates: {searched - search:.1f} s, {matches:,} pairs from 0.9")


if __name__ == "__main__":
    main()
