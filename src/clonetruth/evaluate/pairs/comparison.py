"""Compares two detectors on the same pairs of a benchmark: by how much they differ, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from clonetruth.errors import InputError
from clonetruth.evaluate.measurement import METRICS
from clonetruth.evaluate.paired import MetricDifference, compare
from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, build_result
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.progress import Progress
from clonetruth.stats.rates import RATES
from clonetruth.store import Benchmark
from clonetruth.store.results import Result


@dataclass(frozen=True)
class PairedComparison:
    """By how much two detectors differ.

    Attributes:
        names: the names of the two detectors.
        differences: first minus second, for each metric that both have, over the pairs that count for both.
        pairs: number of pairs that count for both.
        alone: number of pairs that count for the first alone, and for the second alone.
    """

    names: tuple[str, str]
    differences: tuple[MetricDifference, ...]
    pairs: int
    alone: tuple[int, int]

    @classmethod
    def between(cls, first: EvaluationRun, second: EvaluationRun) -> PairedComparison:
        """Compare the decisions and scores of two runs with the same options.

        Raises:
            InputError: no pair counts for both.
        """
        keys = [run.decisions.subjects.pair for run in (first, second)]
        shared, in_first, in_second = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
        if not len(shared):
            raise InputError("The two detectors have no pair in common that counts.", hint="Give both the same pairs.")
        one, other = first.decisions.outcomes.select(in_first), second.decisions.outcomes.select(in_second)
        decided = first.rule.decides and second.rule.decides
        ranked = one.score is not None and other.score is not None
        metrics = [metric for metric in METRICS if (decided if metric in RATES else ranked)]
        return cls(
            (first.candidate.title, second.candidate.title),
            tuple(compare(one, other, metric, first.options.confidence) for metric in metrics),
            len(shared),
            (len(keys[0]) - len(shared), len(keys[1]) - len(shared)),
        )

    def notes(self) -> Iterator[str]:
        """The differences, a sentence each."""
        a, b = self.names
        for one in self.differences:
            if one.difference is None:
                continue
            interval = "" if one.low is None or one.high is None else f", interval {one.low:+.3f} to {one.high:+.3f}"
            chance = "" if one.p is None else f", p = {one.p:.2g}"
            scope = "" if one.scope is None else f" (for {one.scope} only)"
            yield f"{one.metric}: {a} − {b} = {one.difference:+.3f}{interval}{chance}{scope}."
        if any(self.alone):
            yield (
                f"The differences are over the {self.pairs:,} pairs that count for both; {self.alone[0]:,} count for "
                f"{a} alone and {self.alone[1]:,} for {b} alone."
            )


def compare_pairs(
    benchmark: Benchmark,
    first: Candidate,
    second: Candidate,
    options: PairsOptions | None = None,
    *,
    progress: Progress | None = None,
) -> tuple[Result, Result, PairedComparison]:
    """Measure two detectors with the same options, and whether one is better.

    Both results have the differences in their notes. The differences are over the pairs that count for both; where
    predictions are missing, they need not be the differences of the headlines, and the notes say so.

    Raises:
        InputError: as in `evaluate_pairs`, or no pair counts for both.
    """
    a, b = (EvaluationRun.run(benchmark, one, options or PairsOptions(), progress) for one in (first, second))
    comparison = PairedComparison.between(a, b)
    one, other = (
        replace(result, notes=(*result.notes, *comparison.notes()))
        for result in (build_result(run, progress) for run in (a, b))
    )
    return one, other, comparison
