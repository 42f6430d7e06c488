"""Texts that are the same, or nearly so, by the definitions of the audit (CT503, CT504), and the chains they form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from clonetruth.code import Bags, OverlapGroups, overlap_groups, words
from clonetruth.store import Benchmark
from clonetruth.truth.audit.context import Progress
from clonetruth.truth.audit.registry import thresholds
from clonetruth.truth.audit.texts import digest, known_language
from clonetruth.truth.views.balance import Integers

_BATCH = 1024


@dataclass(frozen=True, eq=False)
class Twins:
    """The texts of a benchmark, compared.

    Attributes:
        digests: a number for each fragment, the same for texts that are the same up to white space; 0 for no text.
        bags: the words of each fragment.
        near: the fragments whose words overlap as near duplicates do.
    """

    digests: Integers
    bags: Bags
    near: OverlapGroups

    @cached_property
    def same(self) -> Integers:
        """For each fragment the first one with its text up to white space; itself where it has none."""
        _, first, inverse = np.unique(self.digests, return_index=True, return_inverse=True)
        return np.where(self.digests == 0, np.arange(len(self.digests)), first[inverse])

    @cached_property
    def components(self) -> Integers:
        """For each fragment the first one of its chain: texts that are the same, or nearly so, one after another."""
        everyone = np.arange(len(self.digests), dtype=np.int64)
        bag = np.where(self.near.bag < 0, everyone, self.near.bag)
        pairs = self.near.pairs
        return connected(
            len(everyone),
            np.concatenate([everyone, everyone, pairs.left]),
            np.concatenate([self.same, bag, pairs.right]),
        )

    @property
    def facts(self) -> pa.Table:
        """The digests as the audit reads them: a row for each fragment with a text."""
        there = np.flatnonzero(self.digests)
        return pa.table({"fragment": there, "digest": self.digests[there]})


def read_twins(benchmark: Benchmark, progress: Progress) -> Twins:
    """Read all texts once, and compare them."""
    total = benchmark.counts["fragments"]
    digests = np.zeros(total, dtype=np.int64)

    def sequences() -> Iterator[list[bytes]]:
        (path,) = benchmark.parquet("fragments")
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(_BATCH, columns=["fragment", "language", "text"]):
                for key, name, text in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    if text and not text.isspace():
                        digests[key] = digest(text)
                    yield words(text, known_language(name))
                progress("Reading words", batch.num_rows, total)

    bags = Bags.of(sequences())
    numbers = thresholds()
    near = overlap_groups(
        bags,
        numbers["near-duplicate-overlap"],
        minimum=int(numbers["near-duplicate-words"]),
        progress=lambda done, of: progress("Comparing fragments", done, of),
    )
    return Twins(digests, bags, near)


def connected(count: int, left: Integers, right: Integers) -> Integers:
    """The connected components of a graph: for each node the smallest node that it is connected with."""
    root = np.arange(count, dtype=np.int64)
    while True:
        least = np.minimum(root[left], root[right])
        before = root.copy()
        np.minimum.at(root, root[left], least)
        np.minimum.at(root, root[right], least)
        while not np.array_equal(root, root[root]):
            root = root[root]
        if np.array_equal(root, before):
            return root
