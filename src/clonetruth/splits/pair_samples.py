"""Which pairs of a part are used: budgets, the share of clones, and balance over functionalities, drawn by hash."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.splits.spec import Sampling, SplitSpec
from clonetruth.stats.sample_size import plan_sample
from clonetruth.store import Benchmark

_INSIDE = """
WITH single AS (
    SELECT fragment, min(functionality) AS functionality
    FROM memberships GROUP BY fragment HAVING count(DISTINCT functionality) = 1
),
inside AS (
    SELECT p.pair AS pair, p.left AS left_fragment, p.right AS right_fragment, a.part AS part,
        CASE WHEN v.verdict = 'clone' THEN 1 ELSE 0 END AS clone,
        coalesce(p.functionality, m.functionality) AS functionality
    FROM pairs p
    JOIN verdicts v ON p.pair = v.pair
    JOIN split a ON p.left = a.fragment
    JOIN split b ON p.right = b.fragment
    LEFT JOIN single m ON p.left = m.fragment
    WHERE v.verdict <> 'unknown' AND CASE WHEN a.part = b.part THEN 1 ELSE 0 END = 1
)
"""
"""The pairs within parts. With a plain equality as last condition, a planner joins the split with itself."""

STRATA_SQL = (
    _INSIDE
    + """
SELECT i.part AS part, i.clone AS clone, coalesce(u.id, '') AS functionality, count(*) AS pairs
FROM inside i LEFT JOIN functionalities u ON i.functionality = u.functionality
GROUP BY i.part, i.clone, coalesce(u.id, '')
ORDER BY part, clone, functionality
"""
)
"""The pairs with a verdict within each part, by class and functionality (as in evaluation; '' for none)."""

DRAW_SQL = (
    _INSIDE
    + """
, strata AS (
    SELECT i.pair AS pair, i.part AS part, i.clone AS clone,
        CASE WHEN o.balance = 1 THEN coalesce(u.id, '') ELSE '' END AS functionality,
        md5(concat(l.id, ' ', r.id, ' ', CAST(o.seed AS STRING))) AS place
    FROM inside i
    CROSS JOIN asked o
    JOIN fragments l ON i.left_fragment = l.fragment
    JOIN fragments r ON i.right_fragment = r.fragment
    LEFT JOIN functionalities u ON i.functionality = u.functionality
),
ranked AS (
    SELECT pair, part, clone, functionality,
        row_number() OVER (PARTITION BY part, clone, functionality ORDER BY place, pair) AS number
    FROM strata
)
SELECT k.pair AS pair, k.part AS part
FROM ranked k
JOIN quotas q ON k.part = q.part AND k.clone = q.clone AND k.functionality = q.functionality
WHERE k.number <= q.pairs
ORDER BY k.pair
"""
)
"""The drawn pairs, by `quotas` (a stratum and its `pairs`) and one row of `asked` (`seed`, `balance`)."""


class SampleStratum(NamedTuple):
    """Pairs of a part with one verdict and one functionality (with any, where functionalities are not balanced)."""

    part: str
    clone: int
    functionality: str


def count_pairs(benchmark: Benchmark, verdicts: Path, divided: pa.Table) -> dict[SampleStratum, int]:
    """Count the pairs with a verdict within the parts of a division (`fragment`, `part`)."""
    rows = benchmark.sql(STRATA_SQL, verdicts=verdicts, split=divided).to_pylist()
    return {SampleStratum(row["part"], row["clone"], row["functionality"]): row["pairs"] for row in rows}


def draw_pairs(
    benchmark: Benchmark, verdicts: Path, divided: pa.Table, quotas: Mapping[SampleStratum, int], options: SplitSpec
) -> pa.Table:
    """Draw pairs; the table has the columns of `samples`."""
    quota_table = pa.table(
        {
            "part": pa.array([stratum.part for stratum in quotas], pa.string()),
            "clone": pa.array([stratum.clone for stratum in quotas], pa.int32()),
            "functionality": pa.array([stratum.functionality for stratum in quotas], pa.string()),
            "pairs": pa.array(list(quotas.values()), pa.int64()),
        }
    )
    balance = int(options.sampling.balance)
    asked = pa.table({"seed": pa.array([options.seed], pa.int64()), "balance": pa.array([balance], pa.int32())})
    return benchmark.sql(DRAW_SQL, verdicts=verdicts, split=divided, quotas=quota_table, asked=asked)


def plan_pairs(sizes: Mapping[SampleStratum, int], sampling: Sampling) -> dict[SampleStratum, int]:
    """Decide how many pairs of each stratum to draw.

    A budget is a maximum. A share of clones is met by drawing fewer pairs.

    Raises:
        InputError: a share of clones is requested, and a part has pairs of one class only.
    """
    plan: dict[SampleStratum, int] = {}
    for part in dict.fromkeys(stratum.part for stratum in sizes):
        classes = [
            {stratum: count for stratum, count in sizes.items() if stratum.part == part and stratum.clone == clone}
            for clone in (0, 1)
        ]
        others, clones = (sum(of_class.values()) for of_class in classes)
        quotas = _by_class(part, clones, others, sampling.budget(part), sampling.clone_share)
        for clone, of_class in enumerate(classes):
            count = quotas[clone]
            if sampling.balance:
                plan |= dict(zip(of_class, level(list(of_class.values()), count), strict=True))
            elif of_class:
                plan[SampleStratum(part, clone, "")] = count
    return plan


def _by_class(part: str, clones: int, others: int, budget: int | None, share: float | None) -> tuple[int, int]:
    """How many non-clones and clones to draw."""
    most = clones + others if budget is None else min(budget, clones + others)
    if share is None:
        (_, drawn) = plan_sample({"others": others, "clones": clones}, most)
        return most - drawn.size, drawn.size
    if not clones or not others:
        raise InputError(
            f"The part '{part}' has no {'clones' if not clones else 'non-clones'}: a share of clones is impossible.",
            hint="Leave --clone-share out, or choose another policy or view.",
        )
    most = min(most, math.floor(clones / share), math.floor(others / (1 - share)))
    # At least one pair of each class is drawn, however small the budget is.
    chosen = min(max(round(most * share), 1), clones)
    return min(max(most - chosen, 1), others), chosen


def level(sizes: list[int], count: int) -> list[int]:
    """Share `count` out equally, giving none more than its size; everything where the sizes sum up to less.

    >>> level([10, 2, 10], 12)
    [5, 2, 5]
    """
    quotas = [0] * len(sizes)
    left = min(count, sum(sizes))
    while left:
        unfilled = [at for at, size in enumerate(sizes) if quotas[at] < size]
        each = max(left // len(unfilled), 1)
        for at in unfilled[:left]:
            more = min(each, sizes[at] - quotas[at])
            quotas[at] += more
            left -= more
    return quotas
