"""Runs detectors on the pairs of a benchmark: their scores, the curves of scores, and the baselines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from clonetruth.detectors import DETECTORS, Detector
from clonetruth.evaluate.pairs.decisions import DecisionRule, decide, default_rule, undecided_rule, validated_rule
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.pair_set import PairSubjects
from clonetruth.evaluate.pairs.strata import measured
from clonetruth.progress import Progress
from clonetruth.stats.calibration import are_probabilities, reliability
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.ranking import Steps, precision_recall_curve, roc_curve
from clonetruth.store import Benchmark
from clonetruth.store.results import Curve, MeasurementGroup

# Curves: how scores rank pairs, and whether they are calibrated.


def curves(outcomes: Outcomes) -> tuple[Curve, ...]:
    """The ROC and precision-recall curves, and the reliability curve where scores may be probabilities.

    A curve that is not defined, because scores or one class are missing, is left out.
    """
    if outcomes.score is None:
        return ()
    steps = Steps.of(outcomes.score, outcomes.truth)
    candidates = [
        Curve("roc", "false positive rate", "recall", roc_curve(steps)),
        Curve("precision-recall", "recall", "precision", precision_recall_curve(steps)),
    ]
    if are_probabilities(outcomes.score):
        bins = reliability(outcomes.score, outcomes.truth)
        candidates.append(
            Curve(
                "reliability", "mean score", "share of clones", bins.points, "Bins of equal width, empty ones left out."
            )
        )
    return tuple(curve for curve in candidates if curve.points)


# Scores.

FRAGMENTS_SQL = """
SELECT f.fragment AS fragment, f.language AS language, f.text AS text
FROM fragments f JOIN needed n ON f.fragment = n.fragment
ORDER BY f.fragment
"""


_PARALLEL_FROM = 2_000
"""Below this number of fragments, starting processes takes longer than scoring in this one."""


def score_pairs(
    benchmark: Benchmark,
    detector: Detector,
    subjects: PairSubjects,
    *,
    processes: int = 1,
    progress: Progress | None = None,
) -> PairSubjects:
    """Score pairs with a detector."""
    needed = pa.table({"fragment": np.union1d(subjects.left, subjects.right)})
    fragments = benchmark.sql(FRAGMENTS_SQL, needed=needed)
    workers = processes if fragments.num_rows >= _PARALLEL_FROM else 1
    return subjects.scored(detector.score(fragments, subjects.table, processes=workers, progress=progress))


def detector_rule(detector: Detector) -> DecisionRule:
    """How a detector decides by itself: by its default threshold, if it has one."""
    threshold = detector.default_threshold
    return undecided_rule() if threshold is None else default_rule(threshold)


# Baselines.


@dataclass(frozen=True)
class Baselines:
    """Trivial detectors on the pairs of an evaluation: the same metrics, the threshold chosen in the same way.

    Attributes:
        benchmark: the benchmark.
        subjects: the pairs.
        validation: the pairs that thresholds are chosen on; without them, a detector's own default decides.
        metrics: what is measured.
        options: the options of the evaluation.
        progress: called as the work proceeds.
    """

    benchmark: Benchmark
    subjects: PairSubjects
    validation: PairSubjects | None
    metrics: Sequence[str]
    options: PairsOptions
    progress: Progress | None = None

    def group(self, name: str) -> MeasurementGroup:
        """Measure one detector."""
        detector = DETECTORS[name]
        scored = self._scored(detector, self.subjects)
        if np.isnan(scored.score).all():
            return MeasurementGroup(name, (), note=f"{detector.description} It cannot score these pairs.")
        rule = None
        if self.validation is not None:
            rule = validated_rule(self._scored(detector, self.validation), self.options.threshold_metric)
        rule = rule or detector_rule(detector)
        decided = decide(scored, rule)
        notes = [detector.description, rule.sentence]
        if decided.missing:
            notes.append(f"It does not score {decided.missing:,} pairs; they are left out.")
        found = measured(decided.outcomes, self.metrics, self.options.confidence, self.options.seed)
        clones = int(np.count_nonzero(decided.outcomes.truth))
        return MeasurementGroup(name, found, len(decided.outcomes), clones, " ".join(notes))

    def _scored(self, detector: Detector, subjects: PairSubjects) -> PairSubjects:
        return score_pairs(self.benchmark, detector, subjects, processes=self.options.processes, progress=self.progress)
