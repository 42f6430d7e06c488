"""Maximal runs of equal statements: the equal parts from which clones of blocks are built.

For every statement, the shortest sequence from it on with enough tokens is hashed; runs that are equal and long enough
have such a sequence in common, wherever they are. Sequences with the same hash are compared statement by statement, and
extended to both sides as long as all of them go on equally. Time and memory grow linearly with the statements.

A sequence that mostly repeats itself (a table of data, the cases of a switch) would be equal to itself, shifted. It
counts only if the distinct statements in it make up at least half of its tokens; so does a block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from clonetruth.code.brackets import Flags
from clonetruth.code.overlap import Integers
from clonetruth.code.prefix_join import ranges
from clonetruth.code.statements import mixed, powers
from clonetruth.code.text_hashes import Hashes

_DISTINCT = 0.5
"""Share of the tokens of a sequence that its distinct statements must have."""


@dataclass(frozen=True, eq=False)
class StatementList:
    """The statements of all files of a language, without those that are only brackets.

    Attributes:
        form: the hash of each statement, in the form that is compared.
        tokens: its number of tokens.
        depth: the number of blocks around it.
        file: the number of its file; ascending.
    """

    form: Hashes
    tokens: Integers
    depth: Integers
    file: Integers

    def varied(self, first: int, end: int) -> bool:
        """Whether the distinct ones of some statements have at least half of their tokens."""
        _, kept = np.unique(self.form[first:end], return_index=True)
        tokens = self.tokens[first:end]
        return bool(tokens[kept].sum() >= _DISTINCT * tokens.sum())

    @property
    def links(self) -> Hashes:
        """Each statement together with how its depth differs from that of the one before it."""
        steps = np.diff(self.depth, prepend=0).astype(np.uint64)
        links = mixed(self.form + steps * np.uint64(0xD1342543DE82EF95))
        # Nothing goes on from one file to the next.
        first = np.flatnonzero(np.diff(self.file, prepend=-1))
        links[first] = mixed(first.astype(np.uint64) + np.uint64(0xA0761D6478BD642F))
        return links


@dataclass(frozen=True, eq=False)
class EqualRun:
    """The places at which the same statements are, maximal: they do not all go on equally on either side.

    Attributes:
        starts: the first statement at each place; ascending.
        length: the number of statements.
    """

    starts: Integers
    length: int


def equal_runs(statements: StatementList, min_tokens: int) -> Iterator[EqualRun]:
    """Iterate over the runs of statements that have at least some number of tokens and are at two or more places."""
    links = statements.links
    first, length = _sequences(statements, min_tokens)
    group, first, length = _grouped(statements, links, first, length)
    if not len(first):
        return
    begins = _new_groups(group, first, len(links))
    kept = np.repeat(begins, np.bincount(group))
    first, length = first[kept], length[kept]
    bounds = np.append(np.flatnonzero(np.diff(group[kept], prepend=-1)), len(first))
    lefts, rights = _extended(statements.form, links, first, length, bounds)
    seen: set[tuple[int, int, int]] = set()
    for number, (begin, end) in enumerate(pairwise(bounds.tolist())):
        starts = first[begin:end] - lefts[number]
        size = int(length[begin] + lefts[number] + rights[number])
        key = (int(starts[0]), size, len(starts))
        if key not in seen:
            seen.add(key)
            yield EqualRun(starts, size)


def _sequences(statements: StatementList, min_tokens: int) -> tuple[Integers, Integers]:
    """The first statement and the length of each shortest sequence with enough tokens."""
    count = len(statements.tokens)
    total = np.append(0, np.cumsum(statements.tokens))
    end = np.searchsorted(total, total[:-1] + min_tokens)
    first = np.flatnonzero(end <= count)
    first = first[statements.file[end[first] - 1] == statements.file[first]]
    return first, end[first] - first


def _grouped(
    statements: StatementList, links: Hashes, first: Integers, length: Integers
) -> tuple[Integers, Integers, Integers]:
    """The sequences that occur at least twice: the group of each, in order of groups and then of positions."""
    power, inverse = powers(len(links) + 1)
    sums = np.append(np.uint64(0), np.cumsum(links * power[:-1], dtype=np.uint64))
    # The depth before the first statement does not matter.
    rest = (sums[first + length] - sums[first + 1]) * inverse[first + 1]
    hashes = mixed(rest + mixed(statements.form[first] + length.astype(np.uint64)))
    order = np.argsort(hashes, kind="stable")
    equal = hashes[order][1:] == hashes[order][:-1]
    repeated = np.zeros(len(order), dtype=bool)
    repeated[1:] |= equal
    repeated[:-1] |= equal
    order = order[repeated]
    order = order[_distinct(statements, first[order], length[order])]
    first, length, hashes = first[order], length[order], hashes[order]
    if not len(first):
        return first, first, length
    group = np.cumsum(np.diff(hashes, prepend=hashes[:1]) != 0)
    # Different sequences with the same hash: as rare as they are, they must not become one.
    leader = np.flatnonzero(np.diff(group, prepend=-1))[group]
    same = _same(statements.form, links, first, first[leader], length, length[leader])
    keep = same & (np.bincount(group[same], minlength=int(group[-1]) + 1)[group] > 1)
    return np.unique(group[keep], return_inverse=True)[1], first[keep], length[keep]


def _distinct(statements: StatementList, first: Integers, length: Integers) -> Flags:
    """Which sequences do not mostly repeat themselves."""
    order = np.argsort(statements.form, kind="stable")
    previous = np.full(len(order), -1)
    equal = statements.form[order][1:] == statements.form[order][:-1]
    previous[order[1:][equal]] = order[:-1][equal]
    total, distinct = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
    for step in range(int(length.max(initial=0))):
        inside = np.flatnonzero(length > step)
        at = first[inside] + step
        total[inside] += statements.tokens[at]
        distinct[inside] += np.where(previous[at] < first[inside], statements.tokens[at], 0)
    enough: Flags = distinct >= _DISTINCT * total
    return enough


def _same(
    form: Hashes, links: Hashes, first: Integers, leader: Integers, length: Integers, other: Integers
) -> npt.NDArray[np.bool_]:
    """Which sequences are equal, statement by statement, to others."""
    same: Flags = (length == other) & (form[first] == form[leader])
    for step in range(1, int(length.max(initial=0))):
        inside = np.flatnonzero(same & (length > step))
        same[inside] = links[first[inside] + step] == links[leader[inside] + step]
    return same


def _new_groups(group: Integers, first: Integers, count: int) -> Flags:
    """Which groups are not what another group, one statement earlier, goes on with at the same places."""
    sizes = np.bincount(group)
    group_at = np.full(count, -1)
    group_at[first] = group
    before = np.where(first > 0, group_at[first - 1], -1)
    bounds = np.append(0, np.cumsum(sizes))[:-1]
    least, most = np.minimum.reduceat(before, bounds), np.maximum.reduceat(before, bounds)
    follows = (least >= 0) & (least == most)
    follows[follows] = sizes[least[follows]] == sizes[follows]
    new: Flags = ~follows
    return new


def _extended(
    form: Hashes, links: Hashes, first: Integers, length: Integers, bounds: Integers
) -> tuple[Integers, Integers]:
    """How many statements the sequences of each group have in common to the left and to the right of them."""
    count = len(bounds) - 1
    lefts, rights = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for sizes, offset, step in ((rights, length, 1), (lefts, np.zeros_like(length), -1)):
        active = np.arange(count)
        while len(active):
            counts = bounds[active + 1] - bounds[active]
            members = ranges(bounds[active], counts)
            at = first[members] + np.repeat(sizes[active], counts) * step + (offset[members] if step > 0 else -1)
            inside = (at >= 0) & (at < len(links))
            clipped = np.clip(at, 0, len(links) - 1)
            # To the left, what must be equal is the statement, and the step from it to the one after it.
            value = (
                links[clipped] if step > 0 else mixed(form[clipped] + links[np.minimum(clipped + 1, len(links) - 1)])
            )
            begin = np.cumsum(counts) - counts
            leading = np.repeat(value[begin], counts)
            equal = np.logical_and.reduceat(inside & (value == leading), begin)
            active = active[equal]
            sizes[active] += 1
    return lefts, rights
