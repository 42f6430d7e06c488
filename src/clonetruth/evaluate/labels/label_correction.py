"""Corrections of a result that was measured on a dataset's own labels, from judgements that show how many are wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from clonetruth.evaluate.labels.correction import bound_recall, correct_as_published, correct_independent
from clonetruth.evaluate.labels.judged_labels import JudgedLabels, judged_label_error
from clonetruth.evaluate.labels.prediction_powered import Totals, judged, powered_correction
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


_TELLING = 20
"""Judged pairs from which on full agreement with the evidence is no accident."""


class CorrectionMethod(StrEnum):
    """A way of correcting."""

    INDEPENDENT = "independent"
    AS_PUBLISHED = "as-published"
    BOUNDS = "bounds"
    POWERED = "prediction-powered"


def corrections(
    trial: EvaluationRun,
    result: Result,
    *,
    sample: Benchmark | None = None,
    criterion: str | None = None,
    ways: tuple[CorrectionMethod, ...] = tuple(CorrectionMethod),
) -> tuple[Correction, ...]:
    """What the numbers of a result become when wrong labels are taken into account.

    Only a result that believes the dataset's labels (policy `origin`) needs it.

    Args:
        trial: the decisions that the result is of.
        result: the result.
        sample: a benchmark with labels and judgements that show how many of such labels are wrong; unless told, the
            one that was evaluated on. Only of that one the judged pairs themselves can be used.
        criterion: what the judges were asked; see `judged_label_error`.
        ways: the ways of correcting.

    Returns:
        A correction for each way that is possible; none where nobody judged the labels, or only the detector itself.

    Raises:
        InputError: the judges were asked several things, and none was chosen.
    """
    precision, recall = result.measurement("precision"), result.measurement("recall")
    if result.policy.name != ORIGIN.name or precision is None or recall is None:
        return ()
    found = judged_label_error(sample or trial.field.benchmark, criterion)
    if found is None or precision.value is None or recall.value is None:
        return ()
    meeting = None if sample else _Meeting.of(trial, found)
    if meeting is not None and meeting.is_own_judge:
        return ()
    made = []
    if CorrectionMethod.INDEPENDENT in ways:
        made.append(correct_independent(precision.value, recall.value, found.error_rate).to_correction())
    if CorrectionMethod.AS_PUBLISHED in ways:
        made.append(correct_as_published(precision.value, recall.value, found.error_rate).to_correction())
    if CorrectionMethod.BOUNDS in ways:
        made.append(bound_recall(precision.value, recall.value, found.error_rate).to_correction())
    if CorrectionMethod.POWERED in ways and meeting is not None and len(meeting.clone) > 1:
        made.append(meeting.powered(trial, found))
    return tuple(made)


@dataclass(frozen=True)
class _Meeting:
    """The pairs on which both the detector and the evidence speak."""

    rows: npt.NDArray[np.intp]
    predicted: npt.NDArray[np.bool_]
    clone: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, trial: EvaluationRun, found: JudgedLabels) -> _Meeting:
        benchmark = trial.field.benchmark
        verdicts = judge_verdicts(benchmark, DEFAULT.name, found.criterion)
        evidence = benchmark.sql(_EVIDENCE_SQL, evidence=verdicts.path)
        _, ours, theirs = np.intersect1d(trial.decided.subjects.pair, evidence["pair"].to_numpy(), return_indices=True)
        clone = evidence["clone"].to_numpy()[theirs].astype(np.bool_)
        return cls(ours, trial.decided.outcomes.predicted[ours], clone)

    @property
    def is_own_judge(self) -> bool:
        """Whether the evidence is the detector's own word: an LLM's answers may have come in as judgements."""
        return len(self.clone) >= _TELLING and bool(np.array_equal(self.predicted, self.clone))

    def powered(self, trial: EvaluationRun, found: JudgedLabels) -> Correction:
        """The estimate from the judged pairs themselves together with all predictions.

        Judged pairs stand for the pairs with the same label. Where only clone labels were judged, the others are
        believed.
        """
        labelled, predicted = trial.decided.outcomes.truth, trial.decided.outcomes.predicted
        populations = {"clone": int(labelled.sum()), "not-clone": int((~labelled).sum())}
        design = Design.stratified(np.where(labelled[self.rows], "clone", "not-clone").tolist(), populations)
        drawn_from = labelled if labelled[self.rows].all() else np.ones_like(labelled)
        sample = judged(design, self.predicted, self.clone, settled=int(predicted[~drawn_from].sum()))
        return powered_correction(sample, Totals.of(predicted[drawn_from]), (found.error_rate,))
