"""Memory and time of an embedder on as many pairs as BigCloneBench has: ``python -m bench.bench_embedding_memory``.

60,000 fragments with vectors of 768 numbers (as those of CodeBERT) and 8.6 million pairs are scored as an evaluation
does it, sealed and in batches, and nearest neighbours are searched. The vectors are random: what is measured does not
depend on their values. ``--exact`` compares all fragments with all instead of using the index.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from bench.measurement import machine, measure, peak_memory
from clonetruth.detectors import score_sealed
from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.detectors.embedding import EmbeddedTexts, EmbeddingDetector

TOKENS = 120


@dataclass(frozen=True)
class RandomVectors:
    """Vectors that depend on the text by a hash only."""

    width: int
    name: str = "random"
    description: str = "Random vectors."
    digest: str = "0" * 64
    limit: int | None = None

    def embed(self, texts: Sequence[str]) -> Iterator[EmbeddedTexts]:
        """See `Embedder`."""
        for text in texts:
            random = np.random.default_rng(int(text.split()[-1]))
            yield EmbeddedTexts(random.normal(size=(1, self.width)).astype(np.float32), np.array([TOKENS]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--fragments", type=int, default=60_000)
    parser.add_argument("--pairs", type=int, default=8_600_000)
    parser.add_argument("--width", type=int, default=768)
    parser.add_argument("--exact", action="store_true")
    given = parser.parse_args()
    texts = [("word " * TOKENS) + str(number) for number in range(given.fragments)]
    fragments = pa.table([np.arange(len(texts)), ["java"] * len(texts), texts], schema=FRAGMENTS)
    random = np.random.default_rng(0)
    left, right = (random.integers(len(texts), size=given.pairs) for _ in range(2))
    print(f"{machine()}: {given.fragments:,} fragments, {given.width} numbers each, {given.pairs:,} pairs")
    print(f"before: {peak_memory():.2f} GB")
    with tempfile.TemporaryDirectory() as cache:
        detector = EmbeddingDetector(RandomVectors(given.width), cache=Path(cache))
        made = measure(lambda: len(detector.embedded(fragments)))
        print(f"vectors made and stored: {made.cpu:.0f} CPU s, peak {peak_memory():.2f} GB")
        scored = measure(lambda: len(score_sealed(detector, fragments, left, right).values))
        print(f"{scored.result:,} pairs scored: {scored.cpu:.0f} CPU s, peak {peak_memory():.2f} GB")
        found = measure(lambda: len(detector.nearest(fragments, 10, exact=True if given.exact else None)[0]))
        print(f"{found.result:,} candidates by nearest neighbours: {found.cpu:.0f} CPU s, peak {peak_memory():.2f} GB")


if __name__ == "__main__":
    main()
