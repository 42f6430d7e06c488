"""What views look at: the fragments of a benchmark with their groups, their pairs and their near duplicates."""

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
from clonetruth.splits.near_duplicates import NearDuplicates, read_twins
from clonetruth.splits.options import SplitOptions, SplitPlan
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
"""How many ends of clone pairs, and of other pairs with a verdict, each fragment has."""

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
"""The functionalities of a fragment: those that it is in, or else those that it was looked at for."""


@dataclass(eq=False)
class SplitData:
    """A benchmark as views see it; what is asked for is computed once.

    Args:
        benchmark: the benchmark.
        options: what was asked for.
        verdicts: the table of verdicts; None where the benchmark has no pairs.
        progress: told what is being done.
    """

    benchmark: Benchmark
    options: SplitOptions
    verdicts: Path | None
    progress: Progress = field(default=no_progress)

    @property
    def plan(self) -> SplitPlan:
        """The bins that are asked for."""
        return SplitPlan.of(self.options)

    @cached_property
    def ids(self) -> list[str]:
        """The source's ids, by key."""
        found: list[str] = self.benchmark.sql("SELECT id FROM fragments ORDER BY fragment")["id"].to_pylist()
        return found

    def __len__(self) -> int:
        return self.benchmark.counts["fragments"]

    @cached_property
    def ends(self) -> Integers:
        """For each fragment the ends of clone pairs and of other pairs with a verdict."""
        ends = np.zeros((len(self), 2), dtype=np.int64)
        if self.verdicts is not None:
            rows = self.benchmark.sql(ENDS_SQL, verdicts=self.verdicts)
            at = rows["fragment"].to_numpy()
            ends[at, 0] = rows["clones"].to_numpy()
            ends[at, 1] = rows["others"].to_numpy()
        return ends

    @cached_property
    def members(self) -> tuple[Integers, list[str]]:
        """Fragments, and the id of a functionality of each; a fragment of several has several rows."""
        return columns(self.benchmark.sql(MEMBERS_SQL))

    @cached_property
    def twins(self) -> NearDuplicates:
        """The texts that are the same, or nearly so."""
        return read_twins(self.benchmark, self.progress)

    @cached_property
    def components(self) -> Integers:
        """For each fragment the first one of its chain of near duplicates; itself where they are not asked for."""
        return self.twins.components if self.options.near_duplicates else np.arange(len(self), dtype=np.int64)


def columns(rows: pa.Table) -> tuple[Integers, list[str]]:
    """The columns `fragment` and `label` of a query."""
    return rows["fragment"].to_numpy(), rows["label"].to_pylist()


def hash_order(labels: Sequence[str], seed: int) -> Integers:
    """The positions of labels in the order of md5(label || seed)."""
    keys = [hashlib.md5(f"{label}{seed}".encode(), usedforsecurity=False).digest() for label in labels]
    return np.array(sorted(range(len(labels)), key=lambda at: (keys[at], labels[at])), dtype=np.int64)


def numbered(labels: Iterable[str]) -> tuple[list[str], Integers]:
    """Different labels, sorted, and the number of each in that list."""
    given = list(labels)
    known = sorted(set(given))
    number = {label: at for at, label in enumerate(known)}
    return known, np.array([number[label] for label in given], dtype=np.int64)


Flags = npt.NDArray[np.bool_]
