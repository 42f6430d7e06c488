"""Recovering functionalities: from shared ids, from pairs, and from texts that are nearly the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from clonetruth.build.functionalities.holdout_check import HoldoutCheck, run_holdout
from clonetruth.build.functionalities.inference import Flags, Integers, Reals, best_functionalities, infer
from clonetruth.build.functionalities.joined_data import JoinedData, join
from clonetruth.build.functionalities.known_labels import benchmark_labels, read_known_labels
from clonetruth.errors import InputError
from clonetruth.model import Role
from clonetruth.progress import Progress
from clonetruth.store import Benchmark


class InferenceWay(StrEnum):
    """How the functionality of a fragment was found."""

    SHARED_ID = "shared-id"
    PAIRS = "pairs"
    TWINS = "twins"
    BOTH = "pairs-and-twins"


_PAIR, _TWIN = "pair", "twin"


@dataclass(frozen=True, eq=False)
class EvidenceTrail:
    """The evidence of assignments: shortest paths from the likely members of a functionality to its known members.

    Attributes:
        row: the functionality.
        parents: for each fragment the next one on its path; -1 for a known member, or if there is no path.
        twin: whether that step is between twins.
        likely: the fragments that are more likely than not to have the functionality.
    """

    data: JoinedData
    row: int
    parents: Integers
    twin: Flags
    likely: Flags

    @classmethod
    def of(cls, data: JoinedData, row: int, odds: Reals) -> EvidenceTrail:
        """Search from the known members through the likely ones, twins before pairs."""
        likely = odds[row] > 0
        reached = data.known[row].copy()
        parents = np.full(len(reached), -1, dtype=np.int64)
        twin = np.zeros(len(reached), dtype=bool)
        while True:
            for edges, is_twin in ((data.graph.twins, True), (data.graph.positive, False)):
                for near, far in ((edges.left, edges.right), (edges.right, edges.left)):
                    step = reached[near] & likely[far] & ~reached[far] & (parents[far] < 0)
                    parents[far[step]] = near[step]
                    twin[far[step]] = is_twin
            found = parents >= 0
            if not (found & ~reached).any():
                return cls(data, row, parents, twin, likely)
            reached |= found

    def path(self, fragment: int) -> list[int]:
        """The fragments on the path from a fragment to a known member."""
        path = [fragment]
        while self.parents[path[-1]] >= 0:
            path.append(int(self.parents[path[-1]]))
        return path

    def way(self, fragment: int) -> InferenceWay:
        """The kinds of steps on the path."""
        kinds = {bool(self.twin[one]) for one in self.path(fragment)[:-1]}
        return InferenceWay.BOTH if len(kinds) == 2 else InferenceWay.TWINS if kinds == {True} else InferenceWay.PAIRS

    def texts(self, fragments: Integers) -> list[str]:
        """The evidence of fragments as JSON."""
        data, likely = self.data, self.likely.astype(np.float32)
        graph = data.graph
        counts = {
            "positive_pairs": graph.positive.neighbour_sums(likely, graph.count),
            "negative_pairs": graph.negative.neighbour_sums(likely, graph.count),
            "twins": graph.twins.neighbour_sums(likely, graph.count),
        }
        return [
            json.dumps(self._trail(one) | {k: int(v[one]) for k, v in counts.items()}) for one in fragments.tolist()
        ]

    def _trail(self, fragment: int) -> dict[str, object]:
        path = self.path(fragment)
        statement = self.data.statements.get((self.row, path[-1]))
        return {
            "way": str(self.way(fragment)),
            "path": [self.data.ids[one] for one in path],
            "steps": [_TWIN if self.twin[one] else _PAIR for one in path[:-1]],
            "known_by": statement and self.data.sources[statement.source],
        }


@dataclass(frozen=True)
class RecoveryParameters:
    """How functionalities are recovered; `RecoverFunctionalitiesOptions` explains each choice.

    `others` are benchmark folders and tables with known functionalities; in `folds` folds known members are hidden to
    measure the confidence.
    """

    others: tuple[Path, ...] = ()
    confidence: float = 0.9
    folds: int = 5
    seed: int = 0
    pairs: bool = True
    twins: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.confidence <= 1:
            raise InputError(f"The confidence is {self.confidence}, not between 0 and 1.")


@dataclass(frozen=True)
class FunctionalityAssignment:
    """A functionality assigned to a fragment.

    Attributes:
        fragment, functionality: their ids.
        way: how it was found.
        confidence: the measured share of such assignments that are right; None if it could not be measured.
        evidence: the evidence as JSON.
        role: the role in the other benchmark. A fragment in a positive pair was tagged true, or is an exemplar.
    """

    fragment: str
    functionality: str
    way: InferenceWay
    confidence: float | None
    evidence: str
    role: Role = Role.TAGGED_TRUE


@dataclass(frozen=True, eq=False)
class Recovery:
    """The outcome of a recovery.

    Attributes:
        data: what was known.
        assignments: the new assignments, in the order of the benchmark's fragments. A fragment gets one
            functionality, the likeliest: known members have one each, so they cannot show how often a second one
            would be right.
        holdout: the check on hidden members, from which the confidence comes.
        unknown: the number of fragments without a functionality, by reason.
    """

    data: JoinedData
    assignments: tuple[FunctionalityAssignment, ...]
    holdout: HoldoutCheck
    unknown: dict[str, int]


def collect_known(benchmark: Benchmark, options: RecoveryParameters, progress: Progress) -> JoinedData:
    """Collect what is known about a benchmark's fragments.

    Raises:
        InputError: no functionality of any of them is known, or the others' ids refer to other texts.
    """
    others = [read_known_labels(path) for path in options.others]
    data = join(benchmark_labels(benchmark), others, progress)
    if not data.known[:, : data.own].any():
        count = f"{len(others):,} others" if others else "no other benchmark or table"
        raise InputError(
            f"No functionality of its {data.own:,} fragments is known, from the benchmark itself or from {count}.",
            where=benchmark.path,
            hint="Give a benchmark or table with ids or texts of the same fragments (--with).",
        )
    return data.without(pairs=not options.pairs, twins=not options.twins)


def recover(benchmark: Benchmark, options: RecoveryParameters, progress: Progress) -> Recovery:
    """Infer functionalities for the fragments of a benchmark that have none.

    Raises:
        InputError: see `collect_known` and `run_holdout`.
    """
    data = collect_known(benchmark, options, progress)
    # A hidden fragment whose copy is known would not test what pairs contribute.
    groups = data.chains if options.pairs else np.arange(len(data.ids))
    holdout = run_holdout(data, groups, options.folds, options.seed, progress)
    odds = infer(data.graph, data.known, data.denied)
    assignments = [*_shared(data), *_inferred(data, odds, holdout, options.confidence)]
    places = {identity: place for place, identity in enumerate(data.ids)}
    assignments.sort(key=lambda one: (places[one.fragment], one.functionality))
    return Recovery(data, tuple(assignments), holdout, _unknown(data, odds, assignments))


def _shared(data: JoinedData) -> Iterator[FunctionalityAssignment]:
    """Statements of others on the benchmark's fragments."""
    for (row, fragment), statement in data.statements.items():
        if fragment >= data.own or statement.source == 0 or statement.role is Role.TAGGED_FALSE:
            continue
        texts = data.agreement[statement.source]
        yield FunctionalityAssignment(
            data.ids[fragment],
            data.functionalities[row].id,
            InferenceWay.SHARED_ID,
            (texts.same + 1) / (texts.compared + 2) if texts.compared else None,
            json.dumps({"way": str(InferenceWay.SHARED_ID), "known_by": data.sources[statement.source]}),
            statement.role,
        )


def _inferred(
    data: JoinedData, odds: Reals, holdout: HoldoutCheck, minimum: float
) -> Iterator[FunctionalityAssignment]:
    unknown = np.flatnonzero(~data.known[:, : data.own].any(axis=0))
    rows, lead = best_functionalities(odds, unknown)
    confidence = holdout.calibration()(lead)
    wanted = (lead > 0) & (confidence >= minimum)
    for row in np.unique(rows[wanted]).tolist():
        trail = EvidenceTrail.of(data, row, odds)
        here = np.flatnonzero(wanted & (rows == row))
        sure = confidence[here].tolist()
        fragments = unknown[here]
        for fragment, measured, evidence in zip(fragments.tolist(), sure, trail.texts(fragments), strict=True):
            yield FunctionalityAssignment(
                data.ids[fragment],
                data.functionalities[row].id,
                trail.way(fragment),
                round(measured, 4),
                evidence,
            )


def _unknown(data: JoinedData, odds: Reals, assignments: list[FunctionalityAssignment]) -> dict[str, int]:
    """Why fragments have no functionality."""
    assigned = {one.fragment for one in assignments}
    graph = data.graph
    tied = np.zeros(graph.count, dtype=bool)
    for edges in (graph.positive, graph.twins):
        tied[edges.left] = tied[edges.right] = True
    likely: Flags = np.any(odds > 0, axis=0)
    reasons = Counter(
        "in no positive pair, and without a twin"
        if not tied[place]
        else "too unsure"
        if likely[place]
        else "no known member speaks for one"
        for place, identity in enumerate(data.ids[: data.own])
        if identity not in assigned and not data.known[:, place].any()
    )
    return dict(sorted(reasons.items()))
