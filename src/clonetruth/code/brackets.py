"""Bracket matching for millions of tokens at once.

Two brackets match if they are consecutive brackets of one depth. So sorting by depth, and by position within a depth,
puts the partners side by side; the bracket directly around a position is the last one before it, one depth up.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clonetruth.code.overlap import Integers

Flags = npt.NDArray[np.bool_]

_DEPTH_SHIFT = np.int64(40)
"""Bits of a key below its depth."""


class DepthIndex:
    """Token positions in order of depth, then of position.

    Args:
        positions: ascending positions.
        depths: the depth of each.
    """

    def __init__(self, positions: Integers, depths: npt.NDArray[np.int32]) -> None:
        # 16-bit integers sort several times as fast.
        shallow = depths.max(initial=0) < 2**15
        order = np.argsort(depths.astype(np.int16) if shallow else depths, kind="stable")
        self.positions = positions[order]
        self.depths = depths[order].astype(np.int64)
        self._keys = self.depths << _DEPTH_SHIFT | self.positions

    def last_before(self, positions: Integers, depths: Integers) -> Integers:
        """For each position, the last indexed position of the given depth before it; -1 if there is none."""
        at = np.searchsorted(self._keys, depths << _DEPTH_SHIFT | positions) - 1
        return self._checked(at, depths)

    def first_after(self, positions: Integers, depths: Integers) -> Integers:
        """For each position, the first indexed position of the given depth after it; -1 if there is none."""
        at = np.searchsorted(self._keys, depths << _DEPTH_SHIFT | positions, side="right")
        return self._checked(at, depths)

    def _checked(self, at: Integers, depths: Integers) -> Integers:
        if not len(self.positions):
            return np.full(len(depths), -1)
        inside = np.clip(at, 0, len(self.positions) - 1)
        return np.where((inside == at) & (self.depths[inside] == depths), self.positions[inside], -1)


class Brackets:
    """The brackets of several texts.

    Args:
        opening: for each token, the kind of bracket that it opens; 0 for none.
        closing: for each token, the kind of bracket that it closes; 0 for none.
        bounds: the first token of each text, followed by the number of all tokens.

    Attributes:
        broken: which texts have brackets that do not match. Their brackets are ignored.
        depth: the number of brackets open after each token.
        partner: for each bracket, the position of its partner; -1 for other tokens.
        openers: the opening brackets, indexed by the depth after them.
    """

    def __init__(self, opening: npt.NDArray[np.uint8], closing: npt.NDArray[np.uint8], bounds: Integers) -> None:
        step = (opening > 0).astype(np.int8) - (closing > 0).astype(np.int8)
        counts = np.diff(bounds)
        depth = np.cumsum(step, dtype=np.int32)
        base = np.append(np.int32(0), depth)[bounds]
        depth -= np.repeat(base[:-1], counts)
        nonempty = counts > 0
        self.broken: Flags = np.diff(base) != 0
        self.broken[nonempty] |= np.minimum.reduceat(depth, bounds[:-1][nonempty]) < 0 if nonempty.any() else False
        if self.broken.any():
            ignored = np.repeat(self.broken, counts)
            step[ignored] = 0
            depth[ignored] = 0
        self.depth = depth
        positions = np.flatnonzero(step)
        pairs = DepthIndex(positions, depth[positions] + (step[positions] < 0))
        opened, closed = pairs.positions[0::2], pairs.positions[1::2]
        self.partner: Integers = np.full(len(step), -1)
        self.partner[opened] = closed
        self.partner[closed] = opened
        wrong = opened[opening[opened] != closing[closed]]
        self.broken[np.searchsorted(bounds, wrong, side="right") - 1] = True
        ascending = np.sort(opened)
        self.openers = DepthIndex(ascending, depth[ascending])
