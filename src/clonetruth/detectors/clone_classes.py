"""Clone classes: the connected components of the found pairs.

Every member of a class is a clone of at least one other member, not necessarily of all. For `exact` and `renamed` this
is the same, since equality is transitive; for finders with a threshold the ends of a chain may be less similar than the
threshold. So each class has a representative, its medoid: the member with the largest sum of scores, where a pair that
was not found adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.detectors.finder import FOUND_PAIRS

CLONE_CLASSES = pa.schema(
    [
        pa.field("class", pa.int64(), nullable=False),
        pa.field("fragment", pa.int64(), nullable=False),
        pa.field("representative", pa.bool_(), nullable=False),
    ]
)
"""The columns of clone classes: one row per fragment that belongs to a class."""


def clone_classes(pairs: Iterable[pa.RecordBatch]) -> pa.Table:
    """Group found pairs into clone classes.

    Args:
        pairs: batches with the columns of `FOUND_PAIRS`, as finders yield them; those of several finders may be
            chained.

    Returns:
        The columns of `CLONE_CLASSES`, sorted by class and fragment. Classes are
        numbered from 0 in the order of their first fragment; ties between representatives go to the first fragment.
    """
    table = pa.Table.from_batches(pairs, FOUND_PAIRS)
    left, right, score = (table[name].to_numpy() for name in FOUND_PAIRS.names)
    keys, rows_of = np.unique(np.concatenate([left, right]), return_inverse=True)
    a, b = rows_of[: len(left)], rows_of[len(left) :]
    first = components(a, b, len(keys))
    numbers = np.unique(first, return_inverse=True)[1]
    closeness = np.bincount(a, score, len(keys)) + np.bincount(b, score, len(keys))
    order = np.lexsort((np.arange(len(keys)), -closeness, numbers))
    best = order[np.flatnonzero(np.diff(numbers[order], prepend=-1))]
    representative = np.zeros(len(keys), dtype=bool)
    representative[best] = True
    rows = np.lexsort((keys, numbers))
    return pa.table([numbers[rows], keys[rows], representative[rows]], schema=CLONE_CLASSES)


def components(left: Integers, right: Integers, count: int) -> Integers:
    """For each node of a graph, the smallest node reachable from it."""
    least = np.arange(count)
    while True:
        a, b = least[left], least[right]
        apart = a != b
        if not apart.any():
            return least
        np.minimum.at(least, np.maximum(a, b)[apart], np.minimum(a, b)[apart])
        # Follow every chain to its end, so that the next round joins whole components.
        while not np.array_equal(nearer := least[least], least):
            least = nearer
