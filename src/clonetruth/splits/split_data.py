"""What views divide: the fragments of a benchmark with their functionalities, pairs and near duplicates."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.progress import Progress, no_progress
from clonetruth.splits.balance import Integers
from clonetruth.splits.near_duplicates import NearDuplicates, read_near_duplicates
from clonetruth.splits.spec import SplitPlan, SplitSpec
from clonetruth.store import Benchmark

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
        progress: called as the work proceeds.
    """

    benchmark: Benchmark
    options: SplitSpec
    verdicts: Path | None
    progress: Progress = field(default=no_progress)

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
    def members(self) -> tuple[Integers, list[str]]:
        """Fragments, and a functionality id for each; a fragment of several functionalities has several rows."""
        return columns(self.benchmark.sql(MEMBERS_SQL))

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


Flags = npt.NDArray[np.bool_]
