"""How fast `semantic` is: `python -m bench.bench_semantic FOLDER… [--functions N]` reads functions of source trees.

Prints functions a second (views, and views with the comparison with the cohort), pairs a second, and what it takes to
index all functions and to search the nearest ones of each, in CPU seconds of one core. `OMP_NUM_THREADS=1` keeps other
cores out. Functions are drawn by hash, so that all languages and folders are among them; texts that repeat count once.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.train_semantic import LINES
from clonetruth.code import LANGUAGES, extract, language, language_of_path, read_source
from clonetruth.code.canonical import ViewCounts, read_views
from clonetruth.detectors.semantic import SEMANTIC, SemanticFragments, shipped_model
from clonetruth.errors import CloneTruthError
from clonetruth.progress import no_progress

PAIRS, SAMPLE = 200_000, 10_000
LARGEST_FILE = 200_000


def functions(folder: Path, most: int) -> Iterator[tuple[str, str]]:
    """Language and text of functions of a folder, file by file in an order that hashes decide."""
    paths = [path for path in folder.rglob("*") if language_of_path(path) is not None and path.is_file()]
    paths.sort(key=lambda path: hashlib.sha256(str(path.relative_to(folder)).encode()).digest())
    seen: set[str] = set()
    for path in paths:
        own = language_of_path(path)
        if own is None or own.name not in LANGUAGES or path.stat().st_size > LARGEST_FILE or len(seen) >= most:
            continue
        try:
            found = extract(read_source(path).text, language(own.name)).functions
        except CloneTruthError:
            continue
        for one in found:
            if one.text.count("\n") in LINES and one.text not in seen:
                seen.add(one.text)
                yield own.name, one.text


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--functions", type=int, default=3_000)
    given = parser.parse_args()
    each = -(-given.functions // len(given.folders))
    drawn = [row for folder in given.folders for row in functions(folder, each)]
    names, texts = (list(column) for column in zip(*drawn[: given.functions], strict=True))
    some = np.random.default_rng(0).permutation(len(texts))[:SAMPLE].tolist()
    some_texts, some_names = [texts[row] for row in some], [names[row] for row in some]
    list(read_views(texts[:50], names[:50]))  # load the grammars
    start = time.process_time()
    counts = ViewCounts.joined(list(read_views(some_texts, some_names)))
    read = time.process_time()
    background, model = shipped_model().background, shipped_model().model
    ready = time.process_time()
    own = SemanticFragments.of(counts, some_names, background)
    compared = time.process_time()
    left, right = np.random.default_rng(0).integers(0, len(own), (2, PAIRS))
    paired = time.process_time()
    model.probabilities(*own.similarities(left, right, model.used))
    end = time.process_time()
    del own, counts
    begun = time.process_time()
    comparison = SEMANTIC.compare([(name.encode(), text.encode()) for name, text in zip(names, texts, strict=True)])
    search = time.process_time()
    matches = sum(len(one) for one in comparison.matches(0.9, no_progress))
    matched = time.process_time()
    lines = sum(text.count("\n") + 1 for text in texts) / len(texts)
    print(f"{len(texts):,} functions of {lines:.1f} lines on average: {dict(Counter(names).most_common())}")
    print(f"views: {len(some) / (read - start):,.0f} functions a second")
    print(f"views and cohort: {len(some) / (read - start + compared - ready):,.0f} functions a second")
    print(f"pairs: {PAIRS / (end - paired):,.0f} a second, {int(model.used.sum())} views with weight")
    print(f"all {len(texts):,}: indexed in {search - begun:.0f} s, searched and scored in {matched - search:.0f} s;")
    print(f"  {matches:,} pairs from 0.9; {matched - begun:.0f} s together")
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB at most")


if __name__ == "__main__":
    main()
