"""Corrects a result that was measured on a dataset's own labels, by judgements that show how many are wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from clonetruth.evaluate.labels.correction import bound_recall, correct_as_published, correct_independent
from clonetruth.evaluate.labels.judged_labels import JudgedLabels, judged_label_error
from clonetruth.evaluate.labels.prediction_powered import Totals, judged_sample, prediction_powered_correction
from clonetruth.evaluate.pairs.evaluation import EvaluationRun
from clonetruth.stats.survey import Design
from clonetruth.store import Benchmark
from clonetruth.store.results import Correction, Result
from clonetruth.verdicts import judge_verdicts
from clonetruth.verdicts.policies import DEFAULT, ORIGIN

_EVIDENCE_SQL = """
SELECT pair, CASE WHEN verdict = 'clone' THEN 1 ELSE 0 END AS clone
FROM evidence
WHERE verdict <> 'unknown'
ORDER BY pair
"""


_CONCLUSIVE = 20
"""From this number of judged pairs on, full agreement with the evidence is not an accident."""


class CorrectionMethod(StrEnum):
    """A method of correction."""

    INDEPENDENT = "independent"
    AS_PUBLISHED = "as-published"
    BOUNDS = "bounds"
    PREDICTION_POWERED = "prediction-powered"


def corrections(
    run: EvaluationRun,
    result: Result,
    *,
    sample: Benchmark | None = None,
    criterion: str | None = None,
    methods: tuple[CorrectionMethod, ...] = tuple(CorrectionMethod),
) -> tuple[Correction, ...]:
    """What the numbers of a result become when wrong labels are taken into account.

    Only a result that believes the dataset's labels (policy `origin`) needs it.

    Args:
        run: the decisions that were measured.
        result: the result.
        sample: a benchmark with labels and judgements that show how many of such labels are wrong (default: the
            benchmark of the run, whose judged pairs can then be used themselves).
        criterion: what the judges were asked; see `judged_label_error`.
        methods: the methods of correction.

    Returns:
        A correction for each method that is possible; none where nobody judged the labels, or only the detector itself.

    Raises:
        InputError: the judges were asked several questions, and none was chosen.
    """
    precision, recall = result.measurement("precision"), result.measurement("recall")
    if result.policy.name != ORIGIN.name or precision is None or recall is None:
        return ()
    labels = judged_label_error(sample or run.pair_set.benchmark, criterion)
    if labels is None or precision.value is None or recall.value is None:
        return ()
    judged_pairs = None if sample else _JudgedPairs.of(run, labels)
    if judged_pairs is not None and judged_pairs.is_own_judge:
        return ()
    corrected = []
    if CorrectionMethod.INDEPENDENT in methods:
        corrected.append(correct_independent(precision.value, recall.value, labels.error_rate).to_correction())
    if CorrectionMethod.AS_PUBLISHED in methods:
        corrected.append(correct_as_published(precision.value, recall.value, labels.error_rate).to_correction())
    if CorrectionMethod.BOUNDS in methods:
        corrected.append(bound_recall(precision.value, recall.value, labels.error_rate).to_correction())
    if CorrectionMethod.PREDICTION_POWERED in methods and judged_pairs is not None and len(judged_pairs.clone) > 1:
        corrected.append(judged_pairs.prediction_powered(run, labels))
    return tuple(corrected)


@dataclass(frozen=True)
class _JudgedPairs:
    """The pairs that have both a decision and a verdict from evidence."""

    rows: npt.NDArray[np.intp]
    predicted: npt.NDArray[np.bool_]
    clone: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, run: EvaluationRun, labels: JudgedLabels) -> _JudgedPairs:
        benchmark = run.pair_set.benchmark
        verdicts = judge_verdicts(benchmark, DEFAULT.name, labels.criterion)
        evidence = benchmark.sql(_EVIDENCE_SQL, evidence=verdicts.path)
        _, ours, theirs = np.intersect1d(run.decisions.subjects.pair, evidence["pair"].to_numpy(), return_indices=True)
        clone = evidence["clone"].to_numpy()[theirs].astype(np.bool_)
        return cls(ours, run.decisions.outcomes.predicted[ours], clone)

    @property
    def is_own_judge(self) -> bool:
        """Whether the evidence comes from the detector itself: an LLM's answers may be imported as judgements."""
        return len(self.clone) >= _CONCLUSIVE and bool(np.array_equal(self.predicted, self.clone))

    def prediction_powered(self, run: EvaluationRun, labels: JudgedLabels) -> Correction:
        """The estimate from the judged pairs together with all predictions.

        Judged pairs represent the pairs with the same label. Where only clone labels were judged, the others are
        believed.
        """
        labelled, predicted = run.decisions.outcomes.truth, run.decisions.outcomes.predicted
        populations = {"clone": int(labelled.sum()), "not-clone": int((~labelled).sum())}
        design = Design.stratified(np.where(labelled[self.rows], "clone", "not-clone").tolist(), populations)
        drawn_from = labelled if labelled[self.rows].all() else np.ones_like(labelled)
        sample = judged_sample(design, self.predicted, self.clone, settled=int(predicted[~drawn_from].sum()))
        return prediction_powered_correction(sample, Totals.of(predicted[drawn_from]), (labels.error_rate,))
