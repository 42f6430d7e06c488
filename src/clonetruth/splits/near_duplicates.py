"""Texts that are equal, or nearly so, by the definitions of the audit (CT503, CT504), and the chains they form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from clonetruth.arrow_files import parquet_batches
from clonetruth.audit.registry import thresholds
from clonetruth.audit.texts import digest, known_language
from clonetruth.code import Bags, OverlapGroups, available_cores, map_parallel, overlap_groups, words
from clonetruth.progress import Progress
from clonetruth.splits.balance import Integers
from clonetruth.store import Benchmark

_BATCH = 1024
_PARALLEL_FROM = 20_000
"""Below this number of fragments, starting processes takes longer than reading in this one."""


@dataclass(frozen=True, eq=False)
class NearDuplicates:
    """The texts of a benchmark, compared.

    Attributes:
        digests: a number for each fragment, the same for texts that are equal up to white space; 0 for no text.
        bags: the words of each fragment.
        near: the fragments whose words overlap as near duplicates do.
    """

    digests: Integers
    bags: Bags
    near: OverlapGroups

    @cached_property
    def same(self) -> Integers:
        """For each fragment the first one with the same text up to white space; itself where it has no text."""
        _, first, inverse = np.unique(self.digests, return_index=True, return_inverse=True)
        return np.where(self.digests == 0, np.arange(len(self.digests)), first[inverse])

    @cached_property
    def components(self) -> Integers:
        """For each fragment the first one of its chain: texts that are equal, or nearly so, one after another."""
        every_fragment = np.arange(len(self.digests), dtype=np.int64)
        bag = np.where(self.near.bag < 0, every_fragment, self.near.bag)
        pairs = self.near.pairs
        return connected(
            len(every_fragment),
            np.concatenate([every_fragment, every_fragment, pairs.left]),
            np.concatenate([self.same, bag, pairs.right]),
        )

    @property
    def facts(self) -> pa.Table:
        """The digests as the audit reads them: a row for each fragment with a text."""
        with_text = np.flatnonzero(self.digests)
        return pa.table({"fragment": with_text, "digest": self.digests[with_text]})


def read_near_duplicates(benchmark: Benchmark, progress: Progress) -> NearDuplicates:
    """Read all texts of a benchmark once, and compare them."""
    total = benchmark.counts["fragments"]
    digests: list[Integers] = [np.empty(0, dtype=np.int64)]

    def bags() -> Iterator[tuple[Bags, list[object]]]:
        processes = available_cores() if total >= _PARALLEL_FROM else 1
        for part in map_parallel(_read_batch, None, _batches(benchmark), processes):
            digests.append(part.digests)
            yield part.bags, part.words
            progress("Reading words", len(part.digests), total)

    joined = Bags.joined(bags())
    limits = thresholds()
    near = overlap_groups(
        joined,
        limits["near-duplicate-overlap"],
        minimum=int(limits["near-duplicate-words"]),
        progress=lambda done, of: progress("Comparing fragments", done, of),
    )
    return NearDuplicates(np.concatenate(digests), joined, near)


@dataclass(frozen=True, eq=False)
class _Part:
    """What was read of a batch. Words are numbered within the batch, to send less between processes."""

    digests: Integers
    bags: Bags
    words: list[object]


def _batches(benchmark: Benchmark) -> Iterator[list[tuple[str, str]]]:
    """The languages and texts of the fragments, in the order of their keys."""
    (path,) = benchmark.parquet("fragments")
    for batch in parquet_batches(path, _BATCH, ["language", "text"]):
        yield list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def _read_batch(_: None, rows: list[tuple[str, str]]) -> _Part:
    digests = [digest(text) if text and not text.isspace() else 0 for _, text in rows]
    bags, vocabulary = Bags.numbered(words(text, known_language(name)) for name, text in rows)
    return _Part(np.array(digests, dtype=np.int64), bags, vocabulary)


def connected(count: int, left: Integers, right: Integers) -> Integers:
    """The connected components of a graph: for each node the smallest node of its component."""
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
