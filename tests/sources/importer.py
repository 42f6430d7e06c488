"""Helpers for tests of sources: imports into a temporary folder, and queries on the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.sources import ImportReport, import_dataset
from clonetruth.store import Benchmark
from tests.sources.fixtures import OPTIONS


@dataclass(frozen=True)
class Imported:
    """An imported benchmark and its report."""

    benchmark: Benchmark
    report: ImportReport

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a query, as tuples."""
        return [tuple(row.values()) for row in self.benchmark.sql(sql).to_pylist()]

    def labels(self, criterion: str | None = None) -> list[tuple[Any, ...]]:
        """Each pair with the judge and the value of its judgements, in the order of the pairs and judges."""
        condition = f"WHERE g.criterion = '{criterion}'" if criterion else ""
        return self.rows(
            f"""
            SELECT l.id AS left_id, r.id AS right_id, g.judge AS judge, g.value AS value FROM judgements g
            JOIN pairs p ON g.pair = p.pair
            JOIN fragments l ON p.left = l.fragment
            JOIN fragments r ON p.right = r.fragment
            {condition} ORDER BY p.pair, g.judge
            """
        )

    def members(self) -> list[tuple[Any, ...]]:
        """Each fragment with its functionality, its role and its judgement, in the order of the fragments."""
        return self.rows(
            """
            SELECT f.id AS fragment, g.id AS functionality, m.role AS role, j.value AS value FROM memberships m
            JOIN fragments f ON m.fragment = f.fragment
            JOIN functionalities g ON m.functionality = g.functionality
            LEFT JOIN judgements j ON j.fragment = m.fragment AND j.functionality = m.functionality
            ORDER BY f.fragment
            """
        )


def imported(source: str, paths: Sequence[Path], folder: Path, **options: Any) -> Imported:
    """Import files into a new folder `benchmark-<n>`, with the options that the source requires."""
    folder.mkdir(exist_ok=True)
    output = folder / f"benchmark-{len(list(folder.glob('benchmark-*')))}"
    report = import_dataset(source, paths, output=output, option=OPTIONS.get(source, {}) | options)
    return Imported(Benchmark.open(report.path), report)
