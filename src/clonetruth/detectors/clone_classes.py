"""Clone classes: the connected components of the found pairs, or stars in them.

Every member of a connected component is a clone of at least one other member, not necessarily of all. For `exact` and
`renamed` this is the same, since equality is transitive; for finders with a threshold the ends of a chain may be less
similar than the threshold. So each class has a representative, its medoid: the member with the largest sum of scores,
where a pair that was not found adds nothing.

A star is a class in which every member was found to be a clone of the representative: what a person expects of a class,
and what `find` reports. A component that is not a star is covered by several.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.code.prefix_join import distinct_numbers
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


@dataclass(frozen=True)
class StarClasses:
    """Classes in which every member was found to be a clone of the representative, or is equal to one that was.

    Attributes:
        members: the columns of `CLONE_CLASSES`, sorted by class and fragment. A fragment belongs to one class, and may
            represent further ones.
        related: pairs between classes, as rows of a class and a fragment that is not in it: a clone of one of its
            members, but not of its representative. Of equal fragments, only one is listed.
    """

    members: pa.Table
    related: pa.Table


RELATED_CLONES = pa.schema([CLONE_CLASSES.field("class"), CLONE_CLASSES.field("fragment")])
"""The columns of `StarClasses.related`."""


def star_classes(pairs: Iterable[pa.RecordBatch], equal: Integers) -> StarClasses:
    """Cover found pairs with stars: the largest first, until every fragment of a pair is in a class.

    Args:
        pairs: batches with the columns of `FOUND_PAIRS`.
        equal: a number for each fragment, the same for fragments that are clones of the same others (equal but for
            names and values). They are never separated, even if the pairs between them were not listed.
    """
    table = pa.Table.from_batches(pairs, FOUND_PAIRS)
    left, right, score = (table[name].to_numpy() for name in FOUND_PAIRS.names)
    keys, rows_of = np.unique(np.concatenate([left, right]), return_inverse=True)
    a, b = rows_of[: len(left)], rows_of[len(left) :]
    closeness = (np.bincount(a, score, len(keys)) + np.bincount(b, score, len(keys))).astype(np.float64)
    graph = _Graph(keys, np.unique(equal[keys], return_inverse=True)[1], closeness, a, b)
    members: list[tuple[int, int, bool]] = []
    owner = np.full(graph.count, -1)
    centres: list[int] = []
    for number, (centre, covered) in enumerate(graph.stars()):
        centres.append(centre)
        owner[covered] = number
        fragments = {int(row) for node in covered for row in graph.rows(node)} | {int(graph.medoid[centre])}
        members += ((number, row, row == graph.medoid[centre]) for row in sorted(fragments))
    numbers, rows, leading = zip(*members, strict=True) if members else ((), (), ())
    fragments_of = keys[np.array(rows, dtype=np.int64)]
    related = graph.related(owner, np.array(centres, dtype=np.int64))
    return StarClasses(
        pa.table([pa.array(numbers, pa.int64()), fragments_of, pa.array(leading, pa.bool_())], schema=CLONE_CLASSES),
        pa.table([related[0], keys[graph.medoid[related[1]]]], schema=RELATED_CLONES),
    )


class _Graph:
    """Sets of equal fragments as nodes, found pairs between them as edges.

    Args:
        keys: the fragments that are in pairs, ascending; others refer to them by row.
        node_of: the node of each row.
        closeness: the sum of the scores of each row.
        left: the left row of each pair.
        right: the right row of each pair.
    """

    def __init__(
        self, keys: Integers, node_of: Integers, closeness: npt.NDArray[np.float64], left: Integers, right: Integers
    ) -> None:
        self.count = int(node_of.max(initial=-1)) + 1
        self._sizes = np.bincount(node_of, minlength=self.count)
        # The most similar to all others first; of equally similar ones, the first.
        order = np.lexsort((np.arange(len(keys)), -closeness, node_of))
        self._starts = np.append(np.flatnonzero(np.diff(node_of[order], prepend=-1)), len(order))
        self._rows = order
        self.medoid = order[self._starts[:-1]]
        self._closeness = closeness[self.medoid]
        a, b = np.minimum(node_of[left], node_of[right]), np.maximum(node_of[left], node_of[right])
        edges = distinct_numbers(a[a != b] * self.count + b[a != b])
        self._a, self._b = edges // max(self.count, 1), edges % max(self.count, 1)
        ends, others = np.concatenate([self._a, self._b]), np.concatenate([self._b, self._a])
        by_end = np.argsort(ends, kind="stable")
        self._others = others[by_end]
        self._bounds = np.append(0, np.cumsum(np.bincount(ends, minlength=self.count)))

    def rows(self, node: int) -> Integers:
        """The rows of a node."""
        return self._rows[self._starts[node] : self._starts[node + 1]]

    def _neighbours(self, node: int) -> Integers:
        return self._others[self._bounds[node] : self._bounds[node + 1]]

    def stars(self) -> Iterator[tuple[int, list[int]]]:
        """The centre of each class, and the nodes that it adds: among them the centre, unless it was covered before."""
        first = components(self._a, self._b, self.count)
        order = np.argsort(first, kind="stable")
        for nodes in np.split(order, np.flatnonzero(np.diff(first[order])) + 1) if self.count else ():
            yield from self._cover(nodes)

    def _cover(self, nodes: Integers) -> Iterator[tuple[int, list[int]]]:
        """Cover a component greedily. A node that adds most now adds no more later, so stale heap entries are safe."""
        reach = self._bounds[nodes + 1] - self._bounds[nodes]
        whole = nodes[reach == len(nodes) - 1]
        if len(whole):
            centre = min(whole.tolist(), key=lambda node: (-self._closeness[node], self.medoid[node]))
            yield centre, nodes.tolist()
            return
        uncovered = np.zeros(self.count, dtype=bool)
        uncovered[nodes] = True
        heap = [self._rank(node, uncovered) for node in nodes.tolist()]
        heapq.heapify(heap)
        while heap:
            *_, node = rank = heap[0]
            now = self._rank(node, uncovered)
            if now != rank:
                heapq.heapreplace(heap, now)
                continue
            heapq.heappop(heap)
            added = [other for other in (node, *self._neighbours(node).tolist()) if uncovered[other]]
            # A single fragment is not a class; a neighbour of it will be its centre.
            if self._fragments(node, added) > 1 and added:
                uncovered[added] = False
                yield node, added

    def _rank(self, node: int, uncovered: npt.NDArray[np.bool_]) -> tuple[int, bool, float, int, int]:
        """What adds most fragments comes first; then nodes that are in no class yet, and the closest."""
        others = self._neighbours(node)
        gain = int(self._sizes[others][uncovered[others]].sum())
        if uncovered[node] and (gain or self._sizes[node] > 1):
            gain += int(self._sizes[node])
        return -gain, not uncovered[node], -float(self._closeness[node]), int(self.medoid[node]), node

    def _fragments(self, centre: int, added: list[int]) -> int:
        """The size of a class: the centre counts as one fragment if it was covered before."""
        return int(self._sizes[added].sum()) + (centre not in added)

    def related(self, owner: Integers, centres: Integers) -> tuple[Integers, Integers]:
        """For each edge between two classes, both of its ends as members of the other class's surroundings."""
        a, b = self._a, self._b
        apart = (owner[a] != owner[b]) & (centres[owner[a]] != b) & (centres[owner[b]] != a)
        classes = np.concatenate([owner[a][apart], owner[b][apart]])
        nodes = np.concatenate([b[apart], a[apart]])
        each = distinct_numbers(classes * max(self.count, 1) + nodes)
        return each // max(self.count, 1), each % max(self.count, 1)
