"""Clone classes: found pairs put together.

A class is a connected component of the graph whose edges are the found pairs: every member is a clone of another
one, not necessarily of all. For `exact` and `renamed` that is the same thing, since equality is transitive; for
finders with a threshold the ends of a chain may be less alike than it asks for. So a class has a representative, its
medoid: the member whose scores with the others sum up to the most, a pair that was not found counting nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.detectors.finder import FOUND

CLASSES = pa.schema(
    [
        pa.field("class", pa.int64(), nullable=False),
        pa.field("fragment", pa.int64(), nullable=False),
        pa.field("representative", pa.bool_(), nullable=False),
    ]
)
"""The columns of clone classes: a row for each fragment that is in one."""


def clone_classes(pairs: Iterable[pa.RecordBatch]) -> pa.Table:
    """The classes of found pairs.

    Args:
        pairs: batches with the columns of `FOUND`, as a finder makes them; several finders' may be chained.

    Returns:
        The columns of `CLASSES`, sorted by class and fragment. Classes are numbered from 0 by their first fragment;
        of several best representatives, the first is it.
    """
    table = pa.Table.from_batches(pairs, FOUND)
    left, right, score = (table[name].to_numpy() for name in FOUND.names)
    keys, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    a, b = places[: len(left)], places[len(left) :]
    first = _components(a, b, len(keys))
    numbers = np.unique(first, return_inverse=True)[1]
    closeness = np.bincount(a, score, len(keys)) + np.bincount(b, score, len(keys))
    order = np.lexsort((np.arange(len(keys)), -closeness, numbers))
    best = order[np.flatnonzero(np.diff(numbers[order], prepend=-1))]
    representative = np.zeros(len(keys), dtype=bool)
    representative[best] = True
    rows = np.lexsort((keys, numbers))
    return pa.table([numbers[rows], keys[rows], representative[rows]], schema=CLASSES)


def _components(left: Integers, right: Integers, count: int) -> Integers:
    """For each node of a graph the least node that can be reached from it."""
    least = np.arange(count)
    while True:
        a, b = least[left], least[right]
        apart = a != b
        if not apart.any():
            return least
        np.minimum.at(least, np.maximum(a, b)[apart], np.minimum(a, b)[apart])
        # Every node follows its chain to the end, so that the next round joins whole components.
        while not np.array_equal(nearer := least[least], least):
            least = nearer
