"""Two detectors on the same pairs of a benchmark: each one's result, and the differences between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clonetruth.detectors import Progress
from clonetruth.errors import InputError
from clonetruth.evaluate.measuring import METRICS
from clonetruth.evaluate.pair_options import PairsOptions
from clonetruth.evaluate.paired import Comparison, compare
from clonetruth.evaluate.pairs import Contestant, Trial, result_of
from clonetruth.evaluate.rates import RATES
from clonetruth.store import Benchmark
from clonetruth.store.results import Result


@dataclass(frozen=True)
class Contest:
    """What two detectors reached, and by how much they differ.

    Attributes:
        first: the result of the one.
        second: the result of the other.
        differences: first minus second, for each metric that both have, over the pairs that count for both.
        pairs: how many pairs count for both.
    """

    first: Result
    second: Result
    differences: tuple[Comparison, ...]
    pairs: int


def compare_pairs(
    benchmark: Benchmark,
    first: Contestant,
    second: Contestant,
    options: PairsOptions | None = None,
    *,
    progress: Progress | None = None,
) -> Contest:
    """Measure two detectors in the same way, and whether one is better.

    The differences stand as notes in both results. They are over the pairs that count for both, so they need not be the
    differences of the headlines where predictions are missing; the notes say so.

    Raises:
        InputError: as in `evaluate_pairs`, or no pair counts for both.
    """
    chosen = options or PairsOptions()
    trials = [Trial.run(benchmark, one, chosen, progress) for one in (first, second)]
    keys = [trial.decided.subjects.pair for trial in trials]
    shared, here, there = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    if not len(shared):
        raise InputError("The two detectors have no pair in common that counts.", hint="Give both the same pairs.")
    one, other = (trial.decided.outcomes.select(at) for trial, at in zip(trials, (here, there), strict=True))
    differences = tuple(compare(one, other, metric, chosen.confidence) for metric in _shared(trials))
    alone = [len(own) - len(shared) for own in keys]
    notes = tuple(_notes(trials, differences, len(shared), alone))
    results = [result_of(trial, progress) for trial in trials]
    a, b = (replace(result, notes=(*result.notes, *notes)) for result in results)
    return Contest(a, b, differences, len(shared))


def _shared(trials: Sequence[Trial]) -> list[str]:
    """The metrics that are defined for all."""
    decided = all(trial.rule.decides for trial in trials)
    ranked = all(trial.decided.outcomes.score is not None for trial in trials)
    return [metric for metric in METRICS if (decided if metric in RATES else ranked)]


def _notes(
    trials: Sequence[Trial], differences: Sequence[Comparison], pairs: int, alone: Sequence[int]
) -> Iterator[str]:
    a, b = (trial.contestant.title for trial in trials)
    for one in differences:
        if one.difference is None:
            continue
        interval = "" if one.low is None or one.high is None else f", interval {one.low:+.3f} to {one.high:+.3f}"
        chance = "" if one.p is None else f", p = {one.p:.2g}"
        yield f"{one.metric}: {a} − {b} = {one.difference:+.3f}{interval}{chance}."
    if any(alone):
        yield (
            f"The differences are over the {pairs:,} pairs that count for both; {alone[0]:,} count for {a} alone and "
            f"{alone[1]:,} for {b} alone."
        )
