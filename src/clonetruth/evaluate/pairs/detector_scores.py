"""Detectors at work on the pairs of a benchmark."""

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
from clonetruth.store.results import BaselineGroup, Curve

# The curves of an evaluation: how scores rank, and what they promise.


def curves(outcomes: Outcomes) -> tuple[Curve, ...]:
    """The ROC and precision-recall curves, and the reliability curve where scores may be probabilities.

    A curve that is not defined, for want of scores or of one class, is left out.
    """
    if outcomes.score is None:
        return ()
    steps = Steps.of(outcomes.score, outcomes.truth)
    found = [
        Curve("roc", "false positive rate", "recall", roc_curve(steps)),
        Curve("precision-recall", "recall", "precision", precision_recall_curve(steps)),
    ]
    if are_probabilities(outcomes.score):
        bins = reliability(outcomes.score, outcomes.truth)
        found.append(
            Curve(
                "reliability", "mean score", "share of clones", bins.points, "Bins of equal width, empty ones left out."
            )
        )
    return tuple(curve for curve in found if curve.points)


FRAGMENTS_SQL = """
SELECT f.fragment AS fragment, f.language AS language, f.text AS text
FROM fragments f JOIN needed n ON f.fragment = n.fragment
ORDER BY f.fragment
"""


def detect(
    benchmark: Benchmark,
    detector: Detector,
    subjects: PairSubjects,
    *,
    processes: int = 1,
    progress: Progress | None = None,
) -> PairSubjects:
    """The same pairs, scored by a detector."""
    needed = pa.table({"fragment": np.union1d(subjects.left, subjects.right)})
    fragments = benchmark.sql(FRAGMENTS_SQL, needed=needed)
    return subjects.scored(detector.score(fragments, subjects.table, processes=processes, progress=progress))


def own_rule(detector: Detector) -> DecisionRule:
    """How a detector decides when nobody tells it."""
    threshold = detector.default_threshold
    return undecided_rule() if threshold is None else default_rule(threshold)


@dataclass(frozen=True)
class Baselines:
    """Trivial detectors on the pairs of an evaluation: the same metrics, the threshold chosen in the same way.

    Attributes:
        benchmark: the benchmark.
        subjects: the pairs.
        validation: the pairs that thresholds are chosen on; without them, a detector's own default decides.
        metrics: what is measured.
        options: how.
        progress: told what is being done.
    """

    benchmark: Benchmark
    subjects: PairSubjects
    validation: PairSubjects | None
    metrics: Sequence[str]
    options: PairsOptions
    progress: Progress | None = None

    def group(self, name: str) -> BaselineGroup:
        """A detector's row of the table."""
        detector = DETECTORS[name]
        scored = self._scored(detector, self.subjects)
        if np.isnan(scored.score).all():
            return BaselineGroup(name, (), note=f"{detector.description} It can say nothing of these pairs.")
        rule = None
        if self.validation is not None:
            rule = validated_rule(self._scored(detector, self.validation), self.options.threshold_metric)
        rule = rule or own_rule(detector)
        decided = decide(scored, rule)
        notes = [detector.description, rule.sentence]
        if decided.missing:
            notes.append(f"It says nothing of {decided.missing:,} pairs; they are left out.")
        found = measured(decided.outcomes, self.metrics, self.options.confidence, self.options.seed)
        clones = int(np.count_nonzero(decided.outcomes.truth))
        return BaselineGroup(name, found, len(decided.outcomes), clones, " ".join(notes))

    def _scored(self, detector: Detector, subjects: PairSubjects) -> PairSubjects:
        return detect(self.benchmark, detector, subjects, processes=self.options.processes, progress=self.progress)
