"""Where judges contradict the verdicts of a policy, by functionality."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from clonetruth.model import PairValue
from clonetruth.store import Benchmark
from clonetruth.store.study import Study

_FUNCTIONALITIES_SQL = """
SELECT p.pair AS pair, f.id AS id, f.name AS name
FROM pairs p
JOIN judged j ON p.pair = j.pair
LEFT JOIN functionalities f ON p.functionality = f.functionality
"""


@dataclass(frozen=True)
class PairPlace:
    """A compared pair: the study's number of the subject or the benchmark's of the pair, and its functionality."""

    pair: int
    functionality: str | None
    name: str | None


@dataclass(frozen=True)
class PairConflict:
    """A pair on which a judge contradicts the verdict.

    Attributes:
        pair: the study's number of the subject, or the benchmark's key of the pair.
        verdict: the policy's verdict.
        answers: the answer of each judge who contradicts it.
    """

    pair: int
    verdict: str
    answers: Mapping[str, str]


@dataclass(frozen=True)
class FunctionalityConflicts:
    """The conflicts within one functionality.

    Attributes:
        functionality: its id; None for pairs without one.
        name: its name.
        pairs: number of pairs with a verdict that a judge answered.
        clones: how many of them the verdicts call clones.
        conflicts: the pairs on which a judge contradicts the verdict.
    """

    functionality: str | None
    name: str | None
    pairs: int
    clones: int
    conflicts: tuple[PairConflict, ...]


def find_conflicts(
    answers: Iterable[tuple[int, str, str]], verdicts: Mapping[int, str], places: Mapping[int, PairPlace]
) -> tuple[FunctionalityConflicts, ...]:
    """The conflicts of judges with verdicts, by functionality; those with the most conflicts first.

    Args:
        answers: subject, judge and answer; those that do not count (`undecided`) must be left out.
        verdicts: the verdict on each subject.
        places: the pair of each subject.
    """
    given: dict[int, dict[str, str]] = defaultdict(dict)
    for subject, judge, value in answers:
        given[subject][judge] = value
    compared = sorted(given.keys() & {one for one, value in verdicts.items() if value in _DECIDED})
    groups: dict[tuple[str | None, str | None], list[int]] = defaultdict(list)
    for subject in compared:
        groups[places[subject].functionality, places[subject].name].append(subject)
    found = []
    for (functionality, name), subjects in groups.items():
        differing = {
            one: {judge: value for judge, value in given[one].items() if value != verdicts[one]} for one in subjects
        }
        conflicts = [PairConflict(places[one].pair, verdicts[one], who) for one, who in differing.items() if who]
        clones = sum(verdicts[one] == PairValue.CLONE for one in subjects)
        found.append(FunctionalityConflicts(functionality, name, len(subjects), clones, tuple(conflicts)))
    return tuple(sorted(found, key=lambda one: (-len(one.conflicts), -one.pairs, one.functionality or "")))


_DECIDED: Collection[str] = (PairValue.CLONE, PairValue.NOT_CLONE)


def study_places(study: Study) -> dict[int, PairPlace]:
    """The pairs of a study."""
    names = dict(zip(*(study.functionalities[name].to_pylist() for name in ("id", "name")), strict=True))
    own = study.subjects["functionality"].to_pylist()
    return {subject: PairPlace(subject, one, names.get(one)) for subject, one in enumerate(own)}


def benchmark_places(benchmark: Benchmark, pairs: pa.Array) -> dict[int, PairPlace]:
    """The pairs of a benchmark, by their position among the judged ones."""
    rows = benchmark.sql(_FUNCTIONALITIES_SQL, judged=pa.table({"pair": pairs})).to_pylist()
    found = {row["pair"]: PairPlace(row["pair"], row["id"], row["name"]) for row in rows}
    return {subject: found[pair] for subject, pair in enumerate(pairs.to_pylist())}
