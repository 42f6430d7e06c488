"""Recovering functionalities: from shared ids, from pairs, and from texts that are nearly the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from clonetruth.build.functionalities.holdout_check import HoldoutCheck, run_trials
from clonetruth.build.functionalities.inference import Flags, Integers, Reals, infer, leaders
from clonetruth.build.functionalities.joined_data import JoinedData, join
from clonetruth.build.functionalities.known_labels import benchmark_knowledge, read_knowledge
from clonetruth.errors import InputError
from clonetruth.model import Role
from clonetruth.progress import Progress
from clonetruth.store import Benchmark

# The evidence of an assignment: a path to a known member, and how many neighbours speak for and against.


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


@dataclass(frozen=True)
class RecoveryOptions:
    """How functionalities are recovered.

    Attributes:
        others: benchmark folders and tables (`function_id`, `functionality_id`) that know some.
        confidence: the least confidence of an assignment.
        folds: in how many goes known members are hidden, to measure the confidence.
        seed: decides who is hidden when.
        pairs: hear what pairs tell.
        twins: hear what twins tell.
    """

    others: tuple[Path, ...] = ()
    confidence: float = 0.9
    folds: int = 5
    seed: int = 0
    pairs: bool = True
    twins: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.confidence <= 1:
            raise InputError(f"A confidence of {self.confidence} is not between 0 and 1.")


@dataclass(frozen=True)
class FunctionalityAssignment:
    """A functionality that a fragment was given.

    Attributes:
        fragment, functionality: their ids.
        way: how it came to it.
        confidence: how often such an assignment is right, as measured; None where it could not be.
        evidence: what it rests on, as JSON.
        role: what the other benchmark calls it. Who stands in a positive pair was tagged true, or is an exemplar.
    """

    fragment: str
    functionality: str
    way: InferenceWay
    confidence: float | None
    evidence: str
    role: Role = Role.TAGGED_TRUE


@dataclass(frozen=True, eq=False)
class Recovery:
    """What came out.

    Attributes:
        material: what was known.
        assignments: what is new, in the order of the benchmark's fragments. A fragment is given one functionality,
            the likeliest: known members, who have one each, cannot tell how often a second would be right.
        trials: how hidden members fared, which is where confidence comes from.
        unknown: fragments without a functionality, by reason.
    """

    material: JoinedData
    assignments: tuple[FunctionalityAssignment, ...]
    trials: HoldoutCheck
    unknown: dict[str, int]


def gather(benchmark: Benchmark, options: RecoveryOptions, progress: Progress) -> JoinedData:
    """All that is known of a benchmark's fragments.

    Raises:
        InputError: no functionality is known of any of them, or the others' ids mean other texts.
    """
    others = [read_knowledge(path) for path in options.others]
    material = join(benchmark_knowledge(benchmark), others, progress)
    if not material.known[:, : material.own].any():
        count = f"{len(others):,} others" if others else "no other benchmark or table"
        raise InputError(
            f"No functionality of its {material.own:,} fragments is known, to itself or to {count}.",
            where=benchmark.path,
            hint="Give a benchmark or table with ids or texts of the same fragments: --with.",
        )
    return material.without(pairs=not options.pairs, twins=not options.twins)


def recover(benchmark: Benchmark, options: RecoveryOptions, progress: Progress) -> Recovery:
    """Give functionalities to the fragments of a benchmark that have none.

    Raises:
        InputError: see `gather` and `run_trials`.
    """
    material = gather(benchmark, options, progress)
    # A hidden fragment whose copy is known would be no test of what pairs tell.
    together = material.chains if options.pairs else np.arange(len(material.ids))
    trials = run_trials(material, together, options.folds, options.seed, progress)
    odds = infer(material.ties, material.known, material.denied)
    found = [*_shared(material), *_inferred(material, odds, trials, options.confidence)]
    places = {identity: place for place, identity in enumerate(material.ids)}
    found.sort(key=lambda one: (places[one.fragment], one.functionality))
    return Recovery(material, tuple(found), trials, _unknown(material, odds, found))


def _shared(material: JoinedData) -> Iterator[FunctionalityAssignment]:
    """What others say of fragments that the benchmark has too."""
    for (row, fragment), statement in material.statements.items():
        if fragment >= material.own or statement.speaker == 0 or statement.role is Role.TAGGED_FALSE:
            continue
        texts = material.agreement[statement.speaker]
        yield FunctionalityAssignment(
            material.ids[fragment],
            material.functionalities[row].id,
            InferenceWay.SHARED_ID,
            (texts.same + 1) / (texts.compared + 2) if texts.compared else None,
            json.dumps({"way": str(InferenceWay.SHARED_ID), "known_by": material.speakers[statement.speaker]}),
            statement.role,
        )


def _inferred(
    material: JoinedData, odds: Reals, trials: HoldoutCheck, least: float
) -> Iterator[FunctionalityAssignment]:
    unknown = np.flatnonzero(~material.known[:, : material.own].any(axis=0))
    rows, lead = leaders(odds, unknown)
    confidence = trials.calibration()(lead)
    wanted = (lead > 0) & (confidence >= least)
    for row in np.unique(rows[wanted]).tolist():
        trail = EvidenceTrail.of(material, row, odds)
        here = np.flatnonzero(wanted & (rows == row))
        sure = confidence[here].tolist()
        fragments = unknown[here]
        for fragment, measured, evidence in zip(fragments.tolist(), sure, trail.texts(fragments), strict=True):
            yield FunctionalityAssignment(
                material.ids[fragment],
                material.functionalities[row].id,
                trail.way(fragment),
                round(measured, 4),
                evidence,
            )


def _unknown(material: JoinedData, odds: Reals, found: list[FunctionalityAssignment]) -> dict[str, int]:
    """Why fragments have no functionality."""
    given = {one.fragment for one in found}
    ties = material.ties
    tied = np.zeros(ties.count, dtype=bool)
    for edges in (ties.positive, ties.twins):
        tied[edges.left] = tied[edges.right] = True
    likely: Flags = np.any(odds > 0, axis=0)
    reasons = Counter(
        "in no positive pair, and without a twin"
        if not tied[place]
        else "too unsure"
        if likely[place]
        else "no known member speaks for one"
        for place, identity in enumerate(material.ids[: material.own])
        if identity not in given and not material.known[:, place].any()
    )
    return dict(sorted(reasons.items()))
