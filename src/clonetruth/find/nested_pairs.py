"""Pairs of functions inside of others: a callback is not repeated where the functions around it are clones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from clonetruth.code import LANGUAGES, language
from clonetruth.code.overlap import Integers
from clonetruth.find.search_result import SearchResult

_BY_FINDERS = {"exact": 1, "renamed": 2}
"""The strength of a pair that a finder found; of other finders, 3."""


def without_repeated(result: SearchResult, *, by_finders: bool) -> SearchResult:
    """Leave out pairs of functions inside of each other, and those inside of pairs that are at least as strong.

    Only languages count in which functions inside of others are compared (`Language.callbacks`). A pair inside of
    another one stays if both its functions are also clones of something else: they are then in that class anyway.

    Args:
        result: the result of a search for functions.
        by_finders: whether the finders tell the types of all pairs: else only functions inside of each other go.
    """
    names = {name for name in result.fragments["language"].unique().to_pylist() if name in LANGUAGES}
    if not result.pairs.num_rows or not any(language(name).callbacks for name in names):
        return result
    left, right = (result.pairs[side].to_numpy() for side in ("left", "right"))
    around = _Around(result, np.unique(np.concatenate([left, right])))
    nested = around.parent >= 0
    among = np.flatnonzero(nested[left] | nested[right])
    overlapping = np.zeros(len(left), dtype=bool)
    inside = np.zeros(len(left), dtype=bool)
    strength = _strengths(result) if by_finders else np.zeros(0, np.int64)
    known: dict[tuple[int, int], int] = {}
    for one, other, own in zip(left.tolist(), right.tolist(), strength.tolist(), strict=False):
        known[one, other] = min(own, known.get((one, other), own))
    for at in among.tolist():
        pair = int(left[at]), int(right[at])
        overlapping[at] = pair[0] in around.of(pair[1]) or pair[1] in around.of(pair[0])
        inside[at] = any(known.get(outer, 4) <= known[pair] for outer in around.pairs(*pair)) if by_finders else False
    elsewhere = np.zeros(len(nested), dtype=bool)
    for side in (left, right):
        elsewhere[side[~overlapping & ~inside]] = True
    kept = ~overlapping & (~inside | (elsewhere[left] & elsewhere[right]))
    if not kept.all():
        result.pairs = result.pairs.filter(kept)
    return result


class _Around:
    """The functions around functions, if these are among those in pairs and in a language in which that counts."""

    def __init__(self, result: SearchResult, fragments: Integers) -> None:
        table = result.fragments
        self.parent = np.full(table.num_rows, -1)
        file, start, end = (table[name].to_numpy()[fragments] for name in ("file", "start", "end"))
        codes = table["language"].combine_chunks().dictionary_encode()
        names = codes.dictionary.to_pylist()
        counts = np.array([name in LANGUAGES and language(name).callbacks for name in names], dtype=bool)
        chosen = np.flatnonzero(counts[codes.indices.to_numpy()[fragments]])
        order = chosen[np.lexsort((-end[chosen], start[chosen], file[chosen]))]
        open_ones: list[tuple[int, int, int]] = []
        rows = zip(fragments[order].tolist(), file[order].tolist(), end[order].tolist(), strict=True)
        for (fragment, own_file, own_end), own_start in zip(rows, start[order].tolist(), strict=True):
            while open_ones and (open_ones[-1][1] != own_file or open_ones[-1][2] <= own_start):
                open_ones.pop()
            if open_ones:
                self.parent[fragment] = open_ones[-1][0]
            open_ones.append((fragment, own_file, own_end))

    def of(self, fragment: int) -> Iterator[int]:
        """The functions around a function, innermost first."""
        fragment = int(self.parent[fragment])
        while fragment >= 0:
            yield fragment
            fragment = int(self.parent[fragment])

    def pairs(self, one: int, other: int) -> Iterator[tuple[int, int]]:
        """The pairs of a function around one and a function around the other."""
        others = list(self.of(other))
        return ((min(a, b), max(a, b)) for a in self.of(one) for b in others if a != b)


def _strengths(result: SearchResult) -> npt.NDArray[np.int64]:
    finder = result.pairs["finder"]
    strength = np.full(len(finder), 3)
    for name, value in _BY_FINDERS.items():
        strength[np.asarray(pc.equal(finder, name))] = value
    return strength
