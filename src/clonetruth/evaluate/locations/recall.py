"""Recall by class, region, minimum similarity, scope and functionality, in the layout of BigCloneEval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.evaluate.locations.recall_sql import FLAGS
from clonetruth.evaluate.locations.selection import Behaviour, Selection, SimilarityType

Counts = npt.NDArray[np.int64]
Cell = tuple[int, int]
"""Number of detected pairs, and of all pairs."""

SCOPES = ("inter", "intra", "unknown")
"""Whether the two functions are of different projects. BigCloneEval drops pairs where that is unknown."""

REGIONS = 20
TYPE_REGIONS = {"VST3": (18, 20), "ST3": (14, 18), "MT3": (10, 14), "WT3_T4": (0, 10)}
"""The regions of 5 % that form a class, from the first up to, but not including, the last."""

TYPE_NAMES = {
    "T1": "Type-1",
    "T2": "Type-2",
    "T2_blind": "Type-2 (blind)",
    "T2_consistent": "Type-2 (consistent)",
    "VST3": "Very strongly Type-3",
    "ST3": "Strongly Type-3",
    "MT3": "Moderately Type-3",
    "WT3_T4": "Weakly Type-3 / Type-4",
}
SEPARATE_TYPES = ("T1", "T2", "VST3", "ST3", "MT3", "WT3_T4")
"""Classes that do not overlap and together cover every pair."""

_FIXED = ("T1", "T2_consistent", "T2_blind")


@dataclass(frozen=True)
class RecallCounts:
    """Numbers of detected and of all pairs in one behaviour.

    Attributes:
        functionalities: the ids of the functionalities, in the benchmark's order.
        fixed: [functionality, scope, T1 / T2 consistent / T2 blind, detected / all].
        regions: [functionality, scope, region of 5 %, detected / all], of Type-3 and Type-4.
    """

    functionalities: tuple[str, ...]
    fixed: Counts
    regions: Counts

    def cell(self, name: str, scopes: Sequence[str] = SCOPES, functionality: str | None = None) -> Cell:
        """The numbers of detected and of all pairs of a class, or of a range of similarities ("70-75")."""
        if name == "T2":
            parts = [self.cell(part, scopes, functionality) for part in ("T2_blind", "T2_consistent")]
            return parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]
        which = slice(None) if functionality is None else [self.functionalities.index(functionality)]
        where = [SCOPES.index(scope) for scope in scopes]
        if name in _FIXED:
            block = self.fixed[which][:, where, _FIXED.index(name)]
        else:
            first, last = TYPE_REGIONS.get(name) or (int(bound) // 5 for bound in name.split("-"))
            block = self.regions[which][:, where, first:last].sum(axis=2)
        detected, pairs = block.sum(axis=(0, 1)).tolist()
        return detected, pairs


def count_recall(
    rows: pa.Table, functionalities: Mapping[int | None, str], selection: Selection, behaviours: Iterable[Behaviour]
) -> dict[Behaviour, RecallCounts]:
    """Count the rows of `counts_sql` in each behaviour."""
    places = {key: at for at, key in enumerate(functionalities)}
    shape = (len(places), len(SCOPES))
    counted = {
        one: RecallCounts(
            tuple(functionalities.values()),
            np.zeros((*shape, len(_FIXED), 2), np.int64),
            np.zeros((*shape, REGIONS, 2), np.int64),
        )
        for one in behaviours
    }
    for row in rows.to_pylist():
        if row["functionality"] not in places:
            continue
        at = (places[row["functionality"]], row["scope"])
        for behaviour, counts in counted.items():
            _add(counts, at, row, row[FLAGS[behaviour]], _total_region(row, behaviour, selection.similarity))
    return counted


def _total_region(row: Mapping[str, Any], behaviour: Behaviour, similarity: SimilarityType) -> int | None:
    """The region in which a pair is counted; the published program mixes up averages (D5)."""
    mixed_up = (
        behaviour is Behaviour.AS_SHIPPED and similarity is SimilarityType.AVERAGE and SCOPES[row["scope"]] == "intra"
    )
    region: int | None = row["smaller_region"] if mixed_up else row["region"]
    return region


def _add(
    counts: RecallCounts, at: tuple[int, int], row: Mapping[str, Any], detected: int, total_region: int | None
) -> None:
    kind = row["syntactic_type"]
    if kind in (1, 2) or (kind == 3 and row["blind"]):
        slot = 2 if kind == 3 else kind - 1
        counts.fixed[at][slot] += (detected, row["pairs"])
    if kind == 3:
        # Neither a similarity of 1 nor an unknown one is in a region.
        if row["region"] in range(REGIONS):
            counts.regions[at][row["region"]][0] += detected
        if total_region in range(REGIONS):
            counts.regions[at][total_region][1] += row["pairs"]


def layout(counts: RecallCounts, min_similarity: int = 0) -> dict[str, Any]:
    """Arrange counts as in BigCloneEval's report (docs/bigcloneeval.md): cells are [detected, all, recall].

    Args:
        counts: the counts.
        min_similarity: rows below it are left out.
    """
    return {
        "overall": _section(counts, min_similarity, None),
        "functionalities": {one: _section(counts, min_similarity, one) for one in counts.functionalities},
    }


def _section(counts: RecallCounts, least: int, functionality: str | None) -> dict[str, Any]:
    hidden = {name for name, (first, _) in TYPE_REGIONS.items() if least > 5 * first}
    types = [name for name in TYPE_NAMES if name not in hidden]
    starts = range(least, 100, 5)
    names = {
        "types": types,
        "regions": [f"{start}-{start + 5}" for start in starts],
        "min_similarity": [f"{start}-100" for start in starts],
    }
    scopes = {"all": SCOPES, "inter": ("inter",), "intra": ("intra",)}
    return {
        part: {
            scope: {name: _cell(counts.cell(name, members, functionality)) for name in cells}
            for scope, members in scopes.items()
        }
        for part, cells in names.items()
    }


def _cell(cell: Cell) -> list[int | float | str | None]:
    detected, pairs = cell
    if not pairs:
        return [detected, pairs, "Infinity" if detected else None]
    return [detected, pairs, detected / pairs]
