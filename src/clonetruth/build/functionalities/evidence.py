"""The evidence of an assignment: a path to a known member, and how many neighbours speak for and against."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from clonetruth.build.functionalities.inference import Flags, Integers, Reals
from clonetruth.build.functionalities.joined_data import JoinedData


class InferenceWay(StrEnum):
    """How a fragment came to its functionality."""

    SHARED_ID = "shared-id"
    PAIRS = "pairs"
    TWINS = "twins"
    BOTH = "pairs-and-twins"


_PAIR, _TWIN = "pair", "twin"


@dataclass(frozen=True, eq=False)
class EvidenceTrail:
    """The shortest paths from the believed members of a functionality to its known ones.

    Attributes:
        row: the functionality.
        parents: for each fragment the next one on its path, -1 for a known member or where there is no path.
        twin: whether that step is from twin to twin.
        believed: who is more likely than not to stand in the functionality.
    """

    material: JoinedData
    row: int
    parents: Integers
    twin: Flags
    believed: Flags

    @classmethod
    def of(cls, material: JoinedData, row: int, odds: Reals) -> EvidenceTrail:
        """Search from the known members outwards, through those that are believed, twins before pairs."""
        believed = odds[row] > 0
        reached = material.known[row].copy()
        parents = np.full(len(reached), -1, dtype=np.int64)
        twin = np.zeros(len(reached), dtype=bool)
        while True:
            for edges, alike in ((material.ties.twins, True), (material.ties.positive, False)):
                for near, far in ((edges.left, edges.right), (edges.right, edges.left)):
                    step = reached[near] & believed[far] & ~reached[far] & (parents[far] < 0)
                    parents[far[step]] = near[step]
                    twin[far[step]] = alike
            found = parents >= 0
            if not (found & ~reached).any():
                return cls(material, row, parents, twin, believed)
            reached |= found

    def path(self, fragment: int) -> list[int]:
        """The fragments from one to a known member."""
        path = [fragment]
        while self.parents[path[-1]] >= 0:
            path.append(int(self.parents[path[-1]]))
        return path

    def way(self, fragment: int) -> InferenceWay:
        """What the steps of the path are."""
        kinds = {bool(self.twin[one]) for one in self.path(fragment)[:-1]}
        return InferenceWay.BOTH if len(kinds) == 2 else InferenceWay.TWINS if kinds == {True} else InferenceWay.PAIRS

    def texts(self, fragments: Integers) -> list[str]:
        """The evidence of fragments as JSON."""
        material, believed = self.material, self.believed.astype(np.float32)
        ties = material.ties
        heard = {
            "positive_pairs": ties.positive.heard(believed, ties.count),
            "negative_pairs": ties.negative.heard(believed, ties.count),
            "twins": ties.twins.heard(believed, ties.count),
        }
        return [json.dumps(self._said(one) | {k: int(v[one]) for k, v in heard.items()}) for one in fragments.tolist()]

    def _said(self, fragment: int) -> dict[str, object]:
        path = self.path(fragment)
        statement = self.material.statements.get((self.row, path[-1]))
        return {
            "way": str(self.way(fragment)),
            "path": [self.material.ids[one] for one in path],
            "steps": [_TWIN if self.twin[one] else _PAIR for one in path[:-1]],
            "known_by": statement and self.material.speakers[statement.speaker],
        }
