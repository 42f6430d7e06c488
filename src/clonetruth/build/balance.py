"""Balance: how evenly a benchmark's fragments are distributed over its functionalities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clonetruth.audit.balance import effective_count
from clonetruth.store import Benchmark, TableLike

_SIZES = {
    "fragments": "SELECT functionality, count(DISTINCT fragment) AS size FROM members GROUP BY functionality",
    "fragments that have it": (
        "SELECT functionality, count(DISTINCT fragment) AS size FROM members "
        "WHERE role IN ('exemplar', 'tagged-true') GROUP BY functionality"
    ),
}


@dataclass(frozen=True)
class Balance:
    """Statistics of the sizes of functionalities. What is not defined is None.

    Attributes:
        of: what is counted.
        functionalities: the number of functionalities that have any.
        total: the sum over them.
        mean: the mean size.
        deviation: the standard deviation of the sizes (of the population, not of a sample).
        effective: the effective number of functionalities: the exponential of the entropy of their shares.
        largest: the share of the largest.
    """

    of: str
    functionalities: int
    total: int
    mean: float | None
    deviation: float | None
    effective: float | None
    largest: float | None


def balance_of(of: str, sizes: list[int]) -> Balance:
    """The balance of a list of sizes; empty functionalities do not count."""
    values = np.array([size for size in sizes if size > 0], dtype=np.float64)
    if not len(values):
        return Balance(of, 0, 0, None, None, None, None)
    return Balance(
        of=of,
        functionalities=len(values),
        total=int(values.sum()),
        mean=float(values.mean()),
        deviation=float(values.std()),
        effective=effective_count(values),
        largest=float(values.max() / values.sum()),
    )


def balances(benchmark: Benchmark, members: TableLike | None = None) -> tuple[Balance, ...]:
    """The balance of all fragments with a membership, and of those that are said to have the functionality.

    Args:
        benchmark: the benchmark.
        members: memberships to count instead of the benchmark's own.
    """
    table = benchmark.parquet("memberships") if members is None else members
    return tuple(balance_of(of, benchmark.sql(text, members=table)["size"].to_pylist()) for of, text in _SIZES.items())
