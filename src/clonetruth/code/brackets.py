"""Brackets, and what is directly inside of them, for millions of tokens at once.

Two brackets are a pair where they are the next ones of one depth. So sorting by depth, and by place within a depth,
puts the partners side by side, and what is directly around a place is the last thing of the depth above before it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clonetruth.code.overlap import Integers

Flags = npt.NDArray[np.bool_]

_DEPTH = np.int64(40)
"""Bits of a key below its depth."""


class BracketLayer:
    """Places in order of depth and place.

    Args:
        places: rising places.
        depths: the depth of each.
    """

    def __init__(self, places: Integers, depths: npt.NDArray[np.int32]) -> None:
        # Numbers of two bytes are sorted several times as fast.
        shallow = depths.max(initial=0) < 2**15
        order = np.argsort(depths.astype(np.int16) if shallow else depths, kind="stable")
        self.places = places[order]
        self.depths = depths[order].astype(np.int64)
        self._keys = self.depths << _DEPTH | self.places

    def last_before(self, places: Integers, depths: Integers) -> Integers:
        """The last place of that depth before each of some places; -1 where there is none."""
        at = np.searchsorted(self._keys, depths << _DEPTH | places) - 1
        return self._checked(at, depths)

    def first_behind(self, places: Integers, depths: Integers) -> Integers:
        """The first place of that depth behind each of some places; -1 where there is none."""
        at = np.searchsorted(self._keys, depths << _DEPTH | places, side="right")
        return self._checked(at, depths)

    def _checked(self, at: Integers, depths: Integers) -> Integers:
        if not len(self.places):
            return np.full(len(depths), -1)
        inside = np.clip(at, 0, len(self.places) - 1)
        return np.where((inside == at) & (self.depths[inside] == depths), self.places[inside], -1)


class Brackets:
    """The brackets of several texts.

    Args:
        opening: which tokens open a bracket: the number of its kind, 0 for none.
        closing: which tokens close one, likewise.
        bounds: where the tokens of each text begin, and at last where all end.

    Attributes:
        broken: which texts have brackets that do not match. Their tokens are taken as if they were none.
        depth: the brackets open behind each token.
        partner: for each bracket the place of the other; -1 for other tokens.
        openers: the opening brackets by the depth behind them.
    """

    def __init__(self, opening: npt.NDArray[np.uint8], closing: npt.NDArray[np.uint8], bounds: Integers) -> None:
        step = (opening > 0).astype(np.int8) - (closing > 0).astype(np.int8)
        counts = np.diff(bounds)
        depth = np.cumsum(step, dtype=np.int32)
        base = np.append(np.int32(0), depth)[bounds]
        depth -= np.repeat(base[:-1], counts)
        filled = counts > 0
        self.broken: Flags = np.diff(base) != 0
        self.broken[filled] |= np.minimum.reduceat(depth, bounds[:-1][filled]) < 0 if filled.any() else False
        if self.broken.any():
            lost = np.repeat(self.broken, counts)
            step[lost] = 0
            depth[lost] = 0
        self.depth = depth
        places = np.flatnonzero(step)
        pairs = BracketLayer(places, depth[places] + (step[places] < 0))
        opened, closed = pairs.places[0::2], pairs.places[1::2]
        self.partner: Integers = np.full(len(step), -1)
        self.partner[opened] = closed
        self.partner[closed] = opened
        wrong = opened[opening[opened] != closing[closed]]
        self.broken[np.searchsorted(bounds, wrong, side="right") - 1] = True
        rising = np.sort(opened)
        self.openers = BracketLayer(rising, depth[rising])
