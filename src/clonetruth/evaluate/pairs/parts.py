"""The pairs of a part: of a view's split, or of the parts that a source claims."""

from __future__ import annotations

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.store import Benchmark, TableLike
from clonetruth.store.schemas import PARTS

_ALL = "pairs"
_CLAIMED = "(SELECT c.* FROM pairs c JOIN wanted w ON c.claimed_part = w.part)"
# The two sides are not compared with each other: an engine that joins the split with itself first has millions of rows.
_SPLIT = """(
    SELECT c.* FROM pairs c
    JOIN (SELECT s.fragment AS fragment FROM split s JOIN wanted w ON s.part = w.part) a ON c.left = a.fragment
    JOIN (SELECT s.fragment AS fragment FROM split s JOIN wanted w ON s.part = w.part) b ON c.right = b.fragment
)"""
_DRAWN = """(
    SELECT c.* FROM pairs c
    JOIN drawn d ON c.pair = d.pair
    JOIN wanted w ON d.part = w.part
)"""


def part_pairs(benchmark: Benchmark, view: str | None, part: str | None) -> tuple[str, dict[str, TableLike]]:
    """The SQL of a part's pairs, to stand in a FROM clause, and the tables that it reads beside the benchmark's.

    Args:
        benchmark: the benchmark.
        view: a table of splits: a pair is in a part when both fragments are, and, where pairs were drawn for the split,
            when it was drawn. None: the parts that the source claims.
        part: the part; None: all pairs.

    Raises:
        InputError: there is no such part or view, or a view is given without a part.
    """
    if part is None:
        if view is not None:
            raise InputError(f"The view '{view}' is given without a part.", hint=f"Parts: {', '.join(PARTS)}.")
        return _ALL, {}
    if part not in PARTS:
        raise InputError(f"There is no part '{part}'.", hint=f"Known: {', '.join(PARTS)}.")
    wanted = pa.table({"part": pa.array([part], pa.string())})
    if view is None:
        return _CLAIMED, {"wanted": wanted}
    split = benchmark.parquet(f"splits/{view}")
    if view in benchmark.names("samples"):
        return _DRAWN, {"wanted": wanted, "drawn": benchmark.parquet(f"samples/{view}")}
    return _SPLIT, {"wanted": wanted, "split": split}
