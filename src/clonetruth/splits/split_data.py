"""What views divide: the fragments of a benchmark with their functionalities, pairs and near duplicates."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.progress import Progress, no_progress
from clonetruth.splits.balance import Integers
from clonetruth.splits.near_duplicates import NearDuplicates, read_near_duplicates
from clonetruth.splits.spec import SplitPlan, SplitSpec
from clonetruth.splits.virtual_pairs import DividedPairs
from clonetruth.store import Benchmark

Flags = npt.NDArray[np.bool_]

ENDS_SQL = """
WITH ends AS (
    SELECT p.left AS fragment, v.verdict AS verdict FROM pairs p JOIN verdicts v ON p.pair = v.pair
    WHERE v.verdict <> 'unknown'
    UNION ALL
    SELECT p.right AS fragment, v.verdict AS verdict FROM pairs p JOIN verdicts v ON p.pair = v.pair
    WHERE v.verdict <> 'unknown'
)
SELECT fragment,
    sum(CASE WHEN verdict = 'clone' THEN 1 ELSE 0 END) AS clones,
    sum(CASE WHEN verdict = 'clone' THEN 0 ELSE 1 END) AS others
FROM ends GROUP BY fragment
"""
"""How many clone pairs, and how many other pairs with a verdict, each fragment is an end of."""

MEMBERS_SQL = """
WITH positive AS (
    SELECT DISTINCT fragment, functionality FROM memberships WHERE role IN ('exemplar', 'tagged-true')
),
placed AS (
    SELECT fragment, functionality FROM positive
    UNION ALL
    SELECT DISTINCT m.fragment AS fragment, m.functionality AS functionality FROM memberships m
    LEFT JOIN (SELECT DISTINCT fragment FROM positive) p ON m.fragment = p.fragment
    WHERE p.fragment IS NULL
)
SELECT q.fragment AS fragment, u.id AS label
FROM placed q JOIN functionalities u ON q.functionality = u.functionality
ORDER BY q.fragment, u.id
"""
"""The functionalities of a fragment: those that it implements, or else those that it was considered for."""


@dataclass(eq=False)
class SplitData:
    """A benchmark as views see it; each property is computed once.

    Args:
        benchmark: the benchmark.
        options: what to split, and how.
        verdicts: the verdict table; None where the benchmark has no pairs.
        virtual: whether the benchmark has no pairs, and they are drawn when they are needed.
        progress: called as the work proceeds.
        attempt: how many earlier draws of this split were refused, since a part was too small or lacked a class.
        warnings: what is wrong with the current draw.
    """

    benchmark: Benchmark
    options: SplitSpec
    verdicts: Path | None
    virtual: bool = False
    progress: Progress = field(default=no_progress)
    attempt: int = 0
    warnings: list[str] = field(default_factory=list)

    def redraw(self, attempt: int) -> None:
        """Start another draw of the split."""
        self.attempt = attempt
        self.warnings.clear()

    @property
    def plan(self) -> SplitPlan:
        """The bins of the requested split."""
        return SplitPlan.of(self.options)

    @cached_property
    def ids(self) -> list[str]:
        """The source's ids, by key."""
        ids: list[str] = self.benchmark.sql("SELECT id FROM fragments ORDER BY fragment")["id"].to_pylist()
        return ids

    def __len__(self) -> int:
        return self.benchmark.counts["fragments"]

    @property
    def has_pairs(self) -> bool:
        """Whether there are pairs with a verdict, stored or virtual."""
        return self.virtual or self.verdicts is not None

    @property
    def pair_count(self) -> int:
        """Number of pairs with a verdict."""
        if not self.virtual:
            return int(self.ends.sum()) // 2
        return sum(DividedPairs.of(self.benchmark, self.options.policy, self.options.criterion).sizes().values())

    @cached_property
    def ends(self) -> Integers:
        """For each fragment the number of clone pairs, and of other pairs with a verdict, that it is an end of."""
        ends = np.zeros((len(self), 2), dtype=np.int64)
        if self.verdicts is not None:
            rows = self.benchmark.sql(ENDS_SQL, verdicts=self.verdicts)
            at = rows["fragment"].to_numpy()
            ends[at, 0] = rows["clones"].to_numpy()
            ends[at, 1] = rows["others"].to_numpy()
        return ends

    @cached_property
    def _all_members(self) -> tuple[Integers, list[str]]:
        return columns(self.benchmark.sql(MEMBERS_SQL))

    @cached_property
    def members(self) -> tuple[Integers, list[str]]:
        """Fragments, and a functionality id for each; a fragment of several functionalities has several rows.

        Functionalities with more or fewer fragments than requested are left out.

        Raises:
            InputError: no functionality has as many fragments as requested.
        """
        fragments, labels = self._all_members
        low, high = self.options.min_functionality_fragments, self.options.max_functionality_fragments
        if low is None and high is None:
            return fragments, labels
        sizes = Counter(labels)
        kept = [at for at, label in enumerate(labels) if (low or 0) <= sizes[label] <= (high or len(labels))]
        if not kept:
            raise InputError(
                f"No functionality of the benchmark stays: all are {self.size_limit}.",
                where=self.benchmark.path,
                hint=f"The sizes of its {len(sizes):,} functionalities are between {min(sizes.values(), default=0):,} "
                f"and {max(sizes.values(), default=0):,} fragments.",
            )
        return fragments[kept], [labels[at] for at in kept]

    @property
    def size_limit(self) -> str:
        """Which functionalities are left out for their size, in words."""
        low, high = self.options.min_functionality_fragments, self.options.max_functionality_fragments
        bounds = [f"fewer than {low:,}"] if low is not None else []
        bounds += [f"more than {high:,}"] if high is not None else []
        return f"functionalities with {' or '.join(bounds)} fragments"

    @cached_property
    def beyond_limit(self) -> Flags:
        """Which fragments are only in functionalities that are left out for their size."""
        found = np.zeros(len(self), dtype=np.bool_)
        found[self._all_members[0]] = True
        found[self.members[0]] = False
        return found

    @cached_property
    def near_duplicates(self) -> NearDuplicates:
        """The texts that are equal, or nearly so."""
        return read_near_duplicates(self.benchmark, self.progress)

    @cached_property
    def components(self) -> Integers:
        """For each fragment the first one of its chain of near duplicates; itself where chains may be divided."""
        return self.near_duplicates.components if self.options.near_duplicates else np.arange(len(self), dtype=np.int64)


def columns(rows: pa.Table) -> tuple[Integers, list[str]]:
    """The columns `fragment` and `label` of a query result."""
    return rows["fragment"].to_numpy(), rows["label"].to_pylist()


def hash_order(labels: Sequence[str], seed: int) -> Integers:
    """Sort labels by md5(label || seed), and return their positions."""
    keys = [hashlib.md5(f"{label}{seed}".encode(), usedforsecurity=False).digest() for label in labels]
    return np.array(sorted(range(len(labels)), key=lambda at: (keys[at], labels[at])), dtype=np.int64)


def numbered(labels: Iterable[str]) -> tuple[list[str], Integers]:
    """Number labels: the distinct ones, sorted, and the position of each label among them."""
    given = list(labels)
    distinct = sorted(set(given))
    number = {label: at for at, label in enumerate(distinct)}
    return distinct, np.array([number[label] for label in given], dtype=np.int64)
