"""How fast `semantic` is: `python -m bench.bench_semantic FOLDER…` reads the functions of source trees.

Prints functions a second (views, and views with the comparison with the cohort), and pairs a second, of one core in CPU
seconds.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from bench.train_semantic import source_texts
from clonetruth.code.canonical import ViewCounts, read_views
from clonetruth.detectors.semantic import SemanticFragments, shipped_model

FUNCTIONS, PAIRS = 3_000, 200_000


def main(folders: list[Path]) -> None:
    """Measure."""
    found = [(name, text) for folder in folders for name, kind, text in source_texts(folder) if kind == "function"]
    names, texts = (list(column) for column in zip(*found[:FUNCTIONS], strict=True))
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
    model.probabilities(*own.similarities(left, right))
    end = time.process_time()
    lines = sum(text.count("\n") + 1 for text in texts) / len(texts)
    print(f"{len(texts):,} functions of {lines:.1f} lines on average")
    print(f"views: {len(texts) / (read - start):,.0f} functions a second")
    print(f"views and cohort: {len(texts) / (read - start + compared - ready):,.0f} functions a second")
    print(f"pairs: {PAIRS / (end - paired):,.0f} a second")


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:]])
