"""Recovering functionalities: from shared ids, from pairs, and from texts that are nearly the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clonetruth.build.functionalities.evidence import EvidenceTrail, InferenceWay
from clonetruth.build.functionalities.holdout_check import HoldoutCheck, run_trials
from clonetruth.build.functionalities.inference import Flags, Reals, infer, leaders
from clonetruth.build.functionalities.joined_data import JoinedData, Progress, join
from clonetruth.build.functionalities.known_labels import benchmark_knowledge, read_knowledge
from clonetruth.errors import InputError
from clonetruth.model import Role
from clonetruth.store import Benchmark


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
