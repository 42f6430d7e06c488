"""Corrections of a result that was measured on a dataset's own labels, from judgements that show how many are wrong."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from clonetruth.evaluate.correction import bound_recall, correct_as_published, correct_independent
from clonetruth.evaluate.judged_labels import JudgedLabels, judged_label_error
from clonetruth.evaluate.pairs import Trial
from clonetruth.evaluate.powered import Totals, judged, powered_correction
from clonetruth.evaluate.survey import Design
from clonetruth.store import Benchmark
from clonetruth.store.results import Correction, Result
from clonetruth.truth import judge_verdicts
from clonetruth.truth.policies import DEFAULT, ORIGIN

_EVIDENCE_SQL = """
SELECT pair, CASE WHEN verdict = 'clone' THEN 1 ELSE 0 END AS clone
FROM evidence
WHERE verdict <> 'unknown'
ORDER BY pair
"""


class Way(StrEnum):
    """A way of correcting."""

    INDEPENDENT = "independent"
    AS_PUBLISHED = "as-published"
    BOUNDS = "bounds"
    POWERED = "prediction-powered"


def corrections(
    trial: Trial,
    result: Result,
    *,
    sample: Benchmark | None = None,
    criterion: str | None = None,
    ways: tuple[Way, ...] = tuple(Way),
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
        A correction for each way that is possible; none where nobody judged the labels.

    Raises:
        InputError: the judges were asked several things, and none was chosen.
    """
    precision, recall = result.measurement("precision"), result.measurement("recall")
    if result.policy.name != ORIGIN.name or precision is None or recall is None:
        return ()
    found = judged_label_error(sample or trial.field.benchmark, criterion)
    if found is None or precision.value is None or recall.value is None:
        return ()
    made = []
    if Way.INDEPENDENT in ways:
        made.append(correct_independent(precision.value, recall.value, found.error_rate).to_correction())
    if Way.AS_PUBLISHED in ways:
        made.append(correct_as_published(precision.value, recall.value, found.error_rate).to_correction())
    if Way.BOUNDS in ways:
        made.append(bound_recall(precision.value, recall.value, found.error_rate).to_correction())
    if Way.POWERED in ways and sample is None:
        made += _powered(trial, found)
    return tuple(made)


def _powered(trial: Trial, found: JudgedLabels) -> list[Correction]:
    """The estimate from the judged pairs themselves together with all predictions.

    Judged pairs stand for the pairs with the same label. Where only clone labels were judged, the others are believed.
    """
    benchmark = trial.field.benchmark
    verdicts = judge_verdicts(benchmark, DEFAULT.name, found.criterion)
    evidence = benchmark.sql(_EVIDENCE_SQL, evidence=verdicts.path)
    outcomes, pairs = trial.decided.outcomes, trial.decided.subjects.pair
    _, ours, theirs = np.intersect1d(pairs, evidence["pair"].to_numpy(), return_indices=True)
    if len(ours) < 2:
        return []
    true = evidence["clone"].to_numpy()[theirs]
    labelled, predicted = outcomes.truth, outcomes.predicted
    populations = {"clone": int(labelled.sum()), "not-clone": int((~labelled).sum())}
    design = Design.stratified(np.where(labelled[ours], "clone", "not-clone").tolist(), populations)
    drawn_from = labelled if labelled[ours].all() else np.ones_like(labelled)
    sample = judged(design, predicted[ours], true, settled=int(predicted[~drawn_from].sum()))
    return [powered_correction(sample, Totals.of(predicted[drawn_from]), (found.error_rate,))]
