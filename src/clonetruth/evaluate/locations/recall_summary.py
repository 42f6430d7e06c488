"""Turns counts in BigCloneEval's layout into measurements: recall by class, similarity, project and functionality."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clonetruth.evaluate.locations.recall import SEPARATE_TYPES, TYPE_NAMES
from clonetruth.formats.bigcloneeval_layout import Section
from clonetruth.stats.clusters import (
    ENOUGH_CLUSTERS,
    FEW_CLUSTERS,
    about_others,
    clustered,
    clustered_within,
    effective_clusters,
)
from clonetruth.stats.intervals import Interval, wilson
from clonetruth.store.results import Measurement, MeasurementGroup, Stratum

CONFIDENCE = 0.95
"""Confidence level of the intervals."""

INDEPENDENT = "Wilson, pairs taken as independent"
WITHIN = "Wilson within functionalities, with as few fragments as the pairs can have"


class RecallSummary:
    """Measurements from counts. What was not printed is left out: it is unknown, not zero.

    Args:
        overall: the counts over all functionalities.
        by_functionality: those of each functionality, by its id; empty where they are unknown.
    """

    def __init__(self, overall: Section, by_functionality: Mapping[str, Section]) -> None:
        self._overall = overall
        self._sections = by_functionality
        self._printed = tuple(name for name in SEPARATE_TYPES if name in overall["types"]["all"])

    @property
    def pairs(self) -> int:
        """The number of pairs of the printed classes."""
        return self._counts(self._overall, self._printed)[1]

    def headline(self) -> tuple[Measurement, ...]:
        """The recall over all classes, over Type-1 to Type-3, and of each class, where its counts were printed."""
        wanted = {"recall": SEPARATE_TYPES, "recall-type-1-to-3": SEPARATE_TYPES[:-1]}
        wanted |= {f"recall-{name}": (name,) for name in SEPARATE_TYPES}
        return tuple(
            self._measurement(title, names) for title, names in wanted.items() if set(names) <= set(self._printed)
        )

    def strata(self, names: Mapping[str, str]) -> tuple[Stratum, ...]:
        """The recall in groups of pairs.

        Args:
            names: the names of the functionalities, by id.
        """
        types = [
            MeasurementGroup(shown, (self._measurement("recall", (name,)),))
            for name, shown in TYPE_NAMES.items()
            if name in self._overall["types"]["all"]
        ]
        regions = [
            MeasurementGroup(f"{name} %", (self._measurement("recall", (name,), "regions"),))
            for name in self._overall["regions"]["all"]
        ]
        scopes = [
            MeasurementGroup(f"{scope}-project", (self._measurement("recall", self._printed, scope=scope),))
            for scope in ("inter", "intra")
        ]
        functionalities = [
            MeasurementGroup(names.get(one, one), self._shares(section)) for one, section in self._sections.items()
        ]
        strata = (
            Stratum("clone type", tuple(types), "Type-2 is the sum of its two kinds."),
            Stratum("similarity", tuple(regions), "Type-3 and Type-4, lower bound included, upper bound not."),
            Stratum("project relation", tuple(scopes)),
            Stratum("functionality", tuple(one for one in functionalities if one.measurements[0].n)),
        )
        return tuple(one for one in strata if one.groups)

    def _shares(self, section: Section) -> tuple[Measurement, ...]:
        """The recall in one functionality, with and without the weak pairs, which outnumber the others."""
        strong = [name for name in self._printed if name != "WT3_T4"]
        return (
            _share("recall", *self._counts(section, self._printed)),
            _share("recall-type-1-to-3", *self._counts(section, strong)),
        )

    def few_clusters(self) -> tuple[str, ...]:
        """A warning where the pairs of a class come from few functionalities."""
        few = []
        for name in self._printed if self._sections else ():
            sizes = np.array([self._counts(section, (name,))[1] for section in self._sections.values()])
            if 0 < (effective := effective_clusters(sizes)) < FEW_CLUSTERS:
                few.append(f"{TYPE_NAMES[name]} like {effective:.1f}")
        if not few:
            return ()
        return (f"Few functionalities hold most pairs ({', '.join(few)} of equal size): the intervals are rough.",)

    def _measurement(self, title: str, names: Sequence[str], part: str = "types", scope: str = "all") -> Measurement:
        detected, total = self._counts(self._overall, names, part, scope)
        clusters = [self._counts(section, names, part, scope) for section in self._sections.values()]
        if total == 0 or detected > total or any(found > there for found, there in clusters):
            return _share(title, detected, total)
        filled = [(found, there) for found, there in clusters if there]
        value = detected / total
        if not self._sections:
            interval = wilson(detected, total, CONFIDENCE)
            return _with_interval(Measurement(title, value, None, None, detected, total, INDEPENDENT), interval)
        found, there = [one for one, _ in filled], [one for _, one in filled]
        between, effective = clustered(found, there, CONFIDENCE), effective_clusters(np.array(there))
        if effective >= ENOUGH_CLUSTERS:
            method = f"functionalities as clusters ({len(filled)})"
            return _with_interval(Measurement(title, value, None, None, detected, total, method), between)
        scope = "this functionality" if len(filled) == 1 else f"these {len(filled)} functionalities"
        note = f"for {scope} only: {about_others(between, effective)}"
        within = Measurement(title, value, None, None, detected, total, WITHIN, note, scope)
        return _with_interval(within, clustered_within(found, there, CONFIDENCE))

    @staticmethod
    def _counts(section: Section, names: Iterable[str], part: str = "types", scope: str = "all") -> tuple[int, int]:
        cells: list[Any] = [section[part][scope][name] for name in names]
        return sum(cell[0] for cell in cells), sum(cell[1] for cell in cells)


def _with_interval(one: Measurement, interval: Interval | None) -> Measurement:
    return one if interval is None else replace(one, low=interval.low, high=interval.high)


def _share(title: str, detected: int, total: int) -> Measurement:
    """A share without an interval."""
    if total == 0:
        return Measurement(title, None, successes=detected, n=0, note="no pair of this kind")
    note = "more pairs were detected than counted (defect D5 of BigCloneEval)" if detected > total else None
    return Measurement(title, detected / total, successes=detected, n=total, note=note)
