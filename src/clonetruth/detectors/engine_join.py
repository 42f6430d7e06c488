"""The overlap join as SQL: for a join that is larger than memory, or on more machines than one.

The rule and the prefix bound are those of `clonetruth.code.overlap`; the bitmap is left out, since an engine has ways
of its own to look at many rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from clonetruth.code.overlap import Bags, OverlapPairs, needed

if TYPE_CHECKING:
    from clonetruth.store import Engine

_JOIN = """
    WITH holders AS (
        SELECT element, count(*) AS bags FROM elements GROUP BY element
    ),
    ordered AS (
        SELECT e.bag, e.element, e.size, n.need,
            row_number() OVER (PARTITION BY e.bag ORDER BY h.bags, e.element) AS place
        FROM elements e JOIN holders h ON h.element = e.element JOIN needs n ON n.size = e.size
    ),
    prefixes AS (
        SELECT bag, element, size, need FROM ordered WHERE place <= size - need + 1
    ),
    candidates AS (
        SELECT DISTINCT a.bag AS larger, b.bag AS smaller, a.need
        FROM prefixes a JOIN prefixes b ON b.element = a.element
        WHERE b.size >= a.need AND (b.size < a.size OR (b.size = a.size AND b.bag < a.bag))
    )
    SELECT least(c.larger, c.smaller) AS one, greatest(c.larger, c.smaller) AS other, count(*) AS overlap
    FROM candidates c
    JOIN elements a ON a.bag = c.larger
    JOIN elements b ON b.bag = c.smaller AND b.element = a.element
    GROUP BY c.larger, c.smaller, c.need
    HAVING count(*) >= c.need
    ORDER BY one, other
"""


def join_on_engine(sets: Bags, threshold: float, engine: Engine) -> OverlapPairs:
    """All pairs of sets that overlap in at least ⌈threshold × the larger size⌉ elements; each pair once, sorted.

    Args:
        sets: bags in which no token comes twice.
        threshold: in (0, 1].
        engine: where the join runs.
    """
    sizes = np.unique(sets.sizes)
    bag = np.repeat(np.arange(len(sets)), sets.sizes)
    elements = {"bag": bag, "element": sets.tokens.astype(np.int64), "size": sets.sizes[bag]}
    tables = {"elements": pa.table(elements), "needs": pa.table({"size": sizes, "need": needed(sizes, threshold)})}
    found = engine.sql(_JOIN, tables)
    left, right, overlap = (found[name].to_numpy() for name in ("one", "other", "overlap"))
    return OverlapPairs(left, right, overlap)
