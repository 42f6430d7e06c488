"""The counts of a location evaluation, read from the layout of BigCloneEval that a result carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clonetruth.errors import InputError
from clonetruth.store.results import Result

TYPES = {
    "T1": "Type-1",
    "T2": "Type-2",
    "VST3": "Very strongly Type-3",
    "ST3": "Strongly Type-3",
    "MT3": "Moderately Type-3",
    "WT3_T4": "Weakly Type-3/Type-4",
}
"""The clone types from the most to the least alike, without the two halves of Type-2."""

SCOPES = ("all", "inter", "intra")


@dataclass(frozen=True)
class CountedShare:
    """How many of the known clones were detected."""

    detected: int
    total: int

    @property
    def recall(self) -> float | None:
        """The share; None where there was nothing to detect."""
        return self.detected / self.total if self.total else None


Shares = Mapping[str, CountedShare]


@dataclass(frozen=True)
class Breakdown:
    """The shares over all functionalities, by scope (`all`, `inter`, `intra`) and row.

    Attributes:
        types: by clone type.
        regions: by similarity region of 5 %.
        min_similarity: by minimum similarity.
    """

    types: Mapping[str, Shares]
    regions: Mapping[str, Shares]
    min_similarity: Mapping[str, Shares]


@dataclass(frozen=True)
class Counts:
    """What one behaviour of the evaluator counted."""

    behaviour: str
    overall: Breakdown


def recall_counts(result: Result) -> list[Counts]:
    """The counts by behaviour, the one that the headline is of first.

    Raises:
        InputError: the counts are not in the layout.
    """
    found = [_counts(str(name).replace("_", "-"), content, result) for name, content in result.recall.items()]
    asked = str(result.setting.get("behaviour", "repaired")).replace("_", "-")
    return sorted(found, key=lambda one: one.behaviour != asked)


def _counts(behaviour: str, content: Any, result: Result) -> Counts:
    try:
        return Counts(behaviour, _breakdown(content["overall"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"The recall counts of '{behaviour}' are not in the layout of BigCloneEval.",
            where=f"result of {result.detector}",
            hint="Evaluate again: `clonetruth evaluate … -o FILE` writes them.",
        ) from error


def _breakdown(content: Mapping[str, Any]) -> Breakdown:
    types, regions, minimum = (_rows(content.get(part, {})) for part in ("types", "regions", "min_similarity"))
    for shares in (*regions.values(), *minimum.values()):
        for name in shares:
            similarity_span(name)
    return Breakdown(types, regions, minimum)


def similarity_span(name: str) -> tuple[float, float]:
    """The ends of a row such as `70-75`, in percent."""
    low, _, high = name.partition("-")
    return float(low), float(high)


def _rows(content: Mapping[str, Any]) -> dict[str, Shares]:
    return {
        scope: {str(name): _share(cell) for name, cell in content[scope].items()}
        for scope in SCOPES
        if scope in content
    }


def _share(cell: Any) -> CountedShare:
    detected, total, _ = cell
    if type(detected) is not int or type(total) is not int or min(detected, total) < 0:
        raise ValueError(f"{cell} is no count")
    return CountedShare(detected, total)
